r"""The global amplification factor against the size of the training set: :math:`\Lambda^* \sim p^{1/2}` (Eq. 8).

Geometric means over realisations: with one uninformative direction the mean of :math:`\Lambda^*` is infinite. Two fits:
the pure power law of the theory, and one with an offset, which shows whether the data already follow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bridge import scaling
from bridge.arrays import Array
from bridge.compression import trace as read
from bridge.scaling import ScalingFit

EXPONENT = 0.5  # Eq. (8)


@dataclass(frozen=True)
class AmplificationScaling:
    """The power laws fitted to one family of training sets of growing size.

    Attributes:
        points: ``[size]``, training points.
        at_t_star: ``[size, seed]``, the factor when the first share is fitted.
        largest: ``[size, seed]``, its maximum over the whole training.
        fit: power law through ``at_t_star``.
        with_offset: the same with an offset; None with fewer than four sizes.
        fit_largest: power law through ``largest``.
        ended: largest share of the points that the training went on to fit: ``largest`` is a maximum until then.
        dropped: realisations left out because one of the sizes never fitted the first share.
    """

    points: Array
    at_t_star: Array
    largest: Array
    fit: ScalingFit
    with_offset: ScalingFit | None
    fit_largest: ScalingFit
    ended: float
    dropped: int


def amplification_scaling(traces: Any, *, level: float = 0.95) -> AmplificationScaling:
    """Fit the exponent of the amplification factor in the size of the training set.

    Args:
        traces: at least three, a mapping or a sequence, that differ in their number of points only.
        level: of the intervals.

    Raises:
        TypeError, ValueError: for traces of something else, fewer, with different labels or networks, or of fewer than
            three realisations.
    """
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
        fit_largest=fitted(largest, 0.0),
        ended=float(max(configs[0].shares)),
        dropped=int((~complete).sum()),
    )
