"""The ledger: what papers printed, paper by paper, and what a program finds about it.

The papers are found: packages of ``theory.papers``, named by their key in the references, and ``LEDGERS`` of the
subjects of other distributions.
"""

from __future__ import annotations

import pkgutil
import warnings
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from theory import subjects
from theory.core.suggestions import unknown

if TYPE_CHECKING:
    from theory.core.equation import Equation

RENAMED = {"leakyresnets2024": "jacot2024"}
"""Former keys, which are still accepted."""


@cache
def modules() -> dict[str, str]:
    """Key of each paper -> module with a tuple ``EQUATIONS``. No ledger is imported.

    Raises:
        ValueError: if two subjects announce the ledger of one paper.
    """
    package = "theory.papers"
    names = sorted(module.name for module in pkgutil.iter_modules(import_module(package).__path__) if module.ispkg)
    found = {name: f"{package}.{name}" for name in names}
    for key, (module, subject) in subjects.announced("LEDGERS").items():
        if key in found:
            raise ValueError(f"the ledger of {key!r} is announced twice: by {found[key]} and by {subject.origin}")
        found[key] = module
    return found


def ledgers() -> dict[str, str]:
    """Key of each paper that has a ledger -> its title. Imports no computer algebra."""
    from theory.core.provenance import reference

    return {key: reference(key)["title"] for key in modules()}


def equations(paper: str | None = None) -> tuple[Equation, ...]:
    """The equation ledger: every equation and checkable sentence of the papers, in their order.

    Args:
        paper: key of one paper, for its entries only; the others are not imported. A former key gives a warning that
            names the new one.

    Raises:
        ValueError: if there is no ledger of that paper, or two entries share paper and label.
    """
    if paper is None:
        return collect(modules().values())
    if paper in RENAMED:
        warnings.warn(f"the ledger {paper!r} is now {RENAMED[paper]!r}", FutureWarning, stacklevel=2)
        paper = RENAMED[paper]
    if paper not in modules():
        raise ValueError(unknown("paper", paper, modules()))
    return collect((modules()[paper],))


def errata(paper: str | None = None) -> tuple[Equation, ...]:
    """The entries of the ledger whose printed form is wrong, or right only under a condition that is not printed.

    Args:
        paper: key of one paper, for its entries only.
    """
    from theory.core.equation import Finding

    return tuple(entry for entry in equations(paper) if entry.verdict in (Finding.MISPRINT, Finding.CONDITIONAL))


def collect(ledger_modules: Iterable[str]) -> tuple[Equation, ...]:
    """Concatenates the tuples ``EQUATIONS`` of modules; two entries with one paper and label raise ValueError."""
    entries = tuple(entry for module in ledger_modules for entry in import_module(module).EQUATIONS)
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        if entry.key in seen:
            raise ValueError(f"the ledger holds {entry.paper} {entry.label} twice")
        seen.add(entry.key)
    return entries
