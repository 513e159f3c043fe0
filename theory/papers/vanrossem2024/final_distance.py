r"""Appendix A.3, first half: conservation, two variables, candidates for fixed points, Eqs. (23) to (28)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import unrotated_weights
from theory.papers.vanrossem2024.paper import entry
from theory.two_point import symbols as s
from theory.two_point.conservation import conserved_quantity
from theory.two_point.fixed_points import OPENED, A_high, A_low, R
from theory.two_point.symbols import dh2, dh2_0, dx2, dy2, dy2_0, target2, tau_h, tau_y, w
from theory.two_point.trajectory import trajectory

HALF, QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)
memory = dy2_0 / dh2_0 - tau_h / tau_y * dh2_0 / dx2
orbit = tau_h / tau_y / dx2 * dh2**2 + memory * dh2
reduced_w = -HALF * (
    -tau_h / tau_y**2 / dx2 * dh2**3
    + 1 / tau_y * target2 * dh2
    + 4 / tau_y * dh2 * w
    + 1 / tau_h * dx2 * w**2 / dh2
    + memory * (1 / tau_h * dx2 * w - 1 / tau_y * dh2**2)
)
cubic = -tau_h / tau_y / dx2 * dh2**3 - memory * dh2**2 + target2 * dh2
high = (dh2_0 / dx2 - tau_y / tau_h * dy2_0 / dh2_0) * dx2
low_squared = tau_y / tau_h * dx2 * target2
plus, minus = (HALF * A_high + sign * sp.sqrt(QUARTER * A_high**2 + A_low**2) for sign in (1, -1))
printed_reduction = sp.Tuple(
    sp.Eq(sp.Derivative(dh2, s.t), printed_system.RATES[0], evaluate=False),
    sp.Eq(sp.Derivative(w, s.t), reduced_w, evaluate=False),
)
conserved = conserved_quantity().expression
ratio_rate = (dh2 * printed_system.RATES[1] - dy2 * printed_system.RATES[0]) / dh2**2


def _solution_follows_matrices() -> bool:
    """The closed form against gradient flows of explicit matrices, three outputs, at four times."""
    times = (0.3, 1.0, 2.0, 4.0)
    for seed in range(3):
        problem, weights = unrotated_weights(seed)
        flowed = np.array([problem.state(at) for at in problem.flow(weights, (1.0, 0.7, 0.4), times)]).T
        distance, output, aligned = problem.state(weights)
        exact = trajectory(times, distance, output, aligned, 1.4, 0.8, problem.dx2, problem.target2)
        if np.abs(exact - flowed).max() > 1e-7:
            return False
    return True


def _no_bernoulli_equation() -> bool:
    """Scalar output: the velocity of dh2 on an orbit has a root in it unless the targets are the same."""
    velocity = -dx2 / tau_h * (orbit - sp.sqrt(orbit * target2))
    second = sp.diff(velocity.subs({tau_h: 1, tau_y: 1, dx2: 1, dh2_0: 1, dy2_0: 2, target2: 1}), dh2, 4)
    polynomial = sp.diff(velocity.subs({tau_h: 1, tau_y: 1, dx2: 1, dh2_0: 1, dy2_0: 2, target2: 0}), dh2, 4)
    return bool(abs(second.subs(dh2, 2).evalf()) > 1e-6 and sp.simplify(polynomial) == 0)


EQUATIONS = (
    entry(
        "A.3 unsolvable",
        "A.3",
        "Eq. (21) cannot be solved analytically in the general case.",
        Finding.CONDITIONAL,
        "A closed form that satisfies Eq. (21) identically, for any initial state (theory.two_point.solution), "
        "compared with gradient flows of explicit matrices.",
        closed_form="two_point.dh2",
        condition="one stays with dh2 as variable: then only identical outputs give a Bernoulli equation, as in A.4",
        steps=(
            Check("no Bernoulli equation in dh2 for different targets", _no_bernoulli_equation, "fourth derivatives"),
        ),
        counterexample=_solution_follows_matrices,
        consequence="In the signed length of dh and the decoder along it the system is a Bernoulli equation with "
        "constant coefficients; its solution is elementary, for any initial state.",
    ),
    entry(
        "(23)",
        "A.3",
        "The velocity of dy2/dh2 is that of dh2, up to a constant.",
        Finding.CONFIRMED,
        "Equivalently: a conserved quantity.",
        closed_form="two_point.conserved_quantity",
        printed=sp.Eq(sp.Derivative(dy2 / dh2, s.t), -w / tau_y, evaluate=False),
        steps=(
            Step("quotient rule, then -w/tau_y", ratio_rate, -w / tau_y, because="Eq. (21)"),
            Step(
                "in the velocity of dh2", -w / tau_y, tau_h / tau_y / dx2 * printed_system.RATES[0], because="Eq. (21)"
            ),
            *conserved_quantity().steps,
        ),
    ),
    entry(
        "(24)",
        "A.3",
        "dy2 as a function of dh2.",
        Finding.CONFIRMED,
        "Conservation, solved for dy2.",
        printed=sp.Eq(dy2, orbit, evaluate=False),
        steps=(
            Step(
                "on the orbit",
                conserved.subs(dy2, orbit),
                conserved.subs({dh2: dh2_0, dy2: dy2_0}),
                because="Eq. (23), integrated",
            ),
        ),
    ),
    entry(
        "(25)",
        "A.3",
        "The system in dh2 and w.",
        Finding.CONFIRMED,
        "Eq. (24) inserted into Eq. (21).",
        printed=printed_reduction,
        steps=(Step("velocity of w", printed_system.RATES[2].subs(dy2, orbit), reduced_w, because="substitution"),),
    ),
    entry(
        "A.3 fixed points shared",
        "A.3",
        "A fixed point of the reduced system is one of the full system.",
        Finding.CONFIRMED,
        "With w = 0 the velocity of dy2 vanishes too, as long as dh2 > 0; for dh2 = 0 see below.",
        steps=(Step("velocity of dy2 at w = 0", printed_system.RATES[1].subs(w, 0), sp.S.Zero, because="Eq. (21)"),),
    ),
    entry(
        "(26)",
        "A.3",
        "w = 0 at the fixed points.",
        Finding.CONFIRMED,
        "The first line of Eq. (25) solved for w.",
        printed=r"\frac{d}{dt} \|dh\|^2 = 0 \implies w = 0",
        steps=(Check("the only solution", lambda: sp.solve(printed_system.RATES[0], w) == [0], "linear equation"),),
    ),
    entry(
        "(27)",
        "A.3",
        "Three candidates for dh2 at a fixed point.",
        Finding.CONFIRMED,
        "The cubic and its three roots. Whether dh2 = 0 is at rest: entry 'A.3 merged point'.",
        printed=sp.Tuple(
            sp.Eq(dh2, 0, evaluate=False), sp.Eq(dh2, plus, evaluate=False), sp.Eq(dh2, minus, evaluate=False)
        ),
        steps=(
            Step("the cubic", -2 * tau_y * reduced_w.subs(w, 0), cubic, because="Eq. (25) at w = 0"),
            Step(
                "its factors",
                cubic,
                -tau_h / tau_y / dx2 * dh2 * (dh2**2 - high * dh2 - low_squared),
                because="expansion",
            ),
            Step("sum of the other two roots", plus + minus, A_high, because="the roots cancel"),
            Step("product of the other two roots", plus * minus, -(A_low**2), because="difference of squares"),
        ),
    ),
    entry(
        "(28)",
        "A.3",
        "A_high and A_low.",
        Finding.DEFINITION,
        "The same as Eq. (11), and as used here.",
        printed=sp.Tuple(
            sp.Eq(sp.Symbol("A_high", real=True), high, evaluate=False),
            sp.Eq(
                sp.Symbol("A_low", positive=True),
                sp.sqrt(tau_y / tau_h) * sp.sqrt(dx2) * sp.sqrt(target2),
                evaluate=False,
            ),
        ),
        steps=(
            Step("A_high as used here", high, s.A_high, because="expansion"),
            Step("A_low^2 as used here", low_squared, s.A_low_squared, because="expansion"),
            Step("in Eq. (24)", memory, -tau_h / tau_y * high / dx2, because="expansion"),
        ),
    ),
    entry(
        "A.3 negative root",
        "A.3",
        "The root with the minus sign is negative, so it is not valid.",
        Finding.CONDITIONAL,
        "Factored: the root is minus a square. dh2, a square, never falls below zero.",
        condition="A_low > 0",
        steps=(
            Step(
                "the root where A_high = p^2 - m^2 and A_low = p m",
                minus,
                -((OPENED[A_low] / sp.Symbol("p", positive=True)) ** 2),
                because="the square root opens",
                where=OPENED,
            ),
            Step("the paper's root and ours", sp.sqrt(QUARTER * A_high**2 + A_low**2), R / 2, because="factor out"),
        ),
        counterexample=lambda: bool(minus.subs(A_low, 0).subs(A_high, 1) == 0),
        consequence="With identical targets and A_high > 0 the root is 0 and coincides with the merged point.",
    ),
)
