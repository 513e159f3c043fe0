"""Comparison of meshes: test cost, and evenness of the steps along the path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from bridge import arguments
from bridge.leaky_resnet.trace import checked, residual

if TYPE_CHECKING:
    import xarray as xr

BASE = "equidistant"


def compare_meshes(traces: Mapping[str, xr.Dataset]) -> dict[str, xr.Dataset]:
    """Measure test cost and steps of every network, and compare the test cost with that of the equidistant mesh.

    It needs traces, since the distances along the path are those of representations projected on a plane.

    Args:
        traces: label -> trace of ``empirics.experiments.leaky_resnet``, with any meshes and numbers of layers.

    Returns:
        For every label a Dataset ``[depth, seed]``: ``test_cost``, ``train_cost``, ``evenness`` (ratio of the largest
        to the smallest distance by which a layer moves the representation in the plane of the path), ``longest``
        (largest step times L), ``outer`` (share of the layers in the first and the last quarter of p), ``beginning``
        and ``end`` (in each of these quarters, where a layer counts in proportion to its part of its step),
        ``residual`` and ``advantage``; attributes ``mesh``, ``layers``. The advantage is the logarithm of the ratio of
        the test cost of the equidistant mesh with as many layers to that of this mesh, for the same seed, which has the
        same teacher, points and initial noise; it is NaN for the equidistant mesh or without one.

    Raises:
        TypeError, ValueError: if there are no traces, or one is not a trace of Leaky ResNets with a test cost.

    >>> from empirics.experiments import leaky_resnet
    >>> config = leaky_resnet.Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=1, adam=20, polishing=2)
    >>> meshes = {mesh: config.changed(mesh=mesh, test_points=8) for mesh in ("equidistant", "irregular")}
    >>> found = compare_meshes({mesh: leaky_resnet.run(one, progress=False) for mesh, one in meshes.items()})
    >>> found["irregular"]["advantage"].shape
    (1, 1)
    """
    if not isinstance(traces, Mapping) or not traces:
        raise ValueError("traces: needs a mapping of at least one label to a trace")
    data = {
        name: checked(trace, ("test_cost", "position", "projection", "cost"))
        for name, trace in traces.items()
    }
    base = {
        trace.sizes["layer"]: trace["test_cost"]
        for trace in data.values()
        if mesh_of(trace) == BASE
    }
    return {
        label: _measured(trace, base.get(trace.sizes["layer"])) for label, trace in data.items()
    }


def mesh_of(trace: xr.Dataset) -> str:
    """Return the name of the mesh of a trace."""
    return str(arguments.attribute(trace, "config")["mesh"])


def _measured(trace: xr.Dataset, base: xr.DataArray | None) -> xr.Dataset:
    """Measure one trace, whose equidistant mesh with as many layers has the test cost ``base``."""
    import xarray as xr

    mesh, layers, position = mesh_of(trace), trace.sizes["layer"], trace["position"]
    moved = (trace["projection"].diff("node") ** 2).sum("component") ** 0.5
    even = np.nan if base is None or mesh == BASE else base
    return xr.Dataset(
        {
            "test_cost": trace["test_cost"],
            "train_cost": trace["cost"].isel(record=-1, drop=True),
            "evenness": moved.max("node") / moved.min("node"),
            "outer": (abs(position.rolling(node=2).mean().dropna("node") - 0.5) > 0.25).mean(
                "node"
            ),
            "beginning": _share(position, 0, 1 / 4),
            "end": _share(position, 3 / 4, 1),
            "longest": layers * position.diff("node").max("node"),
            "residual": residual(trace),
            "advantage": np.log(even / trace["test_cost"]),  # on common seeds
        },
        attrs={"mesh": mesh, "layers": layers},
    )


def _share(position: xr.DataArray, low: float, high: float) -> xr.DataArray:
    """Return the share of the layers between two positions ``low`` and ``high``, ``[depth, seed]``."""
    after, before = (position.isel(node=part) for part in (slice(1, None), slice(None, -1)))
    inside = after.clip(low, high) - before.clip(low, high).values
    return (inside / (after - before.values)).mean("node", skipna=False)
