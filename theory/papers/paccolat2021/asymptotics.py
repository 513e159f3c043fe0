r"""Appendix C.2: growth on a fixed point; Eqs. (14) and (15)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.compression import attractors, neuron_flow
from theory.core import Check, Claim, Scales, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.fixed_points import SMALL, diverges, fixed_points, state_at
from theory.papers.paccolat2021.neuron_paths import STRIPE
from theory.papers.paccolat2021.notation import letters

omega_1, omega_perp_dot, t, tau_perp_star = letters("omega_1 omega_perp_dot t tau_perp_star")
FEW = 1e-6  # relative error of a growth rate beside a fixed point, with weights of SMALL across
TAU = 1.7


def grown() -> Iterator[dict[str, Any]]:
    """Neurons on the attractors of the stripe after they have outgrown their constant of motion."""
    for point in attractors(STRIPE, 5):
        start = state_at(5, point) * np.array([1, 1, 1, 1, 1, 1, 1.5])
        state = neuron_flow(STRIPE, 5).integrate(start, [0.0, 20 * point.growth_time])[-1]
        yield {
            "d": 5,
            "omega_1": state[0],
            "beta": state[-1],
            "b": state[-2],
            "C_1": point.c_parallel,
            "z_star": point.position,
        }


@cache
def beside_fixed_points() -> list[dict[str, Any]]:
    """Growing neurons with small perpendicular weights at fixed points of every kind, and how fast they grow."""
    cases = []
    for labels, dimension, point in fixed_points():
        state = 0.8 * state_at(dimension, point, across=SMALL)
        rates = neuron_flow(labels, dimension).rates(state) / TAU
        values = {
            "d": dimension,
            "tau": TAU,
            "omega_1": state[0],
            "omega_perp": state[1],
            "C_1": point.c_parallel,
            "z_star": point.position,
            "label": labels,
            "omega_perp_dot": rates[1],
            "tau_star": state[0] / rates[0],
            "tau_perp_star": state[1] / rates[1],
            "diverges": diverges(labels, dimension, point),
        }
        cases.append(values)
    return cases


def on_the_stripe() -> list[dict[str, Any]]:
    """Those at the attractors of the paper's stripe in five dimensions."""
    return beside_fixed_points()[-3:]


def outwards() -> Iterator[dict[str, Any]]:
    """Those of them whose perpendicular weights grow."""
    yield from (case for case in beside_fixed_points() if case["omega_perp_dot"] > 0)


def grows_exponentially(scaling: Scales) -> tuple[Check, ...]:
    """The relative growth rate of omega_1 at each fixed point, from what is printed and from the flow."""
    ratio = sp.expand_log(sp.log(scaling.lhs**2 / scaling.rhs**2), force=True)
    rate = -sp.diff(ratio, t) / sp.diff(ratio, omega_1) / omega_1

    def agrees(case: dict[str, Any]) -> bool:
        return bool(abs(evaluate(rate, case) * case["tau_star"] - 1) < FEW)

    return (Check("rates", lambda: for_all(beside_fixed_points(), agrees), "averaged flow"),)


def tells_the_fate(claim: Claim) -> tuple[Check, ...]:
    """The perpendicular weights at the fixed points whose sign is the printed one."""

    def agrees(case: dict[str, Any]) -> bool:
        return bool(case["omega_perp_dot"] < 0) is (claim["fate"] == "vanish")

    def allowed() -> list[dict[str, Any]]:
        cases = list(beside_fixed_points())
        return [c for c in cases if np.sign(c["C_1"] * c["omega_1"] * c["label"](c["z_star"])) == float(claim["sign"])]

    return (Check("fixed points", lambda: for_all(allowed(), agrees), "averaged flow"),)


def decides(condition: Any) -> tuple[Check, ...]:
    """The inequality holds where the amplification factor diverges, and only there; perpendicular weights grow."""
    return (
        Check(
            "fixed points",
            lambda: for_all(outwards(), lambda case: bool(evaluate(condition, case)) is case["diverges"]),
            "averaged flow",
        ),
    )


PROGRAMS: Programs = {
    "C.2 bias": numerically(grown, "integrated flow", tolerance=FEW),
    "C.2 beta": numerically(grown, "integrated flow", tolerance=FEW),
    "(14) growth": grows_exponentially,
    "(14)": numerically(beside_fixed_points, "averaged flow", tolerance=FEW),
    "(15)": Program(
        numerically(beside_fixed_points, "averaged flow", tolerance=1e-5),
        lambda: [case["omega_perp_dot"] for case in on_the_stripe()],
        value=lambda law: [evaluate(solved(law, omega_perp_dot), case) for case in on_the_stripe()],
        tolerance=1e-5,
    ),
    "C.2 sign -1": tells_the_fate,
    "C.2 sign +1": tells_the_fate,
    "C.2 tau_perp": Program(
        numerically(outwards, "averaged flow", tolerance=1e-5),
        lambda: [case["tau_perp_star"] for case in list(outwards())[:2]],
        value=lambda law: [evaluate(solved(law, tau_perp_star), case) for case in list(outwards())[:2]],
        tolerance=1e-5,
    ),
    "C.2 divergence": decides,
}
