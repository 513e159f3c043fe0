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
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.engine import rules
from theory.engine.dense_chain import G, G_b, S, Z, n
from theory.engine.width import (
    COUNT,
    K,
    g,
    kernel_above,
    kernel_lemma,
    m2,
    m2_bend,
    m2_slope,
    m4,
    nu,
)
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


@cache
def tangent_lemma() -> Step:
    """The tangent kernel above a layer, in the letters of the means below."""
    below = {rules.PAIR[0, 1]: m2, rules.theta: q2 * theta}
    return Step(
        "tangent kernel above a layer in m2 and q2",
        tangent_above(),
        at_values(rules.AFFINE[1], below, below.values()),
        because="the kernels below are those means",
        uses=(rules.dense_lemma(),),
    )


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


_K, _L = sp.symbols("k l", integer=True, positive=True)
_FEATURES, _PSI, _BELOW = (sp.IndexedBase(name, real=True) for name in ("phi", "psi", "H"))
_BETWEEN = _BELOW[sp.Min(_K, _L), sp.Max(_K, _L)]  # it is symmetric
_OF_PAIR = (_FEATURES[_K], _FEATURES[_L], _PSI[_K], _PSI[_L], _BETWEEN)
"""Activations and slopes of two units below, and the tangent kernel between them."""
SQUARE = (_PSI[_K] * _PSI[_L] * _BETWEEN) ** 2
PRODUCT = _FEATURES[_K] * _FEATURES[_L] * _PSI[_K] * _PSI[_L] * _BETWEEN
"""What a pair of units below adds to b and to f."""
c = sp.Symbol("c", real=True)
"""Regression of the tangent kernel between two units on their product: f = c K^2."""


@cache
def readout_lemma() -> Step:
    """Mean squares and products over the weights of a layer above two units, written out."""
    units = (1, 2)
    features = [_FEATURES[k] for k in units]
    one, other = sp.symbols("v1 v2", real=True), sp.symbols("u1 u2", real=True)
    scaled = sp.Matrix(
        [[_PSI[k] * _BELOW[min(k, l), max(k, l)] * _PSI[l] for l in units] for k in units]
    )
    own = (sp.Matrix([one]) * scaled * sp.Matrix(one))[0]
    across = (sp.Matrix([one]) * scaled * sp.Matrix(other))[0]
    outputs = sp.Matrix([one]).dot(sp.Matrix(features)) * sp.Matrix([other]).dot(
        sp.Matrix(features)
    )
    letters, independent = (*one, *other), sp.eye(4)
    squares, products = (sp.Sum(term, (_K, 1, 2), (_L, 1, 2)) for term in (SQUARE, PRODUCT))
    return Step(
        "tangent kernels over the weights of their layer",
        sp.Matrix(
            [
                Mean((own - scaled.trace()) ** 2, letters, independent),
                Mean(across**2, letters, independent),
                Mean(outputs * across, letters, independent),
            ]
        ),
        sp.Matrix([2 * squares, squares, products]),
        because="Gaussian moments of the weights, here of two units",
        uses=(UNITS, theorems.ISSERLIS),
    )


ALONG_UNIT, ACROSS_UNIT = K * m2_slope, 2 * K**2 * q2_slope
"""Means of z phi phi' and of (z^2 - K) phi'^2."""


@cache
def stein_lemma() -> Step:
    """What the regression on units gives: c = f/K^2, and the means over z that it meets."""
    z, other = sp.symbols("z z'", real=True)
    phi = sp.Function("phi", real=True)
    slope = sp.Derivative(phi(z), z)
    pair = Mean(z * other * c * z * other, (z, other), K * sp.eye(2))
    means = {m2_slope: Mean(phi(z) ** 2, z, K), q2_slope: Mean(slope**2, z, K)}
    here = {letter: sp.Derivative(mean, K) for letter, mean in means.items()}
    return Step(
        "means over the units of a layer",
        sp.Matrix([pair, Mean(z * phi(z) * slope, z, K), Mean(slope**2 * (z**2 - K), z, K)]),
        sp.Matrix(
            [
                c * K**2,
                at_values(ALONG_UNIT, here, here.values()),
                at_values(ACROSS_UNIT, here, here.values()),
            ]
        ),
        because="Gaussian integration by parts; the first is f, so that c = f/K^2",
        uses=(REGRESSION, theorems.STEIN),
    )


@cache
def between_lemma() -> Step:
    """The rule for two units, from the terms with equal and with different indices, for a layer of width n/e^2."""
    e = sp.Symbol("e", positive=True)
    count = n / e**2

    def added(term: sp.Expr, unit: sp.Expr, slope: sp.Expr, between: sp.Expr) -> sp.Expr:
        return sp.Subs(term, _OF_PAIR, (unit, unit, slope, slope, between))

    # a power that independent units have is put in as the root of its mean
    same, different = (
        (
            added(SQUARE, 1, q4 ** sp.Rational(1, 4), theta),
            added(PRODUCT, 1, sp.sqrt(sd), theta),
        ),
        (
            added(SQUARE, 1, sp.sqrt(q2), e * sp.sqrt(b)),
            added(PRODUCT, ALONG_UNIT, 1, e**2 * c),
        ),
    )
    sums = [
        S**2 * (own / count + (1 - 1 / count) * mixed)
        for own, mixed in zip(same, different, strict=True)
    ]
    regressed = (sp.Subs(part, f, c * K**2) for part in between_units())
    return Step(
        "two units above a layer",
        sp.Matrix([sp.Subs(sp.Derivative(part, (e, 2)), e, 0) / 2 for part in sums]),
        sp.Matrix(list(regressed)),
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
    moments = {
        m2: two(kernel), m4: four(kernel), sd: mixed(kernel), q2: slopes(kernel),
        q4: fourth(kernel), theta: tangent, COUNT: n / e**2,
    }  # fmt: skip
    joint, own = (at_values(part, moments, moments.values()) for part in terms_lemma().right)
    bend = sp.Derivative(slopes(K), K)
    of_kernel = at_values(kernel_above(), moments, moments.values())
    regressed = S * c * e**2 * sp.Subs(ACROSS_UNIT, q2_slope, bend)
    of_tangent = at_values(tangent_above(), moments, moments.values()) + regressed

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
        q2_slope: bend, q2_bend: sp.Derivative(slopes(K), (K, 2)), f: c * K**2,
    }  # fmt: skip
    return Step(
        "mean tangent kernel above a layer: variance, covariance with the kernel, shift",
        sp.Matrix([sp.Subs(sp.Derivative(part, (e, 2)), e, 0) / 2 for part in parts]),
        sp.Matrix([sp.Subs(part, tuple(here), tuple(here.values())) for part in of_mean()]),
        because="total covariance, and the second order in e",
        uses=(
            *(terms_lemma(), stein_lemma(), kernel_lemma(), tangent_lemma()),
            theorems.UNDER_THE_MEAN,
        ),
    )


@cache
def terms_lemma() -> Step:
    """Covariances of the kernel and of T given the layer below, from those of the terms of a unit."""
    i, j = sp.symbols("i j", integer=True, positive=True)
    same = sp.KroneckerDelta(i, j)
    kernel = {(2, 0): S}
    tangent = {(2, 0): G, (0, 2): S * theta}
    means = {(2, 0): m2, (0, 2): q2, (4, 0): m4, (2, 2): sd, (0, 4): q4}

    def covariance(one: dict[tuple[int, int], sp.Expr]) -> sp.Expr:
        total = sp.S.Zero
        for (a, b), factor in one.items():
            for (c, d), other in tangent.items():
                apart, together = means[a, b] * means[c, d], means[a + c, b + d]
                pairs = sp.Sum(same * together + (1 - same) * apart, (i, 1, COUNT), (j, 1, COUNT))
                total += factor * other * (pairs / COUNT**2 - apart)
        return total

    return Step(
        "covariances of the kernel and the mean tangent kernel, given the layer below",
        sp.Matrix([covariance(kernel), covariance(tangent)]),
        sp.Matrix([part / COUNT for part in covariances()]),
        because="equal terms contribute their mean product, others the product of their means",
        uses=(
            UNITS,
            Premise("K' is S times the mean of phi^2, and T' is the mean of G phi^2 + S phi'^2 T"),
        ),
    )
