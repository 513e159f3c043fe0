"""The result of a fit as a text table of at most 100 columns, and its warnings, one line for each kind."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable
from statistics import median

from bridge.results.analysis import seeds_named
from bridge.two_point.fitted import FittedTheory
from bridge.two_point.trace import CURVES, Trace
from bridge.validity.placed import placed_in_one
from closedform.foreign_text import visible
from closedform.untrusted_files import decoded

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")  # but not the 2 of dh2
OF_A_SEED = re.compile(r"seed (\S+): (.*)", re.DOTALL)

WIDTH = 100
ORIGIN = {
    "data": "the first point",
    "fit": "fitted",
    "drawn": "fitted, drawn to the first stretch of the curves",
}
SYSTEMATIC = 1e-6  # relative to the variance of a curve: a thousandth of its standard deviation


def write(fit: FittedTheory) -> str:
    """Return the table; its lines have at most :data:`WIDTH` characters."""
    trace = fit.trace
    runs = f"{len(fit.seeds)} seeds" if fit.seeds else trace.label or "one trace"
    layer = "" if fit.layer is None else visible(f", layer {fit.layer}", most=WIDTH)
    origin = ORIGIN.get(fit.initial, fit.initial)
    lines = [
        f"two-point theory, {fit.dynamics} dynamics: {runs}{layer}, {trace.t.size} points in time",
        f"dx2 = {trace.dx2:.6g}, target2 = {trace.target2:.6g}, initial state: {origin}",
        "",
        f"{'':10}{'value':>12}{'error':>12}{'68 % interval':>26}   from the {fit.error_source}",
        *(_row(fit, name) for name in ("tau_h", "tau_y", "tau_mean") if name in fit.errors),
    ]
    if not fit.seeds and math.isfinite(fit.correlation):
        lines.append(f"correlation of tau_h and tau_y from the residuals: {fit.correlation:+.2f}")
    lines += [
        "",
        f"{'':10}{'R^2':>12}{'unexplained':>14}{'neighbour correlation':>24}{'independent points':>21}",
    ]
    for name in CURVES:
        lines.append(
            f"{name:10}{fit.r_squared_by_curve[name]:12.5f}{fit.unexplained[name]:14.2%}"
            f"{fit.autocorrelation[name]:24.4f}{fit.effective_points[name]:21.0f}"
        )
    lines += [f"{'all':10}{fit.r_squared:12.5f}     fit loss (Eq. 49) {_loss(fit)}"]
    if not fit.seeds and not trace.exact:
        for name, sentence in fit.noise.items():
            lines += textwrap.wrap(f"noise of {name}: {sentence}", WIDTH, subsequent_indent="    ")
    if fit.seeds:
        lines += ["", f"{'':14}{'tau_h':>12}{'tau_y':>12}{'fit loss':>12}{'R^2':>10}"]
        lines += [
            f"{seed.trace.label[-14:]:14}{seed.tau_h:12.6g}{seed.tau_y:12.6g}{seed.loss:12.4g}{seed.r_squared:10.5f}"
            for seed in fit.seeds
        ]
    elif max(fit.unexplained.values()) > SYSTEMATIC:
        lines += [
            "",
            "Residuals are systematic: errors from one trace are a lower bound; use several seeds.",
        ]
    for warning in together(fit.warnings):
        lines += textwrap.wrap(f"warning: {warning}", WIDTH, subsequent_indent="         ")
    lines += textwrap.wrap(
        placed_at(trace, "two_point.final_distance"), WIDTH, subsequent_indent="    "
    )
    return "\n".join(lines)


def placed_at(trace: Trace, claim: str) -> str:
    """Return where this case lies in the recorded maps of where a claim holds, one sentence."""
    settings = decoded("config", trace.config) if trace.exact and trace.config else {}
    return placed_in_one(claim, {"dx": math.sqrt(trace.dx2)} | settings)


def _loss(fit: FittedTheory) -> str:
    if not fit.seeds:
        return f"{fit.loss:.4g}"
    losses = sorted(seed.loss for seed in fit.seeds)
    return f"median {median(losses):.4g}, {losses[0]:.4g} to {losses[-1]:.4g}"


def _row(fit: FittedTheory, name: str) -> str:
    if name in fit.known:
        return f"{name:10}{getattr(fit, name):12.6g}{'known':>12}"
    low, high = fit.interval(name)
    return f"{name:10}{getattr(fit, name):12.6g}{fit.errors[name]:12.2g}{f'{low:.4g} to {high:.4g}':>26}"


def together(warnings: Iterable[str]) -> list[str]:
    """Return warnings ``"seed 3: ..."`` with one line for each kind, its seeds and ranges; others unchanged."""
    return [f"{seeds_named(seeds)}: {text}" if seeds else text for seeds, text in kinds(warnings)]


def kinds(warnings: Iterable[str]) -> list[tuple[list[str], str]]:
    """Return the seeds (none of other warnings) and the text of each kind of warning ``"seed 3: ..."``."""
    seeds: dict[str, list[str]] = {}
    texts: dict[str, list[str]] = {}
    for warning in warnings:
        of_seed = OF_A_SEED.fullmatch(warning)
        text = of_seed[2] if of_seed else warning
        kind = NUMBER.sub("#", text) if of_seed else text
        seeds.setdefault(kind, []).extend([of_seed[1]] if of_seed else [])
        texts.setdefault(kind, []).append(text)
    return [(seeds[kind], _with_ranges(alike)) for kind, alike in texts.items()]


def _with_ranges(texts: list[str]) -> str:
    """Return the first text with ``lowest to highest`` for every number in which the texts differ."""
    ranges = []
    for column in zip(*map(NUMBER.findall, texts), strict=True):
        low, high = min(column, key=float), max(column, key=float)
        ranges.append(low if float(low) == float(high) else f"{low} to {high}")
    numbers = iter(ranges)
    return NUMBER.sub(lambda _: next(numbers), texts[0])
