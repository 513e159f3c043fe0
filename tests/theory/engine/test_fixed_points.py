"""Tests of fixed points and their stability: against textbooks, against numbers, and by errors that are planted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import sympy as sp

from theory.core import Verdict
from theory.core.algebra.signs import sign_of
from theory.engine import Flow, fixed_points, stability, zeros
from theory.engine.zeros import common_zeros

x, y, z = sp.symbols("x y z", real=True)
X, Y = sp.symbols("X Y", positive=True)
a, b, c, d, k, r, s = sp.symbols("a b c d k r s", positive=True)
R = sp.Symbol("R", real=True)

MODE = Flow({x: y * (s - x * y), y: x * (s - x * y)})
EPIDEMIC = Flow({X: a - b * X * Y - a * X, Y: b * X * Y - (c + a) * Y})
LORENZ = Flow({x: s * (y - x), y: x * (R - z) - y, z: x * y - b * z})
PITCHFORK = Flow({x: r * x - x**3})
FADING = Flow({x: -r * x - x**3})
RING = Flow({X: X * (r - Y), Y: Y * (X - c)})
LAYERS = sp.symbols("u1:4", positive=True)
DEEP = Flow({u: sp.prod(LAYERS) / u * (s - sp.prod(LAYERS)) for u in LAYERS})
RIVALS = [x * (1 - x - a * y - b * z), y * (1 - b * x - y - a * z), z * (1 - a * x - b * y - z)]
WORDS = {
    "a mode of two layers": (MODE, ["unstable, a saddle", "stable"]),
    "an epidemic": (EPIDEMIC, ["stable"]),
    "a pitchfork": (PITCHFORK, ["unstable", "stable", "stable"]),
    "three layers": (DEEP, ["stable"]),
    "a centre": (
        RING,
        ["UNDECIDED: a rate has no real part, so that the linearised flow does not decide"],
    ),
    "a damped oscillator": (Flow({x: y, y: -s * x - k * y}), ["stable"]),
    "a driven oscillator": (Flow({x: y, y: -s * x + k * y}), ["unstable"]),
}


SLOW = {"three layers", "an epidemic"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in WORDS]
)
def test_stability_in_words_and_steps_that_hold(name):
    flow, words = WORDS[name]
    points = flow.fixed_points()
    assert [point.stability for point in points] == words
    assert {verdict for point in points for verdict in point.check().values()} == {Verdict.HOLDS}


@pytest.fixture(scope="module")
def convection():
    """The fixed points of the model of Lorenz."""
    return LORENZ.fixed_points()


def test_an_open_sign_is_said_with_its_condition(convection):
    origin, *pair = convection
    assert origin.stability.startswith("UNDECIDED: stable if and only if ")
    assert "1 - R > 0" in origin.stability
    assert all("R - 1 > 0" in point.stability for point in pair)
    assert all("is real" in point.exists[0] for point in pair)


@pytest.mark.slow
def test_conditions_of_stability_agree_with_eigenvalues_at_random_parameters(convection, rng):
    for point in convection:
        conditions = point.stability.partition("if and only if ")[2].split(" and ")
        tests = [
            sp.sympify(text.removesuffix(" > 0"), {str(q): q for q in (R, s, b)})
            for text in conditions
        ]
        for _ in range(20):
            values = dict(zip((R, s, b), rng.uniform(1.05, 30, 3), strict=True))
            rates = np.linalg.eigvals(np.array(point.jacobian.subs(values), dtype=complex))
            assert (rates.real.max() < 0) == all(test.subs(values) > 0 for test in tests)


def test_a_family_has_free_variables():
    point = MODE.fixed_points()[1]
    assert point.free == (y,)
    assert point.position == {x: s / y, y: y}
    assert point.eigenvalues[0] == 0


def test_an_eigenvalue_becomes_a_closed_form():
    form = PITCHFORK.fixed_points()[1].rate(0).form("own.rate", "Rate at which the state returns.")
    assert form(r=3) == -6
    assert set(form.check().values()) == {Verdict.HOLDS}


@pytest.mark.parametrize(
    "system",
    [
        pytest.param((RIVALS, 8), marks=pytest.mark.slow),
        ([x * y, x * z], 2),
        ([x**2 + y**2 - 5, x * y - 2], 4),
        ([x * (x - 1) / (x + a)], 2),
        ([x - 1, x - 2], 0),
        ([x * a, y * b], 1),
        ([sp.S.Zero, x - y], 1),
        ([(x - y) ** 2, x * y - 1], 2),
    ],
)
def test_all_zeros_are_found(system):
    equations, count = system
    points = common_zeros(equations, (x, y, z))
    assert len(points) == count
    for point in points:
        assert all(sp.simplify(equation.subs(point)) == 0 for equation in equations)


def test_zeros_of_products_of_lines_are_all_their_crossings(rng):
    """Two products of three lines meet in the nine crossings of their factors."""
    lines = [sp.Rational(*map(int, pair)) for pair in rng.integers(1, 90, (12, 2))]
    first = [x - lines[i] * y - lines[i + 3] for i in range(3)]
    second = [y - lines[i] * x - lines[i + 3] for i in range(6, 9)]
    points = common_zeros([sp.expand(sp.prod(first)), sp.expand(sp.prod(second))], (x, y))
    wanted = [sp.solve(pair, [x, y]) for pair in itertools.product(first, second)]
    assert {(p[x], p[y]) for p in points} == {(p[x], p[y]) for p in wanted}


@pytest.mark.parametrize(
    ("flow", "words"),
    [
        (Flow({x: x**5 - x - a}), "no short formula"),
        (Flow({x: x - sp.cos(x) + a * sp.exp(x)}), "fixed_point"),
    ],
)
def test_zeros_without_a_formula_are_refused_in_words(flow, words):
    with pytest.raises(NotImplementedError, match=words):
        flow.fixed_points()


def test_sympy_may_leave_out_points_and_that_is_said():
    with pytest.warns(UserWarning, match="may leave out"):
        points = Flow({x: y, y: -sp.sin(x) - k * y}).fixed_points()
    assert [point.stability for point in points] == ["stable", "unstable, a saddle"]


def test_a_point_without_a_value_is_said_to_have_none():
    point = Flow({x: -y, y: -(y**2) / x}).fixed_point({x: 0, y: 0})
    assert point.jacobian is None
    assert "no value there" in point.stability


def test_a_wrong_position_of_the_author_is_a_step_that_fails():
    assert Verdict.FAILS in PITCHFORK.fixed_point({x: r}).check().values()


def test_parameters_may_have_the_letters_that_the_derivation_uses():
    rate, shift = sp.symbols("lambda shift")
    point = Flow({x: y - rate * x, y: -shift * y}).fixed_point({x: 0, y: 0})
    assert set(point.eigenvalues) == {-rate, -shift}
    assert set(point.check().values()) == {Verdict.HOLDS}


def test_signs_need_assumptions():
    u = sp.Symbol("u")
    assert sign_of(u**2) is None
    assert sign_of(x**2) is None
    assert sign_of(1 / x**2) == 1
    assert sign_of(-sp.exp(x) * a) == -1


def wrong_jacobian(monkeypatch):
    slopes = sp.ImmutableDenseMatrix.jacobian
    monkeypatch.setattr(
        sp.ImmutableDenseMatrix, "jacobian", lambda self, state: 2 * slopes(self, state)
    )


def wrong_polynomial(monkeypatch):
    polynomial = sp.ImmutableDenseMatrix.charpoly
    monkeypatch.setattr(
        sp.ImmutableDenseMatrix,
        "charpoly",
        lambda self, *how, **more: polynomial(self + self, *how, **more),
    )


def wrong_eigenvalue(monkeypatch):
    roots = fixed_points._roots
    monkeypatch.setattr(fixed_points, "_roots", lambda *how: tuple(-v for v in roots(*how)))


def wrong_zero(monkeypatch):
    monkeypatch.setattr(
        zeros, "common_zeros", lambda rates, state: [dict.fromkeys(state, sp.S.One)]
    )


def wrong_minors(monkeypatch):
    monkeypatch.setattr(stability, "sign_of", lambda expression, positive: 1)


def wrong_sign(monkeypatch):
    monkeypatch.setattr(stability, "sign_of", lambda expression, positive: -1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "plant",
    [wrong_jacobian, wrong_polynomial, wrong_eigenvalue, wrong_zero, wrong_minors, wrong_sign],
)
def test_a_planted_error_is_a_step_that_fails(monkeypatch, plant):
    plant(monkeypatch)
    verdicts = [v for point in PITCHFORK.fixed_points() for v in point.check(fresh=True).values()]
    assert Verdict.FAILS in verdicts


def test_a_case_that_is_left_out_loses_a_zero(monkeypatch):
    """The zeros of the leading coefficient are a case of their own: without it the test above would not pass."""
    monkeypatch.setattr(zeros, "_factors", lambda equation, unknowns: [sp.expand(equation)])
    assert len(common_zeros([x * (y - 1), x * (y - 2)], (x, y))) == 1


@pytest.mark.parametrize(
    "velocity",
    [
        -x + 3 * sp.Abs(x),
        -x + sp.Rational(3, 2) * sp.Max(0, x),
        -x + sp.Piecewise((2 * x, x > 0), (0, True)),
        -x + sp.Heaviside(x) - sp.Rational(1, 2),
        -sp.sqrt(sp.Abs(x)),
    ],
)
def test_a_kink_has_no_linearised_flow(velocity):
    # each of them is repelling on one side or falls to zero faster than any rate
    point = Flow({x: velocity}).fixed_point({x: 0})
    assert point.stability.startswith("UNDECIDED: the velocities have no derivatives there")
    assert point.jacobian is None
    assert point.eigenvalues == ()


def test_a_smooth_function_of_kinks_has_one():
    assert Flow({x: -x + x * sp.Abs(x)}).fixed_point({x: 0}).stability == "stable"
    assert Flow({x: -x + sp.Max(0, x) ** 2}).fixed_point({x: 0}).stability == "stable"
    assert Flow({x: -x + sp.Abs(x - 1)}).fixed_point({x: sp.Rational(1, 2)}).stability == "stable"
