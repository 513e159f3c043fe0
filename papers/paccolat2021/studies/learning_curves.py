"""Figures 2 and 7 (bottom): learning curves in four regimes, with measured and predicted exponents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import scaling
from bridge.compression.exponents import FEWEST, MATTERS, LearningCurve, config_of, learning_curves
from bridge.plots import layout, style
from bridge.results.analysis import (
    Analysis,
    Doubt,
    Picture,
    Table,
    Traces,
    members,
    table_of,
    with_verdict,
)
from bridge.statistics.arrays import mean_and_error
from closedform.measured import Measured
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.families import counts_in_words, fitted

Curves = Mapping[str, tuple[LearningCurve, ...]]
SIZE = (2.9, 2.6)  # of a panel, inches
WIDE = (4.8, 2.6)  # of a single one
TICKS = 5  # numbers of training points that fit below a panel
LOOKS = {
    "lazy": (style.ORANGE, "o", "lazy"),
    "compressed": (style.PURPLE, "s", "lazy, compressed data"),
    "feature": (style.BLUE, "D", "feature"),
    "final_kernel": (style.TEAL, "^", "kernel after feature learning"),
}
BETA = {
    "lazy": q.BETA_LAZY, "compressed": q.BETA_COMPRESSED, "feature": q.BETA_FEATURE, "final_kernel": q.BETA_KERNEL,
}  # fmt: skip
LONG = 0.99  # share of fitted training points at which a training counts as complete
THEORY = tuple(
    f"compression.{name}"
    for name in (
        "learning_curve_exponent.lazy", "learning_curve_exponent.feature", "compression_gain", "tangent_kernel",
    )
)  # fmt: skip
CAPTION = (
    "Test error against the number of training points: mean over {} realisations with its standard error (the paper "
    "draws medians). Solid: fitted power law. Dashed: the predicted exponent, through the mean of the points. As "
    "Figures 2 and 7 (bottom) of the paper."
)
HOW_COMPARED = (
    "The exponent β of the mean test error, from a weighted fit of a pure power law, against the exponent that three "
    "balances give (neighbours, cusp, margin) for a kernel of cusp ξ = 1: that of the lazy regime for the kernel at "
    "initialisation, that of the feature regime for data compressed by √p, for networks, and for their final kernel. "
    "Errors from resampling the realisations; a difference of 0.05 matters. Gain in β: feature less lazy, against the "
    "difference of both predictions. β gained by compressing the data: the same in the lazy regime, where the data "
    "themselves were compressed by a constant times √p. Logarithm of the test error, feature over lazy, with the most "
    "points: each realisation with itself, against 0; negative where feature learning is better."
)
READING = {
    "β": "ε ~ p^-β: how fast the test error ε falls with the number p of training points. Balances hold for many "
    "points; with few of them the curve is not yet a power law, which the fit with an offset shows.",
    "Lazy, compressed data": "the kernel of the lazy regime on data whose uninformative directions were divided by Λ: "
    "if compression is all that feature learning does, this curve falls as steeply as that of the network.",
}


def analyse(traces: Traces) -> Analysis:
    """Analyse the exponents of every regime of every model, with a panel for each model."""
    curves = {label: learning_curves(trace) for label, trace in traces.items()}
    counts = counts_in_words(curve.errors.shape[1] for _, curve in members(curves))
    exponents = table(curves)
    gains = chain.from_iterable(
        _gained(label, group, traces[label]) for label, group in curves.items()
    )
    return Analysis(
        traces=traces,
        pictures=(Picture("figure-2-learning-curves", CAPTION.format(counts), draw(curves)),),
        tables=(exponents,),
        measured=with_verdict((*exponents.measured, *gains)),
        how_compared=HOW_COMPARED,
        findings=tuple(
            chain.from_iterable(_findings(label, group) for label, group in curves.items())
        ),
        doubts=tuple(_doubts(traces, curves)),
        theory=THEORY,
        reading=READING,
    )


def draw(curves: Curves) -> Figure:
    """Draw the test error against the number of training points, a panel for each model."""
    size = SIZE if len(curves) > 1 else WIDE
    look: layout.Look = {"x": "training points p", "y": "test error", "titles": [*curves]}
    with layout.drawing(1, len(curves), **look, size=size) as (figure, axes):
        for axis, group in zip(axes[0], curves.values(), strict=True):
            for curve in group:
                _panel(axis, curve)
            layout.logarithmic(axis)
            layout.logarithmic_at(
                axis, group[0].sizes[:: -(-len(group[0].sizes) // TICKS)] if group else []
            )
        shown = {curve.regime for _, curve in members(curves)}
        looks = [look for regime, look in LOOKS.items() if regime in shown]
        entries = [
            style.entry(name, color=colour, marker=marker) for colour, marker, name in looks
        ]
        style.legend(figure, [*entries, style.theory_handle("predicted exponent")])
    return figure


def _panel(axis: Any, curve: LearningCurve) -> None:
    colour, marker, _ = LOOKS[curve.regime]
    mean, spread = mean_and_error(curve.errors, axis=1)
    # on a logarithmic axis a bar must not reach zero
    spread = np.stack([np.minimum(spread, mean / 2), spread])
    style.with_errors(
        axis, curve.sizes, mean, spread, color=colour, marker=marker, linestyle="none"
    )
    axis.plot(curve.sizes, curve.fit.predict(curve.sizes), color=colour, linewidth=1.1)
    centre, level = np.log(curve.sizes).mean(), np.log(mean).mean()
    steep = np.exp(level - curve.predicted * (np.log(curve.sizes) - centre))
    axis.plot(curve.sizes, steep, color=style.INK, linestyle=style.DASHED, linewidth=0.9)


def table(curves: Curves) -> Table:
    """Return one row for each model and regime."""
    caption = "Dimensionless; errors and 95 % intervals from resampling the realisations."
    return table_of(
        "learning_curves", "Exponents of the learning curves", caption, members(curves),
        (
            ("model", lambda row: row[0]),
            ("regime", lambda row: LOOKS[row[1].regime][2]),
            ("realisations", lambda row: row[1].errors.shape[1]),
            ("training points", lambda row: f"{row[1].sizes[0]:,.0f} to {row[1].sizes[-1]:,.0f}"),
            (r"$\beta$", lambda row: row[1].comparison.of(BETA[row[1].regime], row[0])),
            ("95 % interval", lambda row: "{:.3f} to {:.3f}".format(*row[1].interval)),
            (r"$\beta$ with offset", lambda row: _with_offset(*row)),
            (r"predicted $\beta$", lambda row: row[1].predicted),
            ("least share fitted", lambda row: row[1].fitted),
        ),
    )  # fmt: skip


def _with_offset(label: str, curve: LearningCurve) -> Measured | None:
    fit, name = curve.with_offset, f"{label}, {LOOKS[curve.regime][2]}"
    return (
        None
        if fit is None
        else fitted(q.BETA_WITH_OFFSET, name, -fit.exponent, fit.error, fit.repetitions)
    )


def _gained(
    label: str, group: tuple[LearningCurve, ...], trace: xr.Dataset
) -> Iterator[Measured | None]:
    """Yield the gains in β over the lazy regime, and the log ratio of test errors with the most points, if finite."""
    by_regime = {curve.regime: curve for curve in group}
    lazy, feature, compressed = (by_regime.get(name) for name in ("lazy", "feature", "compressed"))
    if lazy and feature:
        yield _gain(q.BETA_GAIN, label, lazy, feature)
        if (lazy.errors[-1] > 0).all() and (feature.errors[-1] > 0).all():
            logs = np.log(feature.errors[-1] / lazy.errors[-1])
            yield Measured.mean(q.ERROR_RATIO, label, logs, 0.0, "<", 0.1)
    if lazy and compressed and config_of(trace).compression is not None:
        yield _gain(q.BETA_GAIN_COMPRESSED, label, lazy, compressed)


def _gain(quantity: str, label: str, lazy: LearningCurve, other: LearningCurve) -> Measured | None:
    error, expected = (
        float(np.hypot(other.fit.error, lazy.fit.error)),
        other.predicted - lazy.predicted,
    )
    return fitted(
        quantity, label, other.beta - lazy.beta, error, other.fit.repetitions, expected, MATTERS
    )


def _findings(label: str, group: tuple[LearningCurve, ...]) -> tuple[str, ...]:
    by_regime = {curve.regime: curve.errors.mean(axis=1)[-1] for curve in group}
    ends = [
        f"{LOOKS[curve.regime][2]} {_last(curve)}"
        for curve in group
        if len(curve.sizes) > FEWEST[0]
    ]
    sentences = (
        [f"{label}: β of the three largest numbers of points alone: {'; '.join(ends)}."]
        if ends
        else []
    )
    if {"lazy", "compressed"} <= set(by_regime):
        factor = by_regime["lazy"] / by_regime["compressed"]
        sentences.append(
            f"{label}: with {group[0].sizes[-1]:,.0f} points compressed data make {factor:.2g} times fewer errors."
        )
    if {"lazy", "final_kernel"} <= set(by_regime):
        factor = by_regime["lazy"] / by_regime["final_kernel"]
        sentences.append(
            f"{label}: with {group[0].sizes[-1]:,.0f} points the kernel after feature learning, frozen and learnt with "
            f"other points, makes {factor:.2g} times fewer errors than that at initialisation."
        )
    return tuple(sentences)


def _last(curve: LearningCurve) -> str:
    """Return the exponent of the three largest sizes with its error."""
    fit = scaling.fit(curve.sizes[-FEWEST[0] :], curve.errors[-FEWEST[0] :], offset=0.0)
    return f"{-fit.exponent:.3f} ± {fit.error:.3f}"


def _doubts(traces: Traces, curves: Curves) -> Iterator[Doubt]:
    for label, group in curves.items():
        left_out = set(traces[label]["regime"].values.astype(str)) - {
            curve.regime for curve in group
        }
        for name in sorted(left_out):
            yield Doubt(label, f"{LOOKS[name][2]}: no errors at all; no exponent")
        for curve in group:
            name = LOOKS[curve.regime][2]
            if curve.fitted < LONG:
                text = f"stopped with as few as {curve.fitted:.0%} of the training points fitted, so that its error"
                yield Doubt(label, f"{name}: {text} is not yet that of the end of training")
            for warning in curve.fit.warnings:
                yield Doubt(label, f"{name}: {warning}")
