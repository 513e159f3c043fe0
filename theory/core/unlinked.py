"""Entries of the ledger whose programs do not read what the entry shows: being replaced, never written anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from theory.core.derivation import Check, Step, Verdict
from theory.core.equation import Equation
from theory.core.findings import UNCHECKED, Finding, Outcome, Reading

NEEDS = {
    Finding.CONFIRMED: ("steps",),
    Finding.MISPRINT: ("printed", "corrected", "steps", "printed_steps", "witness", "oracle", "consequence"),
    Finding.CONDITIONAL: ("steps", "counterexample", "consequence"),
}


@dataclass(frozen=True, eq=False, repr=False)
class UnlinkedEquation(Equation):
    """An entry with steps of its own beside what it shows.

    Args:
        steps: what must hold: the printed statement if CONFIRMED, the corrected one if MISPRINT, the statement under
            its condition if CONDITIONAL.
        printed_steps: of a MISPRINT, the printed statement; at least one must fail.
        oracle: of a MISPRINT: takes nothing, computes at the witness without any code of the derivation.
        counterexample: of a CONDITIONAL: takes nothing, True if the statement fails without the condition.

    The field ``witness`` is the point at which printed and corrected form are compared.
    """

    steps: tuple[Step | Check, ...] = ()
    printed_steps: tuple[Step | Check, ...] = ()
    oracle: Callable[[], Reading] | None = None
    counterexample: Callable[[], bool] | None = None

    def _require(self) -> None:
        for need in NEEDS.get(self.verdict, ()):
            if not getattr(self, need) and getattr(self, need) != 0:
                raise ValueError(f"{self.paper} {self.label}: a {self.verdict.name} needs {need}")

    @property
    def programs(self) -> tuple[Step | Check, ...]:
        """All steps and checks."""
        return (*self.steps, *self.printed_steps)

    def reading(self) -> Reading | None:
        """The three numbers of the oracle."""
        return self.oracle() if self.oracle is not None else None

    def outcome(self) -> Outcome:
        """What the programs of this entry find; OPEN where they do not reach a finding."""
        if self.measurement is not None:
            return Outcome(self.measurement.finding)
        verdicts = self._checked("corrected" if self.printed_steps else "printed", self.steps)
        if Verdict.all(v for *_, v in verdicts) is not Verdict.HOLDS:
            return Outcome(Finding.OPEN, verdicts)
        if self.printed_steps:
            printed = self._checked("printed", self.printed_steps)
            reading = self.reading()
            return Outcome(
                self._weigh_printed(Verdict.all(v for *_, v in printed), reading), verdicts + printed, reading
            )
        if self.counterexample is not None:
            return Outcome(Finding.CONDITIONAL if self.counterexample() is True else Finding.OPEN, verdicts)
        return Outcome(self.verdict if self.verdict in UNCHECKED else Finding.CONFIRMED, verdicts)

    @staticmethod
    def _checked(name: str, steps: tuple[Step | Check, ...]) -> tuple[tuple[str, str, Verdict], ...]:
        return tuple((name, step.claim, step.check()) for step in steps)

    @staticmethod
    def _weigh_printed(printed: Verdict, reading: Reading | None) -> Finding:
        if printed is Verdict.HOLDS:
            return Finding.CONFIRMED
        is_wrong = printed is Verdict.FAILS and reading is not None and reading.sides_with_corrected
        return Finding.MISPRINT if is_wrong else Finding.OPEN
