"""What people do with a formula of sympy, done with a closed form: derivatives, limits and solutions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import sympy as sp

from closedform import checks
from closedform.suggestions import unknown
from theory.core.facade.portable import Portable
from theory.core.facade.specialisation import value_of
from theory.core.formula.sampling import satisfies
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import rebuilt

# names that other libraries use for what has another name here
OTHER_NAMES = {
    "expr": "expression",
    "formula": "expression",
    "rhs": "expression",
    "lhs": "left",
    "args": "arguments",
    "free_symbols": "symbols",
    "variables": "symbols",
    "parameters": "arguments",
    "evalf": "evaluate(digits=..., ...)",
    "n": "evaluate(digits=..., ...)",
    "substitute": "subs(...)",
    "differentiate": "diff(...)",
    "derivative": "diff(...)",
    "gradient": "diff(...)",
    "to_latex": "latex",
    "tex": "latex",
    "proof": "steps",
    "derivation": "steps",
    "verify": "check()",
    "source": "sources",
    "references": "sources",
    "description": "meaning",
    "show": "text()",
    "summary": "text()",
    "sympy": "plain",
    "to_sympy": "plain",
    "as_expr": "plain",
    "simplify": "plain",
    "expand": "plain",
    "factor": "plain",
    "integrate": "plain",
    "domain": "arguments",
    "units": "arguments",
    "to_python": "code('python')",
}
_FAR = sp.Integer(10) ** 9


class Algebraic(Portable):
    """The part of :class:`ClosedForm` that is computer algebra.

    Results are plain expressions of sympy in the symbols of ``form.symbols``, whose names may be given instead; only
    ``subs`` returns a form. Limits and solutions know the domains of the arguments.
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return what the base has; an AttributeError for a name of other libraries says the name here."""
            try:
                return super().__getattr__(name)
            except AttributeError as error:
                if name not in OTHER_NAMES:
                    raise
                raise AttributeError(f"{error}; use .{OTHER_NAMES[name]}") from None

    def _sympy_(self) -> sp.Expr:
        return self.plain

    def _latex(self, printer: Any) -> str:
        return str(self.latex)  # type: ignore[attr-defined]

    @property
    def left(self) -> sp.Expr:
        """The left-hand side: the last part of the name as a function of the arguments.

        >>> import theory
        >>> theory.catalogue()["two_point.relaxation_rate"].left.func
        relaxation_rate
        """
        return sp.Function(self.name.rpartition(".")[2])(*self.symbols)

    def diff(self, *arguments: Any) -> sp.Expr:
        """Return the derivative, as ``sympy.diff``: ``form.diff("tau_y")``, ``form.diff("tau_y", 2)``.

        Args:
            arguments: names or symbols of arguments, each with the order of the derivative after it if it is above 1.

        Raises:
            ValueError: for an unknown argument.
        """
        own = self._own()
        named = [
            part if isinstance(part, Integral) else own[self._name(part)] for part in arguments
        ]
        return self._plainly(lambda expression: sp.diff(expression, *named))

    def subs(self, *values: Any, **named: Any) -> Any:
        """Return the form with arguments set to numbers or expressions, see ``specialise``.

        Args:
            values: as those of ``sympy.subs``: a name or symbol and its value, a mapping, or pairs.
            named: values by name: ``form.subs(tau_y=2)``.

        Raises:
            TypeError: for values of another form.
            ValueError: for an unknown name, or a value outside its domain.
        """
        pairs: Any = [values] if len(values) == 2 else values[0] if values else {}
        if len(values) > 2 or not isinstance(pairs, Mapping | Sequence) or isinstance(pairs, str):
            raise TypeError(
                f"subs: got {', '.join(map(repr, values))}, needs a mapping, pairs, or a name and a value"
            )
        return self.specialise(dict(pairs), **named)  # type: ignore[attr-defined]

    def series(self, argument: Any, about: Any = 0, order: int = 6) -> sp.Expr:
        """Return the power series in an argument about a point, up to the order, as ``sympy.series``.

        Args:
            argument: name or symbol of an argument.
            about: number, text or expression, or ``"oo"``. Default: 0.
            order: power of the first term that is left out, 1 or more. Default: 6.

        Raises:
            ValueError: for an unknown argument, a point that its domain does not reach, or different series on both
                sides of the point, as about a kink.
        """
        symbol, end = self._own()[self._name(argument)], self._end("about", about)
        checks.integer("order", order, 1)
        return self._from_all_sides(
            argument, end, lambda own, side: own.series(symbol, end, order, dir=side)
        )

    def limit(self, argument: Any, to: Any) -> sp.Expr:
        """Return the limit for an argument that goes to a value, as ``sympy.limit`` from each side in the domain.

        Args:
            argument: name or symbol of an argument.
            to: number, text or expression, ``"oo"`` or ``"-oo"``.

        Raises:
            ValueError: for an unknown argument, a value that its domain does not reach, or if there is no limit, as
                where those from both sides differ.
        """
        symbol, end = self._own()[self._name(argument)], self._end("to", to)
        value = self._from_all_sides(
            argument, end, lambda own, side: sp.limit(own, symbol, end, side)
        )
        checks.require(
            not value.has(sp.nan, sp.AccumBounds), "to", to, "a value at which there is a limit"
        )
        return value

    def solve(self, argument: Any, value: Any = None) -> list[sp.Expr]:
        """Return values of an argument at which the form has a value, by default the letter of its name.

        They are those of ``sympy.solve``, which leaves out some where there are infinitely many.
        """
        letter = sp.Symbol(self.name.rpartition(".")[2])
        target = letter if value is None else self._value("value", value)
        symbol = self._own()[self._name(argument)]
        return list(self._plainly(lambda own: sp.Tuple(*sp.solve(own - target, symbol))))

    def lambdify(self, modules: Any = "numpy") -> Callable[..., Any]:
        """Return ``sympy.lambdify`` of the plain expression, without the checks and digits of ``function``."""
        return sp.lambdify(list(self.symbols), self.plain, modules)  # type: ignore[no-any-return]

    def _name(self, argument: Any) -> str:
        names = [known.name for known in self.arguments]
        if str(argument) not in names:
            raise ValueError(unknown("argument", str(argument), names))
        return str(argument)

    def _own(self) -> dict[str, sp.Symbol]:
        """Return the symbols of the arguments in ``expression``, which have their domains, by name."""
        return {known.name: known.symbol for known in self.arguments}

    def _value(self, name: str, value: Any) -> sp.Expr:
        """Return a number, text or expression as an expression in the symbols of ``expression``."""
        arguments = {known.name: known for known in self.arguments}
        own = {sp.Symbol(known): symbol for known, symbol in self._own().items()}
        return value_of(name, value, arguments).xreplace(own)

    def _end(self, name: str, value: Any) -> sp.Expr:
        """Return a value as :meth:`_value`, or an infinite one."""
        infinite = {"oo": sp.oo, "inf": sp.oo, "-oo": -sp.oo, "-inf": -sp.oo}
        return infinite[str(value)] if str(value) in infinite else self._value(name, value)

    def _from_all_sides(
        self, argument: Any, end: sp.Expr, step: Callable[[sp.Expr, str], sp.Expr]
    ) -> sp.Expr:
        """Return what a step gives on each side of the end that is in the domain; ValueError where they differ."""
        symbol = self._own()[self._name(argument)]
        both = ("+",) if end.is_infinite else ("+", "-")
        sides = [side for side in both if satisfies(symbol, _beside(end, side))]
        checks.require(bool(sides), str(argument), end, "a value that its domain reaches")

        def beside(side: str) -> Any:
            return self._plainly(lambda own: step(own, side))

        values = [beside(side) for side in sides]
        plain = [value.removeO() for value in values]
        if any(value != plain[0] and sp.simplify(value - plain[0]) != 0 for value in plain):
            raise ValueError(
                f"{argument}: got {end}, at which there are {values[0]} from above and {values[-1]} from below, "
                "needs a value with one of them"
            )
        return values[0]

    def _plainly(self, step: Callable[[sp.Expr], Any]) -> Any:
        """Return a step on the expression, in which arguments have their domains, in the plain symbols."""
        written = opened(rebuilt(self.expression, lambda x: getattr(x, "written_out", x)))
        return self._in_plain_symbols(step(written))


def _beside(end: sp.Expr, side: str) -> sp.Expr:
    """Return a number close to an end on one side of it, or a large one on the side of an infinite end."""
    if end.is_infinite:
        return sp.sign(end) * _FAR
    return end + (1 / _FAR if side == "+" else -1 / _FAR)
