r""":math:`\omega(v) = E[\varphi'(z)^2]` for :math:`z \sim N(0, v)`: how strongly a random unit stretches its input.

Everything about the metric of an infinitely wide layer follows from this one function of the variance and its first
two derivatives.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from theory.activations import Activation, z
from theory.core import ClosedForm, Status, Step, phi1
from theory.gaussian.atoms import atoms_of, derivative
from theory.gaussian.integrals import gaussian_mean, xi
from theory.gaussian.kernel import require_activation, require_continuous, slope_kernel
from theory.gaussian.rules import State, product_mean
from theory.gaussian.symbols import VARIANCE, covariance, variance, variance_x, variance_y


@lru_cache(maxsize=256)
def squared_slope(act: Activation) -> ClosedForm:
    """``E[phi'(z)^2]``, dimensionless; argument ``variance``.

    Raises:
        ValueError: if the activation jumps, for then its slope is not square-integrable.
    """
    require_activation(act)
    require_continuous(act)
    atoms = atoms_of(act.expression)
    pair = None if atoms is None else slope_kernel(act)
    if atoms is not None and pair is not None and not pair.expression.has(sp.Integral):
        slopes = derivative(atoms)
        expression = _without_cancellation(product_mean(slopes, slopes, State(variance, variance, variance)))
        same = sp.Subs(pair.expression, (variance_x, variance_y, covariance), (variance, variance, variance))
        steps = (*pair.steps, Step("both pre-activations are the same", expression, same, because="z' = z"))
    else:
        expression = squared_slope_integral(act)
        steps = (_definition(act, expression),)
    return ClosedForm(
        name=f"gaussian.squared_slope.{act.name}",
        meaning=f"Expected squared slope of {act.name} at a Gaussian pre-activation.",
        arguments=(VARIANCE,),
        expression=expression,
        status=Status.DERIVED,
        steps=steps,
        assumptions=("the pre-activation is Gaussian with mean zero",),
    )


def _without_cancellation(expression: sp.Expr) -> sp.Expr:
    """``a - a exp(k v)`` as ``-a k v phi1(k v)``, which keeps its digits at small variance."""
    constant, rest = expression.as_independent(variance, as_Add=True)
    factor, decay = rest.as_independent(variance, as_Add=False)
    if isinstance(decay, sp.exp) and factor + constant == 0:
        return factor * decay.args[0] * phi1(decay.args[0])
    return expression


def squared_slope_integral(act: Activation, order: int = 0) -> sp.Expr:
    """The derivative of this order of ``E[phi'(z)^2]`` with respect to the variance, as an integral.

    Smooth activations are differentiated, ``d/dv E[f] = E[f'']/2``; for kinked ones the density is, which needs no
    derivative of ``phi'``: the weight is a Hermite polynomial, ``E[f(z) He_2k(z/sqrt v)] / (2 v)^k``.
    """
    square = act.derivative(1) ** 2
    if act.smooth:
        return gaussian_mean(Activation("square", square).derivative(2 * order) / 2**order, variance)
    hermite = sp.expand(sp.hermite(2 * order, xi / sp.sqrt(2)) / 2**order)
    weight = sp.expand(hermite.subs(xi, z / sp.sqrt(variance)) / (2 * variance) ** order)
    return gaussian_mean(square * weight, variance, act.kinks)


def _definition(act: Activation, expression: sp.Expr) -> Step:
    slope = act.derivative(1).subs(z, sp.sqrt(variance) * xi)
    density = sp.exp(-(xi**2) / 2)
    pieces = expression.replace(sp.Integral, lambda _, *limits: sp.Integral(slope**2 * density, *limits))
    return Step("z as a multiple of a standard Gaussian", expression, pieces / sp.sqrt(2 * sp.pi), because="definition")
