r"""How the amplification factor and the time of fitting scale with the number of points and the network scale.

:math:`\Lambda^* \sim p^{1/2}` (Eq. 8), and :math:`t^* = \frac{\tau^*}{2}\log\frac{1}{\alpha} + \mathrm{const}`.

Means of :math:`\Lambda^*` over realisations are geometric, since with one uninformative direction their arithmetic mean
is infinite. There are two fits: the pure power law of the theory, and a power law with an offset, which shows whether
the data already follow it. The slope of :math:`t^*` is measured for each realisation, with the same data and initial
weights at every :math:`\alpha`. The theory derives it from the attractors alone; the derived offset also depends on
randomly drawn neurons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import scaling
from bridge.compression import trace as read
from bridge.plots.result import Result
from bridge.scaling import ScalingFit
from bridge.statistics import compare
from bridge.statistics.arrays import Array
from bridge.tables.grid import gridded
from closedform.checks import arrays

if TYPE_CHECKING:
    from bridge.statistics.comparison import Comparison
    from theory.compression import Stripes
    from theory.compression.population import CharacteristicTime

RESOLUTION = 0.03  # smallest relevant deviation, relative to the derived slope

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
    table = gridded(
        traces, ("size", "seed"), ("amplification", "amplification_max"), defaults=NOT_MEASURED
    )
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


def _scaling(
    points: Array, star: Array, largest: Array, ended: float, level: float
) -> AmplificationScaling:
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


@dataclass(frozen=True, repr=False)
class TimeLaw(Result):
    """The measured and the derived law of the characteristic time in one dimension; times in units of tau.

    Attributes:
        alpha: network scales, from large to small, dimensionless, ``[scale]``.
        times: measured t*, ``[scale, seed]``.
        slopes: slopes of straight lines in log(1/alpha), ``[seed]``.
        offsets: offsets of these lines, ``[seed]``.
        theory: the derived law.
        slope: comparison of the derived with the measured slopes.
        offset: comparison of the derived with the measured offsets.
        bend: largest deviation of the mean times from a straight line.
    """

    alpha: Array
    times: Array
    slopes: Array
    offsets: Array
    theory: CharacteristicTime
    slope: Comparison
    offset: Comparison
    bend: float


def time_law(
    traces: Any,
    *,
    neurons: int = 60,
    labels: Stripes | None = None,
    dimension: int | None = None,
    fitted: float | None = None,
) -> TimeLaw:
    """Compare t* with its derived law.

    Args:
        traces: mapping or sequence of at least two traces with stripes as labels that differ only in alpha, or a
            table (DataFrame, mapping of columns, Dataset, CSV file) with the columns ``alpha``, ``seed`` (which
            realisation) and ``time`` (t* in units of tau). The law holds in the feature regime, for small alpha.
        neurons: number of neurons drawn for the derived offset. The default, 60, takes seconds and gives an error of
            0.2 to 0.3 tau.
        labels: labels of the training points, such as ``theory.compression.Stripes((-0.3, 1.2))``. For a table only.
        dimension: dimension of the inputs, at least 2. For a table only.
        fitted: fraction of the training points that are fitted at t*, between 0 and 1. For a table only.

    Raises:
        TypeError, ValueError: if the traces are of another experiment, too few, differ in other options, or fewer than
            two realisations reached their first share; or a table is incomplete or without the three numbers.

    >>> from theory.compression import Stripes
    >>> table = {"alpha": [1e-4] * 3 + [1e-2] * 3, "seed": [0, 1, 2] * 2, "time": [11, 11.2, 10.8, 6.4, 6.3, 6.5]}
    >>> law = time_law(table, neurons=5, labels=Stripes((-0.3, 1.2)), dimension=2, fitted=0.2)
    >>> round(float(law.slope.measured), 2)
    1.0
    """
    from theory.compression import Stripes, characteristic_time

    table = gridded(traces, ("alpha", "seed"), ("time",))
    if table is None:
        alpha, times, labels, dimension, fitted = _of_traces(traces)
    else:
        if labels is None or dimension is None or fitted is None:
            raise ValueError(
                "labels, dimension, fitted: are not in the data; give all, for the derived law"
            )
        if not isinstance(labels, Stripes):
            raise TypeError(
                f"labels: got {type(labels).__name__}, needs theory.compression.Stripes"
            )
        table = table.sortby("alpha", ascending=False)
        alpha = arrays.positive_array("column 'alpha'", table["alpha"].values)
        times = table["time"].values.astype(np.float64)
        if len(alpha) < 2:
            raise ValueError(f"column 'alpha': has {len(alpha)} value, needs at least 2")
    if times.shape[1] < 2:
        raise ValueError(
            f"traces: {times.shape[1]} realisations reached their first share at every alpha, needs 2"
        )
    logs = np.log(1 / alpha)
    slopes, offsets = np.polyfit(logs, times, 1)
    theory = characteristic_time(labels, dimension, fitted=fitted, neurons=neurons)
    mean = times.mean(axis=1)
    return TimeLaw(
        alpha=alpha,
        times=times,
        slopes=slopes,
        offsets=offsets,
        theory=theory,
        slope=compare.compare(theory.slope, slopes, resolution=RESOLUTION * theory.slope),
        offset=compare.compare(
            theory.offset, offsets, prediction_error=theory.offset_error, resolution=1.0
        ),
        bend=float(np.abs(mean - np.polyval(np.polyfit(logs, mean, 1), logs)).max()),
    )


def _of_traces(traces: Any) -> tuple[Array, Array, Stripes, int, float]:
    """Return alpha ``[scale]``, t* ``[scale, seed]`` of seeds that reached it, labels, dimension and fitted share."""
    known = read.several(traces, 2)
    configs = [read.config_of(trace) for trace in known.values()]
    for name in (
        "labels",
        "boundaries",
        "first_label",
        "dimension",
        "points",
        "width",
        "first_seed",
        "seeds",
    ):
        if len({getattr(config, name) for config in configs}) > 1:
            raise ValueError(f"traces: differ in {name}; give those of one family at a time")
    shares = {config.shares[0] for config in configs}
    if len(shares) > 1 or len({config.alpha for config in configs}) < len(configs):
        raise ValueError("traces: need one first share and different alpha")
    order = np.argsort([-config.alpha for config in configs])
    alpha = np.array([configs[i].alpha for i in order])
    times = np.stack([read.at_first_share(list(known.values())[i], "time") for i in order])
    times = times[:, np.isfinite(times).all(axis=0)]
    return (
        alpha,
        times,
        read.stripes_of(configs[0], "the growth time"),
        configs[0].dimension,
        shares.pop(),
    )
