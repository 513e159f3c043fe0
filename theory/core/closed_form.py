"""The one abstraction of the project: a formula with all that is known about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from theory.core import precise, render
from theory.core.backends import call
from theory.core.derivation import Check, Step, Verdict
from theory.core.domain import Argument, Condition
from theory.core.provenance import Source, Status

_MOST_REJECTIONS = 10_000


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", sp.sympify(self.expression, strict=True))
        _require_types(self)
        if not self.name or not all(part.isidentifier() for part in self.name.split(".")):
            raise ValueError(f"name must be a dotted name, got {self.name!r}")
        if not self.meaning.strip():
            raise ValueError(f"{self.name} needs a meaning")
        _require_unique(self.name, "argument", [argument.name for argument in self.arguments])
        _require_unique(self.name, "step", [step.claim for step in self.steps])
        symbols = {argument.symbol for argument in self.arguments}
        for what in (self.expression, *(condition.relation for condition in self.conditions)):
            unknown = sorted(map(str, what.free_symbols - symbols))
            if unknown:
                raise ValueError(
                    f"{self.name}: {', '.join(unknown)} in {what} must be among the arguments "
                    "(a symbol of the same name with other assumptions is another symbol)"
                )
        if self.status is Status.DERIVED:
            _require_derivation(self)

    def check(self) -> dict[str, Verdict]:
        """Checks every step: claim -> verdict. Empty where there are no steps."""
        return {step.claim: step.check() for step in self.steps}

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
        cache: dict[tuple[str, bool], Callable] = self.__dict__.setdefault("_functions", {})
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

        Strings are exact decimals or ratios ("0.3", "1/3"); floats are taken as the binary fractions they are.

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
        from theory.core.specialisation import specialise

        return specialise(self, {**(values or {}), **named}, name, meaning, expression, assumptions)

    def sample(self, size: int, seed: int = 0) -> dict[str, np.ndarray]:
        """Random points of the domain: for every argument an array [size], drawn from its ``sample`` range.

        Raises:
            ArithmeticError: if the conditions reject nearly everything.
        """
        draw = np.random.default_rng(seed)
        holds = [sp.lambdify([a.symbol for a in self.arguments], c.gap) for c in self.conditions]
        points: list[list[float]] = []
        for _ in range(_MOST_REJECTIONS * size):
            if len(points) == size:
                return dict(zip([a.name for a in self.arguments], np.array(points).T, strict=True))
            point = [
                float(draw.integers(int(a.sample[0]), int(a.sample[1]), endpoint=True))
                if a.symbol.is_integer
                else draw.uniform(*a.sample)
                for a in self.arguments
            ]
            if all(gap(*point) > 0 for gap in holds):
                points.append(point)
        raise ArithmeticError(f"{self.name}: the samples of its arguments hardly ever satisfy its conditions")

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


def _require_types(form: ClosedForm) -> None:
    for field, kind in (
        ("arguments", Argument),
        ("steps", (Step, Check)),
        ("sources", Source),
        ("assumptions", str),
        ("conditions", Condition),
    ):
        entries = getattr(form, field)
        if not isinstance(entries, tuple) or not all(isinstance(entry, kind) for entry in entries):
            raise TypeError(f"{field} of {form.name} must be a tuple of {kind}, got {entries!r}")
    if not isinstance(form.status, Status):
        raise TypeError(f"status of {form.name} must be a Status, got {form.status!r}")
    if not isinstance(form.expression, sp.Expr):
        raise TypeError(f"expression of {form.name} must be a scalar, got {type(form.expression).__name__}")


def _require_unique(name: str, what: str, entries: list[str]) -> None:
    twice = [entry for entry, count in Counter(entries).items() if count > 1]
    if twice:
        raise ValueError(f"{name} has more than one {what} called {', '.join(map(repr, twice))}")


def _require_derivation(form: ClosedForm) -> None:
    """The last step must be about the expression itself; else "all steps hold" says nothing about it."""
    if not form.steps:
        raise ValueError(f"{form.name} is DERIVED and has no steps")
    last = form.steps[-1]
    if not isinstance(last, Step) or not last.mentions(form.expression):
        raise ValueError(
            f"{form.name} is DERIVED, but its last step {last.claim!r} does not have its expression in it "
            "(keep it whole: sympy.Derivative instead of diff)"
        )
