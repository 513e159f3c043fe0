"""The ledger: the printed equations of the papers, and the ruling of a program about each of them.

The ledgers are discovered: the wings in ``papers`` and the subjects of other distributions announce them in
``LEDGERS``. A ledger of another distribution that cannot be read is left out with a warning. An OPEN entry that a
study has measured takes the verdict of the measurement, from ``measurements.json`` next to the ledger.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING

from closedform.registry import Registry
from closedform.suggestions import unknown
from theory.subjects import FLOOR

if TYPE_CHECKING:
    from theory.core.ledger.entries import Entries
    from theory.core.ledger.equation import Equation

_VERSION = re.compile(r"v\d+$")
LEDGERS: Registry[ModuleType] = Registry(FLOOR, "LEDGERS")
"""Key of each paper -> the module with its tuple ``EQUATIONS``."""


def ledgers() -> dict[str, str]:
    """Return a map from the key of each paper that has a ledger to its title, without importing computer algebra.

    >>> ledgers()["cheong2025"]
    'Explaining Deep Neural Networks using Information Theory and Geometry'
    """
    from theory.core.formula.provenance import reference

    return dict(LEDGERS.each(lambda key: reference(key)["title"]))


def equations(paper: str | None = None) -> Entries:
    """Return the entries of the ledger, one for every equation and checkable sentence, in the order of the papers.

    Args:
        paper: key of one paper, to import and return the entries of its ledger only. Default: all papers.

    Raises:
        ValueError: if the paper has no ledger, an entry is of another paper, or two entries have the same label.

    >>> entry = equations("zavatoneveth2023")["(7)"]
    >>> entry.verdict.name, entry.root
    ('MISPRINT', '(A.18)')
    """
    from theory.core.ledger.entries import Entries

    if paper is not None:
        key = checked_key(paper)
        with LEDGERS.visit(key):
            return Entries(entries_of(key))
    return Entries(chain.from_iterable(entries for _, entries in LEDGERS.each(entries_of)))


def checked_key(paper: str) -> str:
    """Return the key of a paper named by key or arXiv number; TypeError or ValueError if it has no ledger."""
    from theory.core.formula.provenance import reference

    if not isinstance(paper, str):
        raise TypeError(f"paper: got {type(paper).__name__}, needs the key of a paper")
    if paper in LEDGERS:
        return paper
    number = _VERSION.sub("", paper.lower().removeprefix("arxiv:"))
    of_number = [key for key in LEDGERS if reference(key).get("eprint") == number]
    if not of_number:
        raise ValueError(unknown("paper", paper, LEDGERS))
    return of_number[0]


def errata(paper: str | None = None, label: str | None = None) -> Entries:
    """Return the entries whose printed form is wrong, disagrees with another, or lacks a condition.

    Args:
        paper: key or arXiv number of one paper, to return its entries only. Default: all papers.
        label: one entry of the paper, such as ``"(7)"``, ``"7"`` or ``"Eq. (7)"``, to return it whatever its verdict.
            Default: all that are wrong.

    Raises:
        ValueError: if the paper or the label does not exist, or there is a label without a paper.

    >>> errata("2301.11375", "eq. 7")[0].root
    '(A.18)'
    >>> print(errata("jacot2024").to_dataframe().columns[:3].tolist())
    ['paper', 'label', 'where']
    """
    from theory.core.ledger.checked_entry import ERRATA
    from theory.core.ledger.entries import Entries

    if label is not None:
        if paper is None:
            raise ValueError(f"label: got {label!r}, needs the paper of the entry as well")
        return Entries([equations(paper)[label]])
    return Entries(entry for entry in equations(paper) if entry.verdict.name in ERRATA)


def entries_of(paper: str) -> tuple[Equation, ...]:
    """Return the entries of the ledger of one paper; ValueError for one of another paper, or a label twice."""
    entries = decided(LEDGERS.targets[paper])
    seen: set[str] = set()
    for entry in entries:
        if entry.paper != paper:
            raise ValueError(
                f"the ledger of {paper} has an entry of the paper {entry.paper}, {entry.label}"
            )
        if entry.label in seen:
            raise ValueError(
                f"the ledger has two entries with the paper {paper} and the label {entry.label}"
            )
        seen.add(entry.label)
    return entries


def decided(module: str) -> tuple[Equation, ...]:
    """Return the entries of one ledger; an OPEN one takes the verdict of its measurement, if one is recorded."""
    from theory.core.ledger.equation import Ruling
    from theory.core.ledger.measurement import measurements

    entries = import_module(module).EQUATIONS
    recorded = measurements(module) if hasattr(import_module(module), "__path__") else {}
    unused = set(recorded).difference(
        entry.label for entry in entries if entry.verdict is Ruling.OPEN
    )
    if unused:
        raise ValueError(
            f"measurements.json of {module}: no OPEN entry has the label {min(unused)!r}; rename or delete its record"
        )
    return tuple(
        replace(entry, verdict=recorded[entry.label].ruling, measurement=recorded[entry.label])
        if entry.verdict is Ruling.OPEN and entry.label in recorded
        else entry
        for entry in entries
    )
