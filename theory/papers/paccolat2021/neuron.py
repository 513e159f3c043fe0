r"""Section 3.2.1: one neuron, its averages, its fixed points, fluctuations; Eqs. (4) to (8)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import sympy as sp
from scipy import integrate, special

from theory.compression import attractors, neuron_flow
from theory.compression.linear_response import amplification, crossover_time
from theory.core import Check, Finding, Reading, Step
from theory.core.special import normal_cdf, normal_pdf
from theory.papers.paccolat2021.model import STRIPE, path_from
from theory.papers.paccolat2021.paper import entry

omega_1, omega_2, b, beta, tau, d, p = sp.symbols("omega_1 omega_2 b beta tau d p", positive=True)
f_1, f_2, f_b, x, z, zeta, c_1, c_b = sp.symbols("f_1 f_2 f_b x z zeta C_1 C_b", real=True)
NEURON = np.array([0.8, -0.5, 0.6, 0.9])  # omega_1, omega_2, b, beta: the witness of the averages, d = 2
PRECISE = 1e-9  # what the quadrature is good for


def stripe_average(weight: Callable[[float], float]) -> float:
    """Average of y(x) times ``weight(x)`` over a unit Gaussian, cell by cell."""
    edges = [-12.0, *STRIPE.places, 12.0]
    total = sum(
        int(STRIPE((low + high) / 2)) * integrate.quad(lambda u: weight(u) * math.exp(-u * u / 2), low, high)[0]
        for low, high in itertools.pairwise(edges)
    )
    return total / math.sqrt(2 * math.pi)


def averages_agree() -> bool:
    """All three lines of Eq. (5) at a witness against quadratures of the definition in appendix C.1."""
    first, second, bias, output = NEURON
    rates = neuron_flow(STRIPE, 2).rates(NEURON)

    def active(u: float) -> float:
        return float(special.ndtr((math.sqrt(2) * bias + first * u) / abs(second)))

    def edge(u: float) -> float:
        return math.exp(-(((math.sqrt(2) * bias + first * u) / second) ** 2) / 2) / math.sqrt(2 * math.pi)

    expected = output * np.array(
        [
            stripe_average(lambda u: u * active(u)),
            math.copysign(1, second) * stripe_average(edge),
            math.sqrt(2) * stripe_average(active),
        ]
    )
    return bool(np.abs(rates[:3] - expected).max() < PRECISE)


def stable_ones_are_perpendicularly_stable() -> bool:
    """The witness of the general proof: the paper's stripe in d = 2, 5, 10."""
    return all(each.current > 0 for n in (2, 5, 10) for each in attractors(STRIPE, n) if each.stable)


def fluctuation_of_a_sum() -> Reading:
    """Standard deviation of x_2 y Theta at the attractor: printed D, corrected sqrt(D), by quadrature of its square."""
    attractor = attractors(STRIPE, 5)[0]
    inside = integrate.quad(lambda u: math.exp(-u * u / 2) / math.sqrt(2 * math.pi), attractor.position, 12)[0]
    square = integrate.quad(lambda u: u * u * math.exp(-u * u / 2) / math.sqrt(2 * math.pi), -12, 12)[0]
    return Reading(attractor.d_perp, math.sqrt(attractor.d_perp), math.sqrt(inside * square))


def relaxation() -> Reading:
    """How fast the intercept relaxes to an attractor: second time derivative there (zero), its rate, integrated."""
    attractor = attractors(STRIPE, 5)[0]
    rate = -math.sqrt(1 + attractor.position**2 / 5) * attractor.slope
    path = path_from(attractor, 0.0, 0.2, ahead=1e-5)
    gap = -math.sqrt(5) * path[:, -2] / path[:, 0] - attractor.position
    return Reading(0.0, rate, math.log(gap[1] / gap[0]) / 0.2, 1e-3)


intercept = -sp.sqrt(d) * b / omega_1
intercept_rate = sp.Derivative(intercept, b) * sp.sqrt(d) * beta * c_b / tau + sp.Derivative(intercept, omega_1) * (
    beta * c_1 / tau
)
q, gap, extra = sp.symbols("q m n", nonnegative=True)

EQUATIONS = (
    entry(
        "(4)",
        "3.2.1",
        "The flow of one neuron on a training set.",
        Finding.CONFIRMED,
        "Differentiation of one neuron's output; tau = h sqrt(d/2) makes its coefficient beta/tau.",
        printed=r"\dot{\omega} = \frac{1}{hp} \sum_\mu \sigma' l' \beta \frac{x^\mu}{\sqrt{d}} y^\mu, \quad \ldots",
        steps=(
            Step(
                "coefficient of beta y x: sqrt(2)/(h sqrt(d)) = 1/tau",
                sp.Derivative(sp.sqrt(2) * beta * (omega_1 * x / sp.sqrt(d) + b) / p, omega_1),
                sp.Subs(beta * x / tau, tau, p * sp.sqrt(d / 2)),
                because="sigma' = sqrt(2) where the neuron is active (p stands for h here)",
            ),
        ),
    ),
    entry(
        "(4) invariant",
        "3.2.1",
        "beta^2 - |omega|^2 - b^2 is conserved.",
        Finding.CONFIRMED,
        "ReLU is homogeneous: the velocity of beta is the force contracted with the weights.",
        printed=r"\beta \dot\beta - \omega \cdot \dot\omega - b \dot b = 0",
        steps=(
            Step(
                "velocities of Eq. (4) in it",
                beta * (omega_1 * f_1 + omega_2 * f_2 + b * f_b)
                - omega_1 * beta * f_1
                - omega_2 * beta * f_2
                - b * beta * f_b,
                sp.S.Zero,
                because="sigma(x) = x sigma'(x)",
            ),
        ),
    ),
    entry(
        "(5)",
        "3.2.1",
        "The flow averaged over the data, at any amplification factor.",
        Finding.CONFIRMED,
        "Closed forms of the averages (theory.compression.flow) against quadratures of appendix C.1. The text that was "
        "read has a for d in the exponent of the second line: its extraction's.",
        printed=r"\dot\omega_1 = \frac{\beta}{\tau} \langle y x_1 g_\lambda(x_1 - \zeta_1) \rangle, \quad \ldots",
        steps=(
            Step(
                "probability that a neuron is active, given x_1: its density in the offset",
                sp.Derivative(normal_cdf((omega_1 * x + b) / omega_2), b),
                normal_pdf((omega_1 * x + b) / omega_2) / omega_2,
                because="the perpendicular part of omega.x is Gaussian of width omega_perp",
            ),
            Check("all three lines at a witness", averages_agree, "quadrature, cell by cell"),
        ),
    ),
    entry(
        "(6)",
        "3.2.1",
        "Velocity of the intercept at infinite amplification.",
        Finding.CONFIRMED,
        "Quotient rule with the first and third line of Eq. (5).",
        printed=r"\dot\zeta_1 \to -\frac{1}{\tau} \frac{\beta}{\omega_1} [d C_b + \zeta_1 C_1]",
        steps=(
            Step(
                "chain rule",
                intercept_rate.doit(),
                -beta / (tau * omega_1) * (d * c_b + intercept * c_1),
                because="zeta_1 = -sqrt(d) b/omega_1",
            ),
        ),
    ),
    entry(
        "3.2.1 stable along",
        "3.2.1",
        "A fixed point is stable along the axis where the second derivative of zeta_1 is negative.",
        Finding.MISPRINT,
        "Integrated from beside the attractor; at a fixed point the second time derivative is zero whether it is "
        "stable or not.",
        printed=r"\ddot\zeta_1 < 0",
        corrected=r"\partial \dot\zeta_1/\partial \zeta_1 < 0",
        steps=(
            Check(
                "the rate of relaxation is negative at a stable one", lambda: relaxation().corrected < 0, "closed form"
            ),
        ),
        printed_steps=(
            Check("the second time derivative is negative there", lambda: relaxation().printed < 0, "it is zero"),
        ),
        witness={"d": 5, "x_min": -0.3},
        oracle=relaxation,
        consequence="The condition is the slope of dC_b + zeta C_1, times the sign of C_1, being positive.",
    ),
    entry(
        "3.2.1 stable across",
        "3.2.1",
        "lambda diverges if lambda C_1 y(z) < 0 or sqrt(2 pi)|C_1| > exp(-z^2/2).",
        Finding.CONFIRMED,
        "The linear response: growth |C_1| of omega_1 against the drift of omega_perp.",
        printed=r"\lambda C_1^\pm(z^*) y(z^*) < 0 \text{ or } \sqrt{2\pi} |C_1^\pm(z^*)| - e^{-z^{*2}/2} > 0",
        closed_form="compression.amplification",
        steps=amplification().steps,
    ),
    entry(
        "3.2.1 checked numerically",
        "3.2.1",
        "These conditions hold for the considered models.",
        Finding.CONFIRMED,
        "Proved for all labels of this kind and every d: stability along the axis, |C_1| > q (d + z^2), implies "
        "stability across it, |C_1| > q, because d + z^2 > 1.",
        steps=(
            Step(
                "|C_1| - q is larger than q (d + z^2) - q, which is not negative for q > 0 and d = 1 + n",
                (q * (1 + extra + z**2) + gap) - q,
                gap + q * (extra + z**2),
                because="expansion; for q <= 0 it is plain",
            ),
            Check("the paper's stripe, d = 2, 5, 10", stable_ones_are_perpendicularly_stable, "all attractors"),
        ),
    ),
    entry(
        "(7)",
        "3.2.1",
        "Fluctuations of a finite training set move the perpendicular weights.",
        Finding.MISPRINT,
        "Second moment of the summand by quadrature; appendix C.3 has the root as well.",
        printed=r"\frac{N(z^*)}{\sqrt{p}} D_\perp^\pm(z^*)",
        corrected=r"\frac{N(z^*)}{\sqrt{p}} \sqrt{D_\perp^\pm(z^*)}",
        steps=(Check("standard deviation sqrt(D)", lambda: fluctuation_of_a_sum().sides_with_corrected, "quadrature"),),
        printed_steps=(
            Check("standard deviation D", lambda: abs(fluctuation_of_a_sum()[0] - fluctuation_of_a_sum()[2]) < PRECISE),
        ),
        witness={"d": 5, "x_min": -0.3},
        oracle=fluctuation_of_a_sum,
        consequence="The prefactor of lambda* is |J|/sqrt(D_perp), not |J|/D_perp.",
    ),
    entry(
        "(8)",
        "3.2.1",
        "The amplification factor saturates at a value that scales as sqrt(p).",
        Finding.CONFIRMED,
        "With its prefactor: the linear response at the attractor.",
        printed=r"\lambda^* \sim \sqrt{p}",
        closed_form="compression.amplification",
        steps=amplification().steps,
    ),
    entry(
        "footnote 3",
        "3.2.1",
        "tau_perp ~ tau* log p.",
        Finding.CONFIRMED,
        "With its constant: log(1 + lambda*/lambda_0) divided by the rate, lambda* ~ sqrt(p).",
        printed=r"\tau_\perp \sim \tau^* \log p",
        closed_form="compression.crossover_time",
        steps=crossover_time().steps,
    ),
)
