"""An activation function, given by an expression in one real symbol, with its derivatives and kinks."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from closedform import checks
from closedform.checks.plain import shown
from theory.activations.kinks import kinks_of
from theory.core import Argument
from theory.core.formula.parsing import require_moderate, sympy_object
from theory.core.formula.rounding import log1p
from theory.core.formula.special import normal_cdf
from theory.core.numbers.arguments import integer
from theory.core.numbers.backends import load
from theory.core.numbers.backends.source import compile_expression
from theory.core.numbers.exact import NUMBERS, exact, readable

z = sp.Symbol("z", real=True)
"""The pre-activation. Every activation is an expression in this symbol."""

LARGEST_ORDER = 100
_PROBES = (sp.Rational(-7, 3), sp.Rational(-1, 2), sp.Rational(5, 3))
"""Where an expression whose reality sympy cannot decide is tried."""
# default for kinks that are not given; in an existing activation they are always a tuple
_TO_BE_FOUND: Any = None


@dataclass(frozen=True)
class Activation:
    """A scalar nonlinearity that is applied to each pre-activation; dimensionless.

    ``a + b``, ``a - b``, ``-a``, ``c * a`` and ``a / c`` with a number ``c`` are also activations.

    Args:
        name: an identifier, such as "erf", that appears in the names of closed forms made from the activation.
        expression: expression in ``theory.activations.z`` and no other symbol, real for real ``z``.
        kinks: points at which some derivative jumps or diverges; by default they are found from the expression.

    Raises:
        TypeError, ValueError: if a field has the wrong type, or the expression contains another symbol.

    >>> swish = Activation("swish", z / (1 + sp.exp(-z)))
    >>> round(float(swish.function()(1.0)), 4)
    0.7311
    """

    name: str
    expression: sp.Expr
    kinks: tuple[sp.Expr, ...] = _TO_BE_FOUND
    __array_ufunc__ = None  # numpy numbers then leave `number * activation` to the activation

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise ValueError(f"name: got {shown(self.name)}, needs an identifier")
        label, needs = f"expression of {self.name}", "a sympy expression in theory.activations.z"
        expression = checks.instance(
            label, sympy_object(label, self.expression, needs), sp.Expr, needs
        )
        require_moderate(expression)
        unknown = ", ".join(sorted(map(str, expression.free_symbols - {z})))
        if unknown:
            raise ValueError(
                f"expression of {self.name}: got {unknown}, needs theory.activations.z alone"
            )
        if expression.has(sp.nan, sp.zoo, sp.oo, -sp.oo) or expression.is_real is False:
            raise ValueError(
                f"expression of {self.name}: got {expression}, needs a real and finite one"
            )
        if expression.has(sp.Derivative):
            expression = expression.doit(integrals=False)
        _require_real(self.name, expression)
        object.__setattr__(self, "expression", expression)
        kinks = (
            kinks_of(expression, z)
            if self.kinks is _TO_BE_FOUND
            else checks.sequence("kinks", self.kinks)
        )
        object.__setattr__(self, "kinks", tuple(sorted(exact("kinks", point) for point in kinks)))

    @property
    def smooth(self) -> bool:
        """Return whether the activation has derivatives of every order everywhere."""
        return not self.kinks

    @property
    def definition(self) -> str:
        """Return the definition as a line of text, such as "phi(z) = erf(sqrt(2)*z/2)"."""
        return f"phi(z) = {readable(self.expression)}"

    @property
    def latex(self) -> str:
        r"""Return the expression in LaTeX, as a function of :math:`z`."""
        return sp.latex(readable(self.expression))

    def derivative(self, order: int = 1) -> sp.Expr:
        """Return the derivative of an order from 0 to 100 away from the kinks, as an expression in ``z``.

        If the derivative of an activation with kinks is a distribution, only its regular part is returned: the
        derivative of ReLU is the step function (1/2 at 0) and its second derivative is 0, without the Dirac delta.
        """
        return _derivative(self.expression, integer("order", order, 0, LARGEST_ORDER))

    def function(self, order: int = 0, backend: str = "numpy") -> Callable[[Any], Any]:
        """Return the derivative of this order as a vectorised function ``[...] -> [...]`` of finite numbers.

        The backend is "numpy", in the precision of the input, "torch" (differentiable), "jax" or "mpmath".
        """
        return _function(self.derivative(order), backend)

    def __add__(self, other: "Activation") -> "Activation":
        if not isinstance(other, Activation):
            return NotImplemented
        return Activation(
            f"{self.name}_plus_{other.name}",
            self.expression + other.expression,
            tuple({*self.kinks, *other.kinks}),
        )

    def __mul__(self, factor: Any) -> "Activation":
        if not isinstance(factor, NUMBERS) or isinstance(factor, bool):
            return NotImplemented
        factor = exact("factor", factor)
        name = f"{self.name}_times_{sp.sstr(readable(factor), full_prec=False)}".replace(
            "-", "minus_"
        )
        return Activation(re.sub(r"\W+", "_", name), factor * self.expression, self.kinks)

    __rmul__ = __mul__

    def __neg__(self) -> "Activation":
        return self * -1

    def __sub__(self, other: "Activation") -> "Activation":
        return self + -other if isinstance(other, Activation) else NotImplemented

    def __truediv__(self, divisor: Any) -> "Activation":
        return self * (1 / exact("divisor", divisor))


def _require_real(name: str, expression: sp.Expr) -> None:
    """Raise ValueError if a value is complex or infinite, as that of a root or a logarithm at negative z."""
    if expression.is_real:
        return
    for point in _PROBES:
        value = expression.xreplace({z: point}).evalf(15)
        if value.is_real is False or value.has(sp.I, sp.zoo, sp.oo, -sp.oo):
            raise ValueError(
                f"expression of {name}: got {sp.sstr(value)} at z = {point}, needs a real, finite one for every real z"
            )


class _Tanh(sp.Function):
    """The function tanh with its derivative written as sech^2, which is accurate where 1 - tanh^2 cancels."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.sech(self.args[0]) ** 2

    def _eval_is_real(self) -> bool | None:
        return self.args[0].is_real


@lru_cache(maxsize=1024)
def _derivative(expression: sp.Expr, order: int) -> sp.Expr:
    for _ in range(order):
        expression = sp.diff(expression.replace(sp.tanh, _Tanh), z).replace(_Tanh, sp.tanh)
        expression = expression.replace(sp.DiracDelta, lambda *_: sp.S.Zero)
        # sinh and cosh overflow where their ratio does not.
        expression = expression.replace(sp.sinh, lambda x: sp.tanh(x) * sp.cosh(x))
    return expression


def without_cancellation(expression: sp.Expr, *, is_differentiated: bool) -> sp.Expr:
    """Return 1 + erf, 1 + tanh and softplus, which lose their digits where they vanish, as functions that have them.

    The latter two then have no derivative in floating point where an exponential overflows.
    """

    def joined(total: sp.Add) -> sp.Expr:
        constant = total.as_coeff_Add()[0]
        for term in total.args:
            factor, function = term.as_coeff_Mul()
            rest = total - term
            if (
                isinstance(function, (sp.erf, sp.tanh))
                and constant != 0
                and abs(factor) == abs(constant)
            ):
                x = sp.sign(factor * constant) * function.args[0]
                if isinstance(function, sp.erf):
                    return rest - constant + 2 * constant * normal_cdf(sp.sqrt(2) * x)
                if not is_differentiated:
                    return rest - constant + 2 * constant / (1 + sp.exp(-2 * x))
            if isinstance(function, sp.log) and not is_differentiated:
                x = rest / factor
                if function.args[0] == 2 * sp.cosh(x):
                    return factor * (sp.Max(0, 2 * x) + log1p(sp.exp(-2 * sp.Abs(x))))
        return total

    return expression.replace(lambda part: part.is_Add, joined)


@lru_cache(maxsize=1024)
def _function(expression: sp.Expr, backend_name: str) -> Callable[[Any], Any]:
    backend = load(backend_name)
    argument = Argument(z, "pre-activation")
    expression = without_cancellation(
        expression, is_differentiated=backend_name in {"torch", "jax"}
    )
    compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def function(value: Any) -> Any:
        with backend.quiet():
            values, options = backend.convert(["z"], [value])
            # traced values are not known
            if backend_name != "jax" or not backend.is_traced(values):
                argument.require(values[0], backend)
            key = tuple(options.values())
            if key not in compiled:
                compiled[key] = compile_expression(expression, [z], backend, **options)
            return backend.finish(compiled[key], values)

    return function
