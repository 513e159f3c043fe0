"""The report as one HTML file, with all content inline and with names from users escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

from bridge.plots import panels, style
from bridge.report import provenance
from bridge.report.formulas import Checked, draw
from bridge.results.analysis import Table, table_of
from bridge.results.quantity import words
from bridge.statistics.power import what_would_decide
from closedform import verdicts
from closedform.foreign_text import visible
from closedform.measured import Measured
from closedform.verdict_kinds import KINDS
from closedform.verdicts import BLUNT, DISAGREES, FOR

if TYPE_CHECKING:
    from markupsafe import Markup

    from bridge.results.analysis import Analysis, Cell
    from theory.core.ledger.measurement import Measurement

LONGEST_CELL = 28  # characters on one line
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Section:
    """One section of a page: a study of a report, or a part of a dossier."""

    title: str  # its heading, for a study its name
    lead: str  # the question that it answers
    analysis: Analysis
    about: str = ""  # scale and figures of the paper, one line; empty for a part of a dossier
    missing: tuple[str, ...] = ()  # labels of configurations without a trace
    entries: Mapping[tuple[str, str], Measurement] = field(default_factory=dict)

    @property
    def undecided(self) -> tuple[tuple[str, str], ...]:
        """Name of every number that is too blunt to say, and what would decide it."""
        needs = ((number, what_would_decide(number)) for number in self.analysis.compared)
        return tuple(
            (f"{number.label}, {words(number.quantity)}", text) for number, text in needs if text
        )


def render(title: str, made: str, sections: Sequence[Section], theory: Sequence[Checked]) -> str:
    """Return the report as the text of one HTML file; ``made`` is one line on when and with which version."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup, escape

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        number=number,
        with_error=with_error,
        anchor=anchor,
        headed=head,
        breakable=lambda name: Markup(re.sub(r"([._])", r"\1<wbr>", str(escape(name)))),
        drawn=Markup,
        inline=lambda figure, drawing: Markup(style.svg(figure, drawing)),
        parted=lambda figure, drawing: Markup(panels.markup(figure, drawing)),
    )
    folder = files("bridge.report")
    reading: dict[str, str] = {}
    for section in sections:
        reading |= section.analysis.reading
    template = environment.from_string((folder / "page.html.j2").read_text(encoding="utf-8"))
    page = template.render(
        kinds=KINDS,
        title=title,
        made=made,
        css=Markup((folder / "page.css").read_text(encoding="utf-8")),
        sections=sections,
        theory=theory,
        first_picture=next(
            chain.from_iterable(section.analysis.pictures for section in sections[:1]), None
        ),
        provenance=provenance.of,
        cell=cell,
        column_classes=column_classes,
        compared_tables=comparisons,
        answers=[table for table in _first(sections) if table.name == "verdicts"],
        agreements=overview((section.title, section.analysis.compared) for section in sections),
        words={name[0].upper() + name[1:]: text for name, text in verdicts.WORDS.items()},
        reading=reading,
    )
    return visible(page, lines=True)


def _first(sections: Sequence[Section]) -> tuple[Table, ...]:
    """Return the tables of the first section; none if there is no section."""
    return sections[0].analysis.tables if sections else ()


def head(text: str) -> Markup:
    """Return the heading of a column, with LaTeX between dollar signs as SVG."""
    from markupsafe import Markup, escape

    plain, *rest = text.split("$")
    if len(rest) % 2:  # no LaTeX, but a name from outside with a dollar sign
        return escape(text)
    parts = [escape(plain)]
    for latex, plain in zip(rest[::2], rest[1::2], strict=True):
        parts += [Markup(draw(latex, inline=True)), escape(plain)]
    return Markup("").join(parts)


def cell(value: Cell) -> str:
    """Return the text of a cell, a measured number with its error."""
    if isinstance(value, str):
        return value
    return with_error(value.value, value.error) if isinstance(value, Measured) else number(value)


def column_classes(table: Table) -> list[str]:
    """Return the class of each column's cells: "text" for one with words, "text wrap" if they need several lines."""
    longest = [-1] * len(table.heads)
    for row in table.cells:
        for i, value in enumerate(row):
            if isinstance(value, str):
                longest[i] = max(longest[i], len(value))
    return [
        "" if length < 0 else "text wrap" if length > LONGEST_CELL else "text"
        for length in longest
    ]


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


def overview(studies: Iterable[tuple[str, Sequence[Measured]]]) -> Table:
    """Return the table of how many comparisons of each quantity agree, and which disagree; a study is named once."""
    rows: list[tuple[str, str, list[Measured]]] = []
    for study, compared in studies:
        by_quantity: dict[str, list[Measured]] = {}
        for number in compared:
            by_quantity.setdefault(number.quantity, []).append(number)
        for quantity, group in by_quantity.items():
            is_first = quantity == next(iter(by_quantity))
            rows.append((study if is_first else "", quantity, group))
    return table_of(
        "agreements", "Predictions and measurements", "", rows,
        (
            ("study", lambda row: row[0]),
            ("quantity", lambda row: words(row[1])),
            ("agree", lambda row: len(_with(row[2], *FOR))),
            ("disagree", lambda row: len(_with(row[2], DISAGREES))),
            ("too blunt", lambda row: len(_with(row[2], BLUNT))),
            ("that disagree", lambda row: ", ".join(_with(row[2], DISAGREES)) or "none"),
        ),
    )  # fmt: skip


def _with(compared: Sequence[Measured], *verdicts: str) -> list[str]:
    """Return the labels of the numbers with one of the verdicts."""
    return [number.label for number in compared if number.verdict in verdicts]


def comparisons(compared: Sequence[Measured]) -> list[Table]:
    """Return a table of the comparisons of each quantity; ``n`` counts the repetitions behind an estimated error."""
    by_quantity: dict[str, list[Measured]] = {}
    for number in compared:
        by_quantity.setdefault(number.quantity, []).append(number)
    return [_compared(words(quantity), group) for quantity, group in by_quantity.items()]


def _compared(quantity: str, compared: Sequence[Measured]) -> Table:
    return table_of(
        "comparisons", f"{quantity[:1].upper()}{quantity[1:]}", "", compared,
        (
            ("configuration", lambda one: one.label),
            ("verdict", lambda one: one.verdict),
            ("predicted", lambda one: one.predicted if one.relation == "=" else one.prediction),
            ("measured", lambda one: one),
            ("off by, %", _percent),
            ("z", lambda one: one.z if one.is_compared else None),
            ("limit", lambda one: one.limit if one.is_compared else None),
            ("n", lambda one: one.counted),
            ("at most", lambda one: one.largest if one.relation == "=" else None),
            ("resolution", lambda one: one.smallest_relevant if one.relation == "=" else None),
        ),
    )  # fmt: skip


def _percent(one: Measured) -> float | None:
    return (
        100 * one.deviation / abs(one.predicted) if one.predicted and one.relation == "=" else None
    )
