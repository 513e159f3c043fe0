r"""How the entries of one paper are made: its key, the edition that was read, the paper's letters for our symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.core import Equation, Finding


@dataclass(frozen=True, eq=False)
class LedgerEntry(Equation):
    """An equation that is typeset in its paper's letters.

    Args:
        letters: the paper's LaTeX for our symbols.
    """

    letters: Mapping[sp.Symbol, str] = field(default_factory=dict)

    @property
    def printed_latex(self) -> str:
        """As printed."""
        return self._typeset(self.printed)

    @property
    def corrected_latex(self) -> str:
        """Corrected, or with its condition."""
        return self._typeset(self.corrected)

    def _typeset(self, formula: sp.Basic | str) -> str:
        if isinstance(formula, str):
            return formula
        if isinstance(formula, sp.Tuple) and len(formula) > 1:
            return r"\begin{aligned} & " + r" \\ & ".join(map(self._typeset, formula)) + r" \end{aligned}"
        alone = formula[0] if isinstance(formula, sp.Tuple) else formula
        return str(sp.latex(alone, symbol_names=dict(self.letters)))


@dataclass(frozen=True)
class Ledger:
    """Makes the entries of one paper.

    Args:
        paper: key of ``references.bib``.
        edition: which text was read.
        letters: the paper's LaTeX for our symbols.
    """

    paper: str
    edition: str
    letters: Mapping[sp.Symbol, str]

    def entry(
        self,
        label: str,
        section: str,
        statement: str,
        verdict: Finding,
        evidence: str,
        *,
        condition: str = "",
        **rest: Any,
    ) -> LedgerEntry:
        """An entry of the ledger.

        Args:
            label: number of the equation, "(10)", or the section and a name for the sentence, "4.1 rich limit".
            section: where it stands.
            statement: what it says, in words.
            verdict: what checking it finds.
            evidence: how that is found.
            condition: of a CONDITIONAL, what is missing, in words.
            rest: further fields of :class:`theory.core.Equation`.
        """
        if condition:
            words = condition.replace("_", r"\_")
            rest["corrected"] = rf"\text{{if {words}}}"
        edition = f"{self.edition}, Section {section}"
        return LedgerEntry(
            self.paper, label, statement, verdict, evidence, edition=edition, letters=self.letters, **rest
        )
