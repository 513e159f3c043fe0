"""The page of a width check: verdicts in sentences, a panel for each layer, and the table of exponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.report import write
from bridge.report.page import Section
from bridge.results.analysis import Analysis, Doubt, Picture, Table, table_of

if TYPE_CHECKING:
    from bridge.report.write import Written
    from bridge.results.analysis import Cell
    from bridge.widths.layer import LayerScaling
    from closedform.measured import Measured

NEGLIGIBLE = 1e-4  # error of an exponent
READING = {
    "Own update": "what the output of a layer gains by its own new weights, on the inputs that it has now. If it keeps "
    "its size at all widths, a learning rate that is good for one width is good for all.",
    "Exponent": "p, where a number grows as the p-th power of the width; from four widths on it is corrected for a "
    "scatter that falls with the width. Errors are standard errors over seeds.",
    "Verdict": "a layer grows or vanishes by the first look; it drifts where only later looks disagree, since growing "
    "updates of other layers reach it; it is too blunt where more seeds or wider networks would decide.",
}


def write_page(
    folder: Path,
    layers: Sequence[LayerScaling],
    steps: Sequence[int],
    picture: Picture,
    findings: Sequence[str],
    notes: Sequence[str],
) -> Written:
    """Write ``report.html``, ``width-check.csv`` and the figure, and return their paths.

    Args:
        folder: where to, made if there is none.
        layers: the layers in the order of the table.
        steps: numbers of updates after which it was looked.
        picture: a panel for each layer.
        findings: the verdicts in sentences.
        notes: what makes numbers doubtful.

    Raises:
        ValueError: if ``folder`` is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"directory: got the file {str(folder)!r}, needs a folder")
    analysis = Analysis(
        {},
        (picture,),
        (_table(layers, steps),),
        findings=tuple(findings),
        doubts=tuple(Doubt("note", note) for note in notes),
        reading=READING,
    )
    lead = "Do the updates of each layer keep their size when the network gets wider?"
    return write.write(folder, (Section("width check", lead, analysis),), (), "Width check")


def _table(layers: Sequence[LayerScaling], steps: Sequence[int]) -> Table:
    """Return the exponents of all layers, with their standard errors."""

    def own(look: int) -> tuple[str, Callable[[LayerScaling], Cell]]:
        return f"own update, step {steps[look]}", lambda layer: _shown(layer.own[look])

    return table_of(
        "width-check",
        "Exponents in the width",
        "Of root mean squares over samples and units; ± one standard error over seeds.",
        layers,
        (
            ("layer", lambda layer: layer.name),
            ("verdict", lambda layer: layer.verdict),
            ("size before training", lambda layer: _shown(layer.size)),
            *map(own, range(len(steps))),
            (f"whole change, step {steps[-1]}", lambda layer: _shown(layer.change[-1])),
        ),
    )


def _shown(exponent: Measured | None) -> Cell:
    """Return an exponent for a table: a number without an error where the error is too small to matter."""
    if exponent is None or exponent.error is None or exponent.error >= NEGLIGIBLE:
        return exponent
    return round(exponent.value, 4) + 0.0  # no minus sign before a zero
