"""The result of a dossier: its parts, its findings, and the page that it writes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.plots.result import WIDTH, Result
from bridge.report.page import Section
from bridge.results.analysis import values
from closedform.foreign_text import visible
from closedform.suggestions import UnknownNameError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.report.write import Written
    from bridge.results.analysis import Analysis


@dataclass(frozen=True, repr=False)
class Dossier(Result):
    """The measurements of one network.

    Attributes:
        network: what was measured: the class of the model and the number of its parameters.
        sections: the parts: network, then geometry, collapse, kernel and others where they apply.
        left_out: the measurements that were not possible, with the reasons.
    """

    network: str
    sections: tuple[Section, ...] = field(repr=False)
    left_out: tuple[str, ...] = ()

    def __getitem__(self, part: str) -> Analysis:
        """Return tables, figures and findings of one part, such as ``dossier["collapse"]``; a KeyError names all."""
        by_name = {section.title: section.analysis for section in self.sections}
        if part not in by_name:
            raise UnknownNameError(f"part: got {part!r}, needs one of {', '.join(by_name)}")
        return by_name[part]

    @property
    def title(self) -> str:
        """The title of the page."""
        return f"Dossier of {self.network}"

    @property
    def findings(self) -> tuple[str, ...]:
        """The findings of all parts, one sentence each."""
        return tuple(chain.from_iterable(section.analysis.findings for section in self.sections))

    def write(self, directory: str | Path) -> Written:
        """Write ``report.html``, tables as CSV and ``figures/`` into ``directory``, which is created if necessary."""
        from bridge.report import formulas, write

        target = Path(directory)
        if target.exists() and not target.is_dir():
            raise ValueError(f"directory: got the file {str(target)!r}, needs a folder")
        return write.write(
            target, self.sections, formulas.check(write.theory_of(self.sections)), self.title
        )

    def summary(self) -> str:
        """Return the findings, one line each, what was left out, and what limits the numbers."""
        return str(self)

    def to_dataframe(self) -> pd.DataFrame:
        """Return the tables of all parts below each other, with the part in the column ``part``."""
        import pandas as pd

        rows = []
        for section in self.sections:
            for table in section.analysis.tables:
                rows += [
                    {"part": section.title, "table": table.name, **values(table, row)}
                    for row in table.cells
                ]
        return pd.DataFrame(rows)

    def _figures(self) -> Sequence[Figure]:
        pictures = chain.from_iterable(section.analysis.pictures for section in self.sections)
        return [picture.figure for picture in pictures]

    def _draw(self, ax: Axes) -> None:
        """Draw the first table with several rows and columns of numbers."""
        frames = [
            (part.analysis, part.analysis.to_dataframe().select_dtypes("number"))
            for part in self.sections
        ]
        numeric = [analysis for analysis, frame in frames if min(frame.shape) > 1]
        if numeric:
            numeric[0].plot(ax)
        else:
            super()._draw(ax)

    def __str__(self) -> str:
        doubts = self.sections[0].analysis.doubts
        sentences = [*self.findings, *(f"{doubt.label}: {doubt.text}" for doubt in doubts)]
        points = [visible(f"- {sentence}") for sentence in sentences]
        return "\n".join(
            [
                visible(self.title),
                *(textwrap.fill(point, WIDTH, subsequent_indent="  ") for point in points),
            ]
        )
