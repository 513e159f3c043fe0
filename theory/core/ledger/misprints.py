"""The misprinted equations that a closed form cites, from the text of the ledger and without any program of it.

An entry belongs to a form if its field ``closed_form`` names the form, or if a source of the form cites its label. The
verdict is the declared one, which the tests of the ledger compare with the computed one.
"""

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

from closedform.subjects import announced
from theory.core.formula.provenance import Source
from theory.core.ledger.source import Block, read
from theory.subjects import FLOOR

Misprint = tuple[str, str, str]
"""Key of the paper, label of the entry, and what is wrong with the printed form in words."""
_EQUATION = r"\((?:[A-Z]\.)?\d+\)"
_RANGE = re.compile(rf"(?P<first>{_EQUATION}) to (?P<last>{_EQUATION})")
_CITED = re.compile(_EQUATION)


def misprints_of(name: str, sources: Sequence[Source]) -> tuple[Misprint, ...]:
    """Return the misprinted entries of the ledgers that a closed form corrects.

    Args:
        name: dotted name of the closed form; a member of a family has the name of the family before its own.
        sources: sources of the closed form; only the ledgers of their papers are read.

    >>> [(paper, label) for paper, label, _ in misprints_of("own.curvature", [Source("zavatoneveth2023", "Eq. (7)")])]
    [('zavatoneveth2023', '(7)')]
    """
    misprints = {}
    for source in sources:
        cited = labels_in(source.locator)
        blocks = _misprinted(source.key)
        roots = {heir: block.label for block in blocks for heir in _texts(block, "heirs", " | ")}
        for block in blocks:
            named = _texts(block, "closed_form")
            is_named = any(name == other or name.startswith(f"{other}.") for other in named)
            # "Algorithm 1"
            in_words = re.search(rf"(?<!\w){re.escape(block.label)}(?!\w)", source.locator)
            if (
                is_named
                or in_words
                or not cited.isdisjoint({block.label, block.label.partition(" ")[0]})
            ):
                fault = (
                    f"It has the fault of {roots[block.label]}." if block.label in roots else ""
                )
                words = " ".join([*_texts(block, "consequence"), fault]).strip()
                misprints[source.key, block.label] = words or block.statement
    return tuple((paper, label, words) for (paper, label), words in misprints.items())


def _texts(block: Block, field: str, separator: str = "\n") -> list[str]:
    return list(
        chain.from_iterable(line.text.split(separator) for line in block.fields.get(field, ()))
    )


def labels_in(locator: str) -> frozenset[str]:
    """Return the labels of equations that a locator cites, with those inside of a range.

    >>> sorted(labels_in("Eqs. (7), (B.65) to (B.67)"))
    ['(7)', '(B.65)', '(B.66)', '(B.67)']
    """
    between = set(
        chain.from_iterable(
            _between(place["first"], place["last"]) for place in _RANGE.finditer(locator)
        )
    )
    return frozenset(between.union(_CITED.findall(locator)))


def _between(first: str, last: str) -> Iterator[str]:
    letter = first.strip("()").rstrip(string.digits)
    numbers = [int(label.strip("()").removeprefix(letter)) for label in (first, last)]
    return (f"({letter}{number})" for number in range(numbers[0], numbers[1] + 1))


@cache
def _misprinted(paper: str) -> tuple[Block, ...]:
    """Return the misprinted entries of a paper; none for a paper whose ledger is missing or cannot be read."""
    ledgers = announced(FLOOR, "LEDGERS")
    if paper not in ledgers:
        return ()
    package, _ = ledgers[paper]
    try:
        blocks = read(package).blocks
    # of another distribution, whose ledger need not be a text
    except (OSError, ValueError, ImportError, TypeError):
        return ()
    return tuple(block for block in blocks if block.verdict == "MISPRINT")
