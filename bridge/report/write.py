"""Writing of ``report.html``, with its figures and tables, for a folder of traces."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.plots import style
from bridge.report import settings_table
from bridge.report.formulas import Checked
from bridge.report.page import Section, render
from bridge.results import analyses, evidence, folder
from bridge.results.analysis import Doubt, values
from bridge.results.figure_table import title_of
from bridge.results.judging import without_verdict
from bridge.results.quantity import words
from bridge.results.record import as_options
from bridge.statistics.compare import NoError
from closedform import atomic_write, version
from closedform.foreign_text import visible
from closedform.measured import to_rows

if TYPE_CHECKING:
    import xarray as xr

    from bridge.results.analysis import Analysis

TITLE = "Theory and networks"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of a formula in spreadsheets


@dataclass(frozen=True)
class Written:
    """The paths of the files written, and the sections of the report; printed, it is the path of the page."""

    page: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]
    sections: tuple[Section, ...] = field(repr=False)

    def __str__(self) -> str:
        return str(self.page)


def sections(directory: Path) -> tuple[Section, ...]:
    """Analyse every study in a folder; a ValueError if it has no traces, or a file in it cannot be read."""
    return tuple(_section(directory, runs) for runs in folder.studies(directory))


def _section(directory: Path, runs: folder.StudyRuns) -> Section:
    traces, missing = folder.load(directory, runs)
    if not traces:
        raise ValueError(
            f"directory: got {str(directory)!r} without a finished run of {runs.study!r}, needs one; run it again"
        )
    analysis = _analysis(runs.study, traces)
    left_out = "" if missing else without_verdict(runs.study, analysis.numbers)
    if left_out:
        reason = f"no number with an error to compare with {left_out} of the paper; one repetition has none"
        analysis = replace(analysis, doubts=(*analysis.doubts, Doubt(runs.study, "", reason)))
    listed = settings_table.table(runs.study)
    if listed is not None:
        analysis = replace(analysis, tables=(*analysis.tables, listed))
    figures = {} if missing else evidence.figures_by_entry(runs.study)
    decided = {
        key: evidence.deciding(rows, analysis.numbers, runs.study, runs.scale)
        for key, rows in figures.items()
    }
    options = f", with{as_options(runs.changed)}" if runs.changed else ""
    about = f"Scale: {runs.scale}{options}. " if runs.scale else ""
    title = title_of(runs.study)
    if title:
        about += f"{title} of the paper."
    entries = {key: measurement for key, measurement in decided.items() if measurement}
    return Section(runs.study, runs.question, analysis, about.strip(), missing, entries)


def _analysis(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Return the analysis of a study, or an overview of its traces if one of its comparisons has no error."""
    try:
        return analyses.analyse(study, traces)
    except NoError as error:
        reason = f"an overview of the traces stands for the analysis of this study, which cannot compare them: {error}"
        return replace(analyses.overview(traces), doubts=(Doubt(study, reason),))


def theory_of(sections: Sequence[Section]) -> tuple[str, ...]:
    """Return the names of the closed forms that the sections refer to, each once; ValueError for a family of them."""
    import theory

    names = dict.fromkeys(chain.from_iterable(section.analysis.theory for section in sections))
    for name in names:
        if name in theory.catalogue().families:
            raise ValueError(
                f"theory of an analysis: got the family {name!r}, needs the members that are compared"
            )
    return tuple(names)


def write(
    directory: Path, sections: Sequence[Section], theory: Sequence[Checked], title: str = TITLE
) -> Written:
    """Write the page, the tables as CSV, ``comparisons.csv`` and ``figures/`` into ``directory``."""
    page = directory / "report.html"
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    line = f"Made {when} by closedform {version()}"
    if any(section.analysis.traces for section in sections):
        line += f" from the traces in {directory.resolve().name}/"
    atomic_write.text(page, render(title, line, sections, theory))
    tables = tuple(
        _table(directory / f"{name}.csv", rows) for name, rows in _rows(sections).items() if rows
    )
    return Written(page, tables, _figures(directory / "figures", sections), tuple(sections))


def _rows(sections: Sequence[Section]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows of every CSV file by its name: the tables of the studies, and all comparisons together."""
    files: dict[str, list[Mapping[str, Any]]] = {}
    for section in sections:
        for table in section.analysis.tables:
            rows = ({"study": section.title, **values(table, row)} for row in table.cells)
            files.setdefault(table.name, []).extend(rows)
    comparisons: list[Mapping[str, Any]] = []
    for section in sections:
        for row in to_rows(section.analysis.compared):
            about = {
                "study": section.title,
                "configuration": row.pop("label"),
                "meaning": words(row["quantity"]),
            }
            comparisons.append({**about, **row})
    files["comparisons"] = comparisons
    return files


def _figures(directory: Path, sections: Sequence[Section]) -> tuple[Path, ...]:
    pictures = list(chain.from_iterable(section.analysis.pictures for section in sections))
    return tuple(
        style.save(picture.figure, directory / f"{picture.name}.png") for picture in pictures
    )


def _table(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    listed = list(rows)
    columns = list(dict.fromkeys(chain.from_iterable(listed)))
    with (
        atomic_write.replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writerow({key: _inert(key) for key in columns})
        for row in listed:
            writer.writerow({key: _inert(value) for key, value in row.items()})
    return path


def _inert(value: Any) -> Any:
    """Return a text in visible letters, with an apostrophe before one that a spreadsheet would run as a formula."""
    if not isinstance(value, str):
        return value
    is_formula = value.startswith(FORMULA) and not _is_number(value)
    return f"'{visible(value)}" if is_formula else visible(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
