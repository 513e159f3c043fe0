r"""Functions that say how a formula is to be rounded, and nothing else.

===================  =========================================  ==================================================
``compensated(x)``   :math:`x`, computed with twice the digits  a difference that may vanish, of terms that do not
``log1p(x)``         :math:`\log(1 + x)`                        with all digits for small ``x``
``log_ratio(x, y)``  :math:`\log(x/y)`                          with all digits for nearly equal ``x``, ``y``
``nonnegative(x)``   :math:`x \ge 0`, compensated               a difference that rounded arguments make negative
``watched(x)``       :math:`x`, by balls where it cancels       a sum of functions that cannot be compensated
===================  =========================================  ==================================================

``compensated`` takes rational operations, roots, exponentials, logarithms, magnitudes and signs; numpy and torch
compute what is in it in pairs of numbers (``theory.core.numbers.backends.pairs``). The exact backends ignore
it: they know their errors.
"""

from collections.abc import Callable
from typing import Any

import sympy as sp

from theory.core.formula.subexpressions import replaced


class compensated(sp.Function):
    """Its argument, which floating-point backends compute with twice their digits before they round it."""

    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """The argument itself where there is nothing to round, or where it is compensated already."""
        return x if x.is_number or x.is_Symbol or isinstance(x, cls) else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """It is the identity."""
        return sp.S.One

    def _eval_rewrite_as_exp(self, x: sp.Expr, **hints: Any) -> sp.Expr:
        return x

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real

    def _eval_is_positive(self) -> bool | None:
        return self.args[0].is_positive

    def _eval_is_nonnegative(self) -> bool | None:
        return self.args[0].is_nonnegative

    def _eval_is_finite(self) -> bool | None:
        return self.args[0].is_finite

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        return self.args[0]._eval_evalf(prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = rf"\left({printer._print(self.args[0])}\right)"
        return inside if exp is None else f"{inside}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"({printer._print(self.args[0])})"


class nonnegative(compensated):
    """Its argument, which is never negative: compensated, and 0 where rounded arguments make it negative."""

    def _eval_is_nonnegative(self) -> bool | None:
        return True


class watched(compensated):
    """Its argument, a sum; where its digits cancel, numpy computes the whole formula by balls, and torch warns."""

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """The argument itself if it is no sum."""
        return None if x.is_Add else x


class log1p(sp.Function):
    r""":math:`\log(1 + x)` for :math:`x > -1`."""

    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """What sympy knows of the logarithm of a number."""
        return sp.log(1 + x) if x.is_Rational or x is sp.S.Infinity else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative."""
        return 1 / (1 + self.args[0])

    def _eval_rewrite_as_log(self, x: sp.Expr, **hints: Any) -> sp.Expr:
        return sp.log(1 + x)

    def _eval_is_extended_real(self) -> bool | None:
        return True if (1 + self.args[0]).is_nonnegative else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self.args[0].is_nonnegative

    def _eval_is_positive(self) -> bool | None:
        return self.args[0].is_positive

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        return sp.log(1 + self.args[0])._eval_evalf(prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power}\left(1 + {printer._print(self.args[0])}\right)"


class log_ratio(sp.Function):
    r""":math:`\log(x/y)` for positive ``x`` and ``y``."""

    nargs = 2

    @classmethod
    def eval(cls, x: sp.Expr, y: sp.Expr) -> sp.Expr | None:
        """What sympy knows of the logarithm of a number, and 0 for equal arguments."""
        return sp.log(x / y) if x == y or (x.is_Rational and y.is_Rational) else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative."""
        return 1 / self.args[0] if argindex == 1 else -1 / self.args[1]

    def _eval_rewrite_as_log(self, x: sp.Expr, y: sp.Expr, **hints: Any) -> sp.Expr:
        return sp.log(x / y)

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(x.is_positive for x in self.args) else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        return sp.log(self.args[0] / self.args[1])._eval_evalf(prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return printer._print_log(sp.log(self.args[0] / self.args[1], evaluate=False), exp)


WRITTEN_OUT: dict[type[sp.Function], Callable[..., sp.Expr]] = {
    watched: lambda x: x,
    nonnegative: lambda x: x,
    compensated: lambda x: x,
    log1p: lambda x: sp.log(1 + x),
    log_ratio: lambda x, y: sp.log(x / y),
}


def written_out(expression: sp.Basic) -> sp.Basic:
    """The same number without the functions of this module."""
    return replaced(expression, WRITTEN_OUT)
