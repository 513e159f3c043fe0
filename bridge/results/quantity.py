"""Quantities that studies measure: an identifier, by which everything names it, and what it is in words.

A subject keeps its quantities as constants in one module and announces that module, by its name, in ``QUANTITIES``.
Studies produce measured numbers of these quantities; figures, entries of the ledger and dossiers name them.
"""

from __future__ import annotations

from types import ModuleType

from closedform.registry import Registry
from closedform.subject import EntryKind, Floor


class Quantity(str):
    """The identifier of a quantity, such as ``"two_point.merged_pairs"``, with its meaning.

    Attributes:
        name: what follows the subject in the identifier, such as ``"merged_pairs"``.
        meaning: what is measured, in words, with its unit unless it is dimensionless.
    """

    name: str
    meaning: str

    def __new__(cls, identifier: str, meaning: str) -> Quantity:
        """Return the identifier.

        Raises:
            ValueError: if it is not of the form ``subject.name``, or the meaning is empty.
        """
        subject, _, name = identifier.partition(".")
        if not subject.isidentifier() or not name.isidentifier() or not meaning:
            raise ValueError(f"quantity: got {identifier!r}, {meaning!r}, needs 'subject.name' and its meaning")
        quantity = super().__new__(cls, identifier)
        quantity.name, quantity.meaning = name, meaning
        return quantity

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        """Return the arguments of a copy."""
        return str(self), self.meaning


FLOOR = Floor(
    "bridge",
    "bridge",
    (
        EntryKind("ANALYSES", "analysis", has=("__call__",)),
        EntryKind("FITS", "fit", has=("__call__",)),
        EntryKind("FIGURES", "paper", has=("__iter__",)),
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


def words(identifier: str) -> str:
    """Return what a quantity is, in words; of a quantity that no subject announces, its identifier."""
    if isinstance(identifier, Quantity):
        return identifier.meaning
    known = quantities(identifier.partition(".")[0])
    return known[identifier].meaning if identifier in known else identifier
