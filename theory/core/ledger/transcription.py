"""What a ledger shows, looked up in the text of its paper: passages, quotations and numbers."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import sympy as sp

from theory.core.ledger.equation import Equation
from theory.core.ledger.printed import Claim, Word
from theory.core.ledger.source import Passage
from theory.core.numbers.digits import decimal

SMALLEST = 10  # whole numbers from here on are looked up; smaller ones stand in words as well
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Missing(NamedTuple):
    """What the text does not have: a passage, a quotation or a number, the label of its entry, and the words."""

    kind: str
    label: str
    words: str


def missing(
    entries: Iterable[Equation], passages: Iterable[Passage], text: str
) -> tuple[Missing, ...]:
    """Return what a ledger says that a paper prints, and its text does not have.

    Args:
        entries: the entries of the ledger.
        passages: its passages, in order.
        text: the text of the paper, plain or with TeX.

    Returns:
        What is missing: passages in their order, then quotations and numbers by entry; empty if all is there.
    """
    line = " ".join(text.split())
    return (*_passages(passages, line), *_quotations(entries, line))


def _passages(passages: Iterable[Passage], line: str) -> Iterator[Missing]:
    position = 0
    for passage in passages:
        start = line.find(passage.begins, position)
        if start < 0:
            yield Missing("passage", "; ".join(passage.entries), passage.begins)
        else:
            position = start + 1


def _quotations(entries: Iterable[Equation], line: str) -> Iterator[Missing]:
    numbers = {number.replace(",", "") for number in _NUMBER.findall(line)}
    for entry in entries:
        quoted: list[Claim | str] = [entry.printed] if isinstance(entry.printed, Claim) else []
        for search in (entry.looked_for, entry.assumed):
            quoted += search.quotations if search else ()
        for words in quoted:
            if not is_quoted(words, line):
                yield Missing("quotation", entry.label, str(words))
        for number in dict.fromkeys(numbers_in(entry.printed)):
            if number not in numbers:
                yield Missing("number", entry.label, number)


def numbers_in(statement: Any) -> Iterator[str]:
    """Yield the digits of the decimals in a statement, and of whole numbers that a sentence has."""
    if isinstance(statement, Claim):
        for value in statement.values.values():
            yield from numbers_in(value)
            if isinstance(value, sp.Integer) and value >= SMALLEST:
                yield str(value)
    elif isinstance(statement, sp.Basic):
        for node in sp.preorder_traversal(statement):
            if isinstance(node, decimal):
                yield str(node).lstrip("-")


def plain(text: str) -> str:
    """Return the words and digits of a text, in lower case, without LaTeX commands and signs.

    >>> plain("As long as $t < t^*$, neurons con- verge")
    'as long as t t neurons con verge'
    """
    bare = re.sub(r"\\[a-zA-Z]+|-\s+(?=[a-z])", " ", text)
    return " ".join(re.findall(r"[a-z0-9]+", bare.lower()))


def pieces(claim: Claim | str) -> list[str]:
    """Return what a sentence quotes: its printed words between what is left out, and between its values."""
    if isinstance(claim, str):
        return [piece for piece in map(plain, claim.split("...")) if piece]
    words = {
        name: value.text if isinstance(value, Word) else "..."
        for name, value in claim.values.items()
    }
    return pieces(claim.text.format(**words))


def is_quoted(claim: Claim | str, text: str) -> bool:
    """Return whether a text has the pieces of a sentence in their order.

    >>> is_quoted("all neurons ... fixed points", "Here all neurons converge to fixed points.")
    True
    """
    position, searched = 0, f" {plain(text)} "
    for piece in pieces(claim):
        position = searched.find(f" {piece} ", position)
        if position < 0:
            return False
    return True
