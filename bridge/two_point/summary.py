"""The result of a fit as a text table that fits into 100 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from bridge.two_point.trace import CURVES

if TYPE_CHECKING:
    from bridge.two_point.result import TwoPointFit

WIDTH = 100


def write(fit: TwoPointFit) -> str:
    """Return the table; its lines have at most :data:`WIDTH` characters."""
    trace = fit.trace
    runs = f"{len(fit.seeds)} seeds" if fit.seeds else trace.label or "one trace"
    layer = "" if fit.layer is None else f", layer {fit.layer}"
    origin = {"data": "the first point", "fit": "fitted", "given": "given"}.get(fit.initial, fit.initial)
    lines = [
        f"two-point theory, {fit.dynamics} dynamics: {runs}{layer}, {trace.t.size} points in time",
        f"dx2 = {trace.dx2:.6g}, target2 = {trace.target2:.6g}, initial state: {origin}",
        "",
        f"{'':10}{'value':>12}{'error':>12}   from the {fit.error_source}",
        _row("tau_h", fit.tau_h, fit.errors["tau_h"]),
        _row("tau_y", fit.tau_y, fit.errors["tau_y"]),
    ]
    if fit.tau_mean is not None:
        lines.append(_row("tau_mean", fit.tau_mean, fit.errors["tau_mean"]))
    lines += ["", f"{'':10}{'R^2':>12}{'neighbour correlation':>24}{'independent points':>21}"]
    for name in CURVES:
        lines.append(
            f"{name:10}{fit.r_squared_by_curve[name]:12.5f}{fit.autocorrelation[name]:24.4f}"
            f"{fit.effective_points[name]:21.0f}"
        )
    lines += [f"{'all':10}{fit.r_squared:12.5f}     fit loss (Eq. 49) {fit.loss:.4g}"]
    if fit.seeds:
        lines += ["", f"{'':14}{'tau_h':>12}{'tau_y':>12}{'fit loss':>12}{'R^2':>10}"]
        lines += [
            f"{seed.trace.label[:14]:14}{seed.tau_h:12.6g}{seed.tau_y:12.6g}{seed.loss:12.4g}{seed.r_squared:10.5f}"
            for seed in fit.seeds
        ]
    elif min(fit.effective_points.values()) < trace.t.size / 2:
        lines += ["", "Residuals are systematic: errors from one trace are a lower bound; use several seeds."]
    for warning in fit.warnings:
        lines += textwrap.wrap(f"warning: {warning}", WIDTH, subsequent_indent="         ")
    return "\n".join(lines)


def _row(name: str, value: float, error: float) -> str:
    return f"{name:10}{value:12.6g}{error:12.2g}"
