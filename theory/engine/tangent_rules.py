r"""Rules for the tangent kernel of a layer of finite width, to first order in 1/width, and their lemmas.

Above a layer, the tangent kernel between units i and j is

.. math:: H'_{ij} = \delta_{ij} (G\, \overline{\varphi^2} + G_b) + \sum_{kl} W_{ik} W_{jl} \varphi'_k \varphi'_l H_{kl}.

The mean over the weights W of one with itself is a number T of the layer, which varies with the kernel K below; around
it the tangent kernel varies with W. To first order in the inverse widths the state of a layer is K, its variance
:math:`\nu` and shift *g* (``theory.engine.width``), the mean :math:`\Theta` of T, its variance *t*, covariance *d* with
K and shift *h*, and of two units :math:`b = E[H_{ij}^2]` and :math:`f = E[z_i z_j H_{ij}]`. The variance of the tangent
kernel is :math:`t + 2 b`.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.core import Premise, Step
from theory.core.formula.let import bound_letter
from theory.core.formula.rounding import watched
from theory.engine import rules
from theory.engine.dense_chain import G, G_b, S, Z, n
from theory.engine.width import K, g, kernel_above, m2, m2_bend, m2_slope, m4, nu
from theory.gaussian.mean import Mean

theta = bound_letter("theta", positive=True)
t, d, h, b, f = (bound_letter(name, real=True) for name in ("t", "d", "h", "b", "f"))
SLOPES = sd, q2, q4, q2_slope, q2_bend = tuple(
    bound_letter(name, real=True) for name in ("sd", "q2", "q4", "q2'", "q2''")
)
"""Means of phi^2 phi'^2, phi'^2, phi'^4, and the first two derivatives of that of phi'^2 in the variance."""


def tangent_above() -> sp.Expr:
    """Return the tangent kernel above a layer at infinite width, in the letters of this module and the layer's."""
    return rules.dense(S, Z, (G, G_b)).tangent(sp.ones(2) * m2, q2 * theta)


def covariances() -> tuple[sp.Expr, sp.Expr]:
    """Return n times the covariance of the kernel and T of a layer, and the variance of T, given the layer below."""
    own, mixed, slopes = m4 - m2**2, sd - m2 * q2, q4 - q2**2
    return (
        S * (G * own + S * theta * mixed),
        G**2 * own + 2 * G * S * theta * mixed + (S * theta) ** 2 * slopes,
    )


def between_units() -> tuple[sp.Expr, sp.Expr]:
    """Return b and f above a layer: the rule for two units."""
    return (
        S**2 * q4 * theta**2 / n + (S * q2) ** 2 * b,
        S**2 * sd * theta / n + (S * m2_slope) ** 2 * f,
    )


def of_mean() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Return t, d and h above a layer: the rule for the mean over its weights."""
    joint, own = covariances()
    along = G * m2_slope + S * q2_slope * theta
    across = S * q2
    return (
        watched(own) / n + along**2 * nu + 2 * along * across * d + across**2 * t,
        watched(joint) / n + S * m2_slope * (along * nu + across * d),
        along * g
        + across * h
        + (G * m2_bend + S * q2_bend * theta) * nu / 2
        + S * q2_slope * d
        + 2 * S * q2_slope * f,
    )


UNITS = Premise(
    "H'_ij = delta_ij (G times the mean of phi^2, and biases) + sum_kl W_ik W_jl phi'_k phi'_l H_kl, with weights of "
    "variance S/n"
)
REGRESSION = Premise(
    "given the units z of its layer, H_ij has the mean T delta_ij + c (z_i z_j - K delta_ij), since the rows of W are "
    "Gaussian and their parts across the layer below are independent of z"
)


@cache
def readout_lemma() -> Step:
    """Mean squares and products over the weights of a layer above two units, written out."""
    h11, h12, h22 = sp.symbols("H11 H12 H22", real=True)
    slopes, features = sp.symbols("p1 p2", real=True), sp.symbols("f1 f2", real=True)
    one, other = sp.symbols("v1 v2", real=True), sp.symbols("u1 u2", real=True)
    below = sp.Matrix([[h11, h12], [h12, h22]])
    scaled = sp.diag(*slopes) * below * sp.diag(*slopes)
    own = (sp.Matrix([one]) * scaled * sp.Matrix(one))[0]
    across = (sp.Matrix([one]) * scaled * sp.Matrix(other))[0]
    outputs = sp.Matrix([one]).dot(sp.Matrix(features)) * sp.Matrix([other]).dot(
        sp.Matrix(features)
    )
    letters, independent = (*one, *other), sp.eye(4)
    squares = sp.Add(*(entry**2 for entry in scaled))
    trace = scaled.trace()
    products = sp.Add(*(features[k] * features[l] * scaled[k, l] for k in (0, 1) for l in (0, 1)))
    return Step(
        "tangent kernels over the weights of their layer",
        sp.Matrix(
            [
                Mean((own - trace) ** 2, letters, independent),
                Mean(across**2, letters, independent),
                Mean(outputs * across, letters, independent),
            ]
        ),
        sp.Matrix([2 * squares, squares, products]),
        because="Gaussian moments of the weights, here of two units",
        uses=(UNITS,),
    )


@cache
def stein_lemma() -> Step:
    """What the regression on units gives: c = f/K^2, and the means over z that it meets."""
    z, other, c = sp.symbols("z z' c", real=True)
    phi = sp.Function("phi", real=True)
    slope = sp.Derivative(phi(z), z)
    pair = Mean(z * other * c * z * other, (z, other), K * sp.eye(2))
    return Step(
        "means over the units of a layer",
        sp.Matrix([pair, Mean(z * phi(z) * slope, z, K), Mean(slope**2 * (z**2 - K), z, K)]),
        sp.Matrix(
            [
                c * K**2,
                K * sp.Derivative(Mean(phi(z) ** 2, z, K), K),
                2 * K**2 * sp.Derivative(Mean(slope**2, z, K), K),
            ]
        ),
        because="Gaussian integration by parts; the first is f, so that c = f/K^2",
        uses=(REGRESSION,),
    )


@cache
def between_lemma() -> Step:
    """The rule for two units, from the terms with equal and with different indices, for a layer of width n/e^2."""
    e = sp.Symbol("e", positive=True)
    count = n / e**2
    squares = count * q4 * theta**2 + count * (count - 1) * q2**2 * e**2 * b
    # of different units, E[phi phi' phi phi' H] = (K m2')^2 f/K^2
    products = count * sd * theta + count * (count - 1) * (K * m2_slope) ** 2 * e**2 * f / K**2
    sums = sp.Matrix([squares, products]) * (S / count) ** 2
    return Step(
        "two units above a layer",
        sp.Matrix([sp.Subs(sp.Derivative(part, (e, 2)), e, 0) / 2 for part in sums.expand()]),
        sp.Matrix(between_units()),
        because="n terms with equal indices, n (n - 1) with different ones, and the second order in e",
        uses=(readout_lemma(), stein_lemma()),
    )


@cache
def mean_lemma() -> Step:
    """The rule for the mean T, for a layer below with K + e^2 g + e w and T = theta + e^2 h + e u."""
    e, w, u = sp.symbols("e w u", real=True)
    two, four, mixed, slopes, fourth = (
        sp.Function(name, real=True) for name in ("m2", "m4", "sd", "q2", "q4")
    )
    kernel = K + e**2 * g + e * w
    tangent = theta + e**2 * h + e * u
    conditional = [
        part.subs(
            {
                m2: two(kernel), m4: four(kernel), sd: mixed(kernel), q2: slopes(kernel),
                q4: fourth(kernel), theta: tangent,
            },
            simultaneous=True,
        )
        * e**2
        / n
        for part in covariances()
    ]  # fmt: skip
    joint, own = conditional
    bend = sp.Derivative(slopes(K), K)
    moments = {m2: two(kernel), q2: slopes(kernel), theta: tangent}
    of_kernel = kernel_above().subs(moments, simultaneous=True)
    of_tangent = tangent_above().subs(moments, simultaneous=True) + 2 * S * bend * e**2 * f

    def mean(function: sp.Expr) -> sp.Expr:
        return Mean(function, (w, u), [[nu, d], [d, t]])

    parts = (
        mean(own + of_tangent**2) - mean(of_tangent) ** 2,
        mean(joint + of_kernel * of_tangent) - mean(of_kernel) * mean(of_tangent),
        mean(of_tangent),
    )
    here = {
        m2: two(K), m4: four(K), m2_slope: sp.Derivative(two(K), K),
        m2_bend: sp.Derivative(two(K), (K, 2)), sd: mixed(K), q2: slopes(K), q4: fourth(K),
        q2_slope: bend, q2_bend: sp.Derivative(slopes(K), (K, 2)),
    }  # fmt: skip
    return Step(
        "mean tangent kernel above a layer: variance, covariance with the kernel, shift",
        sp.Matrix([sp.Subs(sp.Derivative(part, (e, 2)), e, 0) / 2 for part in parts]),
        sp.Matrix([sp.Subs(part, tuple(here), tuple(here.values())) for part in of_mean()]),
        because="total covariance, and the second order in e",
        uses=(terms_lemma(), stein_lemma(), rules.dense_lemma()),
    )


@cache
def terms_lemma() -> Step:
    """Covariances of the kernel and of T given the layer below, from those of the terms of a unit."""
    i, j, n = sp.symbols("i j n", integer=True, positive=True)
    same = sp.KroneckerDelta(i, j)
    kernel = {(2, 0): S}
    tangent = {(2, 0): G, (0, 2): S * theta}
    means = {(2, 0): m2, (0, 2): q2, (4, 0): m4, (2, 2): sd, (0, 4): q4}

    def covariance(one: dict[tuple[int, int], sp.Expr]) -> sp.Expr:
        total = sp.S.Zero
        for (a, b), factor in one.items():
            for (c, d), other in tangent.items():
                apart, together = means[a, b] * means[c, d], means[a + c, b + d]
                pairs = sp.Sum(same * together + (1 - same) * apart, (i, 1, n), (j, 1, n))
                total += factor * other * (pairs / n**2 - apart)
        return total

    return Step(
        "covariances of the kernel and the mean tangent kernel, given the layer below",
        sp.Matrix([covariance(kernel), covariance(tangent)]),
        sp.Matrix([part / n for part in covariances()]),
        because="equal terms contribute their mean product, others the product of their means",
        uses=(
            UNITS,
            Premise("K' is S times the mean of phi^2, and T' is the mean of G phi^2 + S phi'^2 T"),
        ),
    )
