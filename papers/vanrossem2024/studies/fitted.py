r"""The theory fitted to every configuration of a two-point study, and the analysis made of these fits.

*Shares* of the variance that the fitted theory leaves unexplained are compared with a
tenth, network by network, as logarithms.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from bridge import arguments
from bridge.fit.outcome import attempt, raised
from bridge.results.analysis import (
    Analysis,
    Doubt,
    Picture,
    Table,
    Traces,
    seeds_named,
    table_of,
    with_verdict,
)
from bridge.results.quantity import Quantity
from bridge.statistics.arrays import Array, mean_and_error
from bridge.two_point import TwoPointFit, summary
from bridge.two_point.estimate import fit_traces, joint
from bridge.two_point.trace import Trace, read
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q

# logarithm of the share of the variance from which the theory is said to miss the curves
MISSES = float(np.log(0.1))
TWICE = float(np.log(2))  # a factor of two, in a logarithm: the smallest difference that matters
HALF_WAY = 0.25  # |dy - (y2 - y1)|^2 relative to |y2 - y1|^2 when dy is half way to its target
ROUNDING = 1e-12  # smallest share that is told from 0
EXPLAINED: Mapping[Quantity, Callable[[Any], float]] = {
    q.UNEXPLAINED_CURVES: lambda fit: fit.r_squared,
    q.UNEXPLAINED_WORST: lambda fit: 1 - max(fit.systematic.values()),
    q.UNEXPLAINED_LOSS: lambda fit: fit.mean.r_squared if fit.mean else np.nan,
}
SHARES_COMPARED = (
    "The share of the variance of the three curves, and of the training loss, that the fitted theory leaves "
    "unexplained, as a logarithm against that of a tenth: below it the theory describes the networks, above it misses "
    "them; a factor of two matters. The same, noise apart, of the worst of the three curves of each network, which the "
    "theory may miss although it describes most of their common variance. Errors over seeds."
)

# Closed forms behind dashed curves and comparisons: Eq. (7), its conserved quantity and solution, Eqs. (9) and (10).
PREMISES = tuple(
    f"two_point.{name}" for name in ("dh2_rate", "dy2_rate", "w_rate", "conserved_quantity")
)
SOLUTION = tuple(f"two_point.{name}" for name in ("dh2", "dy2", "w"))
RESULTS = ("two_point.final_distance", "two_point.loss")
MEASURED = ("dh2", "dy2", "w", "loss")  # variables of a two-point trace
READING = {
    "Fit loss": "sum over epochs of the squared differences between theory and measurement, over the three curves "
    "(Eq. 49); median and range over seeds.",
    "R²": "share of the variance of the three curves, pooled, that the theory explains.",
    "Time": "in epochs; τ_h and τ_y are normalised as in Eq. (7).",
}
HOW_COMPARED = (
    "Where the representations end (Eq. 10), seed by seed from the seed’s own initial state. Fitted: with the time "
    "constants of the whole training. Forecast: with those of the time until the outputs are half way to their "
    "targets; the theory has not seen the rest."
)


@dataclass(frozen=True)
class Fitted:
    """One configuration with a law fitted to one of its layers: the theory, or altered dynamics by their name."""

    label: str
    trace: xr.Dataset = field(repr=False)
    layer: int
    fit: TwoPointFit = field(repr=False)
    law: str = "effective"

    @property
    def name(self) -> str:
        """Name of the configuration, with that of an altered law."""
        return self.label if self.law == "effective" else f"{self.label}, {self.law}"

    @cached_property
    def half_way(self) -> tuple[TwoPointFit | None, ...]:
        """The fit to each seed's training up to half way; None for too few points or constant curves."""
        fit_half_way((self,))
        fits: tuple[TwoPointFit | None, ...] = vars(self)["half_way"]
        return fits

    def constant(self, quantity: Quantity) -> Measured | None:
        """Return a fitted time constant (TAU_H, TAU_Y or TAU_MEAN), in epochs, with its error over several seeds."""
        value, error = (
            getattr(self.fit, quantity.name),
            self.fit.errors.get(quantity.name, math.inf),
        )
        if value is None:
            return None
        count = sum(getattr(seed, quantity.name) is not None for seed in self.fit.seeds)
        known = error if math.isfinite(error) else None
        return Measured(quantity, f"{self.name}, layer {self.layer}", value, known, count or None)


def fit_half_way(fitted: Iterable[Fitted]) -> None:
    """Compute :attr:`Fitted.half_way` of all configurations at once, where that has not been done yet."""
    entries = [entry for entry in fitted if "half_way" not in vars(entry)]
    seeds = list(chain.from_iterable(entry.fit.per_seed for entry in entries))
    beginnings = [attempt(until_half_way(seed.trace).checked) for seed in seeds]
    fits = iter(
        fit_traces("effective", [trace for trace in beginnings if isinstance(trace, Trace)])
    )
    outcomes = iter([next(fits) if isinstance(trace, Trace) else trace for trace in beginnings])
    for entry in entries:
        of_entry = [next(outcomes) for _ in entry.fit.per_seed]
        vars(entry)["half_way"] = tuple(
            None if isinstance(fit, ValueError) else raised(fit) for fit in of_entry
        )


def until_half_way(trace: Trace) -> Trace:
    """Return a trace up to the first epoch at which the outputs are half way to their targets, without its loss."""
    error = 2 * trace.state[2] - trace.state[1] + trace.target2  # |dy - (y2 - y1)|^2
    is_half_way = np.flatnonzero(error <= HALF_WAY * trace.target2)
    seen = slice(int(is_half_way[0]) + 1 if is_half_way.size else None)
    return replace(trace, t=trace.t[seen], state=trace.state[:, seen], loss=None)


def fit_each(
    traces: Traces, layer: int | None = None, law: str = "effective"
) -> tuple[Fitted, ...]:
    """Fit one law to every configuration, at ``layer`` or :func:`default_layer`; an error names the configuration."""
    for label, trace in traces.items():
        name = f"configuration {label!r}"
        arguments.dataset(
            trace, "the experiment two_point", MEASURED, ("seed", "layer"), name=name
        )
    layers = {
        label: default_layer(trace) if layer is None else layer for label, trace in traces.items()
    }
    seeds = {
        label: attempt(partial(read, trace, layer=layers[label]))
        for label, trace in traces.items()
    }
    fits = iter(
        fit_traces(
            law, list(chain.from_iterable(row for row in seeds.values() if isinstance(row, tuple)))
        )
    )
    fitted = []
    for label, row in seeds.items():
        try:
            fit = joint([next(fits) for _ in raised(row)])
        except (TypeError, ValueError, ArithmeticError) as failure:
            raise ValueError(
                f"configuration {label!r}, layer {layers[label]}: {failure}"
            ) from failure
        fitted.append(Fitted(label, traces[label], layers[label], fit, law))
    return tuple(fitted)


def by_label(fitted: Iterable[Fitted]) -> dict[str, tuple[Fitted, ...]]:
    """Return the fits of every configuration, in order."""
    groups: dict[str, tuple[Fitted, ...]] = {}
    for entry in fitted:
        groups[entry.label] = (*groups.get(entry.label, ()), entry)
    return groups


def fit_one(
    label: str, trace: xr.Dataset, layer: int | None = None, law: str = "effective"
) -> Fitted:
    """Fit one law to one configuration."""
    return fit_each({label: trace}, layer, law)[0]


def default_layer(trace: xr.Dataset) -> int:
    """Return the recorded layer just past the middle of those of a trace, such as 11 of 1, ..., 20."""
    layers = trace.layer.values
    return int(layers[len(layers) // 2])


def analysis(
    fitted: tuple[Fitted, ...],
    pictures: tuple[Picture, ...],
    measured: tuple[Measured, ...] = (),
    findings: tuple[str, ...] = (),
    how_compared: str = HOW_COMPARED,
) -> Analysis:
    """Return the analysis of the fits, with its table and its doubts."""
    return Analysis(
        traces={entry.label: entry.trace for entry in fitted},
        pictures=pictures,
        tables=(table(fitted),),
        measured=measured,
        how_compared=how_compared,
        findings=findings,
        doubts=doubts(fitted),
        theory=(*PREMISES, *SOLUTION, *RESULTS),
        reading=READING,
        results=fitted,
    )


def table(fitted: Sequence[Fitted]) -> Table:
    """Return the table of fits."""
    several, laws = len(fitted[0].fit.per_seed) > 1, len({entry.law for entry in fitted}) > 1
    source = "over seeds" if several else "from the residuals (a lower bound: use more seeds)"
    return table_of(
        "fits", "Fits", f"Time constants in epochs, with the standard error {source}.", fitted,
        (
            ("configuration", lambda entry: entry.label),
            ("law", lambda entry: entry.law if laws else None),
            ("layer", lambda entry: entry.layer),
            ("seeds", lambda entry: int(entry.trace.sizes["seed"])),
            (r"$\tau_h$", lambda entry: entry.constant(q.TAU_H)),
            (r"$\tau_y$", lambda entry: entry.constant(q.TAU_Y)),
            (r"$\tau_{\bar{y}}$", lambda entry: entry.constant(q.TAU_MEAN)),
            ("fit loss, median", lambda entry: over_seeds(entry.fit)[0]),
            ("least", lambda entry: over_seeds(entry.fit)[1] if several else None),
            ("largest", lambda entry: over_seeds(entry.fit)[2] if several else None),
            ("$R^2$", lambda entry: entry.fit.r_squared),
            ("$R^2$ of loss", lambda entry: entry.fit.mean.r_squared if entry.fit.mean else None),
        ),
    )  # fmt: skip


def doubts(fitted: Sequence[Fitted]) -> tuple[Doubt, ...]:
    """Return the warnings of the fits, of which those that differ between seeds only in their numbers are one."""
    listed = []
    for entry in fitted:
        layers = {other.layer for other in fitted if other.label == entry.label}
        name = f"{entry.name}, layer {entry.layer}" if len(layers) > 1 else entry.name
        listed += [
            Doubt(name, text, seeds_named(seeds))
            for seeds, text in summary.kinds(entry.fit.warnings)
        ]
    return tuple(listed)


def unexplained(quantity: Quantity, fitted: Iterable[Fitted]) -> tuple[Measured, ...]:
    """Compare a share of every configuration with a tenth; ``quantity`` is a key of :data:`EXPLAINED`."""
    return with_verdict(
        Measured.mean(quantity, entry.label, logarithms(quantity, entry), MISSES, "<", TWICE)
        for entry in fitted
    )


def logarithms(quantity: Quantity, fitted: Fitted) -> Array:
    """Return the logarithm of a share that the theory leaves, ``[seed]``; ``quantity`` is a key of EXPLAINED."""
    unexplained = np.array([1 - EXPLAINED[quantity](seed_fit) for seed_fit in fitted.fit.per_seed])
    return np.asarray(np.log(np.maximum(unexplained, ROUNDING)))


def geometric_mean(quantity: Quantity, label: str, values: ArrayLike) -> Measured:
    """Return the geometric mean of positive repetitions, with the error of the mean logarithm times the mean."""
    log, error = mean_and_error(np.log(values))
    mean, count = float(np.exp(log)), np.size(values)
    return Measured(quantity, label, mean, *((mean * error, count) if count > 1 else (None, None)))


def per_seed(fit: TwoPointFit) -> Array:
    """Return the fit loss of every network, ``[seed]``."""
    return np.array([seed_fit.loss for seed_fit in fit.per_seed])


def over_seeds(fit: TwoPointFit) -> tuple[float, float, float]:
    """Return median, smallest and largest fit loss of the networks of a fit."""
    losses = per_seed(fit)
    return float(np.median(losses)), float(losses.min()), float(losses.max())
