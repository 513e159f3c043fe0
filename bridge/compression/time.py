r"""When a network of small scale begins to fit: :math:`t^* = \frac{\tau^*}{2}\log\frac{1}{\alpha} + \mathrm{const}`.

The slope is measured realisation by realisation, from the same data and initial weights at every :math:`\alpha`, and
its error comes from their scatter. It is derived from the attractors alone; the offset takes drawn neurons, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import comparison
from bridge.arrays import Array
from bridge.compression import trace as read

if TYPE_CHECKING:
    from bridge.comparison import Comparison
    from theory.compression.population import CharacteristicTime

RESOLUTION = 0.03  # of the derived slope


@dataclass(frozen=True)
class TimeLaw:
    """The measured and the derived law of the characteristic time in one dimension; times in units of tau.

    Attributes:
        alpha: ``[scale]``, from large to small.
        times: ``[scale, seed]``, measured t*.
        slopes: ``[seed]``, of straight lines in log(1/alpha).
        offsets: ``[seed]``, of the same lines.
        theory: the derived law.
        slope: the derived slope against the measured ones.
        offset: the derived offset against the measured ones.
        bend: largest deviation of the mean times from a straight line, tau.
    """

    alpha: Array
    times: Array
    slopes: Array
    offsets: Array
    theory: CharacteristicTime
    slope: Comparison
    offset: Comparison
    bend: float


def time_law(traces: Any, *, neurons: int = 60) -> TimeLaw:
    """Compare t* with its derived law.

    Args:
        traces: at least two, a mapping or a sequence, of stripes, that differ in alpha only; of small alpha: the law is
            that of the feature regime.
        neurons: drawn for the derived offset; 60 take seconds and leave an error of 0.2 to 0.3 tau.

    Raises:
        TypeError, ValueError: for traces of something else, fewer, that differ in more, or of fewer than two
            realisations that reached their first share.
    """
    from theory.compression import characteristic_time

    known = read.several(traces, 2)
    configs = [read.config_of(trace) for trace in known.values()]
    for name in ("labels", "boundaries", "first_label", "dimension", "points", "width", "first_seed", "seeds"):
        if len({getattr(config, name) for config in configs}) > 1:
            raise ValueError(f"traces: differ in {name}; give those of one family at a time")
    shares = {config.shares[0] for config in configs}
    if len(shares) > 1 or len({config.alpha for config in configs}) < len(configs):
        raise ValueError("traces: need one first share and different alpha")
    order = np.argsort([-config.alpha for config in configs])
    alpha = np.array([configs[i].alpha for i in order])
    times = np.stack([read.at_first_share(list(known.values())[i], "time") for i in order])
    times = times[:, np.isfinite(times).all(axis=0)]
    if times.shape[1] < 2:
        raise ValueError(f"traces: {times.shape[1]} realisations reached their first share at every alpha, needs 2")
    logs = np.log(1 / alpha)
    slopes, offsets = np.polyfit(logs, times, 1)
    stripes = read.stripes_of(configs[0], "the growth time")
    theory = characteristic_time(stripes, configs[0].dimension, fitted=shares.pop(), neurons=neurons)
    mean = times.mean(axis=1)
    return TimeLaw(
        alpha=alpha,
        times=times,
        slopes=slopes,
        offsets=offsets,
        theory=theory,
        slope=comparison.compare(theory.slope, slopes, resolution=RESOLUTION * theory.slope),
        offset=comparison.compare(theory.offset, offsets, prediction_error=theory.offset_error, resolution=1.0),
        bend=float(np.abs(mean - np.polyval(np.polyfit(logs, mean, 1), logs)).max()),
    )
