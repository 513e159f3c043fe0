"""What people do with a formula of sympy, done with a closed form: derivatives, limits and solutions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from closedform.suggestions import unknown
from theory.core.facade.portable import Portable
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
    "description": "meaning",
}


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
        named = [part if isinstance(part, int) else own[self._name(part)] for part in arguments]
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
        """Return the power series in an argument about a point, up to the order, as ``sympy.series``."""
        symbol = self._own()[self._name(argument)]
        return self._plainly(lambda own: own.series(symbol, about, order))

    def limit(self, argument: Any, to: Any) -> sp.Expr:
        """Return the limit for an argument that goes to a value, such as ``"oo"``, as ``sympy.limit``."""
        end = sp.oo if to in ("oo", "inf") else sp.sympify(to)
        symbol = self._own()[self._name(argument)]
        return self._plainly(lambda own: sp.limit(own, symbol, end))

    def solve(self, argument: Any, value: Any = None) -> list[sp.Expr]:
        """Return the values of an argument at which the form has a value, by default the letter of its name."""
        target = sp.Symbol(self.name.rpartition(".")[2]) if value is None else sp.sympify(value)
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

    def _plainly(self, step: Callable[[sp.Expr], Any]) -> Any:
        """Return a step on the expression, in which arguments have their domains, in the plain symbols."""
        written = opened(rebuilt(self.expression, lambda x: getattr(x, "written_out", x)))
        return self._in_plain_symbols(step(written))
