"""Identities of functions with kinks and jumps, which are decided in each region of signs."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.core import Step, Verdict
from theory.core.algebra import regions

x, y, u = sp.symbols("x y u", real=True)
a, b = sp.symbols("a b", real=True)
c, G = sp.symbols("c G", positive=True)
Max, Min, Abs, Heaviside, sign = sp.Max, sp.Min, sp.Abs, sp.Heaviside, sp.sign

TRUE = [
    (Max(0, c * x), c * Max(0, x)),
    (Max(0, sp.sqrt(G) * x) ** 2, G * Max(0, x) ** 2),
    (Max(0, sp.exp(u) * x), sp.exp(u) * Max(0, x)),
    (Max(0, -c * x), -c * Min(0, x)),
    (Max(c * x, c * y), c * Max(x, y)),
    (Max(0, c * x, c * y), c * Max(0, x, y)),
    (a * Max(0, c * x) + b * Min(0, c * x), c * (a * Max(0, x) + b * Min(0, x))),
    (Max(0, c * Max(0, x) - c), c * Max(0, Max(0, x) - 1)),
    (Max(x, y) + Min(x, y), x + y),
    (Max(x, y) - Min(x, y), Abs(x - y)),
    (Max(x + u, y + u), Max(x, y) + u),
    (Max(0, x), (x + Abs(x)) / 2),
    (Abs(x * y - y), Abs(x - 1) * Abs(y)),
    (Heaviside(c * x - c * y), Heaviside(x - y)),
    (x * Heaviside(c * x), Max(0, x)),
    (Heaviside(x) + Heaviside(-x), 1),
    (Heaviside(x, 1), 1 - Heaviside(-x, 0)),
    (sign(x) * Abs(x), x),
    (sign(x * y), sign(x) * sign(y)),
]
FALSE = [
    (Max(0, c * x), c**2 * Max(0, x)),
    (Heaviside(c * x), Heaviside(-x)),
    (Heaviside(x * y), Heaviside(x) * Heaviside(y)),
    (Max(x, y) ** 2, Max(x**2, y**2)),
    (Abs(x + y), Abs(x) + Abs(y)),
    (Max(0, a * x), a * Max(0, x)),
]
FALSE_AT_A_JUMP_ALONE = [
    (Heaviside(x) ** 2, Heaviside(x)),
    (sign(x) ** 2, 1),
    (Heaviside(x, 1), Heaviside(x)),
]


@pytest.mark.parametrize(("left", "right"), TRUE, ids=str)
def test_a_true_identity_holds(left, right):
    assert Step("identity", left, right).check(fresh=True) is Verdict.HOLDS


@pytest.mark.parametrize(("left", "right"), FALSE, ids=str)
def test_a_false_identity_has_a_counterexample(left, right):
    step = Step("identity", left, right)
    assert step.check(fresh=True) is Verdict.FAILS
    assert step.counterexample()


@pytest.mark.parametrize(("left", "right"), FALSE_AT_A_JUMP_ALONE, ids=str)
def test_what_is_false_at_a_jump_alone_has_its_counterexample_there(left, right):
    step = Step("identity", left, right)
    assert step.check(fresh=True) is Verdict.FAILS
    assert step.counterexample() == {x: 0}


def test_without_the_boundary_a_false_identity_would_hold(monkeypatch):
    monkeypatch.setattr(regions, "JUMPS", ())
    assert Step("identity", Heaviside(u) ** 2, Heaviside(u)).check(fresh=True) is Verdict.HOLDS


def test_a_planted_side_of_a_maximum_is_not_proved(monkeypatch):
    replaced = regions._replaced
    monkeypatch.setattr(
        regions, "_replaced", lambda whole, node, side: replaced(whole, node, -side)
    )
    assert (
        Step("identity", Max(0, x), (x + Abs(x) + sign(x)) / 2).check(fresh=True)
        is not Verdict.HOLDS
    )
    assert Step("identity", Max(x, y), (x + y + Abs(x - y)) / 2).check(fresh=True) is Verdict.HOLDS
    assert Step("identity", Max(3, x**2 + 4), x**2 + 4 + x).check(fresh=True) is not Verdict.HOLDS
