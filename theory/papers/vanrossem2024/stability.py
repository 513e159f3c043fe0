r"""Appendix A.3, second half: Jacobians, eigenvalues and the final distance, Eqs. (29) to (36)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights, unrotated_weights
from theory.papers.vanrossem2024.final_distance import HALF, QUARTER, plus
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import D_h, D_y, dh, targets, u, velocity
from theory.two_point.final_distance import final_distance
from theory.two_point.fixed_points import OPENED, A_high, A_low, R, fixed_points, m, p, reduced_system, slope
from theory.two_point.symbols import dh2, dx2, target2, tau_h, tau_y, w

learned, merged = fixed_points()
data = {target2: A_low**2 * tau_h / (tau_y * dx2)}
spread = HALF * A_high + R
squares = 2 * A_low**2 + HALF * (A_high + R) ** 2
jacobian = sp.Matrix([[0, -dx2 / tau_h], [QUARTER * tau_h / tau_y**2 / dx2 * squares, -spread / tau_y]])
trace, determinant = -spread / tau_y, QUARTER / tau_y**2 * squares
at_zero = sp.Matrix(
    [
        [0, -dx2 / tau_h],
        [HALF * (dx2 / tau_h * w**2 / dh2**2 - target2 / tau_y), HALF / tau_y * A_high - dx2 / tau_h * w / dh2],
    ]
)
eigenvalues = tuple((A_high + sign * R) / (2 * tau_y) for sign in (1, -1))
eigenvectors = tuple(sp.Matrix([1, -tau_h / tau_y * (A_high + sign * R) / (2 * dx2)]) for sign in (1, -1))
along = sp.Matrix([1, slope])
approached = at_zero.subs(w, slope * dh2).xreplace(data)

# Every encoder with dh = 0: its rows are orthogonal to u.
r1, r2 = sp.symbols("r1 r2", real=True)
no_distance = dict(zip(D_h, (-r1 * u[1], r1 * u[0], -r2 * u[1], r2 * u[0]), strict=True))
# Every decoder and target with D_y'v = 0: one output is the target's, the decoder has none of it.
blind = {D_y[0, 0]: 0, D_y[0, 1]: 0, targets[1][1]: targets[0][1], targets[1][2]: targets[0][2]}
TAUS = (1.0, 0.5, 0.5)  # of Eq. (6); 1 in Eq. (7)


def _final(high: float, low: float) -> float:
    return high / 2 + math.sqrt(high**2 / 4 + low**2)


def _flows_end_there() -> bool:
    """Explicit matrices of three outputs, followed until their loss has vanished, end at Eq. (36)."""
    for seed in (0, 1, 7):  # A_high of either sign
        problem, weights = unrotated_weights(seed)
        start, end = problem.state(weights), problem.state(problem.flow(weights, (1.0, 0.7, 0.4), [40.0])[-1])
        ratio = 0.4 / 0.7
        high = start[0] - ratio * problem.dx2 * start[1] / start[0]
        if abs(end[0] / _final(high, math.sqrt(ratio * problem.dx2 * problem.target2)) - 1) > 1e-6:
            return False
    return True


def _equal_and_opposite_merge() -> bool:
    """From a = 1, b = -1 the flow runs into the saddle dh2 = 0, though Eq. (36) says A_low = 1."""
    problem, weights = scalar_weights(1.0, -1.0, 1.0, 1.0)
    return bool(problem.state(problem.flow(weights, TAUS, [20.0])[-1])[0] < 1e-6)


def _passes_through_zero() -> bool:
    """From a = 1/2, b = -3/2 the encoder changes its sign, so dh2 = 0 on the way, and goes on to the learned state."""
    problem, weights = scalar_weights(0.5, -1.5, 1.0, 1.0)
    path = problem.flow(weights, TAUS, np.linspace(0, 20, 41))
    encoders = np.array([at[1][0, 0] for at in path])
    return bool(encoders.min() < -0.5 and abs(problem.state(path[-1])[0] - _final(-2.0, 1.0)) < 1e-5)


def _identical_targets_merge() -> bool:
    """Identical targets and A_high < 0: dh2 = 0 attracts."""
    problem, weights = scalar_weights(1.0, 2.0, 1.0, 0.0)
    return bool(problem.state(problem.flow(weights, TAUS, [20.0])[-1])[0] < 1e-6)


def _root(claim: str, left: sp.Basic, right: sp.Basic) -> Step:
    return Step(claim, left, right, because="the root opens at A_high = p^2 - m^2, A_low = p m", where=OPENED)


EQUATIONS = (
    entry(
        "(29)",
        "A.3",
        "The Jacobian at the learned state.",
        Finding.CONFIRMED,
        "Differentiation of Eq. (25).",
        printed=jacobian,
        steps=(_root("every entry", jacobian, learned.jacobian), *learned.steps),
    ),
    entry(
        "(30)",
        "A.3",
        "The trace.",
        Finding.CONFIRMED,
        "Sum of the eigenvalues -R/(2 tau_y) and -(A_high + R)/(2 tau_y), R = sqrt(A_high^2 + 4 A_low^2), which the "
        "paper does not give.",
        printed=trace,
        steps=(
            Step("sum of the eigenvalues", trace, sum(learned.eigenvalues), because="addition"),
            Step("of Eq. (29)", trace, jacobian.trace(), because="addition"),
        ),
    ),
    entry(
        "(31)",
        "A.3",
        "The determinant.",
        Finding.CONFIRMED,
        "Product of the two eigenvalues.",
        printed=determinant,
        steps=(
            _root("product of the eigenvalues", determinant, learned.eigenvalues[0] * learned.eigenvalues[1]),
            Step("of Eq. (29)", determinant, jacobian.det(), because="multiplication"),
        ),
    ),
    entry(
        "A.3 always stable",
        "A.3",
        "Trace negative, determinant positive: the learned state is always stable.",
        Finding.CONDITIONAL,
        "Both as sums of squares of p and m.",
        condition="A_low > 0 or A_high > 0",
        steps=(
            _root("the trace is negative", trace, -(3 * p**2 + m**2) / (2 * tau_y)),
            _root("the determinant is positive", determinant, p**2 * (p**2 + m**2) / (2 * tau_y**2)),
        ),
        counterexample=lambda: bool(determinant.subs({A_low: 0, A_high: -1, tau_y: 1}) == 0),
        consequence="With identical targets and A_high <= 0 one eigenvalue is zero: learned and merged state coincide.",
    ),
    entry(
        "(32)",
        "A.3",
        "The Jacobian at dh2 = 0, up to what vanishes there.",
        Finding.CONFIRMED,
        "Limit of the Jacobian of Eq. (25) along w = slope dh2.",
        printed=at_zero,
        steps=(Step("limit along a direction", merged.jacobian, approached, because="higher orders vanish"),),
    ),
    entry(
        "(33)",
        "A.3",
        "Eigenvectors, with w/dh2 replaced by the direction of approach.",
        Finding.CONFIRMED,
        "Near dh2 = 0 the velocities of Eq. (25) are homogeneous of degree one, so Jacobian times direction is "
        "velocity, and an eigenvector is a ray that the flow keeps.",
        printed=r"J\left(\tfrac{w}{\|dh\|^2} = \tfrac{b}{a}\right) \begin{bmatrix} a \\ b \end{bmatrix} = \lambda "
        r"\begin{bmatrix} a \\ b \end{bmatrix}",
        steps=(
            Step(
                "velocity per dh2 along the direction",
                approached * along,
                reduced_system().subs(w, slope * dh2).applyfunc(lambda x: sp.Limit(sp.expand(x / dh2), dh2, 0)),
                because="Euler's theorem",
            ),
        ),
    ),
    entry(
        "(34)",
        "A.3",
        "The two directions.",
        Finding.CONFIRMED,
        "They satisfy Eq. (33).",
        printed=sp.Tuple(*eigenvectors),
        steps=tuple(
            _root(f"J v = lambda v, {name}", approached.subs(slope, vector[1]) * vector, value * vector)
            for name, value, vector in zip(("plus", "minus"), eigenvalues, eigenvectors, strict=True)
        ),
    ),
    entry(
        "(35)",
        "A.3",
        "The two eigenvalues.",
        Finding.CONFIRMED,
        "First row of Eq. (33); entry (34) has the second.",
        printed=sp.Tuple(*eigenvalues),
        steps=tuple(
            Step(f"velocity of dh2, {name}", -dx2 / tau_h * vector[1], value, because="first row")
            for name, value, vector in zip(("plus", "minus"), eigenvalues, eigenvectors, strict=True)
        ),
    ),
    entry(
        "A.3 merged point",
        "A.3",
        "dh2 = 0, w = 0 is a fixed point.",
        Finding.CONDITIONAL,
        "The velocity of dh where dh = 0 is D_y'(y2 - y1), up to a factor.",
        condition="the decoder along dh is orthogonal to y2 - y1 when dh2 = 0 is reached",
        steps=(
            Step(
                "velocity of dh at dh = 0",
                sp.Matrix([velocity(x) for x in dh]).subs(no_distance),
                u.dot(u) / (2 * tau_h) * D_y.T * (targets[1] - targets[0]),
                because="Eq. (17)",
            ),
            Step(
                "no velocity for a decoder that is blind to the target",
                (D_y.T * (targets[1] - targets[0])).subs(blind),
                sp.zeros(2, 1),
                because="orthogonality",
            ),
        ),
        counterexample=_passes_through_zero,
        consequence="It takes A_high = 0, or A_high < 0 and at least two outputs. For a scalar output and A_high < 0, "
        "dh passes through zero in finite time; for A_high > 0 dh2 = 0 is never reached.",
    ),
    entry(
        "A.3 unstable",
        "A.3",
        "dh2 = 0 has one positive and one negative eigenvalue, so it is not stable.",
        Finding.CONDITIONAL,
        "The eigenvalues are a square and minus a square.",
        condition="A_low > 0",
        steps=(
            _root("the larger eigenvalue", eigenvalues[0], p**2 / tau_y),
            _root("the smaller", eigenvalues[1], -(m**2) / tau_y),
        ),
        counterexample=_identical_targets_merge,
        consequence="With identical targets and A_high <= 0 the point dh2 = 0 attracts: representations merge, as "
        "Section 4.4 says.",
    ),
    entry(
        "(36)",
        "A.3",
        "In the limit of infinite time dh2 goes to the only stable fixed point.",
        Finding.CONDITIONAL,
        "Gradient flows of explicit matrices end there.",
        printed=plus,
        closed_form="two_point.final_distance",
        condition="the initial state is not on the stable manifold of the merged state",
        steps=(
            *final_distance().steps,
            _root("the stable fixed point", plus, learned.position[dh2]),
            Check("explicit matrices end there", _flows_end_there, "integration"),
        ),
        counterexample=_equal_and_opposite_merge,
        consequence="The exception has measure zero (scalar output: equal layers of opposite effect); near it there is "
        "a long plateau at dh2 = 0.",
    ),
)
