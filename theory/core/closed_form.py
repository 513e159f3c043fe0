"""The one abstraction of the project: a formula with all that is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from theory.core import precise, render, specialisation
from theory.core.backends import call
from theory.core.consistency import require_consistent
from theory.core.derivation import Check, Step, Verdict
from theory.core.domain import Argument, Condition
from theory.core.provenance import Source, Status
from theory.core.sampling import random_points


@dataclass(frozen=True, repr=False)
class ClosedForm:
    """A formula, what it means, where it holds, why it is true and where it comes from. Frozen data.

    Args:
        name: dotted name: "two_point.final_distance".
        meaning: one sentence.
        arguments: every free symbol of the expression and of the conditions, in the order of positional calls.
        expression: the right-hand side, a real scalar. It may hold undefined functions; see ``specialise``.
        status: DERIVED, TRANSCRIBED or CONJECTURED.
        steps: the derivation. Of a DERIVED form the last step has ``expression`` itself in it.
        sources: where it comes from; none for what is new here.
        assumptions: sentences that the domains of the arguments cannot say.
        conditions: what several arguments must satisfy together; every call enforces them.
        letters: how the literature abbreviates parts of the expression, outermost first: pairs (abbreviation, part).
            They are for showing the formula only.

    Raises:
        ValueError: if a free symbol is not an argument, names or claims clash, or a DERIVED form has no derivation of
            its own expression.
        TypeError: if a field has the wrong type.
    """

    name: str
    meaning: str
    arguments: tuple[Argument, ...]
    expression: sp.Expr
    status: Status
    steps: tuple[Step | Check, ...] = ()
    sources: tuple[Source, ...] = ()
    assumptions: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    letters: tuple[tuple[sp.Expr, sp.Expr], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", sp.sympify(self.expression, strict=True))
        require_consistent(self)

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Checks every step: claim -> verdict. Empty where there are no steps.

        Args:
            fresh: decide every step again, whatever the store of proofs has.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    @cached_property
    def latex(self) -> str:
        """The expression in LaTeX, with the arguments' own typesetting."""
        return render.latex(self.expression, self.arguments)

    def function(self, backend: str = "numpy", validate: bool = True) -> Callable[..., Any]:
        """A function of the arguments, by keyword or in their order, that broadcasts over arrays.

        Args:
            backend: "numpy" (float64, or the float32 or longdouble of the arrays), "torch" (differentiable; dtype and
                device of the tensors) or "mpmath" (precision of ``mpmath.mp``).
            validate: check the arguments and that the result is finite; without, nothing depends on the data.

        Raises:
            ValueError: for an unknown backend, or an expression with an undefined function in it.
            NotImplementedError: if the backend lacks a function; names both.
        """
        cache: dict[tuple[str, bool], Callable[..., Any]] = self.__dict__.setdefault("_functions", {})
        if (backend, validate) not in cache:
            cache[backend, validate] = call.build(self, backend, validate)
        return cache[backend, validate]

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The value as a numpy scalar or array of the broadcast shape.

        Raises:
            TypeError, ValueError: for a missing, unknown or bad argument, by name.
            ArithmeticError: if the result is not a finite number.
        """
        return self.function("numpy")(*values, **named)

    def evaluate(self, *values: Any, digits: int = 15, **named: Any) -> Any:
        """The value as an mpmath number, all of whose first ``digits`` digits are right.

        Text is the exact decimal, ratio or expression that it writes out ("0.3", "1/3", "sqrt(2)/3"); floats are the
        binary fractions that they hold.

        Raises:
            TypeError, ValueError: for a missing, unknown or bad argument, by name.
            ArithmeticError: if the digits do not settle, or the value is not real.
        """
        return precise.evaluate(self, values, named, digits)

    def specialise(
        self,
        values: Mapping[Any, Any] | None = None,
        *,
        name: str | None = None,
        meaning: str | None = None,
        expression: sp.Expr | None = None,
        assumptions: tuple[str, ...] = (),
        **named: Any,
    ) -> ClosedForm:
        """The same form with arguments set to values, or undefined functions filled in.

        What is set is no longer an argument. The derivation is kept as it stands, for it holds in general, and gains a
        last step: the substitution.

        Args:
            values: argument (name or symbol) or undefined function (name or class) -> number, expression in the other
                arguments, or ``sympy.Lambda``.
            name: dotted name of the result; the old one by default.
            meaning: the old one by default.
            expression: what the substitution comes to, if it should be written differently; the step checks it.
            assumptions: sentences to add.
            named: more ``values``.

        Raises:
            ValueError: for an unknown name, a value outside its domain or a condition that the values violate.
        """
        return specialisation.specialise(self, {**(values or {}), **named}, name, meaning, expression, assumptions)

    def sample(self, size: int, seed: int = 0) -> dict[str, np.ndarray]:
        """Random points of the domain: for every argument an array [size], drawn from its ``sample`` range.

        Raises:
            ArithmeticError: if the conditions reject nearly everything.
        """
        return random_points(self.arguments, self.conditions, size, seed)

    def __str__(self) -> str:
        return render.text(self)

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        return render.notebook_latex(self)

    def _repr_html_(self) -> str:
        return render.html(self)

    def __getstate__(self) -> dict[str, Any]:
        # Compiled functions do not pickle; they are made again when they are needed.
        return {field.name: getattr(self, field.name) for field in fields(self)}
