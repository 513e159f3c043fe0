"""Figures and tables as printed in a paper, each with the plan by which our numbers are compared with it.

A subject lists all of them, those without a study included, in ``bridge/<subject>/figures.py``, and announces the list
in ``FIGURES`` of its package under the key of the paper. Of the fields that are the plan, :mod:`bridge.results.plan`
makes a hash, which a record keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from closedform.decisive import Holds
from closedform.measured import Measured, Relation


@dataclass(frozen=True)
class PrintedFigure:
    """One figure, panel or table of a paper, or one statement about it.

    Attributes:
        label: number as printed: "5", "7 (top)", "1b", "G.8", "Table 1"; or "Section 1.3" for a claim without a figure.
        shows: what it shows, in a few words.
        study: name of the study that reproduces it; empty if none does.
        sentence: the sentence of the paper that is tested, verbatim, with ``...`` for what is left out; empty without a
            quantity.
        quantity: identifier of the quantity that is compared with it, or of several; empty for none.
        configurations: labels of the configurations whose numbers count, or their parts up to a comma; empty for all.
        value: number that the paper states for the quantity; None takes what the theory predicts.
        relation: "=" if the paper states the number itself, ">" or "<" if it only states that the quantity is above or
            below it, such as a sign, an order or a bound.
        resolution: smallest relevant deviation from ``value``, which a value of 0 needs; None takes a tenth of it.
        origin: where a bound or a resolution comes from that is not the paper's number, its sign or a tenth of it: how
            the words of the sentence became a number.
        holds: what the sentence claims of several numbers, a word of :data:`closedform.decisive.HOLDS`.
        counter: a sentence of the same paper, verbatim, that takes the claim back in part; empty for none.
        entry: label of the entry of the paper's ledger that the numbers decide; empty for none. The numbers of all
            figures with the same entry decide it together. A statement that only the paper's size decides has none.
        reason: why no study reproduces it, or why ours is expected to differ below the paper's size; else empty. It has
            no measured number, which would go stale when results are recorded again.
        cause: why ours differs at every size, as a test has shown; else empty. It has no measured number either.
        revised: why the plan was changed after its numbers had been seen; empty for the first plan.
    """

    label: str
    shows: str
    study: str = ""
    sentence: str = ""
    quantity: str | tuple[str, ...] = ""
    configurations: str | tuple[str, ...] = ""
    value: float | None = None
    relation: Relation = "="
    resolution: float | None = None
    origin: str = ""
    holds: Holds = "all"
    counter: str = ""
    entry: str = ""
    reason: str = ""
    cause: str = ""
    revised: str = ""

    @property
    def where(self) -> str:
        """The place in the paper, such as ``"Figure 5"``, without what distinguishes several rows about it."""
        stem = self.label.partition(" (")[0].partition(",")[0]
        return f"Figure {stem}" if stem[0].isdigit() or stem[1:2] == "." else stem

    @property
    def quantities(self) -> tuple[str, ...]:
        """The identifiers of the quantities that are compared with the figure."""
        return (self.quantity,) if isinstance(self.quantity, str) and self.quantity else tuple(self.quantity)

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of the configurations whose numbers count; an empty one stands for all."""
        return (self.configurations,) if isinstance(self.configurations, str) else self.configurations

    def selects(self, one: Measured) -> bool:
        """Return whether a measured number is one of those that are compared with the figure."""
        return one.quantity in self.quantities and any(_is_of(one, name) for name in self.names)

    def is_covered_by(self, numbers: Sequence[Measured]) -> bool:
        """Return whether the figure names its configurations, and each of them has one of these numbers."""
        return all(name and any(_is_of(one, name) for one in numbers) for name in self.names)

    def judged(self, one: Measured) -> Measured:
        """Return a number with what the paper states, or else the theory, as its prediction or bound."""
        if self.value is not None:
            return one.against(self.value, self.relation, self.resolution)
        is_of_theory = self.relation == "=" or one.predicted is None
        return one if is_of_theory else replace(one, relation=self.relation)


def _is_of(one: Measured, name: str) -> bool:
    """Return whether a number is that of a configuration, or of a part of it."""
    return not name or one.label == name or one.label.startswith(f"{name},")
