r"""Posterior means of a wide Bayesian network: the expansion in 1/n, exact sums and a case solved at any width."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theory.papers.zavatoneveth2023.linear_posterior import first_order, posterior_moment, prior_moment

SMALL = 1e-6  # what extrapolation in 1/n from widths up to 1600 leaves
h = sp.symbols("h11 h12 h22", real=True)
g = sp.symbols("g11 g12 g22", real=True)
eps = sp.Symbol("epsilon", real=True)
background = sp.Matrix([[g[0], g[1]], [g[1], g[2]]])
perturbation = sp.Matrix([[h[0], h[1]], [h[1], h[2]]])
trace = (background.inv() * perturbation).trace()
perturbed = (background + eps * perturbation).det()

# Covariance of the outputs at two training points, and the target Gram matrix; m outputs.
gamma = sp.symbols("G11 G12 G22", positive=True)
target = sp.symbols("Y11 Y12 Y22", real=True)
outputs = sp.Symbol("m", positive=True)
Gamma = sp.Matrix([[gamma[0], gamma[1]], [gamma[1], gamma[2]]])
Gram = sp.Matrix([[target[0], target[1]], [target[1], target[2]]])
log_likelihood = -outputs / 2 * (sp.log(Gamma.det()) + (Gamma.inv() * Gram).trace())
Psi = Gamma.inv() * Gram * Gamma.inv() - Gamma.inv()

k, y2, n, d, chi = sp.symbols("k y2 n d chi", positive=True)
t, tau = sp.symbols("t tau", real=True)
x = sp.symbols("x1:3", real=True)
xa = sp.symbols("xa1:3", real=True)
pair = sp.exp(sum((t * p + tau * q) ** 2 for p, q in zip(x, xa, strict=True)) / 2)
"""E[exp(t z + tau z_a)]: F(z, z_a) as a superposition of exponentials."""

# Weights of a unit with two inputs, all equally probable; phi = z^2 / 2, so that the slope is z.
UNITS = ((1, 0), (0, 1), (-1, 2), (2, 1))
POINTS = ((1, 2), (3, -1))
AT = (1, 1)


def _preactivation(unit: tuple[int, int], at: tuple[int, int]) -> int:
    return unit[0] * at[0] + unit[1] * at[1]


def _kernel_term(unit: tuple[int, int]) -> Fraction:
    one, other = (Fraction(_preactivation(unit, at) ** 2, 2) for at in POINTS)
    return one * other


def _metric_term(unit: tuple[int, int]) -> Fraction:
    return Fraction(_preactivation(unit, AT) ** 2 * unit[0] * unit[1])


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def covariance_is_one_over_n() -> bool:
    """Eq. (E.13) over all networks of one, two and three units drawn from UNITS."""
    kernels, metrics = [_kernel_term(u) for u in UNITS], [_metric_term(u) for u in UNITS]
    printed = _mean([a * b for a, b in zip(kernels, metrics, strict=True)]) - _mean(kernels) * _mean(metrics)
    for width in (1, 2, 3):
        networks = list(itertools.product(range(len(UNITS)), repeat=width))
        sampled = [(_mean([kernels[i] for i in net]), _mean([metrics[i] for i in net])) for net in networks]
        covariance = _mean([a * b for a, b in sampled]) - _mean([a for a, _ in sampled]) * _mean(
            [b for _, b in sampled]
        )
        if width * covariance != printed:
            return False
    return printed != 0


def printed_coefficient(y: float) -> float:
    """Of 1/n in (E.16) for the solvable network: chi - d = 2."""
    return (y - 1) * 2 / 4


def metric_coefficient(y: float) -> float:
    """Of 1/n in the posterior mean metric, by (E.14): the covariance of the metric g with itself is 2/n."""
    return (y - 1) / 2 * 2


TARGETS = (0.3, 1.0, 2.5)


def metric_expands() -> bool:
    """Whether the posterior mean of g has the coefficient of (E.14)."""
    return all(
        abs(first_order(lambda n, y=y: posterior_moment(1, n, y)) - metric_coefficient(y)) < SMALL for y in TARGETS
    )


def volume_against_prior() -> bool:
    """The correction of (E.16), relative to the mean volume element of untrained networks of the same width."""
    return all(
        abs(first_order(lambda n, y=y: posterior_moment(0.5, n, y) / prior_moment(0.5, n)) - printed_coefficient(y))
        < SMALL
        for y in TARGETS
    )


def root_of_mean_metric() -> bool:
    """And with the root of the determinant of the posterior mean metric on the left."""
    return all(
        abs(first_order(lambda n, y=y: posterior_moment(1, n, y) ** 0.5) - printed_coefficient(y)) < SMALL
        for y in TARGETS
    )


def volume_against_limit() -> bool:
    """Against the volume element at infinite width another -1/4 appears, from fluctuations of the prior."""
    missing = [first_order(lambda n, y=y: posterior_moment(0.5, n, y)) - printed_coefficient(y) for y in TARGETS]
    return all(abs(value + 0.25) < SMALL for value in missing)


REFERENCE = (
    "the volume element is compared with its mean over untrained networks of the same width, or the mean is taken of "
    "the metric and not of its volume element"
)
CONSEQUENCE = (
    "Fluctuations of the metric over untrained networks lower the mean volume element at the same order in 1/n, by a "
    "term that does not depend on the training data: relative to infinite width it is -(E[tau^2] + d^2 - 2d)/(8n) with "
    "tau = phi'(z)^2 w gbar^-1 w, which is -1/(4n) for linear units of one input. The printed expansion and "
    "contraction are relative to untrained networks."
)
