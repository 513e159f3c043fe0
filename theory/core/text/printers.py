"""Printers of sympy with what they lack for the languages in which a closed form can be written."""

from functools import reduce
from typing import Any

import sympy as sp
from sympy.printing.c import C99CodePrinter
from sympy.printing.codeprinter import CodePrinter
from sympy.printing.mathematica import MCodePrinter
from sympy.printing.numpy import JaxPrinter, SciPyPrinter


class LongDoubles(C99CodePrinter):
    """C in which constants are long doubles; type-generic functions follow their arguments."""

    def _print_NumberSymbol(self, number: sp.Expr) -> str:
        return f"{number.evalf(36)}L"

    def _print_BooleanTrue(self, _: sp.Basic) -> str:
        return "1"  # C99 has no `true` without a header

    _print_Pi = _print_Exp1 = _print_NumberSymbol

    def _print_Rational(self, number: sp.Rational) -> str:
        return f"{number.p}.0L/{number.q}.0L"


class Mathematica(MCodePrinter):
    """The language of Mathematica, with cases."""

    def _print_Piecewise(self, cases: sp.Piecewise) -> str:
        pairs = (
            f"{{{self._print(value)}, {self._print(condition)}}}"
            for value, condition in cases.args
        )
        return f"Piecewise[{{{', '.join(pairs)}}}]"

    def _print_BooleanTrue(self, _: sp.Basic) -> str:
        return "True"


class _Broadcasting(CodePrinter):
    """The parts of numpy's code in which sympy would put arrays of several shapes into one array."""

    def _print_And(self, condition: sp.And) -> str:
        return self._nested("logical_and", condition.args)

    def _print_Max(self, largest: sp.Max) -> str:
        return self._nested("maximum", largest.args)

    def _print_Min(self, smallest: sp.Min) -> str:
        return self._nested("minimum", smallest.args)

    def _nested(self, function: str, arguments: tuple[Any, ...]) -> str:
        name = f"{self._module}.{function}"  # type: ignore[attr-defined]
        return reduce(lambda left, right: f"{name}({left}, {right})", map(self._print, arguments))


class Numpy(_Broadcasting, SciPyPrinter):
    """Code of numpy and scipy."""

    def _special(self, call: sp.Expr) -> str:
        return f"scipy.special.{type(call).__name__}({self._print(call.args[0])})"

    _print_erfinv = _print_erfcinv = _special


class Jax(_Broadcasting, JaxPrinter):
    """Code of JAX, with its special functions."""

    def _special(self, call: sp.Expr) -> str:
        arguments = ", ".join(map(self._print, call.args))
        return f"jax.scipy.special.{type(call).__name__}({arguments})"

    _print_erf = _print_erfc = _print_erfinv = _print_polygamma = _special
