"""The central class of the theory: a formula as frozen data, and all that the rooms below do with it as methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from closedform import checks
from theory.core.facade import specialisation
from theory.core.facade.algebra import Algebraic
from theory.core.facade.kept_types import OWN, function_of
from theory.core.proof.derivation import Check, Step
from theory.core.proof.derived import require_derivation
from theory.core.proof.premises import Premise, premises_of
from theory.core.proof.verdict import Verdict
from theory.core.text import notebook, render
from theory.core.text.abbreviation import LONGEST_LINE, AbbreviatedFormula, abbreviated

if TYPE_CHECKING:
    import numpy as np


class LatexText(str):
    """A text that may be called, as the functions of other libraries that return LaTeX are."""

    __slots__ = ()

    def __call__(self) -> str:
        """Return the text."""
        return str(self)


@dataclass(frozen=True, init=False, repr=False)
class ClosedForm(Algebraic):
    """A formula with its meaning, domain, derivation and sources, as frozen data.

    Args:
        name: dotted name, such as "two_point.final_distance".
        meaning: meaning of the formula, one sentence.
        arguments: every free symbol of the expression and of the conditions, in the order of positional calls.
        expression: right-hand side of the formula, a real scalar. It may contain undefined functions, see
            ``specialise``, and functions that say how it is rounded, which sympy's printers and ``sympy.lambdify``
            write out.
        status: DERIVED, TRANSCRIBED or CONJECTURED.
        steps: the derivation, or :func:`theory.core.deferred` of a function that returns it, so that a number is
            computed without its derivation. The last step of a DERIVED form contains ``expression`` itself. Default:
            none.
        sources: places in the literature; none, the default, for a new formula.
        assumptions: assumptions that the domains of the arguments do not express, one sentence each. Default: none.
        conditions: conditions that several arguments must satisfy together, which every call enforces. Default: none.
        letters: abbreviations of the literature for parts of the expression, as pairs (abbreviation, part), outermost
            first. They affect only the display. Default: none.

    Raises:
        ValueError: if a free symbol is not an argument, if two arguments or two claims have the same name, if nothing
            follows from a step, or if a DERIVED form has no derivation of its own expression; for deferred steps when
            they are read.
        TypeError: if a field has the wrong type.

    >>> from theory.core import Argument, Status
    >>> x = sp.Symbol("x", positive=True)
    >>> square = ClosedForm("own.square", "The square.", (Argument(x, "a number"),), x**2, Status.CONJECTURED)
    >>> float(square(3)), square.evaluate("1/3", digits=20)
    (9.0, mpf('0.11111111111111111111111'))
    """

    steps: tuple[Step | Check, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        super().__post_init__()
        if "steps" in self.__dict__:  # and not deferred
            require_derivation(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the steps, which are derived when they are first read, and checked as those of the constructor."""
            steps = super().__getattr__(name)
            require_derivation(self)
            return steps

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Check every step and return claim -> verdict; the result is empty if there are no steps.

        Args:
            fresh: whether to decide every step again instead of reading the store of proofs. Default: False.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    @property
    def premises(self) -> tuple[Premise, ...]:
        """Definitions, assumptions and closed forms from which the derivation starts, in the order of their use."""
        return premises_of(self)

    @cached_property
    def latex(self) -> LatexText:
        """The LaTeX of the expression, in which arguments have their own LaTeX; ``form.latex()`` is the same."""
        return LatexText(render.latex(self.expression, self.arguments))

    def abbreviated(self, longest: int = LONGEST_LINE) -> AbbreviatedFormula:
        """Return the formula with letters for its parts, as LaTeX: ``print(form.abbreviated())``.

        The letters are the abbreviations of the literature in ``letters`` and, for a long formula, X_1, X_2, ... for
        parts that occur repeatedly.

        Args:
            longest: number of characters of LaTeX above which repeated parts get letters. Default: 320.

        Raises:
            TypeError, ValueError: if ``longest`` is not a positive integer.
        """
        from theory.core.numbers.arguments import integer

        return abbreviated(self, integer("longest", longest, 1))

    def function(self, backend: str = "numpy", validate: bool = True) -> Callable[..., Any]:
        """Return a function of the arguments, by position or keyword, that broadcasts over arrays.

        Args:
            backend: "numpy" (float64, or the float32 or longdouble of the arrays; where digits of a watched sum
                cancel, the point is computed by balls, in less than a millisecond), "numba" (the same as machine code:
                one loop over the points with the tests in it; needs the extra ``fast``; translated in about a second
                and kept on disk), "torch" (differentiable; dtype and device of the tensors; a warning where fewer than
                ten digits may be right), "jax" (for ``jit``, ``vmap`` and ``grad``; float32 if all arrays are,
                otherwise float64, which JAX must have enabled) or "mpmath" (precision of ``mpmath.mp``). Default:
                "numpy".
                A gradient is NaN where infinite slopes of parts of the formula cancel, as in the ReLU kernel at equal
                inputs.
            validate: whether to check the arguments and that the result is finite. Without these checks, the control
                flow does not depend on the data, as ``torch.compile`` and ``torch.func.vmap`` require; integrals are an
                exception, and under ``torch.compile`` all arguments must be tensors of one dtype. While JAX traces
                a function, the result is NaN where these checks would raise an error. Default: True.

        Raises:
            ValueError: for an unknown backend, or an expression that contains an undefined function.
            NotImplementedError: if the backend lacks a function; the message names both.
            ModuleNotFoundError: if the library of the backend is not installed; the message says how to install it.
        """
        cache: dict[tuple[str, bool], Callable[..., Any]] = self.__dict__.setdefault(
            "_functions", {}
        )
        key = checks.text("backend", backend), checks.boolean("validate", validate)
        if key not in cache:
            from theory.core.numbers.backends import call

            cache[key] = call.build(self, backend, validate)
        return cache[key]

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Return the value as a numpy scalar, or as an array of the broadcast shape of the arguments.

        Tensors of torch keep their gradient, and arrays of JAX and xarray and series of pandas their type.

        Values below the range of the dtype, 5e-324 in double precision, are 0; ``evaluate`` has no such limit.

        Raises:
            TypeError, ValueError: for a missing, unknown or invalid argument, which the message names.
            ArithmeticError: if the result is not a finite number.
        """
        if not (OWN.issuperset(map(type, values)) and OWN.issuperset(map(type, named.values()))):
            keeping = function_of(self, values, named)
            if keeping is not None:
                return keeping(*values, **named)
        return (self.__dict__.get("_of_numbers") or self._kept_function())(*values, **named)

    def _kept_function(self) -> Callable[..., Any]:
        from theory.core.numbers.backends import call

        return self.__dict__.setdefault("_of_numbers", call.build(self, "numpy", at_once=False))

    def evaluate(self, *values: Any, digits: int = 15, **named: Any) -> Any:
        """Return the value as an mpmath number whose first ``digits`` digits are correct.

        Args:
            values: arguments by position. A string is the exact decimal, ratio or expression that it contains ("0.3",
                "1/3", "sqrt(2)/3"); a float is its exact binary fraction.
            digits: number of significant decimal digits, 1 to 100000. Default: 15.
            named: arguments by keyword.

        Raises:
            TypeError, ValueError: for a missing, unknown or invalid argument, which the message names.
            ArithmeticError: if the digits do not converge, or the value is not real.
        """
        from theory.core.numbers import precise

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
        """Return the closed form with arguments set to values, or with undefined functions replaced.

        The replaced symbols are no longer arguments. The derivation of the general form is kept and extended by one
        step, the substitution.

        Args:
            values: argument (name or symbol) or undefined function (name or class) -> number, expression in the other
                arguments, or ``sympy.Lambda``. Default: none.
            name: dotted name of the result. Default: the name of this form.
            meaning: meaning of the result. Default: the meaning of this form.
            expression: the result of the substitution in another form, which the last step checks. Default: the
                expression after the substitution.
            assumptions: assumptions to add, one sentence each. Default: none.
            named: further ``values`` by name.

        Raises:
            ValueError: for an unknown name, a value outside its domain, or values that violate a condition.
        """
        return specialisation.specialise(
            self,
            {**checks.mapping("values", values), **named},
            name,
            meaning,
            expression,
            assumptions,
        )

    def sample(self, size: int, seed: int = 0) -> dict[str, np.ndarray]:
        """Return random points of the domain: for the name of each argument an array [size] from its ``sample`` range.

        Args:
            size: number of points.
            seed: seed of the random generator. Default: 0.

        Raises:
            ArithmeticError: if the conditions reject almost all points.
        """
        from theory.core.numbers.random_points import random_points

        return random_points(self.arguments, self.conditions, size, seed)

    def text(self, width: int = render.WIDTH) -> str:
        """Return the form as a text table: meaning, formula, arguments, assumptions, sources and status.

        Args:
            width: largest number of columns. Default: 100.
        """
        return "\n".join(self.lines(width))

    def lines(self, width: int = render.WIDTH) -> Iterator[str]:
        """Yield the lines of :meth:`text`, the formula before its derivation is built.

        Args:
            width: largest number of columns. Default: 100.
        """
        return render.lines(self, width, self.differs_from_print)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return render.short(self)

    def _repr_latex_(self) -> str:
        return self.abbreviated()._repr_latex_()

    def _repr_html_(self) -> str:
        return notebook.html(self, self.differs_from_print)

    def __getstate__(self) -> dict[str, Any]:
        # Compiled functions cannot be pickled; they are compiled again when they are needed.
        return {field.name: getattr(self, field.name) for field in fields(self)}
