"""A paper whose printed equations are checked: its key, the edition that was read, its letters for our symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from theory.core.equation import Equation
from theory.core.findings import Finding
from theory.core.provenance import Source, references, require_reference
from theory.core.unlinked import UnlinkedEquation


@dataclass(frozen=True)
class Paper:
    r"""A paper, which makes the entries of its ledger and names places in it.

    Args:
        key: entry of ``references.bib``, "vanrossem2024".
        edition: which text was read; default: the field ``read`` of the reference.
        letters: LaTeX of the paper for our symbols and functions, by their names, as in
            :func:`theory.core.printed.typeset`; ``{"tau_h": r"\tau_h", "y": "y(#1)"}``. Default: none.

    Raises:
        ValueError: if ``references.bib`` has no such key.
    """

    key: str
    edition: str = ""
    letters: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        require_reference(self.key)
        object.__setattr__(self, "edition", self.edition or references()[self.key].get("read", ""))

    def source(self, locator: str) -> Source:
        """A place in the paper, such as "Eq. (10)"."""
        return Source(self.key, locator, self.edition)

    def entry(
        self, label: str, section: str, statement: str, verdict: Finding, evidence: str, **fields: Any
    ) -> Equation:
        """An entry of the ledger, whose programs read what it shows.

        Args:
            label: number of the equation, "(10)", or the section and a name for the sentence, "4.1 rich limit".
            section: where it stands, "3.2.1".
            statement: what it says, in words; empty for a printed ``Claim``, which says it itself.
            verdict: what checking it finds.
            evidence: how that is found.
            fields: further fields of :class:`theory.core.Equation`.
        """
        return Equation(self.key, label, statement, verdict, evidence, **self._placed(section), **fields)

    def unlinked_entry(
        self,
        label: str,
        section: str,
        statement: str,
        verdict: Finding,
        evidence: str,
        *,
        condition: str = "",
        **fields: Any,
    ) -> Equation:
        """An entry with programs beside what it shows; being replaced by :meth:`entry`, and not for new ones."""
        if condition:
            words = condition.replace("_", r"\_")
            fields["corrected"] = rf"\text{{if {words}}}"
        return UnlinkedEquation(self.key, label, statement, verdict, evidence, **self._placed(section), **fields)

    def _placed(self, section: str) -> dict[str, Any]:
        return {"where": f"Section {section}", "edition": self.edition, "letters": self.letters}
