"""Functions of a state whose velocities close: against numbers along orbits, and by planted errors."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

from theory.core import Premise, Verdict
from theory.engine import Flow

x, y, q, a, k = sp.symbols("x y q a k", positive=True)
LENGTHS = Premise(
    "q is the squared length, a the angular momentum", sp.Matrix([x**2 + k * y**2, x * y])
)
SPIRAL = Flow({x: -k * y - x, y: x - y})


def test_velocities_in_letters_agree_with_an_orbit():
    found = SPIRAL.observed(LENGTHS, {q: -2 * q, a: None})
    assert found[q].check().keys() == {
        "velocity of what q stands for",
        "velocity of q in the letters",
    }
    assert set(found[q].check().values()) == {Verdict.HOLDS}
    orbit = solve_ivp(
        lambda _, at: [-2 * at[1] - at[0], at[0] - at[1]],
        (0, 2),
        (1.0, 0.4),
        rtol=1e-11,
        atol=1e-12,
    )
    lengths = orbit.y[0] ** 2 + 2 * orbit.y[1] ** 2
    assert lengths == pytest.approx(lengths[0] * np.exp(-2 * orbit.t), rel=1e-7)


def test_a_wrong_velocity_or_a_wrong_function_is_a_step_that_fails():
    wrong = SPIRAL.observed(LENGTHS, {q: -3 * q, a: None})[q]
    assert wrong.check()["velocity of q in the letters"] is Verdict.FAILS
    other = Premise("another length", sp.Matrix([x**2 + y**2, x * y]))
    assert Verdict.FAILS in SPIRAL.observed(other, {q: -2 * q, a: None})[q].check().values()


def test_velocities_may_close_on_some_states_only():
    diagonal = {x: a, y: a}
    sums = Premise("q is the sum", sp.Matrix([x + y]))
    flow = Flow({x: x * y, y: y**2})
    assert set(flow.observed(sums, {q: q**2 / 2}, on=diagonal)[q].check().values()) == {
        Verdict.HOLDS
    }
    assert Verdict.FAILS in flow.observed(sums, {q: q**2 / 2})[q].check().values()


def test_a_flow_rests_on_what_its_velocities_were_derived_from():
    reduced = Flow(SPIRAL.observed(LENGTHS, {q: -2 * q, a: None}))
    start = sp.Symbol("q_0", positive=True)
    curve = start * sp.exp(-2 * reduced.time)
    form = reduced.solution({q: curve}, starts={q: start})[q].form("own.length")
    assert "velocity of q in the letters" in form.check()
    assert set(form.check().values()) == {Verdict.HOLDS}
    twice = Flow({q: form}, reduced.time)
    assert form in twice.premises


def test_what_moves_otherwise_than_said_fails():
    assert SPIRAL.moving(x**2 + k * y**2, -2 * (x**2 + k * y**2)).check() is Verdict.HOLDS
    assert SPIRAL.moving(x**2 + k * y**2).check() is Verdict.FAILS


def test_letters_need_a_function_each():
    with pytest.raises(ValueError, match="needs a column of 1 functions"):
        SPIRAL.observed(LENGTHS, {q: -2 * q})
