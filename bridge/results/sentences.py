"""One verdict for a sentence: it follows from the verdicts of the rows that test it, by one rule.

A row is a part of its sentence. A row without a verdict, such as one whose number the sentence does not state, is no
part, and nor is one that can hang on a setting of ours where a row with the authors' settings has a verdict. The rule
is that of a claim about all parts: the sentence agrees if all of them do, disagrees if some do and none agrees, holds
in part if some agree and some disagree, and is otherwise as open as its most open part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from closedform.verdicts import (
    AGREES,
    BEYOND,
    BLUNT,
    DISAGREES,
    FOR,
    IN_PART,
    LESS,
    RESERVED,
    SET_UP,
    SMALLER,
)

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure
    from closedform.measured import Measured

OPEN = (
    SET_UP,
    BEYOND,
    SMALLER,
    RESERVED,
    BLUNT,
)  # the first one that a part has is the sentence's
PARTS = (*FOR, DISAGREES, *OPEN)
UNTESTED = "no part with a verdict"
REPLACED = "no part (a row with the authors' settings takes its place)"
COUNTED, EQUALITY, OWN_BOUND, PRINTED_BOUND, SIDE = (
    "a count without an error",
    "an equality that could have failed",
    "a bound of ours",
    "a bound of the paper",
    "a sign alone",
)


class Sentence(NamedTuple):
    """A sentence of a paper with its verdict."""

    paper: str  # its key
    text: str  # verbatim
    verdict: str
    parts: Mapping[str, str]  # verdicts of the rows by label


def joint(verdicts: Iterable[str]) -> str:
    """Return the verdict on a sentence from those on its rows; :data:`UNTESTED` if none of these is a part.

    >>> joint(["agrees", "too blunt to say"])
    'too blunt to say'
    >>> joint(["agrees", "disagrees", "our set-up differs"])
    'holds in part'
    """
    parts = [verdict for verdict in verdicts if verdict in PARTS]
    if not parts:
        return UNTESTED
    if DISAGREES in parts:
        return IN_PART if any(verdict in FOR for verdict in parts) else DISAGREES
    undecided = next((verdict for verdict in OPEN if verdict in parts), "")
    return undecided or (LESS if LESS in parts else AGREES)


def sentences(rows: Iterable[Mapping[str, Any]]) -> tuple[Sentence, ...]:
    """Return the sentences that rows of :func:`bridge.results.figure_table.rows` test, in their order."""
    parts: dict[tuple[str, str], dict[str, str]] = {}
    listed = [row for row in rows if row["sentence"] and row["plan"]]
    for row in listed:
        parts.setdefault((row["paper"], row["sentence"]), {})[row["figure"]] = row["verdict"]
    for row in listed:
        of_rows = parts[row["paper"], row["sentence"]]
        if row["settings"] and of_rows.get(released(row["figure"])) in PARTS:
            of_rows[row["figure"]] = REPLACED
    return tuple(
        Sentence(paper, text, joint(of_rows.values()), of_rows)
        for (paper, text), of_rows in parts.items()
    )


def released(label: str) -> str:
    """Return the label of the row that tests the same with the authors' settings.

    >>> released("8"), released("8 (high)")
    ('8 (released)', '8 (high, released)')
    """
    return f"{label[:-1]}, released)" if label.endswith(")") else f"{label} (released)"


def kind_of_test(figure: PrintedFigure, number: Measured | None) -> str:
    """Return what kind of a test the number that decides a row is, one of the five words above; empty without one."""
    if number is None:
        return ""
    if not number.is_compared:
        return COUNTED
    if number.relation == "=":
        return EQUALITY
    if not number.predicted or figure.holds not in ("all", "most"):
        return SIDE
    return OWN_BOUND if figure.has_own_bound(number) else PRINTED_BOUND
