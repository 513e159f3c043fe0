r"""The condition under which ``dh`` keeps its direction, on which the three-variable system is based.

Eq. (7) restricts to states where ``dh`` moves along itself (Eq. 19), that is where :math:`D_y^\top (dy - v)` is
parallel to ``dh``. The question is whether the dynamics preserve this condition. Let
:math:`c_1 = dh \times D_y^\top dy` and :math:`c_2 = dh \times D_y^\top v`; Eq. (19) says :math:`c_1 = c_2`.

- Where it holds, :math:`c_1 - c_2` changes at the rate :math:`-w \|x_2 - x_1\|^2 c_1 / (2 \tau_h \|dh\|^2)`. So it is
  preserved only if also :math:`c_1 = 0` (or the outputs are learned, and nothing moves).
- :math:`c_1 = c_2 = 0` is preserved for ever: both velocities are linear in :math:`c_1, c_2`.

Hence the condition is: ``dh`` is an eigenvector of :math:`D_y^\top D_y`, and :math:`D_y^\top v` is parallel to it.
For a scalar output both say that the decoder's only row is parallel to ``dh``; ``theory.two_point.rotation`` solves
the case where it is not.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Step, Verdict
from theory.two_point.dynamics import MATRICES, D_h, D_y, dh, dy, error, targets, u, v
from theory.two_point.symbols import tau_h, tau_y


def velocity(quantity: sp.Expr) -> sp.Expr:
    """Return the velocity of a function of both matrices."""
    return MATRICES.velocity(quantity).doit()


def cross(a: sp.Matrix, b: sp.Matrix) -> sp.Expr:
    """Return the signed area of two vectors of the plane, which is zero when they are parallel."""
    return a[0] * b[1] - a[1] * b[0]


pull = D_y.T * error
gram = D_y.T * D_y
c1, c2 = cross(dh, D_y.T * dy), cross(dh, D_y.T * v)
encoder, decoder = u.dot(u) / (2 * tau_h), 1 / (2 * tau_y)
across = sp.Matrix([-dh[1], dh[0]])

STEPS = (
    Step(
        "dh turns at a rate proportional to its cross product with D_y'(dy - v)",
        dh[0] * velocity(dh[1]) - dh[1] * velocity(dh[0]),
        -encoder * (c1 - c2),
        because="d(dh)/dt = -|u|^2/(2 tau_h) D_y'(dy - v)",
    ),
    Step(
        "c1 - c2 is driven by dh x D_y'D_y D_y'(dy - v), which is w c1/|dh|^2 where c1 = c2",
        velocity(cross(dh, pull)),
        -decoder * dh.dot(dh) * (c1 - c2) - encoder * cross(dh, gram * pull),
        because="the velocities of dh and of the decoder contribute nothing across dh",
    ),
    Step(
        "|dh|^2 times the velocity of c2 is linear in c1 and c2",
        dh.dot(dh) * velocity(c2),
        -encoder * (dh.dot(D_y.T * dy) * c2 - dh.dot(D_y.T * v) * c1),
        because="x x y |z|^2 = (z.x)(z x y) - (z.y)(z x x) in the plane",
    ),
    Step(
        "|dh|^2 times the velocity of c1 is linear in c1 and c2",
        dh.dot(dh) * velocity(c1),
        -decoder * dh.dot(dh) ** 2 * (c1 - c2)
        - encoder
        * (
            2 * dh.dot(pull) * c1
            + (c1 - c2) * (cross(dh, gram * across) + cross(across, gram * dh))
        ),
        because="split D_y'(dy - v) into its parts along and across dh",
    ),
)

# A state that satisfies Eq. (19) for one moment only: D_y'(dy - v) = -2 dh, but D_y'dy = (2, 1) is not parallel to dh.
COUNTEREXAMPLE = dict(
    zip(
        (*D_h, *D_y, *u, *targets[0], *targets[1]),
        map(sp.Integer, (1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 3, 1, 0)),
        strict=True,
    )
)


def test_when_rotation_stays_away() -> None:
    assert {step.claim: step.check() for step in STEPS} == {
        step.claim: Verdict.HOLDS for step in STEPS
    }


def test_a_state_without_rotation_for_one_moment_only() -> None:
    at = COUNTEREXAMPLE
    turning = cross(dh, pull)
    assert turning.subs(at) == 0
    assert velocity(turning).subs(at) != 0
    assert c1.subs(at) != 0
