"""Pairs of the recorded points of a data set: their distances, and what Eq. (10) predicts for each of them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from bridge import arguments
from bridge.statistics.arrays import Array

if TYPE_CHECKING:
    import xarray as xr

EXPERIMENT = "the experiment two_point.many_points"
ADAM = " (Adam)"  # ends the label of a configuration
MEASURED = ("distance2", "outputs", "target", "input_distance2", "loss")


def with_optimiser(label: str) -> str:
    """Return the label of a configuration with its optimiser after a comma."""
    return f"{label.removesuffix(ADAM)}, {'Adam' if label.endswith(ADAM) else 'gradient descent'}"


def checked(label: str, trace: xr.Dataset) -> xr.Dataset:
    """Return a trace after checking that it is one of many points; an error names the configuration."""
    return arguments.dataset(
        trace, EXPERIMENT, MEASURED, ("seed", "epoch", "pair"), name=f"configuration {label!r}"
    )


def ends(trace: xr.Dataset) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of both points of every pair, two arrays ``[pair]``."""
    first, second = np.triu_indices(trace.sizes["point"], k=1)
    return first.astype(np.intp), second.astype(np.intp)


def distance2(trace: xr.Dataset, values: xr.DataArray) -> Array:
    """Return the squared distance of the targets or outputs of every pair, ``[pair]`` or ``[seed, pair]``."""
    first, second = ends(trace)
    rows = values.transpose(..., "point", "output").values
    return np.asarray(((rows[..., first, :] - rows[..., second, :]) ** 2).sum(axis=-1))


def predicted(trace: xr.Dataset, tau_h: float, tau_y: float) -> Array:
    """Return the squared final distance by Eq. (10) of every pair from its own initial state, ``[seed, pair]``."""
    import theory

    distance = theory.catalogue()["two_point.final_distance"]
    dh2_0 = trace.distance2.isel(epoch=0).transpose("seed", "pair").values
    dy2_0 = distance2(trace, trace.outputs.isel(epoch=0))
    value = distance(
        dh2_0, dy2_0, tau_h, tau_y, trace.input_distance2.values, distance2(trace, trace.target)
    )
    return np.asarray(value, dtype=np.float64)


def matrix(values: Array) -> Array:
    """Return the symmetric matrix ``[point, point]`` of values ``[pair]``, with zeros on its diagonal."""
    return np.asarray(squareform(values, checks=False))
