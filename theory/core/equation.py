"""The equation ledger: what a paper printed, and what a program finds about it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from theory.core.derivation import Check, Step, Verdict
from theory.core.provenance import require_reference


class Finding(enum.Enum):
    """What is found about a printed statement."""

    CONFIRMED = "confirmed"
    """It holds as printed."""
    MISPRINT = "misprint"
    """It fails as printed, a corrected form holds, and an independent computation sides with the corrected one."""
    CONDITIONAL = "conditional"
    """It holds under a condition that is not printed, and fails without it."""
    DEFINITION = "definition"
    """It introduces a symbol; there is nothing to be right or wrong."""
    ASSUMPTION = "assumption"
    """A premise of the theory, to be tested by measurement and not by algebra."""
    OPEN = "open"
    """Neither confirmed nor refuted here."""


# Findings that need no program, only a reason.
UNCHECKED = (Finding.DEFINITION, Finding.ASSUMPTION, Finding.OPEN)


class Reading(NamedTuple):
    """Three values of one quantity at a witness point, numbers or arrays of one shape."""

    printed: Any
    corrected: Any
    independent: Any
    tolerance: float = 1e-8
    """Relative error that the independent computation is good for."""

    @property
    def sides_with_corrected(self) -> bool:
        """The corrected value agrees with the independent one, and the printed one is ten tolerances away from it."""
        printed, corrected, independent = (np.asarray(value, dtype=float) for value in self[:3])
        scale = np.max(np.abs(independent)) or 1.0
        wrong, right = (np.max(np.abs(value - independent)) / scale for value in (printed, corrected))
        return bool(right <= self.tolerance and wrong > 10 * self.tolerance)


@dataclass(frozen=True, eq=False)
class Equation:
    """One equation, or one checkable sentence, of a paper.

    Args:
        paper: key of ``references.bib``.
        label: "(10)", "Section 3.1, sentence 2"; unique within the paper.
        statement: what it says, in words.
        verdict: what ``check`` is expected to find.
        evidence: how it is found, or why there is nothing to find.
        printed: the formula as printed, in our symbols: sympy or LaTeX text.
        corrected: the corrected formula of a MISPRINT, or the formula with its condition.
        closed_form: name of the closed form in the catalogue that it became.
        edition: which text was read, and where in it.
        consequence: what depends on the difference.
        steps: what must hold: the printed statement if CONFIRMED, the corrected one if MISPRINT, the statement under
            its condition if CONDITIONAL.
        printed_steps: of a MISPRINT, the printed statement; at least one must fail.
        witness: the point at which printed and corrected form are compared.
        oracle: of a MISPRINT: takes nothing, computes at the witness without any code of the derivation.
        counterexample: of a CONDITIONAL: takes nothing, True if the statement fails without the condition.
        letters: LaTeX of the paper for our symbols, by their names.

    Raises:
        ValueError: if a verdict lacks what it must rest on.
    """

    paper: str
    label: str
    statement: str
    verdict: Finding
    evidence: str
    printed: sp.Basic | str = ""
    corrected: sp.Basic | str = ""
    closed_form: str | None = None
    edition: str = ""
    consequence: str = ""
    steps: tuple[Step | Check, ...] = ()
    printed_steps: tuple[Step | Check, ...] = ()
    witness: Mapping[Any, Any] | None = None
    oracle: Callable[[], Reading] | None = None
    counterexample: Callable[[], bool] | None = None
    letters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_reference(self.paper)
        for text in ("label", "statement", "evidence"):
            if not getattr(self, text).strip():
                raise ValueError(f"{self.paper} {self.label}: {text} must not be empty")
        if not isinstance(self.verdict, Finding):
            raise TypeError(f"{self.paper} {self.label}: verdict must be a Finding, got {self.verdict!r}")
        needs = {
            Finding.CONFIRMED: ("steps",),
            Finding.MISPRINT: ("printed", "corrected", "steps", "printed_steps", "witness", "oracle", "consequence"),
            Finding.CONDITIONAL: ("steps", "counterexample", "consequence"),
        }
        for need in needs.get(self.verdict, ()):
            if not getattr(self, need) and getattr(self, need) != 0:
                raise ValueError(f"{self.paper} {self.label}: a {self.verdict.name} needs {need}")

    @property
    def key(self) -> tuple[str, str]:
        """What identifies an entry of the ledger."""
        return self.paper, self.label

    @property
    def printed_latex(self) -> str:
        """The printed formula in LaTeX, in the letters of the paper."""
        return typeset(self.printed, self.letters)

    @property
    def corrected_latex(self) -> str:
        """The corrected formula, or the condition, in LaTeX and in the letters of the paper."""
        return typeset(self.corrected, self.letters)

    def check(self) -> Finding:
        """What the programs of this entry find, whatever ``verdict`` says.

        OPEN where they do not reach a finding. An entry without programs is what its author says it is.
        """
        if Verdict.all(step.check() for step in self.steps) is not Verdict.HOLDS:
            return Finding.OPEN
        if self.printed_steps:
            return self._weigh_printed()
        if self.counterexample is not None:
            return Finding.CONDITIONAL if self.counterexample() is True else Finding.OPEN
        return self.verdict if self.verdict in UNCHECKED else Finding.CONFIRMED

    def _weigh_printed(self) -> Finding:
        printed = Verdict.all(step.check() for step in self.printed_steps)
        if printed is Verdict.HOLDS:
            return Finding.CONFIRMED
        if printed is Verdict.FAILS and self.oracle is not None and self.oracle().sides_with_corrected:
            return Finding.MISPRINT
        return Finding.OPEN

    def __str__(self) -> str:
        return f"{self.paper} {self.label}: {self.verdict.value}. {self.statement}"


def typeset(formula: sp.Basic | str, letters: Mapping[str, str]) -> str:
    """LaTeX of a formula, or of a system of them line by line, in the letters of the paper."""
    if isinstance(formula, str):
        return formula
    if isinstance(formula, sp.Tuple) and len(formula) > 1:
        lines = r" \\ & ".join(typeset(line, letters) for line in formula)
        return rf"\begin{{aligned}} & {lines} \end{{aligned}}"
    alone = formula[0] if isinstance(formula, sp.Tuple) else formula
    names = {symbol: letters[symbol.name] for symbol in alone.atoms(sp.Symbol) if symbol.name in letters}
    return str(sp.latex(alone, symbol_names=names))
