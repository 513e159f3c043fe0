"""The ledger: the printed equations of the papers, and the finding of a program about each of them.

The ledgers are discovered: they are the packages of ``theory.papers``, which are named by their keys in the references,
and the modules that subjects of other distributions announce in ``LEDGERS``. An OPEN entry that a
study has measured takes the verdict of the measurement, from ``measurements.json`` beside the ledger.
"""

from __future__ import annotations

import pkgutil
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from theory import subjects
from theory.core.text.suggestions import unknown

if TYPE_CHECKING:
    from theory.core.ledger.entries import Entries
    from theory.core.ledger.equation import Equation

RENAMED = {"leakyresnets2024": "jacot2024"}
"""Former keys of papers, which are still accepted, and the current ones."""


@cache
def modules() -> dict[str, str]:
    """Return a map from the key of each paper to the module with its tuple ``EQUATIONS``, without importing any ledger.

    Raises:
        ValueError: if two subjects announce a ledger of the same paper.
    """
    package = "theory.papers"
    names = sorted(module.name for module in pkgutil.iter_modules(import_module(package).__path__) if module.ispkg)
    ledger_modules = {name: f"{package}.{name}" for name in names}
    for key, (module, subject) in subjects.announced("LEDGERS").items():
        if key in ledger_modules:
            first = ledger_modules[key]
            raise ValueError(f"the ledger of {key!r} is announced twice: by {first} and by {subject.origin}")
        ledger_modules[key] = module
    return ledger_modules


def ledgers() -> dict[str, str]:
    """Return a map from the key of each paper that has a ledger to its title, without importing computer algebra."""
    from theory.core.formula.provenance import reference

    return {key: reference(key)["title"] for key in modules()}


def equations(paper: str | None = None) -> Entries:
    """Return the entries of the ledger, one for every equation and checkable sentence, in the order of the papers.

    Args:
        paper: key of one paper, to import and return the entries of its ledger only. A former key gives a warning with
            the current one. Default: all papers.

    Raises:
        ValueError: if the paper has no ledger, or two entries have the same paper and label.
    """
    if paper is None:
        return collect(modules().values())
    return collect((modules()[current_key(paper)],))


def current_key(paper: str) -> str:
    """Return the current key of a paper; a former key gives a warning with the current one.

    Raises:
        TypeError: if ``paper`` is not text.
        ValueError: if there is no ledger of that paper.
    """
    if not isinstance(paper, str):
        raise TypeError(f"paper must be the key of a paper, got {type(paper).__name__}")
    if paper in RENAMED:
        warnings.warn(f"the ledger {paper!r} is now {RENAMED[paper]!r}", FutureWarning, stacklevel=3)
        paper = RENAMED[paper]
    if paper not in modules():
        raise ValueError(unknown("paper", paper, modules()))
    return paper


def errata(paper: str | None = None) -> Entries:
    """Return the entries whose printed form is wrong, or holds only under a condition that is not printed.

    Args:
        paper: key of one paper, to return its entries only. Default: all papers.
    """
    from theory.core.ledger.entries import Entries
    from theory.core.ledger.equation import Finding

    return Entries(entry for entry in equations(paper) if entry.verdict in (Finding.MISPRINT, Finding.CONDITIONAL))


def collect(ledger_modules: Iterable[str]) -> Entries:
    """Return the entries of the tuples ``EQUATIONS`` of the given modules, in order.

    Raises:
        ValueError: if two entries have the same paper and label.
    """
    from theory.core.ledger.entries import Entries

    entries = Entries(entry for module in ledger_modules for entry in decided(module))
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        if entry.key in seen:
            raise ValueError(f"the ledger has two entries with the paper {entry.paper} and the label {entry.label}")
        seen.add(entry.key)
    return entries


def decided(module: str) -> tuple[Equation, ...]:
    """Return the entries of one ledger; an OPEN one takes the verdict of its measurement, if one is recorded.

    Raises:
        ValueError: if a measurement is recorded for a label that no OPEN entry has.
    """
    from theory.core.ledger.equation import Finding
    from theory.core.ledger.measurement import measurements

    entries = import_module(module).EQUATIONS
    recorded = measurements(module) if hasattr(import_module(module), "__path__") else {}
    if unused := set(recorded).difference(entry.label for entry in entries if entry.verdict is Finding.OPEN):
        raise ValueError(
            f"measurements.json of {module}: no OPEN entry has the label {min(unused)!r}; rename or delete its record"
        )
    return tuple(
        replace(entry, verdict=recorded[entry.label].finding, measurement=recorded[entry.label])
        if entry.verdict is Finding.OPEN and entry.label in recorded
        else entry
        for entry in entries
    )
