"""Quantities that studies measure: an identifier, by which everything names it, and what it is in words.

A subject keeps its quantities as constants in one module and announces that module, by its name, in ``QUANTITIES``.
Studies produce measured numbers of these quantities; figures, entries of the ledger and dossiers name them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from closedform.measured import Measured, shown
from closedform.registry import Registry
from closedform.subjects import EntryKind, Floor
from closedform.verdicts import DISAGREES, FOR


class Quantity(str):
    """The identifier of a quantity, such as ``"two_point.merged_pairs"``, with its meaning."""

    name: str  # what follows the subject in the identifier
    meaning: str  # in words, with its unit unless it is dimensionless
    version: int  # of the statistic; a change of what is computed raises it, and with it plans and records
    # of the logarithm, where the number is the logarithm of what a paper states
    base: float | None

    def __new__(
        cls, identifier: str, meaning: str, *, version: int = 1, base: float | None = None
    ) -> Quantity:
        """Return the identifier; ValueError if it is not of the form ``subject.name``, or the meaning is empty."""
        subject, _, name = identifier.partition(".")
        if not subject.isidentifier() or not name.isidentifier() or not meaning:
            raise ValueError(
                f"quantity: got {identifier!r}, {meaning!r}, needs 'subject.name' and its meaning"
            )
        quantity = super().__new__(cls, identifier)
        quantity.name, quantity.meaning, quantity.version, quantity.base = (
            name,
            meaning,
            version,
            base,
        )
        return quantity

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        """Return the arguments of a copy."""
        return (str(self), self.meaning), {"version": self.version, "base": self.base}


def quantities_of(subject: str) -> tuple[Callable[..., Quantity], Callable[..., Quantity]]:
    """Return makers of a subject's quantities from name and meaning: of any, and of natural logarithms of a number."""

    def quantity(
        name: str, meaning: str, *, version: int = 1, base: float | None = None
    ) -> Quantity:
        return Quantity(f"{subject}.{name}", meaning, version=version, base=base)

    return quantity, lambda name, meaning: quantity(name, f"logarithm of {meaning}", base=math.e)


NAMED = 5  # numbers of a sentence that are named because they disagree; a table has all
FLOOR = Floor(
    "bridge",
    ("bridge", "papers"),
    (
        EntryKind("ANALYSES", "analysis", has=("__call__",)),
        EntryKind("FITS", "fit", has=("__call__",)),
        EntryKind("FIGURES", "paper", has=("__iter__",)),
        EntryKind("SETTINGS", "table of settings", has=("__iter__",)),
        EntryKind("QUANTITIES", "module of quantities", of_modules=True),
        EntryKind("CLAIMS", "module of claims", of_modules=True),
    ),
)
QUANTITIES: Registry[ModuleType] = Registry(FLOOR, "QUANTITIES")
CLAIMS: Registry[ModuleType] = Registry(FLOOR, "CLAIMS")


def quantities(subject: str) -> dict[str, Quantity]:
    """Return the quantities of a subject by identifier; none of a subject that announces none."""
    constants = vars(QUANTITIES[subject]).values() if subject in QUANTITIES else ()
    return {str(constant): constant for constant in constants if isinstance(constant, Quantity)}


def known(identifier: str) -> Quantity | None:
    """Return the quantity of an identifier; None if no subject announces it."""
    if isinstance(identifier, Quantity):
        return identifier
    return quantities(identifier.partition(".")[0]).get(identifier)


def words(identifier: str) -> str:
    """Return what a quantity is, in words; of a quantity that no subject announces, its identifier."""
    quantity = known(identifier)
    return quantity.meaning if quantity is not None else identifier


def version(identifier: str) -> int:
    """Return the version of a quantity's statistic, 1 of one that no subject announces."""
    quantity = known(identifier)
    return quantity.version if quantity is not None else 1


def in_units(measured: Measured, *, predicted: bool = False) -> str:
    """Return number with error, or prediction, as text in the paper's unit; a logarithm as ``"0.92 ×/÷ 1.1"``."""
    quantity = known(measured.quantity)
    if quantity is None or quantity.base is None:
        return measured.prediction if predicted else measured.text
    if predicted:
        bound = "" if measured.relation == "=" else f"{measured.relation} "
        return (
            ""
            if measured.predicted is None
            else f"{bound}{shown(quantity.base**measured.predicted)}"
        )
    factor = "" if measured.error is None else f" ×/÷ {quantity.base**measured.error:.3g}"
    return f"{shown(quantity.base**measured.value)}{factor}"


def verdicts_in_words(compared: Iterable[Measured]) -> tuple[str, ...]:
    """Return a sentence on each quantity: how many of its numbers agree with their predictions, and which disagree."""
    groups: dict[str, list[Measured]] = {}
    for number in compared:
        groups.setdefault(number.quantity, []).append(number)
    sentences = []
    for quantity, group in groups.items():
        verdicts = Counter(number.verdict for number in group)
        agreeing = sum(verdicts.pop(verdict, 0) for verdict in FOR)
        parts = [f"{words(quantity)}: {agreeing} of {len(group)} as predicted"]
        for verdict, count in verdicts.items():
            parts.append(
                f"{count} {'disagree' if verdict == DISAGREES and count > 1 else verdict}"
            )
        disagreeing = [
            f"{number.label}: {number.text}, predicted {number.prediction}"
            for number in group
            if number.verdict == DISAGREES
        ]
        parts += disagreeing[:NAMED]
        if len(disagreeing) > NAMED:
            parts.append(f"and {len(disagreeing) - NAMED} more")
        text = "; ".join(parts)
        sentences.append(f"{text[:1].upper()}{text[1:]}.")
    return tuple(sentences)
