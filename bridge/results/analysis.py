"""The parts of an analysis of a study, for any subject: tables, comparisons, figures, findings, doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from numpy.typing import ArrayLike

from bridge.plots.result import Result
from bridge.results.quantity import verdicts_in_words, words
from closedform.measured import Measured, to_rows

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Means = tuple[str, int | str | None, Mapping[Any, ArrayLike]]  # whose keys are quantities

Traces: TypeAlias = "Mapping[str, xr.Dataset]"  # label of the configuration -> trace
Row = TypeVar("Row")


@dataclass(frozen=True)
class Picture:
    """A figure, the name of its file, and its caption."""

    name: str
    caption: str
    figure: Figure = field(repr=False)


Cell = str | int | float | Measured | None


@dataclass(frozen=True)
class Table:
    """A table of a report, with its cells as they were computed.

    Attributes:
        name: name of the CSV file without its suffix; tables of several studies with the same name share a file.
        title: heading of the table.
        caption: one sentence on units and on the origin of the errors.
        heads: headings of the columns: words, or LaTeX between dollar signs.
        cells: one tuple for each row: text, numbers, measured numbers with their errors, or None where there is none.
    """

    name: str
    title: str
    caption: str
    heads: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...] = field(repr=False)

    @property
    def rows(self) -> tuple[dict[str, Cell], ...]:
        """The rows as mappings from heading to cell."""
        return tuple(dict(zip(self.heads, row, strict=True)) for row in self.cells)

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The measured numbers in the cells."""
        return tuple(cell for row in self.cells for cell in row if isinstance(cell, Measured))

    @property
    def meanings(self) -> dict[str, str]:
        """What is measured in each column, in words, where all of its measured numbers are of one quantity."""
        columns = {
            head: {one.quantity for row in self.rows if isinstance(one := row[head], Measured)} for head in self.heads
        }
        return {head: words(*quantity) for head, quantity in columns.items() if len(quantity) == 1}


def table_of(
    name: str, title: str, caption: str, rows: Iterable[Row], columns: Sequence[tuple[str, Callable[[Row], Cell]]]
) -> Table:
    """Return a table with one row for each of ``rows``, without columns that are empty in all of them.

    Args:
        name: name of the CSV file without its suffix.
        title: heading of the table.
        caption: one sentence on units and on the origin of the errors.
        rows: what the rows are about.
        columns: heading of each column, and the function that gives its cell for a row.

    Raises:
        ValueError: if two columns have the same heading.
    """
    cells = [[function(row) for _, function in columns] for row in rows]
    heads = [head for head, _ in columns]
    if twice := sorted({head for head in heads if heads.count(head) > 1}):
        raise ValueError(f"columns: got two with the heading {twice[0]!r}, needs different ones, which name the cells")
    kept = [index for index in range(len(columns)) if not cells or any(row[index] is not None for row in cells)]
    return Table(
        name, title, caption, tuple(heads[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in cells)
    )


def with_verdict(measured: Iterable[Measured | None]) -> tuple[Measured, ...]:
    """Return the numbers that have a verdict, which one repetition, or several equal ones, do not give."""
    return tuple(one for one in measured if one is not None and one.verdict)


@dataclass(frozen=True)
class Doubt:
    """A reason not to trust a number, or a condition of the theory that is violated.

    Attributes:
        label: name of the configuration.
        text: the reason, one sentence.
        seeds: seeds concerned, in words; empty for all.
    """

    label: str
    text: str
    seeds: str = ""


@dataclass(frozen=True, repr=False)
class Analysis(Result):
    """The content of a report about one study.

    Attributes:
        traces: configuration label -> trace.
        pictures: the figures.
        tables: tables of fits and of measurements.
        measured: measured numbers, of which those with a prediction are shown with their verdicts.
        how_compared: one paragraph on what is compared and where each number comes from.
        findings: sentences that answer the study's question with these numbers. Default: their verdicts in words.
        doubts: reasons not to trust some of the numbers.
        theory: names of the closed forms with which the study is compared; a report shows and checks them.
        reading: paragraphs for first-time readers of such a report, heading -> text.
        results: what was computed of each configuration, such as fits, for further use.
    """

    traces: Mapping[str, xr.Dataset] = field(repr=False)
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...] = ()
    measured: tuple[Measured, ...] = ()
    how_compared: str = ""
    findings: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    theory: tuple[str, ...] = ()
    reading: Mapping[str, str] = field(default_factory=dict)
    results: tuple[Any, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.findings:
            object.__setattr__(self, "findings", verdicts_in_words(self.compared))

    @property
    def compared(self) -> tuple[Measured, ...]:
        """The measured numbers with a verdict."""
        return tuple(one for one in self.measured if one.verdict)

    @property
    def numbers(self) -> tuple[Measured, ...]:
        """All measured numbers, those of the tables included, each once."""
        of_tables = (one for table in self.tables for one in table.measured)
        return tuple({(one.quantity, one.label): one for one in (*of_tables, *self.measured)}.values())

    def summary(self) -> str:
        """Return the findings, the verdicts and the doubts, one line each."""
        heading = f"{type(self).__name__} of {len(self.traces)} traces, {len(self.compared)} comparisons"
        judged = [
            f"{one.label}, {words(one.quantity)}: {one.text}, predicted {one.prediction}: {one.verdict}"
            for one in self.compared
        ]
        doubts = [f"doubt: {doubt.label} {doubt.seeds}: {doubt.text}" for doubt in self.doubts]
        return "\n".join([heading, *(f"- {finding}" for finding in self.findings), *judged, *doubts])

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table of the comparisons, one row for each; without any, the rows of the first table."""
        import pandas as pd

        if not self.compared:
            return pd.DataFrame([values(table, row) for table in self.tables[:1] for row in table.cells])
        return pd.DataFrame(to_rows(self.compared))

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
        ax.set_yticks(place, list(frame["label"] + ", " + frame["quantity"].map(words) + marks))
        ax.set_xlabel("deviation / limit")


def values(table: Table, row: Sequence[Cell]) -> dict[str, Any]:
    """Return the cells of a row by heading, with the standard errors of measured numbers as cells of their own."""
    named: dict[str, Any] = {}
    for head, cell in zip(table.heads, row, strict=True):
        if isinstance(cell, Measured):
            named |= {head: cell.value, f"{head} error": cell.error}
        else:
            named[head] = cell
    return named


def seeds_named(numbers: Iterable[object]) -> str:
    """Return the text for the seeds of a :class:`Doubt`: ``"seed 3"``, ``"seeds 3, 5"``, or an empty string."""
    names = [str(number) for number in numbers]
    return f"seed{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""


def means_table(
    name: str,
    title: str,
    caption: str,
    rows: Iterable[Means],
    heads: tuple[str, str],
    columns: Sequence[tuple[str, str]],
) -> Table:
    """Return a table of means over repetitions; ``heads`` are the headings of configurations and places.

    Each row is a configuration, a place (a layer by its number, another one in words, or None for the whole network),
    and the repetitions of the quantities measured there; each further column has a heading and a quantity.
    """

    def mean(quantity: str, row: Means) -> Cell:
        label, place, numbers = row
        where = f"layer {place}" if isinstance(place, int) else place
        name = f"{label}, {where}" if where else label
        return Measured.mean(quantity, name, numbers[quantity]) if quantity in numbers else None

    return table_of(
        name, title, caption, rows,
        (
            (heads[0], lambda row: row[0]),
            (heads[1], lambda row: row[1]),
            *((head, lambda row, quantity=quantity: mean(quantity, row)) for head, quantity in columns),
        ),
    )  # fmt: skip
