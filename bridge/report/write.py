"""Writing of ``report.html``, with its figures and tables, for a folder of traces."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge import analyses, evidence, overview
from bridge.analysis import Doubt
from bridge.comparison import NoError
from bridge.figures import style
from bridge.report import folder, provenance
from bridge.report.formulas import Checked
from bridge.report.page import StudySection, render
from empirics import writing

if TYPE_CHECKING:
    import xarray as xr

    from bridge.analysis import Analysis

TITLE = "Theory and networks"
COMPARED = ("predicted", "measured", "error", "repetitions", "z", "limit", "resolution", "largest")

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of a formula in spreadsheets


@dataclass(frozen=True)
class Written:
    """The paths of the files written, and the sections of the report."""

    page: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]
    sections: tuple[StudySection, ...]


def sections(directory: Path) -> tuple[StudySection, ...]:
    """Analyse every study in a folder.

    Raises:
        ValueError: if the folder has no traces, or a file in it cannot be read.
    """
    listed = []
    for runs in folder.studies(directory):
        traces, missing = folder.load(directory, runs)
        if not traces:
            raise ValueError(f"study {runs.study!r} in {str(directory)!r} has no finished run; run it again")
        analysis = _analysis(runs.study, traces)
        entries, reason = ({}, "") if missing else evidence.of_report(runs.study, runs.scale, analysis)
        if reason:
            analysis = replace(analysis, doubts=(*analysis.doubts, Doubt(runs.study, "", reason)))
        listed.append(StudySection(runs, analysis, missing, entries))
    return tuple(listed)


def _analysis(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Return the analysis of a study, or an overview of its traces if one of its comparisons has no error."""
    try:
        return analyses.analyse(study, traces)
    except NoError as error:
        reason = f"an overview of the traces stands for the analysis of this study, which cannot compare them: {error}"
        return replace(overview.analyse(traces), doubts=(Doubt(study, "", reason),))


def theory_of(sections: Sequence[StudySection]) -> tuple[str, ...]:
    """Return the names of the closed forms that the sections refer to, each once."""
    return tuple(dict.fromkeys(name for section in sections for name in section.analysis.theory))


def write(directory: Path, sections: Sequence[StudySection], theory: Sequence[Checked], title: str = TITLE) -> Written:
    """Write the page, the tables as CSV, ``comparisons.csv`` and ``figures/`` into ``directory``."""
    page = directory / "report.html"
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    line = f"Made {when} by closedform {provenance.version()}"
    if any(section.analysis.traces for section in sections):
        line += f" from the traces in {directory.resolve().name}/"
    writing.text(page, render(title, line, sections, theory))
    tables = tuple(_table(directory / f"{name}.csv", rows) for name, rows in _rows(sections).items() if rows)
    return Written(page, tables, _figures(directory / "figures", sections), tuple(sections))


def _rows(sections: Sequence[StudySection]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows of every CSV file by its name: the tables of the studies, and all comparisons together."""
    files: dict[str, list[Mapping[str, Any]]] = {}
    for section in sections:
        for table in section.analysis.tables:
            files.setdefault(table.name, []).extend({"study": section.runs.study, **row} for row in table.rows)
    files["comparisons"] = [
        {
            "study": section.runs.study,
            "configuration": compared.label,
            "quantity": compared.quantity,
            **{name: float(getattr(compared.comparison, name)) for name in COMPARED},
            "relation": compared.relation,
            "verdict": compared.verdict,
            "why": compared.why,
            "what would decide": decisive,
        }
        for section in sections
        for compared, decisive in zip(section.analysis.compared, section.decisive, strict=True)
    ]
    return files


def _figures(directory: Path, sections: Sequence[StudySection]) -> tuple[Path, ...]:
    pictures = [picture for section in sections for picture in section.analysis.pictures]
    return tuple(style.save(picture.figure, directory / f"{picture.name}.png") for picture in pictures)


def _table(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    listed = list(rows)
    columns = list(dict.fromkeys(key for row in listed for key in row))
    with writing.replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writerow({key: _inert(key) for key in columns})
        writer.writerows({key: _inert(value) for key, value in row.items()} for row in listed)
    return path


def _inert(value: Any) -> Any:
    """Return a text that a spreadsheet would run as a formula with an apostrophe before it; other values unchanged."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) and not _is_number(value) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
