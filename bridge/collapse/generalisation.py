"""The relation between the compression gap and the generalisation gap of a network.

The generalisation gap is the test loss minus the training loss. The compression gap of a layer is NC1 of the test data
minus NC1 of the training data. NC1 depends on the number of samples, so the compression gap is meaningful only if both
sets have the same size (``same_size``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bridge.collapse import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import is_constant, spearman
from bridge.tables.grid import gridded, single
from bridge.tables.reader import load
from closedform import checks

FEWEST = 3  # smallest number of points of a correlation


@dataclass(frozen=True, repr=False)
class Gaps(Result):
    """The compression gap and the generalisation gap at the epochs at which NC1 was measured.

    Attributes:
        epoch: epochs at which NC1 was measured, ``[epoch]``.
        layer: numbers of the layers, ``[layer]``.
        generalisation: generalisation gap in nats, ``[seed, epoch]``.
        compression: compression gap, dimensionless, ``[seed, epoch, layer]``.
        used: whether the generalisation gap is positive, as the thesis requires, ``[seed, epoch]``.
        same_size: whether training set and test set have the same size.
    """

    epoch: NDArray[np.int64]
    layer: NDArray[np.int64]
    generalisation: Array
    compression: Array
    used: NDArray[np.bool_]
    same_size: bool

    @property
    def pearson(self) -> Array:
        """Pearson's correlation of the two gaps over the used epochs, ``[seed, layer]``; NaN for fewer than three."""
        return self._correlations(lambda x, y: float(stats.pearsonr(x, y).statistic))

    @property
    def spearman(self) -> Array:
        """Spearman's correlation, ``[seed, layer]``, which a few large gaps do not dominate."""
        return self._correlations(spearman)

    def _correlations(self, correlation: Any) -> Array:
        correlations = np.full((len(self.used), len(self.layer)), np.nan)
        for seed, used in enumerate(self.used):
            x = self.generalisation[seed, used]
            for layer in range(len(self.layer)):
                y = self.compression[seed, used, layer]
                if len(x) >= FEWEST and not is_constant(x) and not is_constant(y):
                    correlations[seed, layer] = correlation(x, y)
        return correlations


def gaps(trace: Any, *, same_size: bool | None = None) -> Gaps:
    """Compute the compression gap and the generalisation gap of a training run.

    Args:
        trace: trace of ``empirics.experiments.collapse``, or a table (DataFrame, mapping, Dataset, CSV file) with the
            columns ``epoch``, ``split`` ("train" or "test"), ``layer``, ``loss`` (in nats, repeated for every layer),
            ``nc1`` and, for several networks, ``seed``.
        same_size: whether NC1 of both splits was measured with the same number of samples. For a table only.

    Raises:
        TypeError, ValueError: for no trace of this experiment, or a table that is incomplete or without ``same_size``.

    >>> table = {"epoch": [1, 1, 2, 2], "split": ["train", "test"] * 2, "layer": [1] * 4}
    >>> table |= {"loss": [0.9, 1.0, 0.1, 0.5], "nc1": [2.0, 2.5, 1.0, 3.0]}
    >>> gaps(table, same_size=True).generalisation.round(3).tolist()
    [[0.1, 0.4]]
    """
    if same_size is not None:
        checks.boolean("same_size", same_size)
    loaded = load(trace)
    keys = ("seed", "epoch", "split", "layer")
    table = gridded(loaded, keys, ("loss", "nc1"), defaults={"seed": 0}, texts=("split",))
    if table is None:
        data = read.checked(loaded)
        measured = data.sel(epoch=read.measured_epochs(data, "nc1"))
        same = read.size_of(data, "train") == read.size_of(data, "test")
    else:
        if same_size is None:
            raise ValueError(
                "same_size: got None, needs True or False, since the table does not tell it"
            )
        read.need_both_splits(table)
        measured, same = table.assign(loss=single(table, "loss", "layer")), same_size
    difference = measured[["loss", "nc1"]].sel(split="test") - measured[["loss", "nc1"]].sel(
        split="train"
    )
    generalisation = difference["loss"].transpose("seed", "epoch").values
    compression = difference["nc1"].transpose("seed", "epoch", "layer").values
    with np.errstate(invalid="ignore"):
        used = (generalisation > 0) & np.isfinite(compression).all(axis=-1)
    epoch, layer = (read.whole_numbers(measured, key) for key in ("epoch", "layer"))
    return Gaps(epoch, layer, generalisation, compression, used, same)
