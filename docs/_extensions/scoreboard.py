"""The scoreboard of the papers, which the first page shows: how many of their sentences hold, and which."""

from __future__ import annotations

from rst import anchor, escape, heading, link, table

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
    return [*around(board), *lists]


def around(lines: list[str]) -> list[str]:
    """Return the page with these lines between the marks."""
    return [":orphan:", "", *heading("Scoreboard", "="), BEGIN, "", *lines, END, ""]
