"""The report as one HTML file, with all content inline and with names from users escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bridge import verdicts
from bridge.changed_options import as_options
from bridge.figures import panels, style
from bridge.report import compared, provenance
from bridge.report.folder import StudyRuns
from bridge.report.formulas import Checked, draw

if TYPE_CHECKING:
    from markupsafe import Markup

    from bridge.analysis import Analysis, Column
    from theory.core.measurement import Measurement

LONGEST_CELL = 28  # characters on one line
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class StudySection:
    """One study in the report.

    Attributes:
        runs: its runs.
        analysis: its analysis.
        missing: labels of configurations without a trace.
        entries: entries of the ledger, by paper and label, with the measurement that bears on each and its number of
            repetitions (None where its error is known).
    """

    runs: StudyRuns
    analysis: Analysis
    missing: tuple[str, ...] = ()
    entries: Mapping[tuple[str, str], tuple[Measurement, int | None]] = field(default_factory=dict)

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """How many repetitions would decide each comparison; an empty text for one that is decided."""
        return tuple(compared.what_would_decide(each) for each in self.analysis.compared)

    @property
    def undecided(self) -> tuple[tuple[str, str], ...]:
        """Name and sentence of every comparison that is too blunt to say."""
        named = zip(self.analysis.compared, self.decisive, strict=True)
        return tuple((f"{one.label}, {one.quantity}", sentence) for one, sentence in named if sentence)


def render(title: str, made: str, sections: Sequence[StudySection], theory: Sequence[Checked]) -> str:
    """Return the report as the text of one HTML file.

    Args:
        title: heading of the page.
        made: date and version with which the page was written, one line.
        sections: the studies.
        theory: the checked closed forms with which the studies are compared.
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
        inline=lambda figure, drawing: Markup(style.svg(figure, drawing)),
        parted=lambda figure, drawing: Markup(panels.markup(figure, drawing)),
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
        options=as_options,
        cell=cell,
        head=head,
        is_text=is_text,
        is_long=is_long,
        compared_table=compared.table,
        agreements=compared.overview((section.runs.study, section.analysis.compared) for section in sections),
        words={name[0].upper() + name[1:]: text for name, text in verdicts.WORDS.items()},
        reading={name: text for section in sections for name, text in section.analysis.reading.items()},
    )


def head(column: Column) -> Markup:
    """Return the heading of a column, with LaTeX between dollar signs as SVG."""
    from markupsafe import Markup, escape

    words, *rest = column.head.split("$")
    parts = [escape(words)]
    for latex, words in zip(rest[::2], rest[1::2], strict=True):
        parts += [Markup(draw(latex, inline=True)), escape(words)]
    return Markup("").join(parts)


def cell(column: Column, row: Mapping[str, Any]) -> str:
    """Return the text of a value, with its error if the row has one."""
    value = row.get(column.key)
    if isinstance(value, str):
        return value
    error = row.get(f"{column.key}_error")
    return number(value, column.digits) if error is None else with_error(value, error)


def is_text(column: Column, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a column contains words."""
    return any(isinstance(row.get(column.key), str) for row in rows)


def is_long(column: Column, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a column contains words that need more than one line."""
    return any(len(str(row.get(column.key))) > LONGEST_CELL for row in rows)


def number(value: Any, digits: int = 4) -> str:
    """Return a number with ``digits`` significant digits, or an en dash for a missing value."""
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
    """Return a value rounded to the second digit of its error: ``1301 ± 12``."""
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
    """Return the name of a link target within the page."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "section"
