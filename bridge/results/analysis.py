"""The parts of an analysis of a study, for any subject: tables, comparisons, figures, findings, doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from numpy.typing import ArrayLike

from bridge.plots import style
from bridge.plots.result import Result
from bridge.results.quantity import verdicts_in_words, words
from closedform.foreign_text import visible
from closedform.measured import Measured, to_rows

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Means = tuple[str, int | str | None, Mapping[Any, ArrayLike]]  # whose keys are quantities

Traces: TypeAlias = "Mapping[str, xr.Dataset]"  # label of the configuration -> trace
Row = TypeVar("Row")
Member = TypeVar("Member")


def members(groups: Mapping[str, Iterable[Member]]) -> list[tuple[str, Member]]:
    """Return every member of every group with the label of its group, in the order of the groups.

    Args:
        groups: The members, by the label of their group.

    Returns:
        Pairs of a label and a member.
    """
    pairs: list[tuple[str, Member]] = []
    for label, group in groups.items():
        pairs += [(label, member) for member in group]
    return pairs


@dataclass(frozen=True)
class Picture:
    """A figure, the name of its file, and its caption."""

    name: str
    caption: str
    figure: Figure = field(repr=False)


Cell = str | int | float | Measured | None


@dataclass(frozen=True)
class Table:
    """A table of a report, with its cells as they were computed."""

    name: str  # of the CSV file without its suffix; tables of several studies may share a file
    title: str  # its heading
    caption: str  # one sentence on units and on the origin of the errors
    heads: tuple[str, ...]  # of the columns: words, or LaTeX between dollar signs
    cells: tuple[tuple[Cell, ...], ...] = field(repr=False)

    @property
    def rows(self) -> tuple[dict[str, Cell], ...]:
        """The rows as mappings from heading to cell."""
        return tuple(dict(zip(self.heads, row, strict=True)) for row in self.cells)

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The measured numbers in the cells."""
        return tuple(
            cell for cell in chain.from_iterable(self.cells) if isinstance(cell, Measured)
        )

    @property
    def meanings(self) -> dict[str, str]:
        """What is measured in each column, in words, where all of its measured numbers are of one quantity."""
        columns: dict[str, set[str]] = {head: set() for head in self.heads}
        for row in self.cells:
            for head, cell in zip(self.heads, row, strict=True):
                if isinstance(cell, Measured):
                    columns[head].add(cell.quantity)
        return {head: words(*quantity) for head, quantity in columns.items() if len(quantity) == 1}


def table_of(
    name: str,
    title: str,
    caption: str,
    rows: Iterable[Row],
    columns: Sequence[tuple[str, Callable[[Row], Cell]]],
) -> Table:
    """Return a table by functions of a row, without columns that are empty in all rows; headings must differ."""
    heads = [head for head, _ in columns]
    twice = sorted({head for head in heads if heads.count(head) > 1})
    if twice:
        raise ValueError(
            f"columns: got two with the heading {twice[0]!r}, needs different ones, which name the cells"
        )

    def cells_of(row: Row) -> tuple[Cell, ...]:
        return tuple(function(row) for _, function in columns)

    def is_filled(column: Iterable[Cell]) -> bool:
        return any(cell is not None for cell in column)

    cells = list(map(cells_of, rows))
    kept = list(map(is_filled, zip(*cells, strict=True))) if cells else [True] * len(heads)
    return Table(
        name,
        title,
        caption,
        tuple(compress(heads, kept)),
        tuple(tuple(compress(row, kept)) for row in cells),
    )


def with_verdict(measured: Iterable[Measured | None]) -> tuple[Measured, ...]:
    """Return the numbers that have a verdict, which one repetition, or several equal ones, do not give."""
    return tuple(number for number in measured if number is not None and number.verdict)


@dataclass(frozen=True)
class Doubt:
    """A reason not to trust a number, or a condition of the theory that is violated."""

    label: str  # of the configuration
    text: str  # the reason, one sentence
    seeds: str = ""  # seeds concerned, in words; empty for all


@dataclass(frozen=True, repr=False)
class Analysis(Result):
    """The content of a report about one study."""

    traces: Mapping[str, xr.Dataset] = field(repr=False)  # by label of the configuration
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...] = ()
    measured: tuple[Measured, ...] = ()  # with a prediction, shown with its verdict
    how_compared: str = ""  # one paragraph: what is compared, where each number comes from
    # sentences that answer the study's question; by default the verdicts in words
    findings: tuple[str, ...] = ()
    # reasons not to trust some of the numbers; those that a compared number brings along are added
    doubts: tuple[Doubt, ...] = ()
    # closed forms with which the study is compared; a report shows and checks them
    theory: tuple[str, ...] = ()
    # paragraphs for first-time readers, by heading
    reading: Mapping[str, str] = field(default_factory=dict)
    # what was computed of each configuration
    results: tuple[Any, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.findings:
            object.__setattr__(self, "findings", verdicts_in_words(self.compared))
        of_numbers = [
            Doubt(number.label, number.doubt) for number in self.compared if number.doubt
        ]
        doubts = tuple(dict.fromkeys([*self.doubts, *of_numbers]))
        object.__setattr__(self, "doubts", doubts)
        for picture in self.pictures:
            style.make_literal(picture.figure, map(str, self.traces))

    @property
    def compared(self) -> tuple[Measured, ...]:
        """The measured numbers with a verdict."""
        return tuple(number for number in self.measured if number.verdict)

    @property
    def numbers(self) -> tuple[Measured, ...]:
        """All measured numbers, those of the tables included, each once."""
        of_tables = chain.from_iterable(table.measured for table in self.tables)
        return tuple(
            {
                (number.quantity, number.label): number for number in (*of_tables, *self.measured)
            }.values()
        )

    def summary(self) -> str:
        """Return the findings, the verdicts and the doubts, one line each."""
        heading = (
            f"{type(self).__name__} of {len(self.traces)} traces, {len(self.compared)} comparisons"
        )
        judged = [
            f"{number.label}, {words(number.quantity)}: {number.text}, predicted {number.prediction}: {number.verdict}"
            for number in self.compared
        ]
        doubts = [f"doubt: {doubt.label} {doubt.seeds}: {doubt.text}" for doubt in self.doubts]
        return "\n".join(
            map(
                visible,
                [heading, *(f"- {finding}" for finding in self.findings), *judged, *doubts],
            )
        )

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table of the comparisons, one row for each; without any, the rows of the first table."""
        import pandas as pd

        if not self.compared:
            rows = self.tables[0].cells if self.tables else ()
            return pd.DataFrame([values(self.tables[0], row) for row in rows])
        return pd.DataFrame(to_rows(self.compared))

    def _figures(self) -> Sequence[Figure]:
        return [picture.figure for picture in self.pictures] or super()._figures()

    def _draw(self, ax: Axes) -> None:
        """Draw deviations in units of their limits: a number agrees between the lines, a bound beyond both."""
        if not self.compared:
            super()._draw(ax)
            return
        frame = self.to_dataframe()
        position = range(len(frame))
        ax.plot(frame.z / frame.limit, position, "o")
        ax.axvline(-1, linestyle=":")
        ax.axvline(1, linestyle=":")
        marks = frame["relation"].map({"=": "", ">": " (>)", "<": " (<)"})
        ax.set_yticks(
            position,
            list(frame["label"].map(style.literal) + ", " + frame["quantity"].map(words) + marks),
        )
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
    """Return a table of means over repetitions; ``heads`` are the headings of configurations and places."""

    def mean(quantity: str, row: Means) -> Cell:
        label, layer, numbers = row
        where = f"layer {layer}" if isinstance(layer, int) else layer
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
