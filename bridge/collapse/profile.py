r"""NC1 of every layer, and its values without information about the classes.

* *shuffled*: NC1 of the same features with randomly permuted labels, the noise floor of these features.
* *floor*: the closed form of this noise floor for features that are isotropic Gaussian in all their dimensions
  (``collapse.noise_floor``, and its version for few dimensions). Real features occupy few of their dimensions;
  ``effective_dimension`` is the number of isotropic dimensions with the shuffled floor.
* *isotropic*: the closed form for a simplex (``collapse.simplex_nc1``) with the measured :math:`\mathrm{tr}\,\Sigma_W`
  and :math:`\mathrm{tr}\,\Sigma_B`, after removal of their finite-sample bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.collapse import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array, mean_and_error
from bridge.tables.grid import gridded, single
from bridge.tables.reader import load
from closedform import checks
from closedform.checks import arrays

COLUMNS = ("features", "nc1", "within", "between", "shuffled_nc1")


@dataclass(frozen=True, repr=False)
class LayerProfile(Result):
    """NC1 as a function of depth; all values are dimensionless.

    Attributes:
        layer: numbers of the layers, ``[layer]``, counted from 1.
        features: dimensions D of the representations, ``[layer]``.
        nc1: measured NC1, ``[seed, layer]``.
        shuffled: NC1 with permuted labels, ``[seed, layer]``; NaN except at the first and the last epoch.
        floor: closed form for isotropic features, ``[layer]``; infinite for C - 2 <= D <= C.
        isotropic: closed form from the two traces, ``[seed, layer]``; infinite where the trace between classes is not
            above its finite-sample bias.
        effective_dimension: number of isotropic dimensions with the shuffled floor, ``[layer]``.
        samples: number of images N.
        classes: number of classes C.
        split: "train" or "test".
        epoch: "last" or the number of the epoch.
    """

    layer: NDArray[np.int64]
    features: Array
    nc1: Array
    shuffled: Array
    floor: Array
    isotropic: Array
    effective_dimension: Array
    samples: int
    classes: int
    split: str
    epoch: int | str

    @property
    def margin(self) -> Array:
        """Ratio of shuffled to measured NC1, geometric mean over seeds, ``[layer]``; it is 1 for noise."""
        return np.asarray(np.exp(np.log(self.shuffled / self.nc1).mean(axis=0)))

    @property
    def mean(self) -> Array:
        """Geometric mean of NC1 over seeds, ``[layer]``."""
        return np.asarray(np.exp(np.log(self.nc1).mean(axis=0)))

    @property
    def error(self) -> Array:
        """Standard error of the mean of log NC1 over seeds, ``[layer]``; NaN for a single seed."""
        return np.asarray(mean_and_error(np.log(self.nc1))[1])


def layer_profile(
    trace: Any,
    split: str = "train",
    epoch: int | str = "last",
    *,
    samples: int | None = None,
    classes: int | None = None,
) -> LayerProfile:
    r"""Compute the profile of NC1 over the layers of a network.

    Args:
        trace: trace of ``empirics.experiments.collapse``, or a table (DataFrame, mapping, Dataset, CSV file) of one
            split and epoch with the columns ``layer`` (its number, from 1), ``features`` (dimensions D), ``nc1``,
            ``within`` (:math:`\mathrm{tr}\,\Sigma_W`), ``between`` (:math:`\mathrm{tr}\,\Sigma_B`) and, if they are
            known, ``shuffled_nc1`` (NC1 with permuted labels) and ``seed`` (which network).
        split: "train" or "test". Default: "train".
        epoch: "last", the last epoch of each seed, or an epoch at which NC1 was measured. Default: "last".
        samples: number of images N, more than ``classes``. For a table only.
        classes: number of classes C, at least 2. For a table only.

    Raises:
        TypeError: if ``trace`` is neither a trace nor a table, or a number is not whole.
        ValueError: if it is the trace of another experiment, or NC1 was not measured at this epoch; or a table lacks a
            column or a row, has a row twice or a number that is not positive, or is given without both numbers.

    >>> table = {"layer": [1, 2], "features": [50, 20], "nc1": [9.0, 0.5], "within": [40.0, 5.0], "between": [9.0, 9.0]}
    >>> profile = layer_profile(table, samples=1000, classes=10)
    >>> profile.floor.round(1).tolist()
    [222.8, 891.0]
    """
    import theory
    from theory.collapse.class_blind import floor_at

    for name, number in (("samples", samples), ("classes", classes)):
        if number is not None:
            checks.size(name, number)
    loaded = load(trace)
    table = gridded(
        loaded, ("seed", "layer"), COLUMNS, defaults={"seed": 0, "shuffled_nc1": np.nan}
    )
    if table is None:
        data = read.checked(loaded)
        nc1, within, between = (
            read.at(data, name, split, epoch) for name in ("nc1", "within", "between")
        )
        samples, classes = read.size_of(data, split), int(data.attrs["classes"])
        features = data["features"].values.astype(np.float64)
        shuffled = np.full_like(nc1, np.nan)
        if epoch == 0 or epoch == "last":
            moment = "initial" if epoch == 0 else "final"
            shuffled = (
                data["shuffled_nc1"]
                .sel(split=split, moment=moment)
                .transpose("seed", "layer")
                .values
            )
    else:
        read.split_of(split)
        if samples is None or classes is None:
            raise ValueError(
                "samples, classes: are not in the data; give both, for the closed forms"
            )
        classes = checks.integer("classes", classes, 2)
        samples = checks.integer("samples", samples, classes + 1)
        data = table.assign(features=single(table, "features", "seed"))
        nc1, within, between, features = (
            arrays.positive_array(f"column {name!r}", data[name].values)
            for name in ("nc1", "within", "between", "features")
        )
        shuffled = data["shuffled_nc1"].values.astype(np.float64)
    variance = within * samples / ((samples - classes) * features)
    radius2 = between - variance * features * (classes - 1) / samples
    isotropic = np.full_like(nc1, np.inf)
    apart = radius2 > 0
    simplex = theory.catalogue()["collapse.simplex_nc1"]
    isotropic[apart] = simplex(classes=classes, variance=variance[apart], radius2=radius2[apart])
    with np.errstate(invalid="ignore"):
        effective = classes + (samples - classes) * (classes - 1) / shuffled.mean(axis=0)
    return LayerProfile(
        read.whole_numbers(data, "layer"), features, nc1, shuffled, floor_at(samples, classes, features), isotropic,
        effective, samples, classes, split, epoch,
    )  # fmt: skip
