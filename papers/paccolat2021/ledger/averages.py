r"""Section 3.2.1, Eqs. (5) and (6), Appendices C.1 and C.2: one neuron in the average over Gaussian data."""

import itertools
import math
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate, special

from papers.paccolat2021.ledger.notation import letters
from theory.compression import Stripes
from theory.core import (
    Program,
    Programs,
    Step,
    Tends,
    deciding,
    evaluate,
    is_close,
    numerically,
    solved,
    stating,
)
from theory.core.ledger.ledger import shown_statement
from theory.core.ledger.proving import declaring

d, tau, beta, b, omega_1, zeta, x_1 = letters("d tau beta b omega_1 zeta x_1")
zeta_dot, C_1, C_b, label, mean, g, rho, step = letters(
    "zeta_dot C_1_zeta C_b label mean g rho step"
)
LARGE = 1e9  # amplification factor that stands for infinity
LABELS = Stripes((-0.3, 0.9))
"""They are not equiprobable, so that a constant changes the average in which it stands."""
# omega_1, omega_2, omega_3, b
NEURONS = ((0.8, 0.5, 0.7, 0.6), (-0.9, 0.3, 0.4, 0.2), (0.4, 1.1, 0.3, -0.5))
QUADRATURE = 1e-7  # what nested quadratures are good for
FAR = 9.0  # beyond this the normal density is below 1e-18


def normal_density(u: Any) -> Any:
    """Of a unit Gaussian."""
    return np.exp(-u * u / 2) / math.sqrt(2 * math.pi)


def in_cells(expression: Any, values: dict[str, Any]) -> Any:
    """The expression with each integral over labels written as a sum over the cells in which they are constant."""

    def split(integral: sp.Integral) -> sp.Expr:
        variable, low, high = integral.limits[0]
        nodes = [node for node in integral.function.atoms(label) if node.has(variable)]
        if not nodes:
            return integral
        inside = nodes[0].args[0]
        slope, offset = (
            evaluate(sp.diff(inside, variable), values),
            evaluate(inside.subs(variable, 0), values),
        )
        kinks = [values["zeta"]] if integral.function.atoms(g, step) else []
        bounds = [max(float(low), -FAR), min(float(high), FAR)]
        edges = sorted(
            [*bounds, *kinks, *((boundary - offset) / slope for boundary in LABELS.places)]
        )
        rest = integral.function / nodes[0]
        return sum(
            int(LABELS(offset + slope * (start + stop) / 2))
            * sp.Integral(rest, (variable, start, stop))
            for start, stop in itertools.pairwise(edges)
            if bounds[0] <= start and stop <= bounds[1]
        )

    return expression.replace(lambda node: isinstance(node, sp.Integral), split)


@cache
def force(neuron: int, component: int) -> float:
    """Mean over the data of y times a coordinate (3: times sqrt(d)) where a neuron is active, d = 3, by quadrature."""
    first, second, third, bias = NEURONS[neuron]
    across = math.hypot(second, third)

    def over_the_rest(u: float) -> float:
        edge = -(math.sqrt(3) * bias + first * u) / across
        weight = {1: lambda v: v * second / across, 2: lambda v: v * third / across}.get(
            component, lambda v: 1.0
        )
        return float(
            integrate.quad(
                lambda v: weight(v) * normal_density(v), min(max(edge, -FAR), FAR), FAR
            )[0]
        )

    factor = {0: lambda u: u, 3: lambda u: math.sqrt(3)}.get(component, lambda u: 1.0)
    edges = [-FAR, *LABELS.places, FAR]
    return sum(
        int(LABELS((low + high) / 2))
        * integrate.quad(lambda u: factor(u) * over_the_rest(u) * normal_density(u), low, high)[0]
        for low, high in itertools.pairwise(edges)
    )


def in_letters(neuron: int, component: int) -> dict[str, Any]:
    """Values of the letters of Eq. (5) and Appendix C.1 for one neuron; velocities from ``force``."""
    first, second, third, bias = NEURONS[neuron]
    across = math.hypot(second, third)
    size, scale, amplification = math.hypot(first, across), 1.7, first / across
    value = force(neuron, component)
    outwards = (second * force(neuron, 1) + third * force(neuron, 2)) / across
    return {
        "d": 3, "tau": scale, "beta": 0.9, "b": bias, "omega_1": first, "omega_perp": across, "omega": size,
        "omega_i": second, "omega_rest": third, "lam": amplification,
        "zeta": -math.sqrt(3) * bias / first,
        "rho": normal_density,
        "g": lambda u: special.ndtr(amplification * u),
        "omega_1_dot": 0.9 / scale * value, "b_dot": 0.9 / scale * value, "omega_perp_dot": 0.9 / scale * outwards,
        "mu_1": value, "mu_b": value, "mu_i": value,
    }  # fmt: skip


def averages_agree(statement: Any, values: dict[str, Any]) -> bool:
    """Both sides, with means over x_1 by quadrature."""
    sides = [
        in_cells(
            side.replace(mean, lambda inner: sp.Integral(rho(x_1) * inner, (x_1, -sp.oo, sp.oo))),
            values,
        )
        for side in (statement.lhs, statement.rhs)
    ]
    left, right = (evaluate(side, values) for side in sides)
    return is_close(left, right, QUADRATURE, QUADRATURE)


def moving(component: int) -> list[dict[str, Any]]:
    """Three neurons in three dimensions, whose velocities are both integrals over the data."""
    return [in_letters(neuron, component) for neuron in range(len(NEURONS))]


def at_infinity(side: int, zeta_1: float = 0.0) -> dict[str, Any]:
    """Letters of Appendix C.2 at a very large amplification factor of this sign, at an intercept."""
    return {
        "pm": side,
        "zeta": zeta_1,
        "omega_1": 1.3,
        "omega_perp": 1e-6,
        "omega": math.hypot(1.3, 1e-6),
        "g": lambda u: special.ndtr(side * LARGE * u),
        "step": lambda u: np.heaviside(u, 0.5),
        "rho": normal_density,
        "label": lambda u: float(LABELS(u)),
    }


def intercepts() -> list[dict[str, Any]]:
    """A very large amplification factor of both signs, at intercepts inside all cells of the labels."""
    return [at_infinity(side, at) for side, at in product((-1, 1), (-1.1, -0.25, 0.2, 0.85, 1.5))]


def is_on_the_axis(intercept: sp.Eq) -> tuple[Step, ...]:
    """The hyperplane at a point of the first axis."""
    preactivation = sp.Subs(omega_1 * zeta / sp.sqrt(d) + b, zeta, solved(intercept, zeta))
    return (Step("preactivation there", preactivation, sp.S.Zero),)


def is_the_quotient_rule(velocity: Tends) -> tuple[Step, ...]:
    """Quotient rule with the first and third line of Eq. (5)."""
    intercept = -sp.sqrt(d) * b / omega_1
    moved = (
        sp.diff(intercept, b) * sp.sqrt(d) * beta * C_b / tau
        + sp.diff(intercept, omega_1) * beta * C_1 / tau
    )
    return (Step("chain rule", moved, solved(velocity, zeta_dot).subs(zeta, intercept)),)


def densities() -> Iterator[dict[str, Any]]:
    """Product of the densities of the coordinates, at a point of one to three dimensions."""
    for dimension in (1, 2, 3):
        at = np.array([0.7, -1.3, 0.4])[:dimension]
        yield {
            "d": dimension,
            "x": at,
            "norm": np.linalg.norm,
            "rho": lambda size, at=at: normal_density(at).prod(),
        }


def system_with_averages() -> str:
    """Which of the systems (4) and (5) has averages over the data in its printed lines."""
    lines = {"(4)": ("omega", "b", "beta"), "(5)": ("omega_1", "b")}
    (system,) = (
        number
        for number, names in lines.items()
        if all(shown_statement(__package__, f"{number} {name}").has(mean) for name in names)
    )
    return system


ALONG, ACROSS, BIAS = (
    deciding(averages_agree, cases=partial(moving, component)) for component in (0, 1, 3)
)

PROGRAMS: Programs = {
    "(5) omega_1 | C.1 mu_1": ALONG,
    "(5) omega_perp | C.1 mu_i, second line | C.1 mu_i, third line": ACROSS,
    "(5) b | C.1 mu_b": BIAS,
    "3.2.1 system": Program(
        stating(system=system_with_averages),
        lambda: float(system_with_averages().strip("()")),
        value=lambda claim: float(claim["system"].strip("()")),
        quantity="the system that has expectation values",
    ),
    "3.2.1 intercept": is_on_the_axis,
    "(6)": declaring(is_the_quotient_rule, "->"),
    "C.1 density": numerically(densities),
    "C.2 g": declaring(
        numerically(
            lambda: [{**at_infinity(side), "x": at} for side, at in product((-1, 1), (-0.7, 0.4))],
            "points on both sides of zero, a very large amplification factor of both signs",
            scale=1.0,
        ),
        "->",
    ),
    "C.2 C_1 | C.2 C_b | C.2 C_perp": declaring(deciding(averages_agree, cases=intercepts), "->"),
}
