"""Tests of solutions, reductions and Lagrangians: true ones hold, wrong ones fail, bad input is refused."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.core import Premise, Step, Verdict
from theory.core.proof.values import takes
from theory.engine import Flow, Lagrangian, reduction, variation

a, b, m, x_0, k = sp.symbols("a b m x_0 k", positive=True)
x, v, p, level, s = sp.symbols("x v p level s", real=True)
t = sp.Symbol("t", real=True)
MODE = Flow({a: b * (s - a * b), b: a * (s - a * b)})
DECAY = Flow({a: -k * a})
SPRING = Flow({x: v, v: -(k**2) * x})


def test_a_solution_starts_solves_and_ends():
    found = DECAY.solution({a: x_0 * sp.exp(-k * t)}, starts={a: x_0}, ends={a: 0})
    assert list(found.check()) == ["a starts at x_0", "a solves the flow", "a ends at 0"]
    assert set(found.check().values()) == {Verdict.HOLDS}
    assert found[a].form("own.decay")(x_0=2, k=1, t=0) == 2


@pytest.mark.parametrize(
    ("curve", "start", "end", "failing"),
    [
        (x_0 * sp.exp(k * t), x_0, None, "a solves the flow"),
        (x_0 * sp.exp(-k * t) + 1, x_0, None, "a starts at x_0"),
        (x_0 * sp.exp(-k * t), x_0, 1, "a ends at 1"),
    ],
)
def test_a_wrong_solution_is_a_step_that_fails(curve, start, end, failing):
    ends = {} if end is None else {a: end}
    verdicts = DECAY.solution({a: curve}, starts={a: start}, ends=ends).check()
    assert verdicts[failing] is Verdict.FAILS


def test_a_solution_of_two_variables_ends_at_a_time():
    curves = {x: x_0 * sp.cos(k * t), v: -x_0 * k * sp.sin(k * t)}
    found = SPRING.solution(curves, starts={x: x_0, v: 0}, ends={x: -x_0}, end=sp.pi / k)
    assert set(found.check().values()) == {Verdict.HOLDS}
    assert len(found.steps) == 5


def test_a_constant_solution_is_a_step_too():
    still = DECAY.solution({a: 0})
    assert still.check() == {"a solves the flow": Verdict.HOLDS}


def test_cases_are_steps_of_their_own():
    found = DECAY.solution(
        {a: x_0 * sp.exp(-k * t)}, cases={"slow": {k: 1 / (1 + m)}, "fast": {k: 1 + m}}
    )
    assert list(found.check()) == ["a solves the flow, slow", "a solves the flow, fast"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (({x: t},), "curves: got x, needs all of x, v"),
        (({x: t, v: 1, s: 0},), "curves: got x, v, s"),
    ],
)
def test_bad_curves_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        SPRING.solution(*arguments)
    with pytest.raises(ValueError, match="starts: got s"):
        SPRING.solution({x: t, v: 1}, starts={s: 0})


def test_a_reduced_flow_keeps_its_derivation():
    reduced = MODE.reduced(b, MODE.conserved()[0], level)
    assert reduced.state == (a,)
    claims = [step.claim for step in reduced.steps]
    assert claims[0] == "the velocity of a**2 - b**2 is zero"
    assert {step.check() for step in reduced.steps} == {Verdict.HOLDS}
    root = sp.sqrt((level + sp.sqrt(level**2 + 4 * s**2)) / 2)
    point = reduced.fixed_point({a: root}, {level: (k + m) ** 2 - m**2, s: (k + m) * m})
    assert point.stability == "stable"
    assert point.steps[:3] == reduced.steps
    assert set(point.check().values()) == {Verdict.HOLDS}


def test_a_quantity_that_moves_makes_a_step_that_fails():
    steps = MODE.reduced(b, a**2 + b**2, level).steps
    assert steps[0].check() is Verdict.FAILS


def test_a_planted_value_on_the_level_is_a_step_that_fails(monkeypatch):
    monkeypatch.setattr(reduction, "_solved", lambda variable, quantity, level: a - level)
    steps = MODE.reduced(b, MODE.conserved()[0], level).steps
    assert steps[1].check() is Verdict.FAILS


def test_several_values_on_a_level_are_refused():
    with pytest.raises(ValueError, match="needs one with a single value"):
        SPRING.reduced(v, v**2 + k**2 * x**2, level)
    with pytest.raises(ValueError, match="variable: got m, needs one of a, b"):
        MODE.reduced(m, a, level)


def test_a_lagrangian_gives_motion_energy_and_hamiltonian():
    lagrangian = Lagrangian(m * v**2 / 2 - k * x**2 / 2, {x: v}, t)
    path = sp.Function("x", real=True)(t)
    motion = lagrangian.equations({x: path})[x]
    assert sp.simplify(motion - (m * path.diff(t, 2) + k * path)) == 0
    assert sp.expand(lagrangian.energy.doit()) == m * v**2 / 2 + k * x**2 / 2
    hamiltonian = lagrangian.hamiltonian({x: p})
    assert set(hamiltonian.check().values()) == {Verdict.HOLDS}
    flow = Flow.of_hamiltonian(hamiltonian.expression, {x: p})
    assert flow.conserved()[0].expression == m * k * x**2 + p**2


def test_a_lagrangian_that_depends_on_the_position_has_its_partial_derivative():
    path = sp.Function("x", real=True)(t)
    motion = Lagrangian(t * v**2 / 2, {x: v}, t).equations({x: path})[x]
    assert sp.simplify(motion - sp.diff(t * path.diff(t), t)) == 0


def test_a_momentum_that_leaves_the_velocity_open_is_refused():
    with pytest.raises(ValueError, match="needs one velocity"):
        Lagrangian(v * x, {x: v}).hamiltonian({x: p})


def test_a_planted_velocity_is_a_step_that_fails(monkeypatch):
    monkeypatch.setattr(variation.sp, "solve", lambda equation, slope, dict: [{v: 2 * p / m}])
    steps = Lagrangian(m * v**2 / 2, {x: v}).hamiltonian({x: p}).steps
    assert steps[0].check() is Verdict.FAILS


def test_two_values_have_two_equations_and_two_momenta():
    y, w, q = sp.symbols("y w q", real=True)
    lagrangian = Lagrangian(m * (v**2 + v * w + w**2) / 2 - k * x * y, {x: v, y: w}, t)
    hamiltonian = lagrangian.hamiltonian({x: p, y: q})
    assert set(hamiltonian.check().values()) == {Verdict.HOLDS}
    flow = Flow.of_hamiltonian(hamiltonian, {x: p, y: q})
    bends = {
        x: flow.rates[x].subs({p: flow.rates[p], q: flow.rates[q]}, simultaneous=True),
        y: flow.rates[y].subs({p: flow.rates[p], q: flow.rates[q]}, simultaneous=True),
    }
    moving = lagrangian.stationary({x: (v, bends[x]), y: (w, bends[y])})
    assert [step.check() for step in moving] == [Verdict.HOLDS] * 2
    wrong = lagrangian.stationary({x: (v, 2 * bends[x]), y: (w, bends[y])})
    assert Verdict.FAILS in [step.check() for step in wrong]


def test_what_the_energy_is_said_to_be_is_decided():
    lagrangian = Lagrangian(m * v**2 / 2 - m * k**2 * x**2 / 2, {x: v}, t)
    path = {x: x_0 * sp.sin(k * t)}
    assert lagrangian.conserves(m * k**2 * x_0**2 / 2, path).check() is Verdict.HOLDS
    assert lagrangian.conserves(m * k**2 * x_0**2, path).check() is Verdict.FAILS
    with pytest.raises(ValueError, match="needs one without t"):
        Lagrangian(t * v**2, {x: v}, t).conserves(t * v**2)


POLE, ROOT = Flow({x: x**2}), Flow({a: -1 / a})
LOGISTIC = Flow({a: a * (1 - a)})


@pytest.mark.parametrize(
    ("flow", "curves", "options"),
    [
        (POLE, {x: x_0 / (1 - x_0 * t)}, {"ends": {x: 0}}),
        (POLE, {x: x_0 / (1 - x_0 * t)}, {"ends": {x: -x_0}, "end": 2 / x_0}),
        (Flow({x: 1 + x**2}), {x: sp.tan(t)}, {"ends": {x: 0}, "end": sp.pi}),
        (ROOT, {a: sp.sqrt(x_0**2 - 2 * t)}, {"ends": {a: sp.I * x_0}, "end": x_0**2}),
        (Flow({x: x * (1 - x)}), {x: 1 / (1 - 2 * sp.exp(-t))}, {"ends": {x: 1}}),
        (Flow({x: -sp.exp(-x)}), {x: sp.log(2 - t)}, {"ends": {x: sp.log(-1)}, "end": 3}),
    ],
)
def test_a_curve_that_ends_on_the_way_fails(flow, curves, options):
    verdicts = flow.solution(curves, **options).check()
    (claim,) = [claim for claim in verdicts if "has a value at all times" in claim]
    assert verdicts[claim] is Verdict.FAILS


@pytest.mark.parametrize(
    ("flow", "curve", "end"),
    [
        (LOGISTIC, x_0 * sp.exp(t) / (1 - x_0 + x_0 * sp.exp(t)), sp.oo),
        (LOGISTIC, 1 / (1 + (1 / x_0 - 1) * sp.exp(-t)), sp.oo),
        (Flow({a: a**2}), 1 / (2 - t), 1),
        (Flow({a: 1 / a}), sp.sqrt(x_0**2 + 2 * t), 3),
    ],
)
def test_a_curve_without_a_pole_holds(flow, curve, end):
    ends = {a: 1 if end is sp.oo else curve.subs(t, end)}
    assert set(flow.solution({a: curve}, ends=ends, end=end).check().values()) == {Verdict.HOLDS}


def test_no_case_is_no_proof():
    with pytest.raises(ValueError, match=r"cases: got \{\}, needs at least one case"):
        DECAY.solution({a: sp.exp(t)}, cases={})


@pytest.mark.parametrize("quantity", [a - sp.log(a) + b - sp.log(b), b * sp.exp(-b)])
def test_a_level_that_two_values_have_determines_none(quantity):
    with pytest.raises(ValueError, match="may have a value more than once"):
        Flow({a: a * (1 - b), b: b * (a - 1)}).reduced(b, quantity, level)


def test_a_momentum_that_two_velocities_have_determines_none():
    with pytest.raises(ValueError, match="and maybe others, needs one velocity"):
        Lagrangian(v * sp.exp(v), {x: v}).hamiltonian({x: p})


@pytest.mark.parametrize(
    ("value", "holds"), [(x_0**2 * sp.exp(-2 * k * t), True), (x_0**2 * sp.exp(-k * t), False)]
)
def test_a_quantity_along_a_solution(value, holds):
    decays = DECAY.solution({a: x_0 * sp.exp(-k * t)}, starts={a: x_0})
    square = decays.quantity(Premise("the square", a**2), value)
    verdicts = square.check()
    assert (verdicts["along the solution, the square"] is Verdict.HOLDS) is holds
    assert square.form("own.square")(x_0=2, k=1, t=0) == 4


def test_a_flow_rests_on_the_steps_that_it_uses():
    rate = Step("the rate", sp.Derivative(-k * a**2 / 2, a), -k * a, uses=())
    form = Flow({a: rate.right}, uses=(rate,)).solution({a: sp.exp(-k * t)})[a].form("own.decay")
    assert form.steps[0] == rate
    assert rate in form.steps[1].uses


@pytest.mark.parametrize(("factor", "holds"), [(2, True), (1, False)])
def test_a_velocity_at_a_point_keeps_what_is_put_in(factor, holds):
    # sympy would make one Subs of the velocity's and the solution's
    rate = sp.Subs(-x * v, (x, v), (factor * a, k))
    verdicts = Flow({a: rate}).solution({a: sp.exp(-2 * k * t)}).check()
    assert (verdicts["a solves the flow"] is Verdict.HOLDS) is holds


def test_a_curve_rests_on_those_in_its_rate_and_not_on_others():
    """x needs v, and v needs s; of the curve of s nothing stands in the rate of x."""
    rate = sp.Symbol("rate", positive=True)
    flow = Flow({x: v, v: rate * s, s: -rate * s})
    curves = {s: sp.exp(-rate * t), v: -sp.exp(-rate * t), x: sp.exp(-rate * t) / rate}
    starts = {s: 1, v: -1, x: 1 / rate}
    form = flow.solution(curves, starts=starts)[x].form("own.chain")
    assert set(form.check().values()) == {Verdict.HOLDS}
    used = {step.claim: {getattr(n, "claim", "") for n in step.uses or ()} for step in form.steps}
    assert used["x solves the flow"] >= {"v solves the flow", "x starts at 1/rate"}
    assert not used["x solves the flow"] & {"s solves the flow", "s starts at 1"}
    assert "s solves the flow" in used["v solves the flow"]


def test_hamiltons_equations_rest_on_the_legendre_transform():
    hamiltonian = Lagrangian(m * v**2 / 2 - m * k**2 * x**2 / 2, {x: v}).hamiltonian({x: p})
    flow = Flow.of_hamiltonian(hamiltonian, {x: p})
    assert flow.steps[:-2] == hamiltonian.steps
    last = hamiltonian.steps[-1]
    assert all(takes(step, last) and step.uses == (last,) for step in flow.steps[-2:])
    curves = {x: sp.sin(k * t), p: m * k * sp.cos(k * t)}
    assert set(flow.solution(curves)[x].check().values()) == {Verdict.HOLDS}
