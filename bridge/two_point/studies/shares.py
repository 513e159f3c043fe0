"""The share of the variance that the fitted theory leaves unexplained, network by network, compared with a tenth.

Below a tenth the theory describes the networks, above it misses them. Logarithms are compared, since the shares of
different networks differ by factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bridge.results.analysis import with_verdict
from bridge.results.quantity import Quantity
from bridge.statistics.arrays import Array, mean_and_error
from bridge.two_point import quantities as q
from bridge.two_point.studies.fitted import Fitted
from closedform.measured import Measured

MISSES = float(np.log(0.1))  # logarithm of the share of the variance from which the theory is said to miss the curves
TWICE = float(np.log(2))  # a factor of two, in a logarithm: the smallest difference that matters
ROUNDING = 1e-12  # smallest share that is told from 0
EXPLAINED: Mapping[Quantity, Callable[[Any], float]] = {
    q.UNEXPLAINED_CURVES: lambda fit: fit.r_squared,
    q.UNEXPLAINED_WORST: lambda fit: 1 - max(fit.unexplained.values()),
    q.UNEXPLAINED_LOSS: lambda fit: fit.mean.r_squared if fit.mean else np.nan,
}
HOW_COMPARED = (
    "The share of the variance of the three curves, and of the training loss, that the fitted theory leaves "
    "unexplained, as a logarithm against that of a tenth: below it the theory describes the networks, above it misses "
    "them; a factor of two matters. The same, noise apart, of the worst of the three curves of each network, which the "
    "theory may miss although it describes most of their common variance. Errors over seeds."
)


def unexplained(quantity: Quantity, fitted: Iterable[Fitted]) -> tuple[Measured, ...]:
    """Compare a share of every configuration with a tenth; ``quantity`` is a key of :data:`EXPLAINED`."""
    return with_verdict(
        Measured.mean(quantity, entry.label, logarithms(quantity, entry), MISSES, "<", TWICE) for entry in fitted
    )


def logarithms(quantity: Quantity, fitted: Fitted) -> Array:
    """Return the logarithm of a share that the theory leaves, ``[seed]``; ``quantity`` is a key of EXPLAINED."""
    left = np.array([1 - EXPLAINED[quantity](one) for one in fitted.fit.per_seed])
    return np.asarray(np.log(np.maximum(left, ROUNDING)))


def geometric_mean(quantity: Quantity, label: str, values: ArrayLike) -> Measured:
    """Return the geometric mean of positive repetitions, with the error of the mean logarithm times the mean."""
    log, error = mean_and_error(np.log(values))
    mean, count = float(np.exp(log)), np.size(values)
    return Measured(quantity, label, mean, *((mean * error, count) if count > 1 else (None, None)))
