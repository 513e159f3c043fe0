"""A paper whose printed equations are checked: its key, the edition that was read, and its notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from theory.core.formula.provenance import Source, references, require_reference
from theory.core.ledger.equation import Equation
from theory.core.ledger.findings import Finding


@dataclass(frozen=True)
class Paper:
    r"""A paper, which creates the entries of its ledger and the sources that refer to it.

    Args:
        key: key of the paper in ``references.bib``, such as "vanrossem2024".
        edition: the edition that was read, such as "arXiv v4". Default: the field ``read`` of the reference.
        letters: the paper's LaTeX for symbols and functions, by their names in this package, as for
            :func:`theory.core.ledger.typesetting.typeset`: ``{"tau_h": r"\tau_h", "y": "y(#1)"}``. Default: none.

    Raises:
        ValueError: if ``references.bib`` does not have the key.
    """

    key: str
    edition: str = ""
    letters: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        require_reference(self.key)
        object.__setattr__(self, "edition", self.edition or references()[self.key].get("read", ""))

    def source(self, locator: str) -> Source:
        """Return the source for a place in the paper, such as "Eq. (10)"."""
        return Source(self.key, locator, self.edition)

    def entry(
        self, label: str, section: str, statement: str, verdict: Finding, evidence: str, **fields: Any
    ) -> Equation:
        """Return an entry of the ledger whose programs read the statement that it shows.

        Args:
            label: number of the equation, such as "(10)", or section and name of a sentence, such as "4.1 rich limit".
            section: section in which the statement is printed, such as "3.2.1".
            statement: the statement in words; empty for a printed ``Claim``, whose own words are used.
            verdict: expected finding of the check.
            evidence: how the finding is reached, in words.
            fields: further fields of :class:`theory.core.Equation`.
        """
        return Equation(self.key, label, statement, verdict, evidence, **self._placed(section), **fields)

    def _placed(self, section: str) -> dict[str, Any]:
        return {"where": f"Section {section}", "edition": self.edition, "letters": self.letters}
