"""Figures and tables as printed in a paper: what they show, and which number of which study is held against them.

A subject lists all of them, those without a study included, in ``FIGURES`` of its ``figures.py`` and announces the list
under the key of the paper. A study names the figures that it reproduces in the text of its ``figure``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

NUMBER = r"((?:[A-Z]\.)?[\d.]*\d)"
SECTION = re.compile(rf"Sections?\s+{NUMBER}(?:\s+and\s+{NUMBER})?")
LABEL = r"(?:[A-Z]\.)?\d+(?:\.\d+)?(?:[a-z]\b)?(?: \((?:top|bottom)\))?"
RANGE = re.compile(rf"({LABEL})(?: to ({LABEL}))?")


@dataclass(frozen=True)
class PrintedFigure:
    """One figure, panel or table of a paper.

    Attributes:
        label: number as printed: "5", "7 (top)", "1b", "G.8", "Table 1"; or "Section 1.3" for a claim without a figure.
        shows: what it shows, in a few words.
        stated: what the paper states about it, with its numbers; empty if it states nothing.
        quantity: name of the recorded quantity that is compared with it, or, where no quantity has just this name, the
            beginning of the names of several; empty for none.
        configurations: beginning of the labels of the configurations whose numbers count, or several; empty for all.
        value: number that the paper states for the quantity; None takes what the theory predicts.
        study: name of the study, where its ``figure`` cannot say so.
        reason: why no study reproduces it, or why ours is expected to differ below the paper's size; else empty. It has
            no measured number, which would go stale when results are recorded again.
        relation: "=" if the paper states the number itself, ">" or "<" if it only states that the quantity is above or
            below it, such as a sign, an order or a bound.
        cause: why ours differs at every size, as a test has shown; else empty. It has no measured number either.
        entry: label of the entry of the paper's ledger that the numbers decide; empty for none. The numbers of all
            figures with the same entry decide it together. A statement that only the paper's size decides has none.
        resolution: smallest relevant deviation from ``value``, which a value of 0 needs; None takes a tenth of it.
    """

    label: str
    shows: str
    stated: str = ""
    quantity: str = ""
    configurations: str | tuple[str, ...] = ""
    value: float | None = None
    study: str = ""
    reason: str = ""
    relation: Literal["=", ">", "<"] = "="
    cause: str = ""
    entry: str = ""
    resolution: float | None = None


def labels(text: str) -> tuple[str, ...]:
    """Return the labels in the ``figure`` of a study, such as ``"Figures 2 and 3.1 to 3.3"``, with ranges expanded."""
    sections = [f"Section {number}" for match in SECTION.finditer(text) for number in match.groups() if number]
    rest = SECTION.sub("", text)
    return (*(label for match in RANGE.finditer(rest) for label in _expanded(*match.groups())), *sections)


def _expanded(first: str, last: str | None) -> Iterator[str]:
    if last is None:
        yield first
        return
    stem = first.rstrip("0123456789")
    for number in range(int(first.removeprefix(stem)), int(last.removeprefix(last.rstrip("0123456789"))) + 1):
        yield f"{stem}{number}"
