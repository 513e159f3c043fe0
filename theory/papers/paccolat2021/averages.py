r"""Section 3.2.1, Eqs. (5) and (6), and Appendix C.1: one neuron in the average over the data."""

from __future__ import annotations

import math

import sympy as sp
from scipy import integrate

from theory.core import Check, Step, Tends, for_all
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import is_close
from theory.papers.paccolat2021.gaussian_averages import (
    C_1,
    FAR,
    QUADRATURE,
    C_b,
    b,
    beta,
    d,
    is_the_average,
    omega,
    omega_1,
    omega_perp,
    rho,
    tau,
    x_1,
    zeta,
    zeta_dot,
)
from theory.papers.paccolat2021.notation import letters
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
    radius = sp.Symbol("radius", positive=True)
    value = solved(density, rho(norm(x))).subs(norm(x), radius)

    def moment(dimension: int, power: int) -> float:
        surface = 2 * math.pi ** (dimension / 2) / math.gamma(dimension / 2)
        shell = surface * radius ** (dimension - 1 + power) * value.subs(d, dimension)
        return float(integrate.quad(sp.lambdify(radius, shell), 0, FAR)[0])

    def is_standard(dimension: int) -> bool:
        return is_close([moment(dimension, 0), moment(dimension, 2)], [1, dimension], QUADRATURE)

    return (Check("one to three dimensions", lambda: for_all((1, 2, 3), is_standard), "quadrature"),)


norm, x = letters("norm x")
probability = (1 + sp.erf((b * sp.sqrt(d) + omega_1 * x_1) / (sp.sqrt(2) * omega_perp))) / 2
offset = -sp.sqrt(d) * b * omega_1 / omega**2

PROGRAMS: Programs = {
    "(5) omega_1": is_the_average(0),
    "(5) omega_perp": is_the_average(1),
    "(5) b": is_the_average(3),
    "3.2.1 tau": makes_the_velocity,
    "3.2.1 intercept": is_on_the_axis,
    "(6)": is_the_quotient_rule,
    "C.1 density": is_normalised,
    "C.1 mu_1": is_the_average(0),
    "C.1 mu_b": is_the_average(3),
    "C.1 mu_i, second line": is_the_average(1),
    "C.1 mu_i, third line": is_the_average(1),
}
