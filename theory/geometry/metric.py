r"""The metric that an infinitely wide layer puts on its inputs, and its two eigenvalues.

The features :math:`n^{-1/2} \varphi(w_a \cdot x + b_a)` pull the Euclidean metric back to the inputs. As
:math:`n \to \infty` it becomes, with :math:`\omega(v) = E[\varphi'(z)^2]` at the variance
:math:`v = \sigma^2 \|x\|^2 + \zeta^2`,

.. math:: g_{ij}(x) = E[\varphi'(z)^2 w_i w_j] = \sigma^2 \left( \omega\, \delta_{ij} + 2 \sigma^2 \omega'\, x_i x_j
    \right).

Across the radius it stretches by :math:`\sigma^2\omega`, along it by :math:`\sigma^2 (\omega + 2 s \omega')`,
:math:`s = \sigma^2 \|x\|^2`. The paper writes :math:`e^\Omega` for :math:`\sigma^2 \omega`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import sympy as sp

from theory.activations import Activation
from theory.core import ClosedForm, Source, Status, Step
from theory.core.arguments import real_array
from theory.gaussian.symbols import variance as v
from theory.geometry.kernel import WIDE, covariance_step
from theory.geometry.profile import Profile, profile, w0, w1
from theory.geometry.symbols import SIGMA, ZETA, R, sigma, variance, zeta

x = sp.symbols("x1:4", real=True)
t = sp.Symbol("t", positive=True)


class NngpMetric(NamedTuple):
    """The metric of an infinitely wide layer: closed forms of its eigenvalues, 1/input^2."""

    radial: ClosedForm
    """Along x, simple; arguments r, sigma, zeta."""
    tangential: ClosedForm
    """Across x, (d - 1)-fold; arguments r, sigma, zeta."""

    def at(self, inputs: np.ndarray, sigma: float, zeta: float) -> np.ndarray:
        """The metric at inputs ``[..., d]``, 1/input^2: ``[..., d, d]``.

        Raises:
            ValueError, TypeError: for inputs that are not a finite real array with a last axis.
        """
        inputs = points(inputs)
        squared = (inputs**2).sum(-1)
        across, along = (np.asarray(form(squared, sigma, zeta)) for form in (self.tangential, self.radial))
        direction = directions(inputs, squared)
        outer = direction[..., :, None] * direction[..., None, :]
        return across[..., None, None] * np.eye(inputs.shape[-1]) + (along - across)[..., None, None] * outer


def points(inputs: np.ndarray) -> np.ndarray:
    """``inputs`` as float64 ``[..., d]``; ValueError or TypeError if they are no finite real points."""
    array = real_array("inputs", inputs)
    if array.ndim == 0:
        raise ValueError("inputs must have shape [..., d], got one number")
    return array


def directions(inputs: np.ndarray, squared: np.ndarray) -> np.ndarray:
    """``x/|x|``, and 0 at the origin, where the metric has no direction."""
    return inputs / np.sqrt(np.where(squared == 0, 1, squared))[..., None]


@lru_cache(maxsize=256)
def nngp_metric(act: Activation) -> NngpMetric:
    """The two eigenvalues of the NNGP metric, 1/input^2. Source: Zavatone-Veth et al., Eqs. (5) and (C.14).

    Raises:
        ValueError: if the activation jumps: then there is no metric.
    """
    it = profile(act)
    return NngpMetric(
        _form(act, it, "radial", sigma**2 * it.radial, sigma**2 * (w0 + 2 * (v - zeta**2) * w1)),
        _form(act, it, "tangential", sigma**2 * it.slope, sigma**2 * w0),
    )


def _form(act: Activation, it: Profile, which: str, expression: sp.Expr, general: sp.Expr) -> ClosedForm:
    expression = expression.xreplace({v: variance})
    return ClosedForm(
        name=f"geometry.{which}_eigenvalue.{act.name}",
        meaning=f"The {which} eigenvalue of the metric of an infinitely wide {act.name} layer.",
        arguments=(R, SIGMA, ZETA),
        expression=expression,
        status=Status.DERIVED,
        steps=(*it.steps, *metric_steps(), it.at_variance(expression, general, which)),
        sources=(Source("zavatoneveth2023", "Eqs. (5), (C.7), (C.14)"),),
        assumptions=(WIDE,),
    )


@lru_cache(maxsize=1)
def metric_steps() -> tuple[Step, ...]:
    """From weights to the metric, and its eigenvectors. Three inputs: an entry involves two, a spectator is left."""
    here = sp.Matrix(x)
    square = (here.T * here)[0]
    moment = sp.exp(t**2 * v / 2)
    at_x = moment.subs(v, sigma**2 * square + zeta**2)
    metric = sigma**2 * (w0 * sp.eye(3) + 2 * sigma**2 * w1 * here * here.T)
    across = sp.Matrix([-x[1], x[0], 0])
    return (
        covariance_step(),
        Step(
            "E[f(z) w w'] = sigma^2 E[f] I + 2 sigma^4 dE[f]/dv x x'",
            sp.hessian(at_x, x) / t**2,  # f(z) = exp(t z): each derivative in x brings down t w
            sigma**2
            * (at_x * sp.eye(3) + 2 * sigma**2 * sp.diff(moment, v).subs(v, variance_at(square)) * here * here.T),
            because="Gaussian integration by parts, twice; exponentials span all f",
        ),
        Step("x is an eigenvector", metric * here, sigma**2 * (w0 + 2 * sigma**2 * square * w1) * here, "x'x = |x|^2"),
        Step("whatever is across x is one too", metric * across, sigma**2 * w0 * across, because="x'u = 0"),
    )


def variance_at(square: sp.Expr) -> sp.Expr:
    """Variance of a pre-activation at squared norm ``square``."""
    return sigma**2 * square + zeta**2
