"""Identities of almost all values, or of other letters than were meant: none holds, and no true one fails."""

import pytest
import sympy as sp

from theory.core import Step, Verdict, quotient
from theory.core.formula.let import Let, bound_letter
from theory.core.formula.sampling import concrete
from theory.core.formula.subexpressions import put_in, with_other_letters

x, y, t = sp.symbols("x y t", real=True)
u = sp.Symbol("u", nonnegative=True)
i, j = sp.symbols("i j", imaginary=True)
k = sp.Symbol("k", integer=True)
N = sp.Symbol("N", integer=True, positive=True)
f = sp.Function("f")
below = sp.Function("below", negative=True)
not_above = sp.Function("not_above", nonpositive=True)
whole = sp.Function("whole", integer=True)
a, b = bound_letter("a", real=True), bound_letter("b", 1, real=True)
WAVE = sp.Integral(sp.exp(-(t**2)) * sp.cos(x * t), (t, -sp.oo, sp.oo))

# name -> (left, right) of statements that are false somewhere in the domain
FALSE = {
    "a letter of a value is caught by an integral": (sp.Subs(sp.Integral(x * t, (t, 0, 1)), x, t), sp.Rational(1, 3)),
    "and by a sum": (sp.Subs(sp.Sum(x * k, (k, 1, N)), x, k), N * (N + 1) * (2 * N + 1) / 6),
    "and by a sum of any terms": (sp.Subs(sp.Sum(f(k, x), (k, 1, N)), x, k), sp.Sum(f(k, k), (k, 1, N))),
    "a limit that jumps at zero": (sp.Limit(u * t / (u * t + 1), t, sp.oo), 1),
    "an integral that jumps at zero": (sp.Integral(u * sp.exp(-u * t), (t, 0, sp.oo)), 1),
    "a power of zero": (0**u, 0),
    "a quotient of ours at zero": (quotient(x, x), 1),
    "and of two letters": (quotient(x * y, x), y),
    "a letter of a definition is caught": (sp.Integral(x * t, (t, 0, 1)), Let([(a, t)], sp.Integral(x * a, (t, 0, 1)))),
    "and of one in another": (
        sp.Integral(x * t, (t, 0, 1)),
        Let([(a, t), (b, sp.Integral(x * a, (t, 0, 1)))], b),
    ),
    "results of letters that swap": (Let([(a, x), (b, y)], a - b), Let([(a, y), (b, x)], a - b)),
}  # fmt: skip
# name -> (left, right) of statements without a proof, which must not be proved wrongly either
NOT_PROVED = {
    "the cube of an imaginary number": (sp.Max(0, i**3 * j), i**2 * sp.Max(0, i * j)),
    "the jump of one": (sp.Heaviside(i**3 * j), sp.Heaviside(i * j)),
}
TRUE = {
    "letters of values": (sp.Subs(sp.Integral(x * t, (t, 0, 1)), x, t), t / 2),
    "two of them": (sp.Subs(sp.Integral(x * y * t, (t, 0, 1)), (x, y), (y, t)), t * y / 2),
    "ends": (sp.Subs(sp.Integral(x * t, (t, 0, x)), x, t), t**3 / 2),
    "a Gaussian": (sp.Subs(WAVE, x, t), sp.sqrt(sp.pi) * sp.exp(-(t**2) / 4)),
    "an integral that has no value": (
        sp.Integral(sp.exp(-(t**2)) * sp.erf(x * t) ** 4, (t, 0, sp.oo)),
        Let([(a, x), (b, sp.Integral(sp.exp(-(t**2)) * sp.erf(a * t) ** 4, (t, 0, sp.oo)))], sp.UnevaluatedExpr(b)),
    ),
    "a sum": (sp.Subs(sp.Sum(x * k, (k, 1, N)), x, k), k * N * (N + 1) / 2),
    "a function without positive values": (sp.log(below(x) * below(y)), sp.log(-below(x)) + sp.log(-below(y))),
}  # fmt: skip
NOT_REFUTED = {
    "letters that swap": (Let([(a, x), (b, y)], a - b), Let([(a, y), (b, x)], b - a)),
    "letters in another order": (Let([(a, x), (b, a**2)], a * b), Let([(b, x**2), (a, x)], a * b)),
    "the size of what is never positive": (sp.Abs(not_above(x)), -not_above(x)),
    "what is far out": (
        sp.Integral(sp.exp(-((t - 20_000) ** 2)), (t, 0, sp.oo)),
        sp.sqrt(sp.pi) * (1 + sp.erf(20_000)) / 2,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_an_exception_is_found(name):
    step = Step(name, *FALSE[name])
    assert step.check(fresh=True) is Verdict.FAILS
    assert step.counterexample()


@pytest.mark.parametrize("name", NOT_PROVED)
def test_signs_of_imaginary_factors_prove_nothing(name):
    assert Step(name, *NOT_PROVED[name]).check(fresh=True) is not Verdict.HOLDS


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_holds(name):
    assert Step(name, *TRUE[name]).check(fresh=True) is Verdict.HOLDS


@pytest.mark.parametrize("name", NOT_REFUTED)
def test_a_true_identity_has_no_counterexample(name):
    assert Step(name, *NOT_REFUTED[name]).check(fresh=True) is not Verdict.FAILS


def test_no_polynomial_stands_for_a_function_of_integers():
    with pytest.raises(ValueError, match="no polynomial"):
        concrete(whole(x), "seed")
    assert concrete(not_above(x), "seed").subs(x, 3) < 0


def test_a_parametrisation_may_have_the_letter_of_an_integral():
    values = Step("mean", sp.Integral(x * t, (t, 0, 1)), sp.Rational(1, 3), where={x: t})
    assert values.check(fresh=True) is Verdict.FAILS


def test_a_parametrisation_outside_the_domain_is_refused():
    # a search for a counterexample would find no point
    with pytest.raises(ValueError, match="leaves the domain of u"):
        Step("a root", sp.sqrt(u**2), -u, where={u: -sp.exp(t)})


def test_the_share_of_a_peak_at_an_end_is_no_fact():
    inside = sp.Integral(sp.DiracDelta(t), (t, -1, 1))
    assert Step("inside", inside, 1).check(fresh=True) is Verdict.HOLDS
    for share in (0, sp.Rational(1, 2), 1):
        at_an_end = Step("at an end", sp.Integral(sp.DiracDelta(t), (t, 0, 1)), share)
        assert at_an_end.check(fresh=True) is not Verdict.HOLDS


def test_values_are_put_in_below_every_letter():
    limit = sp.Limit(sp.sin(x * t) / t, t, 0)
    assert put_in(limit, {x: t}).doit() == t
    twice = sp.Integral(x * t * y, (t, 0, y), (y, 0, 1))
    assert put_in(twice, {x: t * y}).doit() == t * y / 8
    assert with_other_letters(twice, {x}) is twice
    assert put_in(sp.Matrix([sp.Integral(x * t, (t, 0, 1))]), {x: t}).doit() == sp.Matrix([t / 2])
