r"""Section 3.2.1, Eqs. (5) and (6), and Appendix C.1: one neuron in the average over the data."""

from __future__ import annotations

import math

import sympy as sp
from scipy import integrate

from theory.core import Check, Finding, Step, Tends, equal, for_all
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import is_close
from theory.papers.paccolat2021.gaussian_averages import (
    C_1,
    FAR,
    QUADRATURE,
    C_b,
    b,
    b_dot,
    beta,
    d,
    g,
    h,
    is_the_average,
    label,
    mean,
    mu_1,
    mu_b,
    mu_i,
    omega,
    omega_1,
    omega_1_dot,
    omega_i,
    omega_perp,
    omega_perp_dot,
    omega_rest,
    rho,
    tau,
    x_1,
    x_perp,
    zeta,
    zeta_dot,
)
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.timescales import makes_the_velocity


def is_on_the_axis(intercept: sp.Eq) -> tuple[Step, ...]:
    """The hyperplane at a point of the first axis."""
    return (Step("preactivation there", omega_1 * solved(intercept, zeta) / sp.sqrt(d) + b, sp.S.Zero, "it is on it"),)


def is_the_quotient_rule(velocity: Tends) -> tuple[Step, ...]:
    """The velocity of the intercept from those of its parts, in the limit."""
    intercept = -sp.sqrt(d) * b / omega_1
    moved = sp.diff(intercept, b) * sp.sqrt(d) * beta * C_b / tau + sp.diff(intercept, omega_1) * beta * C_1 / tau
    return (Step("chain rule", moved, solved(velocity, zeta_dot).subs(zeta, intercept), "first and third line of (5)"),)


def is_normalised(density: sp.Eq) -> tuple[Check, ...]:
    """Total probability and mean square radius in one to three dimensions, by quadrature over the radius."""
    value = solved(density, rho(norm))

    def moment(dimension: int, power: int) -> float:
        surface = 2 * math.pi ** (dimension / 2) / math.gamma(dimension / 2)
        shell = surface * norm ** (dimension - 1 + power) * value.subs(d, dimension)
        return float(integrate.quad(sp.lambdify(norm, shell), 0, FAR)[0])

    def is_standard(dimension: int) -> bool:
        return is_close([moment(dimension, 0), moment(dimension, 2)], [1, dimension], QUADRATURE)

    return (Check("one to three dimensions", lambda: for_all((1, 2, 3), is_standard), "quadrature"),)


norm = sp.Symbol("norm", nonnegative=True)
whole_line = (x_1, -sp.oo, sp.oo)
probability = (1 + sp.erf((b * sp.sqrt(d) + omega_1 * x_1) / (sp.sqrt(2) * omega_perp))) / 2
offset = -sp.sqrt(d) * b * omega_1 / omega**2
MIRRORED = "The Gaussian variable that is integrated over may be mirrored."
AVERAGES = "Both integrals over the data by quadrature, for three neurons in three dimensions."

EQUATIONS = (
    entry(
        "3.2.1 g",
        "3.2.1",
        "The probability that a neuron is active, given x_1.",
        Finding.DEFINITION,
        "It introduces g.",
        printed=r"g_\lambda(x) = \frac{1}{2}\left(1 + \text{erf}(\lambda x/\sqrt{2})\right), \quad "
        r"\lambda = \omega_1/\omega_\perp",
    ),
    entry(
        "(5) omega_1",
        "3.2.1",
        "The informative weight in the average over the data.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(omega_1_dot, beta / tau * mean(label(x_1) * x_1 * g(x_1 - zeta))),
        prove=is_the_average(0),
    ),
    entry(
        "(5) omega_perp",
        "3.2.1",
        "The perpendicular weights in the average over the data.",
        Finding.ILLEGIBLE,
        "The text that was read has the letter a where the dimension d belongs, which Appendix C.1 prints. " + AVERAGES,
        printed=r"\dot{\omega}_\perp = \frac{\beta}{\tau} \frac{e^{-ab^2/2\omega^2}}{\sqrt{2\pi}} "
        r"\frac{\omega_\perp}{\omega} \left\langle y\left(\frac{\omega_\perp}{\omega} x_1 + "
        r"\frac{\omega_1^2}{\omega^2} \zeta_1\right) \right\rangle_{x_1}",
        inferred=equal(
            omega_perp_dot,
            beta
            / tau
            * sp.exp(-d * b**2 / (2 * omega**2))
            / sp.sqrt(2 * sp.pi)
            * omega_perp
            / omega
            * mean(label(omega_perp / omega * x_1 + omega_1**2 / omega**2 * zeta)),
        ),
        prove=is_the_average(1),
        harmless={"inferred: sign of omega_perp*x_1/omega": MIRRORED},
    ),
    entry(
        "(5) b",
        "3.2.1",
        "The bias in the average over the data.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(b_dot, sp.sqrt(d) * beta / tau * mean(label(x_1) * g(x_1 - zeta))),
        prove=is_the_average(3),
    ),
    entry(
        "3.2.1 tau",
        "3.2.1",
        "The time constant tau.",
        Finding.CONFIRMED,
        "The slope of one active neuron's output.",
        printed=equal(tau, h * sp.sqrt(d / 2)),
        prove=makes_the_velocity,
    ),
    entry(
        "3.2.1 intercept",
        "3.2.1",
        "The intercept of the ReLU hyperplane with the informative axis.",
        Finding.ILLEGIBLE,
        "The text that was read has the bias under the radical, as in Section 2.4. Only beside it does the point lie "
        "on the hyperplane.",
        printed=r"\zeta_1 = -\sqrt{db}/\omega_1",
        inferred=equal(zeta, -sp.sqrt(d) * b / omega_1),
        prove=is_on_the_axis,
    ),
    entry(
        "(6)",
        "3.2.1",
        "Velocity of the intercept at infinite amplification.",
        Finding.CONFIRMED,
        "Quotient rule with the first and third line of Eq. (5).",
        printed=Tends(zeta_dot, -1 / tau * beta / omega_1 * (d * C_b + zeta * C_1)),
        prove=is_the_quotient_rule,
    ),
    entry(
        "C.1 density",
        "C.1",
        "The standard normal distribution.",
        Finding.CONFIRMED,
        "Total probability and mean squared length in one to three dimensions, by quadrature over the length.",
        printed=equal(rho(norm), (2 * sp.pi) ** (-d / 2) * sp.exp(-(norm**2) / 2)),
        prove=is_normalised,
    ),
    entry(
        "C.1 mu",
        "C.1",
        "The averages over the data, first line of each display.",
        Finding.DEFINITION,
        "They introduce mu_1, mu_b (with a factor sqrt(d)) and mu_i.",
        printed=r"\mu_i = \int d\underline{x}\, \rho(\underline{x})\, x_i\, y(x_1)\, "
        r"\Theta\left[\frac{\underline{\omega} \cdot \underline{x}}{\sqrt{d}} + b\right]",
    ),
    entry(
        "C.1 mu_1",
        "C.1",
        "The average along the axis, second line.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(mu_1, sp.Integral(rho(x_1) * x_1 * label(x_1) * probability, whole_line)),
        prove=is_the_average(0),
    ),
    entry(
        "C.1 mu_b",
        "C.1",
        "The average for the bias, second line.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(mu_b, sp.sqrt(d) * sp.Integral(rho(x_1) * label(x_1) * probability, whole_line)),
        prove=is_the_average(3),
    ),
    entry(
        "C.1 mu_i, second line",
        "C.1",
        "The average of a perpendicular component: integrated by parts in x_i.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(
            mu_i,
            sp.sign(omega_i)
            / sp.sqrt(2 * sp.pi)
            * sp.Integral(
                rho(x_1)
                * label(x_1)
                * sp.Integral(
                    rho(x_perp)
                    * sp.exp(-((b * sp.sqrt(d) + omega_1 * x_1 + omega_rest * x_perp) ** 2) / (2 * omega_i**2)),
                    (x_perp, -sp.oo, sp.oo),
                ),
                whole_line,
            ),
        ),
        prove=is_the_average(1),
        harmless={"printed: sign of omega_rest*x_perp": MIRRORED},
    ),
    entry(
        "C.1 mu_i, third line",
        "C.1",
        "The average of a perpendicular component: the square completed.",
        Finding.CONFIRMED,
        AVERAGES,
        printed=equal(
            mu_i,
            omega_i
            / omega
            / sp.sqrt(2 * sp.pi)
            * sp.exp(-d * b**2 / (2 * omega**2))
            * sp.Integral(rho(x_1) * label(omega_perp / omega * x_1 + offset), whole_line),
        ),
        prove=is_the_average(1),
        harmless={"printed: sign of omega_perp*x_1/omega": MIRRORED},
    ),
)
