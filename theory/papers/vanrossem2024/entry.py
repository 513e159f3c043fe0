r"""What all entries of this paper share: its key, the edition that was read, the paper's letters for our symbols."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Equation, Finding
from theory.two_point import symbols as s
from theory.two_point.paper import EDITION

PAPER = "vanrossem2024"

LETTERS = {
    s.dh2: r"\|dh\|^2",
    s.dy2: r"\|dy\|^2",
    s.dh2_0: r"\|dh(0)\|^2",
    s.dy2_0: r"\|dy(0)\|^2",
    s.dx2: r"\|x_2-x_1\|^2",
    s.target2: r"\|y_2-y_1\|^2",
    s.mean2_0: r"\|y(0)-\frac{y_2+y_1}{2}\|^2",
    s.tau_h: r"\tau_h",
    s.tau_y: r"\tau_y",
    s.tau_mean: r"\tau_{\bar{y}}",
    sp.Symbol("A_high", real=True): r"A_{\mathrm{high}}",
    sp.Symbol("A_low", positive=True): r"A_{\mathrm{low}}",
}


class LedgerEntry(Equation):
    """An equation that is typeset in the paper's letters."""

    @property
    def printed_latex(self) -> str:
        """As printed."""
        return _typeset(self.printed)

    @property
    def corrected_latex(self) -> str:
        """Corrected, or with its condition."""
        return _typeset(self.corrected)


def entry(
    label: str, section: str, statement: str, verdict: Finding, evidence: str, *, condition: str = "", **rest: Any
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
    return LedgerEntry(PAPER, label, statement, verdict, evidence, edition=f"{EDITION}, Section {section}", **rest)


def _typeset(formula: sp.Basic | str) -> str:
    if isinstance(formula, str):
        return formula
    if isinstance(formula, sp.Tuple) and len(formula) > 1:
        return r"\begin{aligned} & " + r" \\ & ".join(map(_typeset, formula)) + r" \end{aligned}"
    return sp.latex(formula[0] if isinstance(formula, sp.Tuple) else formula, symbol_names=LETTERS)
