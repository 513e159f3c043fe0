"""Steps of a derivation, and what a program finds when it checks one."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from theory.core import decision
from theory.core.budget import OutOfTime
from theory.core.proofs.content import of_expressions, of_program, text
from theory.core.proofs.sources import checker, everything
from theory.core.proofs.store import current, stored, using


class Verdict(enum.Enum):
    """What checking a statement found."""

    HOLDS = "holds"
    """Proved; or, for a :class:`Check`, its program says so."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted. Never a pass."""
    FAILS = "fails"
    """Refuted by a point at which the two sides clearly differ."""

    @classmethod
    def all(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """The verdict on a conjunction."""
        found = set(verdicts)
        return cls.FAILS if cls.FAILS in found else cls.UNDECIDED if cls.UNDECIDED in found else cls.HOLDS


@dataclass(frozen=True, repr=False)
class Step:
    """One identity of a derivation.

    It claims ``left = right`` for all values that the symbols' assumptions allow, and for all functions where undefined
    functions stand in it.

    Args:
        claim: what is claimed, in words or formulas; unique within a derivation.
        left: sympy expression or matrix; Derivative, Integral and Limit may stand unevaluated.
        right: the same shape.
        because: why: the rule that is used.
        where: a parametrisation of the domain, symbol -> expression in new symbols, in which the identity is rational.
            It must reach every point of the domain. Both the search for a counterexample and the proof use it.
    """

    claim: str
    left: Any
    right: Any
    because: str = ""
    where: Mapping[sp.Symbol, sp.Expr] | None = None

    def __post_init__(self) -> None:
        if not self.claim.strip():
            raise ValueError("a step needs a claim")
        for side in ("left", "right"):
            value = sp.sympify(getattr(self, side), strict=True)
            value = value.as_immutable() if isinstance(value, sp.MatrixBase) else value
            if not isinstance(value, (sp.Expr, sp.MatrixBase)):
                raise TypeError(
                    f"{side} of step {self.claim!r} must be an expression or a matrix, got {type(value).__name__}"
                )
            object.__setattr__(self, side, value)
        if getattr(self.left, "shape", ()) != getattr(self.right, "shape", ()):
            raise ValueError(f"both sides of step {self.claim!r} must have one shape, got {self.left} and {self.right}")
        object.__setattr__(self, "where", sp.Dict(self.where or {}))

    def check(self, fresh: bool = False) -> Verdict:
        """Looks for a proof, then for a counterexample, unless the store of proofs has the verdict.

        Args:
            fresh: decide it again, whatever the store has.
        """
        if self.left == self.right:
            return Verdict.HOLDS
        content = text(of_expressions, self.left, self.right, self.where)
        return _verdict(checker(), "step", content, lambda: self._decide(fresh or not current().read), fresh)

    def _decide(self, fresh: bool) -> Verdict:
        try:
            equal = (decision.decide if fresh else decision.decided)(self.left, self.right, self.where)
        except OutOfTime:
            return Verdict.UNDECIDED
        return {True: Verdict.HOLDS, False: Verdict.FAILS, None: Verdict.UNDECIDED}[equal]

    def counterexample(self) -> Mapping[sp.Symbol, sp.Expr] | None:
        """A point at which the two sides clearly differ, if one is found (in the symbols of ``where``)."""
        try:
            return decision.counterexample(self.left, self.right, self.where)
        except OutOfTime:
            return None

    def mentions(self, expression: sp.Expr) -> bool:
        """Whether ``expression`` itself, not something equal to it, is part of either side."""
        return any(side == expression or side.has(expression) for side in (self.left, self.right))

    def __repr__(self) -> str:
        return f"Step({self.claim!r})"

    @cached_property
    def latex(self) -> str:
        """The identity in LaTeX."""
        return f"{sp.latex(self.left)} = {sp.latex(self.right)}"


@dataclass(frozen=True, repr=False)
class Check:
    """A statement that a program decides: a limit, a simulation, a number of a paper.

    Args:
        claim: what is claimed.
        run: takes nothing; True if the claim holds, False if it does not.
        because: how it is decided.
    """

    claim: str
    run: Callable[[], bool]
    because: str = ""

    def check(self, fresh: bool = False) -> Verdict:
        """Runs the program, unless it is one of this package and the store of proofs has the verdict.

        Args:
            fresh: run it, whatever the store has.

        Raises:
            TypeError: if it answers anything but True or False.
        """
        return _verdict(everything(), "program", text(of_program, self.run), self._run, fresh)

    def __repr__(self) -> str:
        return f"Check({self.claim!r})"

    def _run(self) -> Verdict:
        found = self.run()
        if found not in (True, False):
            raise TypeError(f"the check of {self.claim!r} must return True or False, got {found!r}")
        return Verdict.HOLDS if found else Verdict.FAILS


def _verdict(
    version: str | None, kind: str, content: str | None, decide: Callable[[], Verdict], fresh: bool
) -> Verdict:
    """From the store, which holds what is settled, or decided."""
    parts = None if content is None else (kind, content)
    settled = {Verdict.HOLDS.name, Verdict.FAILS.name}
    with using(read=not fresh):
        return Verdict[stored(version, parts, lambda: decide().name, keep=settled.__contains__)]
