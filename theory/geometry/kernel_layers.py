r"""Numerical functions of one infinitely wide layer, from which kernel matrices of deep networks are computed.

For pre-activations with variances :math:`v_x, v_y` and covariance c these are :math:`E[\varphi(z_x) \varphi(z_y)]`,
:math:`E[\varphi'(z_x) \varphi'(z_y)]` and, on the diagonal, :math:`E[\varphi(z)^2]` and :math:`E[\varphi'(z)^2]`. They
are compiled from the expressions of ``theory.gaussian`` without checks, since ``kernel_matrix`` checks its arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import sympy as sp

from closedform.checks.arrays import Array
from theory import gaussian
from theory.activations import Activation
from theory.activations.naming import cached
from theory.core.formula.rounding import watched
from theory.core.formula.special import correlation
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import compile_expression
from theory.gaussian.kernel_formula import kernel_formula, slope_kernel_formula
from theory.gaussian.moments import by_arctangent, second_moment
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y
from theory.geometry.kernel_polar import by_angle
from theory.geometry.kernel_series import with_series
from theory.geometry.kernel_textbook import inverse


@dataclass(frozen=True)
class WideLayer:
    """Expectations over the pre-activations of a layer: the kernel of the features and, if it is wanted, of the slopes.

    ``diagonal`` is ``pair`` for equal inputs; it may be told that all variances are positive.
    """

    pair: Callable[[Array, Array, Array], tuple[Array, ...]]
    is_integral: bool
    diagonal: Callable[..., tuple[Array, ...]]


@cached(64)
def wide_layer(act: Activation, slopes: bool) -> WideLayer:
    """Return the functions of a layer; ValueError if the slopes of an activation with a jump are asked for."""
    kernels, moments = [kernel_formula(act).expression], [by_arctangent(second_moment(act)[0])]
    if slopes:
        kernels.append(slope_kernel_formula(act).expression)
        moments.append(by_arctangent(gaussian.squared_slope(act).expression))
    # An integral is computed at one entry of the matrix after another, not at rows and columns.
    is_integral = any(kernel.has(sp.Integral) for kernel in kernels)
    backend = numpy_backend if is_integral else _OUTER
    pair = compile_expression(
        sp.Tuple(*map(_at_parallel_inputs, kernels)), [variance_x, variance_y, covariance], backend
    )
    terms = moments if is_integral else map(watched, moments)
    square = compile_expression(sp.Tuple(*terms), [variance], numpy_backend)
    functions = [act.function(order) for order in range(1 + slopes)]
    if is_integral and act.smooth:
        pair = with_series(functions, square, pair)
    elif is_integral and act.kinks == (0,):
        pair = by_angle(functions, pair)
    # A pre-activation without variance is 0. The slope at a kink is that of ``Activation.derivative``.
    at_zero = [float(act.function(order)(0.0)) ** 2 for order in range(1 + slopes)]
    varies = all(moment.has(variance) for moment in moments)

    def diagonal(v: Array, positive: bool = False) -> tuple[Array, ...]:
        if positive or v.all():
            values = square(v)
            return (
                values
                if varies
                else tuple(np.broadcast_to(value, v.shape).copy() for value in values)
            )
        constant = v == 0
        values = square(np.where(constant, 1.0, v))
        return tuple(
            np.where(constant, zero, value) for zero, value in zip(at_zero, values, strict=True)
        )

    return WideLayer(pair, is_integral, diagonal)


def _at_parallel_inputs(kernel: sp.Expr) -> sp.Expr:
    r"""Return the same kernel with positive roots and denominators where a correlation rounds to 1.

    A kernel with the covariance *c* itself, as that of GELU, is a sum of large terms there that cancel. With the Gram
    determinant :math:`g = v w (1 - r^2)` of the pre-activations, whose correlation *r* is at most 1, the determinant of
    :math:`(1 + v)(1 + w) - c^2` is the sum :math:`1 + v + w + g`, and no :math:`c^2` is left to cancel :math:`v w`.
    Exponents :math:`\pm c - (v + w)/2` are written as a sum of two terms that are not positive for any rounding.
    """
    gram = sp.Symbol("gram", nonnegative=True)
    r, root_x, root_y = (
        correlation(covariance, variance_x, variance_y),
        sp.sqrt(variance_x),
        sp.sqrt(variance_y),
    )
    for sign in (1, -1):
        exponent = sign * covariance - variance_x / 2 - variance_y / 2
        apart = -((root_x - root_y) ** 2) / 2 - root_x * root_y * (1 - sign * r)
        kernel = kernel.xreplace({sp.exp(exponent): sp.exp(apart, evaluate=False)})
    for rho in kernel.atoms(correlation):
        c, v, w = rho.args
        rest = 1 - rho**2
        determinant = sp.expand((v * w - c**2).subs(covariance**2, variance_x * variance_y - gram))
        ratio = sp.Symbol("ratio", real=True)
        if not (kernel.xreplace({rho: ratio}).has(covariance) and determinant.is_positive):
            above_zero = rest + sp.Rational(1, 2**52)  # less than the rounding of the correlation
            kernel = kernel.replace(
                lambda x, r=rest: x.is_Pow and x.exp.is_negative and x.base == r,
                lambda x, a=above_zero: sp.Pow(a, x.exp),
            )
            continue
        kernel = kernel.xreplace(
            {sp.asin(rho): sp.atan(c / sp.sqrt(determinant)), rest: determinant / (v * w)}
        )
    kernel = kernel.replace(
        lambda x: x.is_Add and x.is_polynomial(covariance) and x.has(covariance**2),
        lambda x: sp.expand(x.subs(covariance**2, variance_x * variance_y - gram)),
    )
    return kernel.xreplace({gram: variance_x * variance_y * (1 - r**2)})


def _correlation(c: Any, v: Any, w: Any) -> Any:
    """Return the correlations ``[n, m]`` in [-1, 1] for variances ``[n, 1]`` and ``[1, m]``, 0 where one is 0."""
    return np.clip(c * inverse(np.sqrt(v)) * inverse(np.sqrt(w)), -1, 1)


_OUTER = SimpleNamespace(
    **{
        **vars(numpy_backend),
        "functions": lambda **options: {
            **numpy_backend.functions(**options),
            "correlation": _correlation,
        },
    }
)
"""The numpy backend with a correlation for variances of rows and columns."""
