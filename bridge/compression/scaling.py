r"""The global amplification factor against the size of the training set: :math:`\Lambda^* \sim p^{1/2}` (Eq. 8).

Means over realisations are geometric, since with one uninformative direction the arithmetic mean of :math:`\Lambda^*`
is infinite. There are two fits: the pure power law of the theory, and a power law with an offset, which shows whether
the data already follow it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bridge import scaling
from bridge.compression import trace as read
from bridge.plots.result import Result
from bridge.scaling import ScalingFit
from bridge.statistics.arrays import Array
from bridge.tables.long_table import gridded

EXPONENT = 0.5  # Eq. (8)
NOT_MEASURED = {"amplification_max": math.nan}


@dataclass(frozen=True, repr=False)
class AmplificationScaling(Result):
    """The power laws fitted to one family of training sets of growing size.

    Attributes:
        points: numbers of training points, ``[size]``.
        at_t_star: amplification factor when the first share of points is fitted, ``[size, seed]``.
        largest: largest factor during training, ``[size, seed]``.
        fit: power law fitted to ``at_t_star``.
        with_offset: power law with an offset; None with fewer than four sizes.
        fit_largest: power law fitted to ``largest``; None for a table without it.
        ended: share of fitted points at which training ended, which limits the maximum in ``largest``; NaN for a table.
        dropped: number of realisations that are omitted because one of the sizes never fitted the first share.
    """

    points: Array
    at_t_star: Array
    largest: Array
    fit: ScalingFit
    with_offset: ScalingFit | None
    fit_largest: ScalingFit | None
    ended: float
    dropped: int


def amplification_scaling(traces: Any, *, level: float = 0.95) -> AmplificationScaling:
    """Fit the exponent of the amplification factor as a function of the size of the training set.

    Args:
        traces: mapping or sequence of at least three traces that differ only in their number of points, or a table
            (DataFrame, mapping of columns, Dataset, CSV file) with the columns ``size`` (training points), ``seed``
            (which realisation), ``amplification`` (factor Λ when the first points are fitted) and, if it is known,
            ``amplification_max`` (the largest during training).
        level: confidence level of the intervals. Default: 0.95.

    Raises:
        TypeError, ValueError: if the traces are of another experiment, too few, differ in labels or networks, or have
            fewer than three realisations.

    >>> sizes = [100, 100, 100, 400, 400, 400, 1600, 1600, 1600]
    >>> table = {"size": sizes, "seed": [0, 1, 2] * 3, "amplification": [9, 10, 11, 19, 20, 21, 42, 39, 41]}
    >>> round(amplification_scaling(table).fit.exponent, 1)
    0.5
    """
    table = gridded(traces, ("size", "seed"), ("amplification", "amplification_max"), defaults=NOT_MEASURED)
    if table is not None:
        star = table["amplification"].transpose("size", "seed").values
        largest = table["amplification_max"].transpose("size", "seed").values
        return _scaling(table["size"].values.astype(np.float64), star, largest, math.nan, level)
    known = read.several(traces, 3)
    configs = [read.config_of(trace) for trace in known.values()]
    for name in ("labels", "boundaries", "dimension", "alpha", "first_seed", "seeds"):
        if len({getattr(config, name) for config in configs}) > 1:
            raise ValueError(f"traces: differ in {name}; fit those of one family at a time")
    order = np.argsort([config.points for config in configs])
    inside = [list(known.values())[i] for i in order]
    points = np.array([configs[i].points for i in order], dtype=np.float64)
    star = np.stack([read.at_first_share(trace, "amplification") for trace in inside])
    largest = np.stack([np.asarray(trace["amplification_max"].values) for trace in inside])
    return _scaling(points, star, largest, float(max(configs[0].shares)), level)


def _scaling(points: Array, star: Array, largest: Array, ended: float, level: float) -> AmplificationScaling:
    complete = np.isfinite(star).all(axis=0)
    star, largest = star[:, complete], largest[:, complete]

    def fitted(y: Array, offset: float | None) -> ScalingFit:
        return scaling.fit(points, y, offset=offset, average="geometric", level=level)

    return AmplificationScaling(
        points=points,
        at_t_star=star,
        largest=largest,
        fit=fitted(star, 0.0),
        with_offset=fitted(star, None) if len(points) > 3 else None,
        fit_largest=fitted(largest, 0.0) if np.isfinite(largest).all() else None,
        ended=ended,
        dropped=int((~complete).sum()),
    )
