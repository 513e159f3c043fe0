"""Functions applied to values without substitution, once or layer by layer, so that nested formulas stay short."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.core.formula.parsing import sympy_object


class Applied(sp.Expr):
    """The expression ``function(value)`` of a Lambda of one variable, with ``value`` not substituted."""

    is_commutative = True

    def __new__(cls, function: sp.Lambda, value: sp.Expr) -> "Applied":
        """Create the node without evaluation."""
        return sp.Expr.__new__(cls, function, sympy_object("value", value))

    @property
    def function(self) -> sp.Lambda:
        """Return the function."""
        return self.args[0]

    @property
    def value(self) -> sp.Expr:
        """Return the value to which the function is applied."""
        return self.args[1]

    @property
    def written_out(self) -> sp.Expr:
        """Return the function's body with the value substituted for the variable, for this node only."""
        return self.function(self.value)

    def doit(self, **hints: Any) -> sp.Expr:
        """Return the node after ``doit`` of its parts."""
        return Applied(self.function, self.value.doit(**hints))

    def _eval_is_extended_real(self) -> bool | None:
        return self.function.expr.is_extended_real

    def _eval_derivative(self, symbol: sp.Symbol) -> sp.Expr:
        (variable,) = self.function.variables
        slope = sp.Lambda(variable, sp.diff(self.function.expr, variable))
        return Applied(slope, self.value) * sp.diff(self.value, symbol)

    def _eval_evalf(self, prec: int) -> sp.Expr:
        return self.written_out._eval_evalf(prec)

    def _latex(self, printer: Any) -> str:
        (variable,) = self.function.variables
        body = printer.parenthesize(self.function.expr, 0)
        return (
            rf"\left. {body} \right|_{{{printer._print(variable)} = {printer._print(self.value)}}}"
        )

    def _sympystr(self, printer: Any) -> str:
        (variable,) = self.function.variables
        return f"({printer._print(self.function.expr)} at {printer._print(variable)} = {printer._print(self.value)})"


class Iterated(sp.Expr):
    """The Lambda ``result`` of the Tuple after ``count`` times the Lambda ``step`` from ``start``, not written out."""

    is_commutative = True

    def __new__(
        cls, step: sp.Lambda, start: sp.Tuple, count: sp.Integer, result: sp.Lambda
    ) -> "Iterated":
        """Create the node without evaluation."""
        return sp.Expr.__new__(cls, step, start, sp.Integer(count), result)

    @property
    def parts(self) -> tuple[sp.Lambda, sp.Tuple, int, sp.Lambda]:
        """Return step, start, count and result."""
        step, start, count, result = self.args
        return step, start, int(count), result

    @property
    def written_out(self) -> sp.Expr:
        """Return the expression after all substitutions: a tree whose size is exponential in ``count``."""
        step, state, count, result = self.parts
        for _ in range(count):
            state = step(*state)
        return result(*state)

    def _eval_is_extended_real(self) -> bool | None:
        return self.parts[3].expr.is_extended_real

    def _eval_derivative(self, symbol: sp.Symbol) -> sp.Expr:
        return sp.diff(self.written_out, symbol)

    def _eval_evalf(self, prec: int) -> sp.Expr:
        return self.written_out._eval_evalf(prec)

    def _printed(self, printer: Any) -> tuple[str, ...]:
        step, start, _, result = self.parts
        return tuple(
            map(printer._print, (step.expr, start, result.expr, sp.Tuple(*step.variables)))
        )

    def _latex(self, printer: Any) -> str:
        step, start, result, state = self._printed(printer)
        return rf"\left. {result} \right|_{{{state} = F^{{{self.args[2]}}}{start},\ F{state} = {step}}}"

    def _sympystr(self, printer: Any) -> str:
        step, start, result, state = self._printed(printer)
        return f"({result} at {state} = {start} after {self.args[2]} times {state} -> {step})"


def iterated(
    step: Mapping[sp.Symbol, sp.Expr],
    start: Mapping[sp.Symbol, sp.Expr],
    count: int,
    result: sp.Expr,
) -> Iterated:
    """Return ``result`` after ``count`` steps, with a state of those symbols alone on which it depends."""
    alive: set[sp.Symbol] = set()
    reached = result.free_symbols & step.keys()
    while reached - alive:
        alive |= reached
        reached = set().union(*(step[symbol].free_symbols for symbol in alive)) & step.keys()
    state = tuple(symbol for symbol in step if symbol in alive)
    then, first = (sp.Tuple(*(where[symbol] for symbol in state)) for where in (step, start))
    return Iterated(sp.Lambda(state, then), first, count, sp.Lambda(state, result))


def at(expression: sp.Expr, variable: sp.Symbol, value: sp.Expr) -> sp.Expr:
    """Return ``expression`` at ``variable = value``, unevaluated where an integral would be nested in an integral."""
    if expression.has(sp.Integral) and value.has(sp.Integral, Applied):
        return Applied(_function(expression, variable), value)
    return expression.xreplace({variable: value})


@lru_cache(maxsize=256)
def _function(expression: sp.Expr, variable: sp.Symbol) -> sp.Lambda:
    """Return a Lambda with its own variable, which depends only on the expression and which no substitution reaches."""
    own = sp.Dummy(variable.name, **variable.assumptions0)
    return sp.Lambda(own, expression.xreplace({variable: own}))
