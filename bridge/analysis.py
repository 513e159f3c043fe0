"""What an analysis of a study consists of, for any subject: tables, comparisons, figures, findings, doubts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from bridge.comparison import Comparison


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
        key: of the rows. Where a row has ``key + "_error"`` too, that is the standard error shown beside the value.
        head: what stands above it: words, or LaTeX between dollar signs.
        digits: significant digits of a number without an error.
    """

    key: str
    head: str
    digits: int = 4


@dataclass(frozen=True)
class Table:
    """A table of a report. The page shows ``columns``; the CSV file beside the report has every key of the rows.

    Attributes:
        name: of the CSV file, without its ending; tables of several studies with one name share a file.
        title: the heading.
        caption: one sentence: units, where the errors come from.
        columns: what the page shows, in order; text is set left, numbers right.
        rows: key to value.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)


@dataclass(frozen=True)
class Compared:
    """The comparison of theory and measurement for one quantity of one configuration."""

    label: str
    quantity: str
    comparison: Comparison


@dataclass(frozen=True)
class Doubt:
    """A reason not to trust a number, or a condition of the theory that is violated.

    Attributes:
        label: name of the configuration.
        seeds: which seeds, in words; empty for all.
        text: what is wrong.
    """

    label: str
    seeds: str
    text: str


@dataclass(frozen=True)
class Analysis:
    """Everything that a report says about one study.

    Attributes:
        traces: configuration label to the measurement.
        pictures: the figures.
        tables: of fits, of measurements.
        compared: predictions against measurements.
        how_compared: what is compared, and where each number comes from; one paragraph.
        findings: sentences that the numbers above answer the study's question with.
        doubts: what is not to be trusted.
        theory: names of the closed forms that the study is held against; a report shows and checks them.
        reading: paragraphs for whoever reads such a report for the first time, heading to text.
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


def seeds_named(numbers: Iterable[object]) -> str:
    """Name seeds for a :class:`Doubt`: ``"seed 3"``, ``"seeds 3, 5"``, or nothing for none."""
    names = [str(number) for number in numbers]
    return f"seed{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""
