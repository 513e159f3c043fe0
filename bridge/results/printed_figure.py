"""Figures and tables as printed in a paper, each with the plan by which our numbers are compared with it.

A subject lists all of them, those without a study included, in ``papers/<paper>/figures.py``, and announces the list
in ``FIGURES`` of its package under the key of the paper. Of the fields that are the plan, :mod:`bridge.results.plan`
makes a hash, which a record keeps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from closedform.decisive import Holds
from closedform.measured import Measured, Relation

OURS = "ours"  # with which the origin of a bound of our own begins


@dataclass(frozen=True)
class PrintedFigure:
    """One figure, panel or table of a paper, or one statement about it.

    ``reason`` and ``cause`` have no measured numbers, which would go stale when results are recorded again. The numbers
    of all figures with the same ``entry`` decide it together; what only the paper's size decides has none.
    """

    label: str  # as printed: "5", "7 (top)", "G.8", "Table 1"; or "Section 1.3" for a claim without a figure
    shows: str  # in a few words
    study: str = ""  # that reproduces it; empty if none does
    sentence: str = ""  # of the paper, verbatim, that is tested, with ``...`` for what is left out
    quantity: str | tuple[str, ...] = ""  # identifiers of what is compared; empty for none
    # labels whose numbers count, or parts up to a comma; empty: all
    configurations: str | tuple[str, ...] = ""
    value: float | None = None  # that the paper states; None takes what the theory predicts
    relation: Relation = "="  # "=" if the paper states the number itself, ">" or "<" for a sign, an order or a bound
    # smallest relevant deviation, which a value of 0 needs; None: a tenth
    resolution: float | None = None
    origin: str = ""  # how the words became a bound or a resolution that is not the paper's number, sign or a tenth
    holds: Holds = "all"  # what the sentence claims of several numbers, a word of ``closedform.decisive.HOLDS``
    counter: str = ""  # a sentence of the same paper, verbatim, that takes the claim back in part
    # the largest deviation that ``counter`` allows; None if it names no number
    within: float | None = None
    # why the sentence does not say what is measured, such as "a definition of others"; the row then has no verdict
    unsaid: str = ""
    entry: str = ""  # label of the entry of the ledger that the numbers decide
    # why no study reproduces it, or why ours is expected to differ below the paper's size
    reason: str = ""
    cause: str = ""  # why ours differs at every size, as a test has shown
    revised: str = ""  # why the plan was changed after its numbers had been seen

    @property
    def where(self) -> str:
        """The place in the paper, such as ``"Figure 5"``, without what distinguishes several rows about it."""
        stem = self.label.partition(" (")[0].partition(",")[0]
        return f"Figure {stem}" if stem[0].isdigit() or stem[1:2] == "." else stem

    @property
    def quantities(self) -> tuple[str, ...]:
        """The identifiers of the quantities that are compared with the figure."""
        return (
            (self.quantity,)
            if isinstance(self.quantity, str) and self.quantity
            else tuple(self.quantity)
        )

    def has_own_bound(self, number: Measured | None) -> bool:
        """Return whether the bound or the resolution of a number is ours.

        It is where we read it into the words of the sentence, and where the code of the study has a bound, other than
        zero, to a side that the sentence names without a number.
        """
        is_of_code = (
            self.value is None
            and number is not None
            and number.relation != "="
            and bool(number.predicted)
        )
        return self.origin.startswith(OURS) or is_of_code

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of the configurations whose numbers count; an empty one stands for all."""
        return (
            (self.configurations,) if isinstance(self.configurations, str) else self.configurations
        )

    def selects(self, one: Measured) -> bool:
        """Return whether a measured number is one of those that are compared with the figure."""
        return one.quantity in self.quantities and any(_is_of(one, name) for name in self.names)

    def is_covered_by(self, numbers: Sequence[Measured]) -> bool:
        """Return whether the figure names its configurations, and each of them has one of these numbers."""

        def has_number(name: str) -> bool:
            return any(_is_of(number, name) for number in numbers)

        return all(name and has_number(name) for name in self.names)

    def reserves(self, one: Measured) -> bool:
        """Return whether the paper's own reservation covers a number: it names no number, or one that is as large."""
        return bool(self.counter) and (self.within is None or abs(one.deviation) <= self.within)

    def judged(self, one: Measured) -> Measured:
        """Return a number with what the paper states, or else the theory, as its prediction or bound."""
        if self.value is not None:
            return one.against(self.value, self.relation, self.resolution)
        is_of_theory = self.relation == "=" or one.predicted is None
        return one if is_of_theory else replace(one, relation=self.relation)


def _is_of(one: Measured, name: str) -> bool:
    """Return whether a number is that of a configuration, or of a part of it."""
    return not name or one.label == name or one.label.startswith(f"{name},")
