"""Tests of conserved quantities: against known ones, along numerical orbits, and by errors that are planted."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

from theory.core import Verdict
from theory.engine import Flow, conserved

x, y, z = sp.symbols("x y z", positive=True)
s, c, r = sp.symbols("s c r", positive=True)
t = sp.Symbol("t", real=True)
F, G = sp.Function("F"), sp.Function("G")
ROOT = sp.sqrt(s)
u, v, p, q = sp.symbols("u v p q", real=True)
DISTANCE = sp.sqrt(u**2 + v**2)

CASES = {
    "mode": (Flow({x: y * (s - x * y), y: x * (s - x * y)}), 2, None, [x**2 - y**2]),
    "no new quantity of a higher degree": (Flow({x: y, y: -x}), 4, None, [x**2 + y**2]),
    "three layers": (
        Flow({layer: x * y * z / layer * (s - x * y * z) for layer in (x, y, z)}),
        2,
        None,
        [x**2 - y**2, x**2 - z**2],
    ),
    "an undefined force": (
        Flow({x: z * F(x, y), y: ROOT * z * G(x, t), z: x * F(x, y) + ROOT * y * G(x, t)}),
        2,
        None,
        [x**2 + y**2 - z**2],
    ),
    "logarithms": (
        Flow({x: x * (r - y), y: y * (x - c)}),
        1,
        (x, y, sp.log(x), sp.log(y)),
        [x + y - c * sp.log(x) - r * sp.log(y)],
    ),
    "a pole": (Flow({x: -y * s, y: -s * y**2 / x}), 2, (x, 1 / x, y), [y / x]),
    "a pendulum": (
        Flow({x: y, y: -sp.sin(x)}),
        2,
        (y, sp.cos(x)),
        [y**2 / 2 - sp.cos(x)],
    ),
    "an identity is none": (Flow({x: r}), 2, (sp.sin(x), sp.cos(x)), []),
    "linear, one level of each": (Flow({x: y, y: z, z: 0}), 2, None, [z, y**2 / 2 - x * z]),
    "nothing": (Flow({x: s * (y - x), y: x * (r - z) - y, z: x * y - c * z}), 2, None, []),
    "floats": (Flow({x: 0.1 * y, y: -0.3 * x}), 2, None, [3 * x**2 + y**2]),
    "two bodies": (
        Flow.of_hamiltonian((p**2 + q**2) / 2 - 1 / DISTANCE, {u: p, v: q}),
        2,
        (u, v, p, q, 1 / DISTANCE),
        [u * q - v * p, (p**2 + q**2) / 2 - 1 / DISTANCE],
    ),
    "depends on time": (Flow({x: x * sp.cos(t), y: -y * sp.cos(t)}), 2, None, [x * y]),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_quantities_are_found_and_their_steps_hold(name):
    flow, degree, among, wanted = CASES[name]
    quantities = flow.conserved(degree, among=among)
    assert {v for found in quantities for v in found.check().values()} <= {Verdict.HOLDS}
    assert len(quantities) == len(wanted)
    for quantity, expected in zip(quantities, wanted, strict=True):
        ratio = sp.simplify(quantity.expression / expected)
        assert not ratio.free_symbols & {x, y, z, u, v, p, q}, quantity


def test_a_quantity_stays_the_same_along_a_numerical_orbit():
    flow, degree, among, _ = CASES["logarithms"]
    numbers = {r: 0.7, c: 1.3}
    rates = sp.lambdify((x, y), [rate.subs(numbers) for rate in flow.rates.values()])
    (quantity,) = flow.conserved(degree, among=among)
    value = sp.lambdify((x, y), quantity.expression.subs(numbers))
    orbit = solve_ivp(lambda _, at: rates(*at), (0, 9), (0.4, 2.1), rtol=1e-11, atol=1e-12).y
    assert np.ptp(orbit[0]) > 0.5
    assert np.ptp(value(*orbit)) < 1e-8


def test_a_closed_form_is_made_of_a_quantity():
    form = CASES["mode"][0].conserved()[0].form("own.balance", "What both layers share.")
    assert form(x=3, y=1) == 8
    assert [argument.name for argument in form.arguments] == ["x", "y"]
    flow = "the flow dx/dt = y*(s - x*y), dy/dt = x*(s - x*y)"
    assert flow in [premise.text for premise in form.premises]


@pytest.mark.parametrize("what", ["a coefficient", "a row", "a velocity"])
def test_a_planted_error_is_a_step_that_fails(monkeypatch, what):
    combination, coefficients = conserved._combination, conserved._coefficients

    def wrong_coefficient(row, functions):
        return combination(row, functions) + functions[0]

    def forgets_a_row(flow, expression):
        return {m: value for m, value in coefficients(flow, expression).items() if m != 1}

    flow = CASES["mode"][0] if what != "a row" else Flow({x: s + y, y: -y})
    if what == "a coefficient":
        monkeypatch.setattr(conserved, "_combination", wrong_coefficient)
    elif what == "a row":
        monkeypatch.setattr(conserved, "_coefficients", forgets_a_row)
    else:  # linear algebra of another flow than the one that the step is about
        other = Flow({x: y * (s - x * y), y: -x * (s - x * y)})
        quantity = other.conserved()[0].expression
        assert conserved._derived(flow, quantity).check() == {
            f"the velocity of {quantity} is zero": Verdict.FAILS
        }
        return
    verdicts = {v for found in flow.conserved() for v in found.check().values()}
    assert Verdict.FAILS in verdicts


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (({},), ValueError, "at least one variable"),
        (({x: sp.Matrix([x])},), TypeError, "velocity of x: got .*, needs a scalar expression"),
        (({x: "y"},), TypeError, "velocity of x: got str"),
        (({x + y: 1},), TypeError, "as a variable, needs a symbol"),
        (({x: sp.oo},), ValueError, "velocity of x: got oo, needs a finite expression"),
        (({x: y}, x), ValueError, "time: got x"),
        (({x: y}, "t"), TypeError, "time"),
    ],
)
def test_bad_flows_are_refused_by_name(arguments, error, words):
    with pytest.raises(error, match=words):
        Flow(*arguments)


@pytest.mark.parametrize(("degree", "among"), [(0, None), (1.5, None), (1, ())])
def test_bad_arguments_of_conserved_are_refused(degree, among):
    with pytest.raises((ValueError, TypeError), match=r"degree|among"):
        CASES["mode"][0].conserved(degree, among=among)
