"""The share of the variance that the fitted theory leaves unexplained, network by network, held against a tenth.

Below a tenth the theory describes the networks, above it misses them. Logarithms are compared, since the shares of
different networks differ by factors.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import bridge
from bridge.results.analysis import Compared
from bridge.statistics.ranking import is_constant
from bridge.two_point.studies.fitted import Fitted

MISSES = 0.1  # share of the variance from which the theory is said to miss the curves
ROUNDING = 1e-12  # smallest share that is told from 0
CURVES, LOSS = "logarithm of the unexplained share of the curves", "logarithm of the unexplained share of the loss"
WORST = "logarithm of the unexplained share of the worst curve"
HOW_COMPARED = (
    "The share of the variance of the three curves, and of the training loss, that the fitted theory leaves "
    "unexplained, as a logarithm against that of a tenth: below it the theory describes the networks, above it misses "
    "them; a factor of two matters. The same, noise apart, of the worst of the three curves of each network, which the "
    "theory may miss although it describes most of their common variance. Errors over seeds."
)


def of_curves(fitted: Iterable[Fitted]) -> tuple[Compared, ...]:
    """Compare the unexplained share of the three curves of every configuration with a tenth."""
    return _compared(CURVES, ((entry.label, [one.r_squared for one in entry.fit.per_seed]) for entry in fitted))


def of_worst_curves(fitted: Iterable[Fitted]) -> tuple[Compared, ...]:
    """Compare the unexplained share of each network's worst curve, noise apart, with a tenth."""
    return _compared(
        WORST, ((entry.label, [1 - max(one.unexplained.values()) for one in entry.fit.per_seed]) for entry in fitted)
    )


def of_losses(fitted: Iterable[Fitted]) -> tuple[Compared, ...]:
    """Compare the unexplained share of the training loss of every configuration that has one with a tenth."""
    return _compared(
        LOSS, ((entry.label, [one.mean.r_squared for one in entry.fit.per_seed if one.mean]) for entry in fitted)
    )


def _compared(quantity: str, shares: Iterable[tuple[str, list[float]]]) -> tuple[Compared, ...]:
    compared = []
    for label, explained in shares:
        logs = np.log(np.maximum(1 - np.array(explained, dtype=np.float64), ROUNDING))
        if logs.size > 1 and not is_constant(logs):
            comparison = bridge.compare(np.log(MISSES), logs, resolution=np.log(2))
            compared.append(Compared(label, quantity, comparison, "<"))
    return tuple(compared)
