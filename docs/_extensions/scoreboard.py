"""The scoreboard of the papers, which the first page shows: how many of their sentences hold, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rst import anchor, escape, heading, link, table

from bridge.results import figure_table, sentences
from closedform.verdicts import BEYOND, BLUNT, DISAGREES, FOR, IN_PART, RESERVED, SET_UP, SMALLER
from theory.core.formula.provenance import Source
from theory.core.ledger.checked_entry import CheckedEntry

BOARD = {
    "hold": ("CONFIRMED", "FOLLOWS", "REMARK"),
    "misprinted": ("MISPRINT", "INCONSISTENT"),
    "conditional": ("CONDITIONAL",),
    "supported": ("SUPPORTED",),
    "contradicted": ("CONTRADICTED",),
    "undecided": ("OPEN", "UNRESOLVED"),
}
# of the sentences that are compared with networks, each with one verdict
NETWORKS = {
    "agree": FOR,
    "hold in part": (IN_PART,),
    "disagree": (DISAGREES,),
    "hang on our set-up": (SET_UP, SMALLER),
    "pass a bound of ours": (BEYOND,),
    "within a reservation": (RESERVED,),
    "too blunt": (BLUNT,),
}
# between which the first page includes it
BEGIN, END = (".. scoreboard begins", ".. scoreboard ends")


def page(papers: dict[str, list[CheckedEntry]]) -> list[str]:
    """How many sentences of each paper hold, are misprinted and so on; every number leads to the list of them."""
    rows, lists = [], []
    for paper, found in papers.items():
        cells = []
        for word, verdicts in BOARD.items():
            entries = {
                index: entry for index, entry in enumerate(found) if entry.verdict in verdicts
            }
            name = f"board-{paper}-{word}"
            cells.append(f":ref:`{len(entries)} <{name}>`" if entries else "0")
            if entries:
                links = (
                    link(entry.label, anchor("entry", paper, entry.label))
                    for entry in entries.values()
                )
                lists += [
                    f".. _{name}:",
                    "",
                    *heading(f"{paper}: {word}", "-"),
                    ", ".join(links),
                    "",
                ]
        rows.append(
            (
                f":doc:`{escape(Source(paper, 'the paper').citation)} </generated/equations/{paper}>`",
                *cells,
            )
        )
    board = table(("sentences of", *BOARD), rows)
    return [
        *around([*board, "", *against_networks(papers)]),
        *lists,
    ]


def against_networks(papers: Iterable[str]) -> list[str]:
    """Return the tables of the papers with figures: verdicts on sentences, and comparisons with a number."""
    listed = {
        paper: figure_table.rows(paper)
        for paper in filter(figure_table.FIGURES.__contains__, papers)
    }
    heads = (
        "comparisons with a number",
        "in all",
        "independent runs",
        f"deviate, false discovery rate {figure_table.RARE:.0%}",
        "hours of the runs that decide",
    )
    numbers = [
        (_linked(paper), *map(str, figure_table.tested(rows)), f"{figure_table.hours(rows):.1f}")
        for paper, rows in listed.items()
    ]
    return [
        *table(("sentences against networks", *NETWORKS), measured(listed)),
        "",
        *table(heads, numbers),
    ]


def measured(listed: Mapping[str, list[dict[str, Any]]]) -> list[tuple[str, ...]]:
    """Return a row for each paper, of its rows: how many of the sentences that they test have which verdict."""
    rows = []
    for paper, of_paper in listed.items():
        verdicts = Counter(sentence.verdict for sentence in sentences.sentences(of_paper))
        counts = (str(sum(verdicts[verdict] for verdict in words)) for words in NETWORKS.values())
        rows.append((_linked(paper), *counts))
    return rows


def _linked(paper: str) -> str:
    citation = escape(Source(paper, "the paper").citation)
    return f":doc:`{citation} </generated/gallery/rows>`"


def around(lines: list[str]) -> list[str]:
    """Return the page with these lines between the marks."""
    return [":orphan:", "", *heading("Scoreboard", "="), BEGIN, "", *lines, END, ""]
