"""The printer of expressions as Python code, in which functions have the names that a backend gives them."""

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter
from sympy.utilities.iterables import sift

LARGEST_CHAIN = 64  # exponent up to which a power is a chain of products
# twice an exponent, below which a power is one of the root: ten times faster, as accurate
_LARGEST_HALVES = 32
LETTER = "t"  # of shared subexpressions, followed by a number
# of a variable or a function of a source
_OWN_NAME = re.compile(r"[tp]\d+|(part|state)_\d+|value|size|is_inside")
# among the names of backends that do without derivatives and enclosures
ROOT_POWERS = "powers of roots"
RELATIONS = {
    sp.Lt: "less",
    sp.Le: "less_equal",
    sp.Gt: "greater",
    sp.Ge: "greater_equal",
    sp.Eq: "equal",
    sp.Ne: "not_equal",
}


class CodePrinter(PythonCodePrinter):
    """A printer of functions under their sympy names, which the namespace resolves, and of the backend's numbers."""

    printmethod = None  # the functions of this project are in the namespace, too

    def __init__(
        self,
        literal: Callable[[sp.Expr], str | None],
        has: Callable[[str], bool],
        names: Mapping[sp.Symbol, str],
    ) -> None:
        super().__init__({"fully_qualified_modules": False, "allow_unknown_functions": True})
        self._literal, self._has, self._names = literal, has, names

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, sp.Expr) and expr.is_number:
            text = self._literal(expr)
            if text is not None:
                return f"({text})"
        return super()._print(expr, **kwargs)

    def _print_Symbol(self, symbol: sp.Symbol) -> str:
        return self._names.get(symbol, symbol.name)

    _print_Dummy = _print_Symbol

    def _print_Mul(self, expr: sp.Mul) -> str:
        """Print all constant factors as one number, so that arrays are multiplied only once."""
        factors, others = sift(expr.args, self._is_rsqrt, binary=True)
        if factors:
            rest = sp.Mul(*others, evaluate=False)
            return "*".join(self.parenthesize(a, 50) for a in (rest, *factors) if a != 1)
        denominators, others = sift(expr.args, _is_denominator, binary=True)
        if len(denominators) > 1:
            return self._ratio(sp.Mul(*others), denominators)
        numbers, others = sift(expr.args, lambda a: a.is_number, binary=True)
        constant, rest = sp.Mul(*numbers), sp.Mul(*others, evaluate=False)
        text = None if constant.is_Integer else self._literal(constant)
        return (
            super()._print_Mul(expr)
            if text is None or rest == 1
            else f"({text})*{self.parenthesize(rest, 50)}"
        )

    def _ratio(self, top: sp.Expr, denominators: list[sp.Pow]) -> str:
        """Print denominators one by one, since their product may overflow and make the ratio 0 without a word."""
        bottom = (
            a.base if a.exp == -1 else sp.Pow(a.base, -a.exp, evaluate=False) for a in denominators
        )
        return "/".join((self.parenthesize(top, 50), *(self.parenthesize(a, 60) for a in bottom)))

    def _is_rsqrt(self, expr: sp.Expr) -> bool:
        """Return whether a factor is printed as ``rsqrt``, the reciprocal of the square root."""
        return (
            self._has("rsqrt")
            and expr.is_Pow
            and expr.exp == sp.Rational(-1, 2)
            and not expr.is_number
        )

    def _print_Function(self, expr: sp.Expr) -> str:
        # an integer stays one, since some functions take it as an order
        arguments = (str(a) if a.is_Integer else self._print(a) for a in expr.args)
        return f"{type(expr).__name__}({', '.join(arguments)})"

    def _extremum(self, expr: sp.Expr) -> str:
        """Print the largest or smallest number by calls with two arguments each."""
        first, *others = map(self._print, expr.args)
        for other in others:
            first = f"{type(expr).__name__}({first}, {other})"
        return first

    _print_Max = _print_Min = _extremum

    def _print_hyper(self, expr: sp.Expr) -> str:
        return f"{function_name(expr)}({', '.join(self._print(a) for a in (*expr.ap, *expr.bq, expr.argument))})"

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        base, exponent = expr.args
        if exponent == sp.Rational(1, 2):
            return f"sqrt({self._print(base)})"
        if exponent == sp.Rational(-1, 2):
            return (
                f"rsqrt({self._print(base)})"
                if self._has("rsqrt")
                else f"(1.0/sqrt({self._print(base)}))"
            )
        doubled = 2 * exponent
        if (
            self._has(ROOT_POWERS)
            and doubled.is_Integer
            and not exponent.is_Integer
            and abs(doubled) < _LARGEST_HALVES
        ):
            return self._whole_power(f"sqrt({self._print(base)})", int(doubled))
        if exponent.is_Integer and 0 < abs(exponent) <= LARGEST_CHAIN:
            return self._whole_power(self._print(base), int(exponent))
        return f"power({self._print(base)}, {self._print(exponent)})"

    def _whole_power(self, base: str, exponent: int) -> str:
        size = abs(exponent)
        if size == 1:
            power = f"({base})"
        elif size == 2 and base.isidentifier() and self._has(ROOT_POWERS):
            power = f"({base}*{base})"
        else:
            power = (
                f"power_{size}({base})"
                if self._has("power_2")
                else f"integer_power({base}, {size})"
            )
        return power if exponent > 0 else f"(1.0/{power})"

    def _print_Relational(self, expr: Any) -> str:
        return f"{RELATIONS[type(expr)]}({self._print(expr.lhs)}, {self._print(expr.rhs)})"

    def _logical(self, operator: str, expr: Any) -> str:
        return "(" + operator.join(f"({self._print(a)})" for a in expr.args) + ")"

    def _print_And(self, expr: sp.And) -> str:
        return self._logical(" & ", expr)

    def _print_Or(self, expr: sp.Or) -> str:
        return self._logical(" | ", expr)

    def _print_Not(self, expr: sp.Not) -> str:
        return f"logical_not({self._print(expr.args[0])})"


# sympy dispatches on the class name, and the parent class has special printers for these functions.
for _name in (
    "Abs",
    "sign",
    "floor",
    "ceiling",
    "log",
    "exp",
    "Heaviside",
    "Mod",
    "gamma",
    "loggamma",
):
    setattr(CodePrinter, f"_print_{_name}", CodePrinter._print_Function)


def _is_denominator(factor: sp.Expr) -> bool:
    return bool(
        factor.is_Pow and not factor.is_number and factor.exp.is_Rational and factor.exp < 0
    )


def function_name(node: sp.Basic) -> str:
    """Return the class name, to which a hypergeometric function adds its orders."""
    name = type(node).__name__
    return f"hyper_{len(node.ap)}_{len(node.bq)}" if name == "hyper" else name


def parameter_names(
    inputs: Sequence[sp.Symbol], is_taken: Callable[[str], bool]
) -> dict[sp.Symbol, str]:
    """Return a name for each symbol, its own where it is none of Python, of the source, or taken."""
    names: dict[sp.Symbol, str] = {}
    for index, symbol in enumerate(inputs):
        name = symbol.name
        is_possible = (
            name.isidentifier() and not keyword.iskeyword(name) and not _OWN_NAME.fullmatch(name)
        )
        names[symbol] = (
            name
            if is_possible and not is_taken(name) and name not in names.values()
            else f"a{index}_"
        )
    return names
