"""One HTML file from the analyses: everything inline, nothing fetched, whatever a user named escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bridge.report import provenance, style
from bridge.report.folder import StudyRuns
from bridge.report.formulas import Checked, draw

if TYPE_CHECKING:
    import xarray as xr

    from bridge.studies.analysis import Analysis, Fitted

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LETTERS = {"tau_h": r"\tau_h", "tau_y": r"\tau_y", "tau_mean": r"\tau_{\bar{y}}", "r2": "R^2"}


@dataclass(frozen=True)
class StudySection:
    """One study in the report: how it was run, what it came to, and which configurations are still missing."""

    runs: StudyRuns
    analysis: Analysis
    missing: tuple[str, ...] = ()

    @property
    def traces(self) -> dict[str, xr.Dataset]:
        """Configuration label to trace, each once."""
        return {each.label: each.trace for each in self.analysis.fitted}


def render(title: str, made: str, sections: Sequence[StudySection], theory: Sequence[Checked]) -> str:
    """The report as text of one HTML file.

    Args:
        title: heading of the page.
        made: when and with what the page was made, one line.
        sections: the studies.
        theory: the closed forms that they are held against, checked.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup, escape

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(
        number=number,
        with_error=with_error,
        anchor=anchor,
        breakable=lambda name: Markup(re.sub(r"([._])", r"\1<wbr>", str(escape(name)))),
        drawn=Markup,
        inline=lambda figure: Markup(style.svg(figure)),
    )
    folder = files("bridge.report")
    template = environment.from_string((folder / "page.html.j2").read_text(encoding="utf-8"))
    return template.render(
        title=title,
        made=made,
        css=Markup((folder / "page.css").read_text(encoding="utf-8")),
        sections=sections,
        theory=theory,
        provenance=provenance.of,
        warnings=grouped_warnings,
        letters={name: draw(latex, inline=True) for name, latex in LETTERS.items()},
    )


def number(value: Any, digits: int = 4) -> str:
    """A number to ``digits`` significant digits; an en dash for none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, int):
        return str(value)
    text = f"{float(value):#.{digits}g}"
    if "e" not in text:
        return text.rstrip(".").replace("-", "−")
    mantissa, exponent = text.split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}".replace("-", "−")


def with_error(value: float | None, error: float | None) -> str:
    """``1301 ± 12``: the value to the digit at which its error, in two digits, ends."""
    if value is None:
        return "–"
    if error is None or not math.isfinite(error) or error <= 0 or not math.isfinite(value):
        return number(value)
    places = 1 - math.floor(math.log10(error))
    if places > 8 or places < -4:
        return f"{number(value)} ± {number(error, 2)}"
    if places <= 0:
        value, error, places = round(value, places), round(error, places), 0
    return f"{value:.{places}f} ± {error:.{places}f}".replace("-", "−")


def anchor(text: str) -> str:
    """A name for a link inside the page."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "section"


def grouped_warnings(fitted: Sequence[Fitted]) -> list[tuple[str, str, str]]:
    """``(configuration, which seeds, warning)``: warnings that differ between seeds only in their numbers come once."""
    rows = []
    for each in fitted:
        groups: dict[str, list[str]] = {}
        for warning in each.fit.warnings:
            seed, _, text = warning.partition(": ") if warning.startswith("seed ") else ("", "", warning)
            groups.setdefault(re.sub(r"[-+]?\d[\d.e+-]*", "#", text), []).append(f"{seed}|{text}")
        name = each.label if each.law == "effective" else f"{each.label}, {each.law}"
        layers = {other.layer for other in fitted if other.label == each.label}
        name = f"{name}, layer {each.layer}" if len(layers) > 1 else name
        for members in groups.values():
            seeds = [member.split("|", 1)[0] for member in members]
            rows.append((name, _which(seeds), members[0].split("|", 1)[1].replace("R^2", "R²")))
    return rows


def _which(seeds: Sequence[str]) -> str:
    numbers = [seed.removeprefix("seed ") for seed in seeds if seed]
    if not numbers:
        return ""
    return f"seed {numbers[0]}" if len(numbers) == 1 else f"seeds {', '.join(numbers)}"
