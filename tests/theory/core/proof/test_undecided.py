"""Nothing that computer algebra raises comes out of a check, and FAILS needs a proved counterexample."""

import pytest
import sympy as sp
from sympy.polys.polyerrors import PolynomialError

from tests.marks import slow
from theory.activations.naming import activation
from theory.core import Step, Verdict
from theory.core.formula.special import normal_pdf
from theory.core.proof.certain_integrals import certain_integral
from theory.core.proof.written_integrals import integrands_cancel
from theory.engine.metric_levels import moments_lemmas

x, u = sp.symbols("x u", real=True)
z = sp.Symbol("z")
k = sp.Symbol("k", integer=True, positive=True)
A, B = sp.symbols("A B", commutative=False)
f = sp.Function("f")
RAISED = (
    NotImplementedError("no rule"), RecursionError("maximum depth"), PolynomialError("cos(x) is a generator"),
    TypeError("cannot determine truth value of Relational"), ZeroDivisionError("1/0"), KeyError(x), ValueError("no"),
    TimeoutError("late"), AttributeError("no attribute"), IndexError("index"), MemoryError(), AssertionError(),
)  # fmt: skip
PARTS = ("_vanishes", "compare", "_simplifies_to_zero", "done", "taken")
OPEN = {
    "no limit from both sides": (sp.Limit(sp.Abs(x) / x, x, 0, "+-"), 1),
    "oscillation": (sp.Limit(sp.sin(x), x, sp.oo), 0),
    "infinity": (sp.oo + 0 * x + sp.zoo, x),
    "order": (x + sp.O(x**2), x),
    "matrix symbols": (sp.Trace(sp.MatrixSymbol("M", 2, 2)), x),
    "no number satisfies it": (sp.Symbol("i", irrational=True) * x, x),
    "unknown condition": (sp.Piecewise((1, z >= 0), (2, True)), 1),
    "diverging sum": (sp.Sum(1 / k, (k, 1, sp.oo)), 7),
    "no commutation": (A * B, B * A),
    "a tail like a power": (sp.Integral(1 / (1 + u**4), (u, -sp.oo, sp.oo)), 3),
}  # fmt: skip


@pytest.fixture(autouse=True)
def little_time(monkeypatch):
    for part in ("PROVE", "REFUTE", "SIMPLIFY"):
        monkeypatch.setattr(f"theory.core.proof.decision._SECONDS_TO_{part}", 1.0)


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_what_sympy_raises_is_the_cause(error, monkeypatch):
    def raising(*arguments, **options):
        raise error

    for part in PARTS:
        monkeypatch.setattr(f"theory.core.proof.decision.{part}", raising)
    step = Step("double angle", sp.sin(2 * x), 2 * sp.sin(x) * sp.cos(x))
    decision = step.decide(fresh=True)
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.cause.startswith(type(error).__name__)
    assert "\n" not in decision.cause
    assert not decision.cause.endswith("...")  # short as it is
    assert step.counterexample() is None


@pytest.mark.parametrize("name", OPEN)
def test_what_is_open_is_undecided_and_has_a_cause(name):
    decision = Step(name, *OPEN[name]).decide(fresh=True)
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.cause


COMPLEX = {
    "polynomial": ((z + 1) ** 2, z**2 + 1),
    "entire": (sp.sin(2 * z), 2 * sp.sin(z)),
    "branch": (sp.sqrt(z**2), z),
    "real numbers outside the domain of a real function": (sp.acos(1 + sp.exp(x)), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPLEX)
def test_balls_refute_at_complex_numbers(name):
    assert Step(name, *COMPLEX[name]).check(fresh=True) is Verdict.FAILS


def test_numbers_alone_refute_nothing(monkeypatch):
    """Three precisions that agree are no proof: of a function without balls, and of a spike that quadrature misses."""
    monkeypatch.setattr("theory.core.proof.refutation._balls_are_apart", lambda *arguments: False)
    assert Step("wrong", sp.erf(x), sp.sin(x)).check(fresh=True) is Verdict.UNDECIDED
    assert Step("exact", (x + 1) ** 2, x**2 + 1).check(fresh=True) is Verdict.FAILS


def test_a_spike_far_out_is_not_missed():
    spike = sp.Integral(sp.exp(-(10**6) * (u - 300) ** 2), (u, -sp.oo, sp.oo))
    assert Step("true", spike, sp.sqrt(sp.pi) / 1000).check(fresh=True) is not Verdict.FAILS
    assert Step("wrong", spike, sp.sqrt(sp.pi) / 999).check(fresh=True) is Verdict.FAILS


def test_the_ball_of_an_integral_contains_it():
    gauss = sp.Integral(sp.cos(x * u) * normal_pdf(u), (u, -sp.oo, sp.oo))
    ball = certain_integral(gauss, {x: sp.Rational(3, 2)}, 200)
    exact = sp.N(sp.exp(-sp.Rational(9, 8)), 80)
    assert abs(float(ball.rad())) < 1e-50
    assert abs(sp.Float(ball.mid().str(70, radius=False), 70) - exact) < sp.Float(
        ball.rad().str(5, radius=False)
    ) + sp.Float("1e-60")
    with pytest.raises(ArithmeticError):
        certain_integral(sp.Integral(1 / (1 + u**2), (u, -sp.oo, sp.oo)), {}, 200)


def test_balls_refute_where_a_parametrisation_gives_irrational_numbers():
    r, rate = sp.symbols("r rate", positive=True)
    step = Step("wrong", sp.log(r), sp.erf(r), where={r: sp.exp(-rate)})
    assert step.check(fresh=True) is Verdict.FAILS


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_ball_of_a_tail_contains_it(sign):
    ends = sorted((sp.Integer(0), sign * sp.oo))
    ball = certain_integral(sp.Integral(u**2 * sp.exp(-sign * u), (u, *ends)), {}, 200)
    assert ball.contains(2)
    assert float(ball.rad()) < 1e-50


def test_integrals_cancel_by_their_integrands_over_one_range_only():
    weight = sp.Function("f")(u)
    over = (u, 0, x)
    whole = sp.Integral(weight, over)
    parts = [sp.Integral(weight * square, over) for square in (sp.sin(u) ** 2, sp.cos(u) ** 2)]
    zero = sp.Add(*parts, -whole)
    assert integrands_cancel(zero)
    for rest in (
        1,
        whole,
        whole - sp.Integral(weight, (u, 0, 2 * x)),
        parts[0] * parts[1],
        u * zero,
    ):
        assert not integrands_cancel(zero + rest)


@pytest.mark.parametrize(
    "name",
    [
        "log(cosh(z))",
        *slow("softplus", "log(1+z**2)"),
    ],
)
def test_logarithms_in_integrands_are_not_taken_apart(name):
    """Each of these takes a fraction of a second; of softplus two were open after a minute."""
    for step in moments_lemmas(activation("activation", name)):
        assert step.check(fresh=True) is Verdict.HOLDS


def test_a_value_at_a_point_is_put_in_at_once():
    # sympy puts the values of a Subs in one after the other, which makes three false claims of these
    a, b, c = sp.symbols("a b c", positive=True)
    for left, right in (
        (sp.Subs(a * b, (a, b), (b, a * c)), a * b * c),
        (sp.Subs(a**2 * b / c, (a, c, b), (a, c, c)), a**2),
        (sp.Subs(a - b, (a, b), (b, a)), b - a),
    ):
        assert Step("values at once", left, right).check(fresh=True) is Verdict.HOLDS
