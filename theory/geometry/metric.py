r"""The metric that an infinitely wide layer induces on its inputs, and its two eigenvalues.

The features :math:`n^{-1/2} \varphi(w_a \cdot x + b_a)` pull the Euclidean metric back to the inputs. As
:math:`n \to \infty` the pullback becomes, with :math:`\omega(v) = E[\varphi'(z)^2]` at the variance
:math:`v = \sigma^2 \|x\|^2 + \zeta^2`,

.. math:: g_{ij}(x) = E[\varphi'(z)^2 w_i w_j] = \sigma^2 \left( \omega\, \delta_{ij} + 2 \sigma^2 \omega'\, x_i x_j
    \right).

Its tangential eigenvalue is :math:`\sigma^2\omega` and its radial eigenvalue :math:`\sigma^2 (\omega + 2 s \omega')`,
with :math:`s = \sigma^2 \|x\|^2`. The paper writes :math:`e^\Omega` for :math:`\sigma^2 \omega`.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import sympy as sp

from theory.activations import Activation
from theory.activations.naming import cached
from theory.core import ClosedForm, Premise, Source, Status, Step, deferred
from theory.core.numbers.arguments import real_array
from theory.core.proof import theorems
from theory.engine import rotational
from theory.gaussian.symbols import variance as v
from theory.geometry.kernel import covariance_step, of_products, xy
from theory.geometry.profile import Profile, profile, s, w0, w1
from theory.geometry.symbols import SIGMA, WIDE, ZETA, R, sigma, variance, zeta

x = sp.symbols("x1:4", real=True)
t = sp.Symbol("t", positive=True)
moment = sp.exp(t**2 * v / 2)
"""E[e^(tz)] at a variance."""


def moment_at(square: sp.Expr) -> sp.Expr:
    """Return E[e^(tz)] at a squared norm."""
    return moment.subs(v, sigma**2 * square + zeta**2)


METRIC = Premise(
    "the features phi(w.x + b)/sqrt(n) pull the Euclidean metric back to E[f(z) w w'], f = phi'^2; for f = e^(tz) this "
    "is the Hessian of E[f] over t^2",
    sp.Matrix(3, 3, lambda i, j: sp.Derivative(moment_at(sum(a**2 for a in x)), x[i], x[j]))
    / t**2,
)


ACROSS = sigma**2 * w0
"""Tangential eigenvalue of the metric."""
BEYOND = 2 * sigma**4 * w1
"""The factor of x x' in the metric, besides the tangential eigenvalue."""
ALONG = sigma**2 * (w0 + 2 * s * w1)
"""Radial eigenvalue of the metric."""


class NngpMetric(NamedTuple):
    """The metric of an infinitely wide layer, given by the closed forms of its eigenvalues in 1/input^2."""

    radial: ClosedForm
    """Along x, simple; arguments r, sigma, zeta."""
    tangential: ClosedForm
    """Across x, (d - 1)-fold; arguments r, sigma, zeta."""

    def at(self, inputs: np.ndarray, sigma: float, zeta: float) -> np.ndarray:
        """Return the metric, [..., d, d], in 1/input^2, at ``inputs``, [..., d]; ArithmeticError beyond float64."""
        inputs = points(inputs)
        squared = (inputs**2).sum(-1)
        across, along = (
            np.asarray(form(squared, sigma, zeta)) for form in (self.tangential, self.radial)
        )
        direction = directions(inputs, squared)
        outer = direction[..., :, None] * direction[..., None, :]
        return (
            across[..., None, None] * np.eye(inputs.shape[-1])
            + (along - across)[..., None, None] * outer
        )


def points(inputs: np.ndarray) -> np.ndarray:
    """Return ``inputs`` as float64, [..., d]; raise ValueError or TypeError if they are not finite real points."""
    array = real_array("inputs", inputs)
    if array.ndim == 0:
        raise ValueError("inputs: got one number, needs shape [..., d]")
    return array


def directions(inputs: np.ndarray, squared: np.ndarray) -> np.ndarray:
    """Return ``x/|x|``, and 0 at the origin, where the metric is isotropic."""
    return inputs / np.sqrt(np.where(squared == 0, 1, squared))[..., None]


@cached(256)
def nngp_metric(act: Activation) -> NngpMetric:
    """Return the two eigenvalues of the NNGP metric, in 1/input^2; ValueError for an activation with a jump.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the activation has a jump.

    Source: Zavatone-Veth et al. (2023), Eqs. (5) and (C.14).

    >>> from theory.activations import ERF
    >>> metric = nngp_metric(ERF)
    >>> round(float(metric.tangential(r=1, sigma=1, zeta=0.5)), 4)
    0.3403
    """
    act_profile = profile(act)
    return NngpMetric(
        _form(
            act,
            act_profile,
            "radial",
            sigma**2 * act_profile.radial,
            ALONG,
        ),
        _form(act, act_profile, "tangential", sigma**2 * act_profile.slope, ACROSS),
    )


def _form(
    act: Activation, act_profile: Profile, which: str, expression: sp.Expr, general: sp.Expr
) -> ClosedForm:
    expression, assumed = expression.xreplace({v: variance}), (WIDE, act.definition)

    def derivation() -> tuple[Step, ...]:
        stated = metric_steps()[0 if which == "radial" else 1]
        return act_profile.derivation(expression, general, which, stated, assumed)

    return ClosedForm(
        name=f"geometry.{which}_eigenvalue.{act.name}",
        meaning=f"The {which} eigenvalue of the metric of an infinitely wide {act.name} layer.",
        arguments=(R, SIGMA, ZETA),
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(derivation),
        sources=(Source("zavatoneveth2023", "Eqs. (5), (C.7), (C.14)"),),
        assumptions=assumed,
    )


@lru_cache(maxsize=1)
def metric_step() -> Step:
    """Step from the weights to the metric; the third coordinate represents all others."""
    at_x = sp.Subs(of_products, xy, sum(a**2 for a in x))
    means = (sp.Subs(moment, v, at_x), sp.Subs(sp.diff(moment, v), v, at_x))
    return Step(
        "E[f(z) w w'] = sigma^2 E[f] I + 2 sigma^4 dE[f]/dv x x'",
        METRIC.expression,  # f(z) = exp(t z): each derivative in x brings down t w
        sp.Subs(
            rotational.ANY.matrix(x),
            (rotational.ANY.a, rotational.ANY.b),
            (sp.Subs(ACROSS, w0, means[0]), sp.Subs(BEYOND, w1, means[1])),
        ),
        because="Gaussian integration by parts, twice",
        uses=(covariance_step(), METRIC, theorems.EXPONENTIALS),
    )


@lru_cache(maxsize=1)
def metric_steps() -> tuple[Step, ...]:
    """Steps to the two eigenvectors of the metric."""
    here, across = sp.Matrix(x), sp.Matrix([-x[1], x[0], 0])
    metric = replace(rotational.ANY, a=ACROSS, b=BEYOND).matrix(x)
    eigenvalue = sp.Symbol("lambda", positive=True)
    along = sp.Subs(ALONG, s, sigma**2 * sum(a**2 for a in x))
    return (
        Step(
            "x is an eigenvector",
            sp.MatMul(metric, here),
            sp.Subs(eigenvalue * here, eigenvalue, along),
            "x'x = |x|^2",
            uses=(metric_step(),),
        ),
        Step(
            "whatever is across x is one too",
            sp.MatMul(metric, across),
            sp.Subs(eigenvalue * across, eigenvalue, ACROSS),
            because="x'u = 0",
            uses=(metric_step(),),
        ),
    )
