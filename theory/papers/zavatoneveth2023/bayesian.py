r"""Appendix E.1: corrections to the metric of a wide Bayesian network, Eqs. (E.1) to (E.21)."""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.entry import entry
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


def _covariance_is_one_over_n() -> bool:
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
    """Of 1/n in the posterior mean metric, by (E.14): the covariance of s with itself is 2/n."""
    return (y - 1) / 2 * 2


TARGETS = (0.3, 1.0, 2.5)


def _metric_expands() -> bool:
    return all(
        abs(first_order(lambda n, y=y: posterior_moment(1, n, y)) - metric_coefficient(y)) < SMALL for y in TARGETS
    )


def volume_against_prior() -> bool:
    """The correction of (E.16), with the mean volume element of the untrained network of the same width as reference."""
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
    "the volume element is compared with its mean over untrained networks of the same width, or the mean is taken of the "
    "metric and not of its volume element"
)
CONSEQUENCE = (
    "Fluctuations of the metric over untrained networks lower the mean volume element by a term of the same order, 1/n, that "
    "the training data do not enter: with g = gbar + h it is E[(tr gbar^-1 h)^2/8 - tr (gbar^-1 h)^2/4], for one linear unit "
    "map of one input -1/(4n). What expands and what contracts is said relative to the untrained network."
)

EQUATIONS = (
    entry(
        "(E.1)",
        "E",
        "Jacobi's formula for the determinant of a perturbed metric.",
        Finding.CONFIRMED,
        "Two inputs, any metric.",
        printed=r"\det g = [1 + \bar g^{\mu\nu} h_{\mu\nu} + O(h^2)] \det \bar g",
        steps=(
            Step(
                "first order",
                sp.Subs(sp.Derivative(perturbed, eps), eps, 0),
                trace * background.det(),
                because="Jacobi's formula",
            ),
        ),
    ),
    entry(
        "(E.2)",
        "E",
        "The volume element of a perturbed metric.",
        Finding.CONFIRMED,
        "Two inputs, any metric.",
        printed=r"\sqrt{\det g} = [1 + \tfrac12 \bar g^{\mu\nu} h_{\mu\nu} + O(h^2)] \sqrt{\det \bar g}",
        steps=(
            Step(
                "first order of the logarithm",
                sp.Subs(sp.Derivative(sp.log(perturbed) / 2, eps), eps, 0),
                trace / 2,
                because="(E.1)",
            ),
        ),
    ),
    entry(
        "(E.3) and (E.4)",
        "E.1",
        "The network and its likelihood.",
        Finding.DEFINITION,
        "Priors of unit variance, no biases, inverse variance beta of the noise.",
        printed=r"f_i(\mathbf{x}; W, V) = \frac{1}{\sqrt n} \sum_{j=1}^n v_{ij} \phi(\mathbf{w}_j \cdot \mathbf{x}), \quad p \propto "
        r"\exp\left(-\frac\beta2 \sum_{a=1}^p \|f(\mathbf{x}_a; W, V) - \mathbf{y}_a\|^2\right)",
    ),
    entry(
        "(E.5) and (E.6)",
        "E.1",
        "The metric and its average over the prior.",
        Finding.DEFINITION,
        "(B.1) without biases, and (C.1) with sigma = 1, zeta = 0.",
        printed=r"g_{\mu\nu} = \frac1n \sum_{i=1}^n \phi'(\mathbf{w}_i \cdot \mathbf{x})^2 w_{i\mu} w_{i\nu}, \quad \bar g_{\mu\nu} = "
        r"\mathbb{E}_{\mathbf{w} \sim N(0, I_d)} [\phi'(\mathbf{w} \cdot \mathbf{x})^2 w_\mu w_\nu]",
    ),
    entry(
        "(E.7) and (E.8)",
        "E.1",
        "The kernel of the hidden layer and its average over the prior.",
        Finding.DEFINITION,
        "(C.3) with sigma = 1, zeta = 0.",
        printed=r"K(\mathbf{x}, \mathbf{y}) = \frac1n \sum_{i=1}^n \phi(\mathbf{w}_i \cdot \mathbf{x}) \phi(\mathbf{w}_i \cdot "
        r"\mathbf{y}), \quad \bar k(\mathbf{x}, \mathbf{y}) = \mathbb{E}_{\mathbf{w}} [\phi(\mathbf{w} \cdot \mathbf{x}) "
        r"\phi(\mathbf{w} \cdot \mathbf{y})]",
    ),
    entry(
        "(E.9) to (E.11)",
        "E.1",
        "The matrix Psi from the covariance of the outputs and the normalised target Gram matrix.",
        Finding.DEFINITION,
        "It is the derivative of the log-likelihood of the outputs in their covariance, twice, per output.",
        printed=r"\Psi = \Gamma^{-1} G_{yy} \Gamma^{-1} - \Gamma^{-1}, \quad \Gamma_{ab} = \bar k(\mathbf{x}_a, \mathbf{x}_b) + "
        r"\beta^{-1} \delta_{ab}, \quad (G_{yy})_{ab} = \frac1m \mathbf{y}_a \cdot \mathbf{y}_b",
        steps=(
            Step(
                "diagonal entry",
                sp.Derivative(log_likelihood, gamma[0]),
                outputs / 2 * Psi[0, 0],
                because="read-outs integrated out: outputs are Gaussian with covariance K + 1/beta",
            ),
            Step(
                "entry off the diagonal, which stands twice",
                sp.Derivative(log_likelihood, gamma[1]),
                outputs * Psi[0, 1],
                because="the same",
            ),
        ),
    ),
    entry(
        "(E.12)",
        "E.1",
        "The posterior mean of the metric to first order in 1/n.",
        Finding.CONFIRMED,
        "The log-likelihood of the outputs is linear in the fluctuation of the kernel, with slope m Psi/2 per entry; one case "
        "solved at any width.",
        printed=r"\langle g_{\mu\nu} \rangle = \bar g_{\mu\nu} + \frac m2 \sum_{a,b=1}^p \Psi_{ab} \mathrm{cov}_W[K(\mathbf{x}_a, "
        r"\mathbf{x}_b), g_{\mu\nu}] + O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "slope of the log-likelihood",
                sp.Derivative(log_likelihood, gamma[2]),
                outputs / 2 * Psi[1, 1],
                because="(E.9)",
            ),
            Check("linear network with one input", _metric_expands, "Bessel functions, extrapolated in 1/n"),
        ),
    ),
    entry(
        "(E.13)",
        "E.1",
        "The covariance from averages over one unit.",
        Finding.CONFIRMED,
        "All networks of one to three units drawn from four, summed exactly.",
        printed=r"n \, \mathrm{cov}_W[K(\mathbf{x}_a, \mathbf{x}_b), g_{\mu\nu}] = \mathbb{E}_{\mathbf{w}} [\phi(z_a) \phi(z_b) "
        r"\phi'(z)^2 w_\mu w_\nu] - \bar k(\mathbf{x}_a, \mathbf{x}_b) \bar g_{\mu\nu}",
        steps=(Check("independent units", _covariance_is_one_over_n, "exact sums"),),
    ),
    entry(
        "(E.14)",
        "E.1",
        "One training point, no noise, one output.",
        Finding.CONFIRMED,
        "(E.9) for a single entry; the solvable case.",
        printed=r"\langle g_{\mu\nu} \rangle = \bar g_{\mu\nu} + \frac12 \left(\frac{y_a^2}{\bar k(\mathbf{x}_a, \mathbf{x}_a)} - "
        r"1\right) \frac{\mathrm{cov}_W[K(\mathbf{x}_a, \mathbf{x}_a), g_{\mu\nu}]}{\bar k(\mathbf{x}_a, \mathbf{x}_a)} + "
        r"O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "Psi",
                sp.Derivative(-(sp.log(k) + y2 / k) / 2, k),
                (y2 / k - 1) / (2 * k),
                because="(E.9) with Gamma = k",
            ),
            Check("linear network with one input", _metric_expands, "Bessel functions, extrapolated in 1/n"),
        ),
    ),
    entry(
        "(E.15) and (E.16)",
        "E.1",
        "The posterior mean of the volume element to first order in 1/n.",
        Finding.CONDITIONAL,
        "(E.2) inserted in the mean keeps terms linear in the fluctuation, but squares of it are of order 1/n as well. One "
        "case is solved at any width.",
        condition=REFERENCE,
        printed=r"\frac{\langle \sqrt{\det g} \rangle}{\sqrt{\det \bar g}} = 1 + \frac{1}{4n} "
        r"\left(\frac{y_a^2}{\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]} - 1\right) (\chi - d) + O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "linear term",
                sp.Rational(1, 2) * (y2 / k - 1) / (2 * k) * (chi * k - k * d) / n,
                (y2 / k - 1) * (chi - d) / (4 * n),
                because="(E.2), (E.14), (E.13) and (E.17)",
            ),
            Check("reference: untrained networks", volume_against_prior, "Bessel and Gamma functions"),
            Check("mean of the metric", root_of_mean_metric, "Bessel functions"),
        ),
        counterexample=volume_against_limit,
        consequence=CONSEQUENCE,
    ),
    entry(
        "(E.17)",
        "E.1",
        "The factor chi.",
        Finding.DEFINITION,
        "The mean kernel is what it is divided by; without correlation of the two factors it would be d.",
        printed=r"\chi = \frac{\bar g^{\mu\nu} \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu]}"
        r"{\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]}",
    ),
    entry(
        "(E.18) and (E.19)",
        "E.1",
        "The inverse metric of Appendix C with sigma = 1 and no biases.",
        Finding.CONFIRMED,
        "Sherman-Morrison, two inputs; as (C.14) and (C.11).",
        printed=r"\bar g^{\mu\nu} = e^{-\Omega} \left[\delta_{\mu\nu} - \frac{2\Omega'}{1 + 2\|\mathbf{x}\|^2\Omega'} x_\mu "
        r"x_\nu\right], \quad \exp \Omega(\|\mathbf{x}\|^2) = \mathbb{E}_{\mathbf{w}}[\phi'(\mathbf{w}\cdot\mathbf{x})^2]",
        steps=(
            Step(
                "product with the metric, per exp(Omega)",
                (sp.eye(2) + 2 * t * sp.Matrix(x) * sp.Matrix([x]))
                * (sp.eye(2) - 2 * t / (1 + 2 * t * (x[0] ** 2 + x[1] ** 2)) * sp.Matrix(x) * sp.Matrix([x])),
                sp.eye(2),
                because="Sherman-Morrison",
            ),
        ),
    ),
    entry(
        "(E.20)",
        "E.1",
        "The factor chi with the inverse metric inserted.",
        Finding.CONFIRMED,
        "x_mu x_nu w_mu w_nu is the square of the preactivation: its average is a second derivative.",
        printed=r"\chi = \frac{1}{e^\Omega \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]} \left[\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 "
        r"\phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} - \frac{2\Omega'}{1 + 2\|\mathbf{x}\|^2\Omega'} \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 "
        r"\phi'(z)^2 z^2]\right]",
        steps=(
            Step(
                "projection on x",
                sum(x[i] * x[j] * pair.diff(x[i], x[j]) / t**2 for i in range(2) for j in range(2)),
                sp.Derivative(pair, (t, 2)),
                because="both are E[z^2 exp(t z + tau z_a)]",
            ),
        ),
    ),
    entry(
        "(E.21)",
        "E.1",
        "The trace by Stein's lemma.",
        Finding.CONFIRMED,
        "For exponentials of both preactivations; d = 2. z_a times the derivative in z_a of phi(z_a)^2 is 2 phi phi' z_a, z times "
        "that of phi'(z)^2 is 2 phi' phi'' z.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} = d \, \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 "
        r"\phi'(z)^2] + 2 \mathbb{E}_{\mathbf{w}}[\phi(z_a) \phi'(z_a) z_a \phi'(z)^2 + \phi(z_a)^2 \phi'(z) \phi''(z) z]",
        steps=(
            Step(
                "two inputs",
                sum(pair.diff(x[i], 2) for i in range(2)) / t**2,
                2 * pair + t * sp.Derivative(pair, t) + tau * sp.Derivative(pair, tau),
                because="Gaussian integration by parts",
            ),
        ),
    ),
    entry(
        "E.1 two points of XOR",
        "E.1",
        "Training on (1, 0) with target 0 and (0, 1) with target 1.",
        Finding.OPEN,
        "The text read breaks off after naming the task; no formula follows.",
    ),
)
