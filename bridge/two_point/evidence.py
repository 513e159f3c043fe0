"""What the two-point studies say of the ledger of van Rossem and Saxe (2024)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bridge.results.analysis import Compared
from bridge.results.bearing import Bearing, of_all
from bridge.statistics.arrays import Array
from bridge.statistics.compare import NoError, compare

if TYPE_CHECKING:
    from bridge.two_point import TwoPointFit
    from bridge.two_point.studies.fitted import Fitted, TwoPointAnalysis

PAPER = "vanrossem2024"
MISSES = 0.1  # share of the variance of the curves from which the theory is said to miss them
TWICE = float(np.log(2))  # a factor of two, in a logarithm: the smallest difference that matters


def of_architectures(analysis: TwoPointAnalysis) -> Iterator[Bearing]:
    """Yield the decisive match over architectures and nonlinearities, of the three curves and of the loss."""
    yield _mismatch("3.1 and Figure 2", "three curves", analysis.fitted, lambda fit: fit.r_squared, "<")
    with_loss = [entry for entry in analysis.fitted if all(fit.mean for fit in entry.fit.per_seed)]
    if len(with_loss) == len(analysis.fitted):
        yield _mismatch("C.2 and Figure 12", "loss", with_loss, _r_squared_of_loss, "<")


def of_initial_weights(analysis: TwoPointAnalysis) -> Iterator[Bearing]:
    """Yield the mismatch at the largest initial weights, where the theory should fail."""
    yield _mismatch("3.2 very large weights", "three curves", analysis.fitted[-1:], lambda fit: fit.r_squared, ">")


def of_adam(analysis: TwoPointAnalysis) -> Iterator[Bearing]:
    """Yield the mismatch under Adam, which should be large."""
    yield _mismatch("C.5 and Figure 15", "three curves", analysis.fitted, lambda fit: fit.r_squared, ">")


def of_layers(analysis: TwoPointAnalysis) -> Iterator[Bearing]:
    """Yield how much better the second half of the layers is fitted, and how both rates change in it."""
    layers = [entry.fit.per_seed for entry in analysis.fitted]
    if len(layers) < 3:
        raise NoError(f"of {len(layers)} layers, the second half has no two layers between which a rate could change")
    half = len(layers) // 2
    losses = np.log([[fit.loss for fit in seeds] for seeds in layers])
    ratio = np.median(losses[:half], axis=0) - np.median(losses[half:], axis=0)
    yield Bearing(
        PAPER,
        "5.1 and Figure 10",
        "logarithm of the median fit loss in the first half of the layers over that in the second",
        compare(0.0, ratio, resolution=TWICE),
        ">",
    )
    encoder = np.log([layers[half][i].tau_h / last.tau_h for i, last in enumerate(layers[-1])])
    decoder = np.log([last.tau_y / layers[half][i].tau_y for i, last in enumerate(layers[-1])])
    yield Bearing(
        PAPER,
        "5.2 and Figure 10",
        "smaller of two logarithms through the second half of the layers: growth of the encoder's rate, fall of the "
        "decoder's",
        compare(0.0, np.minimum(encoder, decoder), resolution=TWICE),
        ">",
    )


def _mismatch(
    label: str, curves: str, fitted: Sequence[Fitted], explained: Callable[[TwoPointFit], float], relation: str
) -> Bearing:
    """Return the decisive logarithm of the unexplained share, which is less skewed than the share itself."""
    quantity = f"logarithm of the share of the variance of the {curves} that the fitted theory leaves over"
    compared = [
        Compared(
            label=entry.label,
            quantity=quantity,
            comparison=compare(np.log(MISSES), _unexplained(entry, explained), resolution=TWICE),
        )
        for entry in fitted
    ]
    return of_all(PAPER, label, compared, relation)


def _r_squared_of_loss(fit: TwoPointFit) -> float:
    return fit.mean.r_squared if fit.mean else np.nan


def _unexplained(entry: Fitted, explained: Callable[[TwoPointFit], float]) -> Array:
    """Return the logarithm ``[seed]`` of the share of the variance that is not explained."""
    return np.log([1 - explained(fit) for fit in entry.fit.per_seed])
