"""The page of a map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bridge.report import formulas
from bridge.report.page import Section
from bridge.report.write import Written
from bridge.report.write import write as write_page
from bridge.results.analysis import Analysis, Picture, Table
from bridge.validity.drawing import draw

CAPTION = (
    "Colour: mean deviation in units of the resolution, as a Gaussian process through the points. Line: the boundary, "
    "where the claim holds with a probability of one half by that process; dotted: 2.5 % and 97.5 %. Hatched: it is "
    "not known whether the claim holds. Marks: verdict of the networks at each point alone, at a level of 5 %."
)
HOW = (
    "A point has at least four networks, each compared with its own prediction. First the points are those whose side "
    "of the boundary is least certain by a Gaussian process; then points on both sides get networks until their own "
    "decide them. A side counts as known where the process is certain of it and the nearest decided point lies on it."
)


def analysis(region: Any) -> Analysis:
    """Return picture, table and sentences of a map."""
    frame = region.points
    cells = tuple(tuple(row) for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False))
    table = Table("points", "Points", "Deviations and their standard errors.", tuple(frame.columns), cells)
    name = region.claim.name.replace(".", "-")
    return Analysis(
        traces={}, pictures=(Picture(name, CAPTION, draw(region)),), tables=(table,),
        findings=region.sentences(), theory=region.claim.forms, how_compared=HOW, results=(region,),
    )  # fmt: skip


def write(region: Any, directory: Path) -> Written:
    """Write the page of a map, its points as CSV and its figure into ``directory``."""
    section = Section(region.claim.name, region.claim.sentence, analysis(region))
    return write_page(directory, (section,), formulas.check(region.claim.forms), "Where a claim holds")
