"""From a folder of traces to ``report.html``, with its figures and tables beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bridge import studies
from bridge.report import folder, provenance, style
from bridge.report.formulas import Checked
from bridge.report.page import StudySection, render

# What the dashed curves and the comparisons are made of: Eq. (7), what it conserves, its solution, Eqs. (9) and (10).
PREMISES = tuple(f"two_point.{name}" for name in ("dh2_rate", "dy2_rate", "w_rate", "conserved_quantity"))
SOLUTION = tuple(f"two_point.{name}" for name in ("dh2", "dy2", "w"))
RESULTS = ("two_point.final_distance", "two_point.loss")
FORMULAS = (*PREMISES, *SOLUTION, *RESULTS)


@dataclass(frozen=True)
class Written:
    """What was written: the page, the tables, the figures; and the sections, for whoever wants to say more."""

    page: Path
    fits: Path
    comparisons: Path | None
    figures: tuple[Path, ...]
    sections: tuple[StudySection, ...]


def sections(directory: Path) -> tuple[StudySection, ...]:
    """Fit and draw everything in a folder.

    Raises:
        ValueError: if there is nothing in it, or something that is not ours.
    """
    made = []
    for runs in folder.studies(directory):
        traces, missing = folder.load(directory, runs)
        if not traces:
            raise ValueError(f"study {runs.study!r} in {str(directory)!r} has no finished run yet; go on with --resume")
        made.append(StudySection(runs, studies.analyse(runs.study, traces), missing))
    return tuple(made)


def write(directory: Path, made: Sequence[StudySection], theory: Sequence[Checked], title: str = "") -> Written:
    """Write the page, ``fits.csv``, ``comparisons.csv`` and ``figures/`` into ``directory``."""
    directory.mkdir(parents=True, exist_ok=True)
    page = directory / "report.html"
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    line = f"Made {when} by closedform {provenance.version()} from the traces in {directory.resolve().name}/"
    page.write_text(render(title or "Two points: theory and networks", line, made, theory), encoding="utf-8")
    fits = _table(
        directory / "fits.csv",
        ({"study": section.runs.study, **each.row()} for section in made for each in section.analysis.fitted),
    )
    compared = [
        {
            "study": section.runs.study,
            "configuration": each.label,
            "quantity": each.quantity,
            **{name: float(getattr(each.comparison, name)) for name in ("predicted", "measured", "error", "z")},
            "verdict": each.comparison.verdict,
        }
        for section in made
        for each in section.analysis.compared
    ]
    comparisons = _table(directory / "comparisons.csv", compared) if compared else None
    return Written(page, fits, comparisons, _figures(directory / "figures", made), tuple(made))


def _figures(directory: Path, made: Sequence[StudySection]) -> tuple[Path, ...]:
    pictures = [picture for section in made for picture in section.analysis.pictures]
    return tuple(style.save(picture.figure, directory / f"{picture.name}.png") for picture in pictures)


def _table(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    listed = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)
    return path
