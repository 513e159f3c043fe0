"""The parts of an analysis of a study, for any subject: tables, comparisons, figures, findings, doubts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bridge.plots.result import Result
from closedform import verdicts

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.statistics.comparison import Comparison


@dataclass(frozen=True)
class Picture:
    """A figure, the name of its file, and its caption."""

    name: str
    caption: str
    figure: Figure = field(repr=False)


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        key: key of the values in the rows; the key ``key + "_error"``, if a row has it, gives their standard errors.
        head: heading of the column: words, or LaTeX between dollar signs.
        digits: number of significant digits of a number without an error. Default: 4.
    """

    key: str
    head: str
    digits: int = 4


@dataclass(frozen=True)
class Table:
    """A table of a report. The page shows ``columns``; the CSV file beside the report has every key of the rows.

    Attributes:
        name: name of the CSV file without its suffix; tables of several studies with the same name share a file.
        title: heading of the table.
        caption: one sentence on units and on the origin of the errors.
        columns: columns that the page shows, in order; text is aligned left, numbers right.
        rows: one mapping key -> value for each row.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)


@dataclass(frozen=True)
class Compared:
    """The comparison of theory and measurement for one quantity of one configuration.

    Attributes:
        label: name of the configuration.
        quantity: what is compared, in words, with its unit.
        comparison: prediction and measurement of one number.
        relation: "=" if the number is predicted; ">" or "<" if the quantity is only predicted to be above or below it.
    """

    label: str
    quantity: str
    comparison: Comparison
    relation: Literal["=", ">", "<"] = "="

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"disagrees"`` or ``"too blunt to say"``; a bound agrees if chance leaves no doubt of it."""
        if self.relation == "=":
            return self.comparison.overall
        return verdicts.bound(float(self.comparison.z), float(self.comparison.limit), self.relation)

    @property
    def why(self) -> str:
        """The verdict and its reason in one line of text."""
        if self.relation == "=":
            return str(self.comparison.why)
        side = "above" if self.comparison.z > 0 else "below"
        needed = "above" if self.relation == ">" else "below"
        return (
            f"{self.verdict}: {abs(self.comparison.z):.1f} standard errors {side} {self.comparison.predicted:.4g}; "
            f"agreement needs more than {self.comparison.limit:.1f} {needed}"
        )

    @property
    def prediction(self) -> str:
        """The predicted number or bound as text."""
        return f"{'' if self.relation == '=' else self.relation + ' '}{float(self.comparison.predicted):.4g}"


@dataclass(frozen=True)
class Doubt:
    """A reason not to trust a number, or a condition of the theory that is violated.

    Attributes:
        label: name of the configuration.
        seeds: seeds concerned, in words; empty for all.
        text: the reason, one sentence.
    """

    label: str
    seeds: str
    text: str


@dataclass(frozen=True, repr=False)
class Analysis(Result):
    """The content of a report about one study.

    Attributes:
        traces: configuration label -> trace.
        pictures: the figures.
        tables: tables of fits and of measurements.
        compared: comparisons of predictions with measurements.
        how_compared: one paragraph on what is compared and where each number comes from.
        findings: sentences that answer the study's question with these numbers.
        doubts: reasons not to trust some of the numbers.
        theory: names of the closed forms with which the study is compared; a report shows and checks them.
        reading: paragraphs for first-time readers of such a report, heading -> text.
    """

    traces: Mapping[str, xr.Dataset] = field(repr=False)
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...] = ()
    compared: tuple[Compared, ...] = ()
    how_compared: str = ""
    findings: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    theory: tuple[str, ...] = ()
    reading: Mapping[str, str] = field(default_factory=dict)

    def summary(self) -> str:
        """Return the findings, the verdicts and the doubts, one line each."""
        heading = f"{type(self).__name__} of {len(self.traces)} traces, {len(self.compared)} comparisons"
        judged = [f"{entry.label}, {entry.quantity}: {entry.verdict}" for entry in self.compared]
        doubts = [f"doubt: {doubt.label} {doubt.seeds}: {doubt.text}" for doubt in self.doubts]
        return "\n".join([heading, *(f"- {finding}" for finding in self.findings), *judged, *doubts])

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table of the comparisons, one row for each; without any, the rows of the first table."""
        import pandas as pd

        if not self.compared:
            return pd.DataFrame([dict(row) for table in self.tables[:1] for row in table.rows])
        frames = [
            entry.comparison.to_dataframe().assign(
                label=entry.label, quantity=entry.quantity, relation=entry.relation, verdict=entry.verdict
            )
            for entry in self.compared
        ]
        return pd.concat(frames, ignore_index=True)

    def _figures(self) -> Sequence[Figure]:
        return [picture.figure for picture in self.pictures] or super()._figures()

    def _draw(self, ax: Axes) -> None:
        """Draw the deviation of every comparison in units of its limit.

        A number agrees between the lines only; a bound, marked by > or <, on its side of both.
        """
        if not self.compared:
            super()._draw(ax)
            return
        frame = self.to_dataframe()
        place = range(len(frame))
        ax.plot(frame.z / frame.limit, place, "o")
        ax.axvline(-1, linestyle=":")
        ax.axvline(1, linestyle=":")
        marks = frame["relation"].map({"=": "", ">": " (>)", "<": " (<)"})
        ax.set_yticks(place, list(frame["label"] + ", " + frame["quantity"] + marks))
        ax.set_xlabel("deviation / limit")


def seeds_named(numbers: Iterable[object]) -> str:
    """Return the text for the seeds of a :class:`Doubt`: ``"seed 3"``, ``"seeds 3, 5"``, or an empty string."""
    names = [str(number) for number in numbers]
    return f"seed{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""
