r"""Functions that sympy lacks, for closed forms whose naive formula is 0/0 or a difference of nearly equal terms.

==================  =========================================  =========================================
``phi1(x)``         :math:`(e^x - 1)/x`, with value 1 at 0     entire, positive on the real line
``quotient(x, y)``  :math:`x/y`, with value 0 at 0/0           a ratio whose numerator vanishes faster
``correlation``     :math:`c/\sqrt{v w}`, in :math:`[-1, 1]`    of Gaussians; rounding cannot exceed the interval
``besselk_scaled``  :math:`e^{x} K_\nu(x)`                     finite where :math:`K_\nu` underflows
``normal_cdf(x)``   :math:`\operatorname{erfc}(-x/\sqrt 2)/2`  sympy turns this erfc into a difference from 2
``normal_pdf(x)``   :math:`e^{-x^2/2}/\sqrt{2\pi}`             an expression, not a new function
==================  =========================================  =========================================

Their numerical implementations are in ``theory.core.numbers.backends``. Printers of sympy and ``sympy.lambdify`` write
them out, with the values at these limits, and without the care for digits.
"""

from contextlib import suppress
from typing import Any, ClassVar

import mpmath
import sympy as sp
from sympy.core.function import ArgumentIndexError

from theory.core.formula.parsing import sympy_object
from theory.core.formula.rounding import WRITTEN_OUT
from theory.core.formula.subexpressions import Binder, replaced


def _expression(name: str, value: Any) -> sp.Expr:
    result = sympy_object(name, value)
    if not isinstance(result, sp.Expr):
        raise TypeError(f"{name}: got {type(value).__name__}, needs an expression or a number")
    return result


class OfExpressions(sp.Function):
    """A function of expressions and numbers: text, of which sympy would make a formula, is refused by name."""

    letters: ClassVar[tuple[str, ...]] = ("x",)

    def __new__(cls, *values: Any, **options: Any) -> Any:
        """Check the arguments.

        Args:
            values: the arguments, expressions or numbers.
            options: those of sympy.
        """
        for letter, value in zip(cls.letters, values, strict=False):
            if not isinstance(value, sp.Expr):
                _expression(f"{letter} of {cls.__name__}", value)
        return super().__new__(cls, *values, **options)


class phi1(OfExpressions):
    r"""The function :math:`\varphi_1(x) = (e^x - 1)/x` of exponential integrators, with the value 1 at 0.

    >>> phi1(0), phi1(sp.Rational(1, 10**20)).evalf(25)
    (1, 1.000000000000000000005000)
    """

    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """Return the exact value at 0 and at infinity."""
        if x.is_zero:
            return sp.S.One
        if x is sp.S.Infinity:
            return sp.S.Infinity
        if x is sp.S.NegativeInfinity:
            return sp.S.Zero
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Return the derivative, an elementary expression that is valid except at 0."""
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
        x = self.args[0]._eval_evalf(prec)
        if x is None or not x.is_number:
            return None
        with mpmath.workprec(prec):
            value = x._to_mpmath(prec)
            return sp.Expr._from_mpmath(
                mpmath.expm1(value) / value if value else mpmath.mpf(1), prec
            )

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\varphi_1{power}\left({printer._print(self.args[0])}\right)"


class quotient(OfExpressions):
    """The ratio ``x / y``, with the value 0 where both are 0.

    >>> x = sp.Symbol("x", nonnegative=True)
    >>> quotient(x**2, x).subs(x, 0)
    0
    """

    nargs = 2
    letters = ("x", "y")

    @classmethod
    def eval(cls, x: sp.Expr, y: sp.Expr) -> sp.Expr | None:
        """Return an ordinary ratio if the denominator cannot vanish."""
        vanishes = y.is_zero
        if vanishes is False:
            return x / y
        return sp.S.Zero if vanishes and x.is_zero else None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Return the derivative, which is valid except at x = y = 0."""
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
        numerator, denominator = (printer._print(a) for a in self.args)
        ratio = rf"\frac{{{numerator}}}{{{denominator}}}"
        return ratio if exp is None else rf"\left({ratio}\right)^{{{exp}}}"


class correlation(OfExpressions):
    r"""The correlation :math:`c/\sqrt{v w}` of a covariance ``c`` with :math:`c^2 \le v w` and variances ``v``, ``w``.

    Numerical values outside [-1, 1], which rounding may produce, are replaced by -1 or 1, so that their arcsines and
    roots exist. The value is 0 where a variance is 0, since a constant is independent of everything.

    >>> correlation(sp.Rational(1, 2), 1, 1)
    1/2
    """

    nargs = 3
    letters = ("c", "v", "w")

    @classmethod
    def eval(cls, c: sp.Expr, v: sp.Expr, w: sp.Expr) -> sp.Expr | None:
        """Return simple special cases; otherwise move the sign outside and put the variances in one order."""
        if c.is_zero:
            return sp.S.Zero
        if c.could_extract_minus_sign():
            return -cls(-c, v, w)
        if v == w and v.is_positive:
            return c / v
        if c in (v, w) and v.is_positive and w.is_positive:
            return sp.sqrt(c / (w if c == v else v))
        return None if sp.default_sort_key(v) <= sp.default_sort_key(w) else cls(c, w, v)

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Return the derivative, which is valid inside the interval."""
        _, v, w = self.args
        return 1 / sp.sqrt(v * w) if argindex == 1 else -self / (2 * self.args[argindex - 1])

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(a.is_extended_real for a in self.args) else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        c, v, w = (a._eval_evalf(prec) for a in self.args)
        return (
            c / sp.sqrt(v * w) if all(a is not None and a.is_number for a in (c, v, w)) else None
        )

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        c, v, w = self.args
        return printer._print(
            c / sp.sqrt(v * w) if exp is None else (c / sp.sqrt(v * w)) ** sp.Integer(exp)
        )


class besselk_scaled(OfExpressions):
    r"""The scaled modified Bessel function :math:`e^{x} K_\nu(x)` of the order :math:`\nu` and of ``x``.

    >>> round(float(besselk_scaled(1, 100).evalf()), 6)
    0.1258
    """

    nargs = 2
    letters = ("order", "x")

    def fdiff(self, argindex: int = 2) -> sp.Expr:
        """Return the derivative with respect to x; the derivative with respect to the order is not elementary."""
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        order, x = self.args
        return self - (besselk_scaled(order - 1, x) + besselk_scaled(order + 1, x)) / 2

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.args[0].is_real and self.args[1].is_positive else None

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_extended_real()

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        return opened(self)._eval_evalf(prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        order, x = (printer._print(a) for a in self.args)
        product = rf"e^{{{x}}} K_{{{order}}}\left({x}\right)"
        return product if exp is None else rf"\left({product}\right)^{{{exp}}}"


def normal_pdf(x: sp.Expr) -> sp.Expr:
    """Return the density of the standard normal distribution at ``x``.

    Args:
        x: where, an expression.

    Raises:
        TypeError: if ``x`` is no expression or number.

    >>> normal_pdf(sp.Integer(0))
    sqrt(2)/(2*sqrt(pi))
    """
    return sp.exp(-(_expression("x", x) ** 2) / 2) / sp.sqrt(2 * sp.pi)


class normal_cdf(OfExpressions):
    r"""The probability :math:`\Phi(x)` that a standard normal variable is below ``x``, accurate in the left tail.

    >>> normal_cdf(-10).evalf(5)
    7.6199e-24
    """

    nargs = 1

    @classmethod
    def eval(cls, x: sp.Expr) -> sp.Expr | None:
        """Return the exact value at 0 and at infinity."""
        if x.is_zero:
            return sp.S.Half
        if x in (sp.S.Infinity, sp.S.NegativeInfinity):
            return sp.S.One if x is sp.S.Infinity else sp.S.Zero
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """Return the derivative, which is the density."""
        return normal_pdf(self.args[0])

    def _eval_is_extended_real(self) -> bool | None:
        return self.args[0].is_extended_real

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        x = self.args[0]._eval_evalf(prec)
        if x is None or not x.is_number:
            return None
        with mpmath.workprec(prec), suppress(OverflowError):  # of a number beyond 1e300
            return sp.Expr._from_mpmath(
                mpmath.erfc(-x._to_mpmath(prec) / mpmath.sqrt(2)) / 2, prec
            )
        return None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\Phi{power}\left({printer._print(self.args[0])}\right)"


_OPENED = WRITTEN_OUT | {
    phi1: lambda x: (sp.exp(x) - 1) / x,
    quotient: lambda x, y: x / y,
    correlation: lambda c, v, w: c / sp.sqrt(v * w),
    besselk_scaled: lambda order, x: sp.exp(x) * sp.besselk(order, x),
    normal_cdf: lambda x: sp.erfc(-x / sp.sqrt(2)) / 2,
}


def opened(expression: sp.Basic) -> sp.Basic:
    """Return the expression with the functions of ``theory.core`` written out, which agrees wherever it is defined."""
    return replaced(expression, _OPENED)


def outermost_opened(node: sp.Basic) -> sp.Basic:
    """Return a function of ``theory.core`` written out, with its arguments as they are; any other node as it is."""
    return _OPENED[type(node)](*node.args) if type(node) in _OPENED else node


# Printers of sympy that lack a function look for one of these methods.
_METHODS = (
    "_pythoncode", "_numpycode", "_scipycode", "_jaxcode", "_cupycode", "_lambdacode", "_mpmathcode",
    "_torchcode", "_tensorflowcode", "_numexprcode", "_ccode", "_cxxcode", "_fcode", "_javascript", "_julia",
    "_octave", "_rcode", "_rust_code",
)  # fmt: skip
_WITH_LIMITS = _OPENED | {
    phi1: lambda x: sp.Piecewise((1, sp.Eq(x, 0)), ((sp.exp(x) - 1) / x, True)),
    quotient: lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x / y, True)),
    correlation: lambda c, v, w: sp.Piecewise((0, sp.Eq(c, 0)), (c / sp.sqrt(v * w), True)),
}


def _printed(function: sp.Expr, printer: Any, **options: Any) -> str:
    """Return the code of a function written out, in brackets since it may be a sum."""
    return f"({printer._print(_WITH_LIMITS[type(function)](*function.args))})"


def _binder_printed(binder: Binder, printer: Any, **options: Any) -> str:
    return f"({printer._print(binder.written_out)})"


for _method in _METHODS:
    setattr(Binder, _method, _binder_printed)
    for _function in _WITH_LIMITS:
        setattr(_function, _method, _printed)
