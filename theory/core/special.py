r"""Functions that sympy lacks and closed forms need where the naive formula is 0/0.

=================  =============================================  ================================
``phi1(x)``        :math:`(e^x - 1)/x`, with value 1 at 0         entire, positive on the real line
``quotient(x, y)`` :math:`x/y`, with value 0 where x = y = 0      a ratio whose numerator vanishes faster
``normal_pdf(x)``  :math:`e^{-x^2/2}/\sqrt{2\pi}`                 an expression, not a new function
``normal_cdf(x)``  :math:`\operatorname{erfc}(-x/\sqrt 2)/2`      likewise, accurate in the left tail
=================  =============================================  ================================

How each backend computes them is in ``theory.core.backends``.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class phi1(sp.Function):
    r""":math:`\varphi_1(x) = (e^x - 1)/x`, and 1 at 0: the first of the functions of exponential integrators."""

    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        if x.is_zero:
            return sp.S.One
        if x is sp.S.Infinity:
            return sp.S.Infinity
        if x is sp.S.NegativeInfinity:
            return sp.S.Zero
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        (x,) = self.args
        return (sp.exp(x) - phi1(x)) / x

    def _eval_rewrite_as_exp(self, x: sp.Expr, **hints: Any) -> sp.Expr:
        return (sp.exp(x) - 1) / x

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real

    def _eval_is_finite(self) -> bool | None:
        return self.args[0].is_finite

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        # Guard bits for the cancellation in exp(x) - 1.
        x = self.args[0]._eval_evalf(prec)
        if x is None or not x.is_number:
            return None
        small = max(0, -int(sp.log(abs(x), 2).evalf(5))) if x != 0 else 0
        return opened(self)._eval_evalf(prec + small + 10)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\varphi_1{power}\left({printer._print(self.args[0])}\right)"


class quotient(sp.Function):
    """``x / y``, and 0 where both are 0."""

    nargs = 2

    @classmethod
    def eval(cls, x: sp.Expr, y: sp.Expr) -> sp.Expr | None:
        if x.is_zero and y.is_zero:
            return sp.S.Zero
        if y.is_zero is False:
            return x / y
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        x, y = self.args
        return 1 / y if argindex == 1 else -x / y**2

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(a.is_extended_real for a in self.args) else None

    def _eval_is_nonnegative(self) -> bool | None:
        return True if all(a.is_nonnegative for a in self.args) else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        x, y = (a._eval_evalf(prec) for a in self.args)
        return x / y if x is not None and y is not None and y.is_number and y != 0 else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        ratio = r"\frac{%s}{%s}" % tuple(printer._print(a) for a in self.args)
        return ratio if exp is None else rf"\left({ratio}\right)^{{{exp}}}"


def normal_pdf(x: sp.Expr) -> sp.Expr:
    """Density of the standard normal distribution at ``x``."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


def normal_cdf(x: sp.Expr) -> sp.Expr:
    """Probability that a standard normal variable is below ``x``."""
    return sp.erfc(-x / sp.sqrt(2)) / 2


def opened(expression: sp.Basic) -> sp.Basic:
    """The same with ``phi1`` and ``quotient`` written out, equal wherever the written-out form is defined."""
    return expression.replace(phi1, lambda x: (sp.exp(x) - 1) / x).replace(quotient, lambda x, y: x / y)
