"""Tests of steps: true ones are proved, false ones are refuted with a witness, and undecided ones never pass."""

from __future__ import annotations

import time

import pytest
import sympy as sp

from closedform.interruption import OutOfTime, budget
from theory.core import (
    Argument,
    Check,
    ClosedForm,
    Premise,
    Status,
    Step,
    Verdict,
    besselk_scaled,
    phi1,
    quotient,
)
from theory.core.formula.subexpressions import at_values
from theory.core.proof.derivation import special_cases

x, y, z = sp.symbols("x y z", positive=True)
t, s = sp.symbols("t s", real=True)
n = sp.Symbol("n", integer=True, positive=True)
c = sp.Symbol("c")  # complex: nothing is assumed
f, g = sp.Function("f"), sp.Function("g")
positive = sp.Function("positive", positive=True)

TRUE = {
    "perfect square under a root": (sp.sqrt(x**2 + 2 * x * y + y**2), x + y),
    "nested roots": (sp.sqrt(x + sp.sqrt(x**2 + y**2)) * sp.sqrt(-x + sp.sqrt(x**2 + y**2)), y),
    "rationalised denominator": (1 / (sp.sqrt(x + 1) - sp.sqrt(x)), sp.sqrt(x + 1) + sp.sqrt(x)),
    "cube roots": ((x ** sp.Rational(1, 3) - y ** sp.Rational(1, 3)) * (
        x ** sp.Rational(2, 3) + (x * y) ** sp.Rational(1, 3) + y ** sp.Rational(2, 3)), x - y),
    "powers of one exponential": (sp.exp(-2 * t) - 1, (sp.exp(-t / 2) ** 2 - 1) * (sp.exp(-t) + 1)),
    "exponential of a root": (
        sp.exp(2 * sp.sqrt(x + y)) - 1, (sp.exp(sp.sqrt(y + x)) + 1) * (sp.exp(sp.sqrt(y + x)) - 1)),
    "symbolic exponents": (x ** (t + 1) / x, (x ** (t / 2)) ** 2),
    "hyperbolic": (sp.cosh(2 * t), 1 + 2 * sp.sinh(t) ** 2),
    "trigonometric": (sp.sin(3 * t), 3 * sp.sin(t) - 4 * sp.sin(t) ** 3),
    "modulus": (sp.Pow(sp.Abs(t), 2, evaluate=False), t**2),
    "derivative": (sp.Derivative(sp.exp(-(t**2)), t), -2 * t * sp.exp(-(t**2))),
    "derivative of an error function": (
        sp.Derivative(sp.erf(t * x), t), 2 * x * sp.exp(-(t**2) * x**2) / sp.sqrt(sp.pi)),
    "error functions add up": (sp.erf(t) + sp.erfc(t), 1),
    "integral": (sp.Integral(sp.exp(-x * y), (x, 0, sp.oo)), 1 / y),
    "limit": (sp.Limit(phi1(t), t, 0), 1),
    "abstract function": (sp.Derivative(f(t) ** 2, t), 2 * f(t) * sp.Derivative(f(t), t)),
    "product rule": (sp.Derivative(f(t) * g(t), t, t),
        f(t) * g(t).diff(t, 2) + 2 * f(t).diff(t) * g(t).diff(t) + f(t).diff(t, 2) * g(t)),
    "root of a positive function": (sp.sqrt(positive(t) ** 2 + 2 * positive(t) + 1), positive(t) + 1),
    "complex symbol": ((c + 1) * (c - 1), c**2 - 1),
    "factorials": (sp.gamma(n + 1), n * sp.gamma(n)),
    "phi1": (phi1(t) * t, sp.exp(t) - 1),
    "derivative of phi1": (sp.Derivative(phi1(t * x), t), (sp.exp(t * x) - phi1(t * x)) / t),
    "quotient": (quotient(x * t, y) * (y + 1), x * t + x * t / y),
    "scaled Bessel function": (besselk_scaled(sp.Rational(1, 2), x), sp.sqrt(sp.pi / (2 * x))),
    "branches that are the same": (sp.Piecewise((x - 1, x > 1), ((x**2 - 1) / (x + 1), True)), x - 1),
    "binary float": (0.5 * x, x / 2),
}  # fmt: skip

FALSE = {
    "sign of a root": (sp.sqrt(t**2), t),
    "coefficient": (sp.Derivative(f(t) ** 2, t), 3 * f(t) * sp.Derivative(f(t), t)),
    "near miss in the 20th digit": (x, x * (1 + sp.Rational(1, 10**20))),
    "tiny constant": (sp.sqrt(x + 1), sp.sqrt(x + 1) + sp.Rational(1, 10**23)),
    "logarithm of a product of negatives": (sp.log(t * s), sp.log(t) + sp.log(s)),
    "root of a complex square": (sp.sqrt(c**2), c),
    "integral": (
        sp.Integral(sp.exp(-(x**2)) * sp.erf(x) * sp.cos(x**3), (x, 0, 1)),
        sp.Rational(1, 3),
    ),
    "constant of integration": (
        sp.Derivative(positive(t), t),
        sp.Derivative(positive(t), t) + sp.Rational(1, 1000),
    ),
    "only at integers": (sp.sin(sp.pi * x), 0),
    "different decay far out": (sp.exp(-1000 * x), sp.exp(-1001 * x)),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_holds(name):
    assert Step(name, *TRUE[name]).check() is Verdict.HOLDS


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", TRUE)
def test_a_planted_factor_fails(name):
    left, right = TRUE[name]
    step = Step(name, left, sp.Rational(8, 7) * right)
    assert step.check() is Verdict.FAILS
    assert step.counterexample() is not None


@pytest.mark.parametrize("name", FALSE)
def test_a_false_identity_fails(name):
    assert Step(name, *FALSE[name]).check() is Verdict.FAILS


def test_agreement_without_proof_is_undecided():
    legendre = sp.elliptic_e(z / (1 + z)) * sp.elliptic_k(1 / (1 + z)) + sp.elliptic_e(
        1 / (1 + z)
    ) * sp.elliptic_k(z / (1 + z))
    product = sp.elliptic_k(z / (1 + z)) * sp.elliptic_k(1 / (1 + z))
    step = Step("Legendre's relation, beyond any normal form here", legendre - product, sp.pi / 2)
    assert step.check() is Verdict.UNDECIDED
    assert step.counterexample() is None


def test_terms_below_every_precision_do_not_refute():
    big = sp.exp(1000 * x)
    assert (
        Step(
            "absorbed", sp.sqrt(1 + 1 / big) * sp.sqrt(4 + 4 / big), 2 + 2 * sp.exp(-1000 * x)
        ).check()
        is Verdict.HOLDS
    )


@pytest.mark.slow
def test_differences_of_nearly_equal_numbers_do_not_refute():
    tiny = sp.Symbol("tiny", positive=True)
    left = (sp.exp(-900 * (tiny + 1)) + 1) ** 3 - 1
    right = (
        3 * sp.exp(-900 * (tiny + 1)) + 3 * sp.exp(-1800 * (tiny + 1)) + sp.exp(-2700 * (tiny + 1))
    )
    assert Step("difference of nearly equal numbers", left, right).check() is Verdict.HOLDS


TURN = sp.Matrix([[sp.cos(t), -sp.sin(t)], [sp.sin(t), sp.cos(t)]])
KEPT = {
    "value at a point": (sp.Subs(sp.exp(t) * y, t, 0), y),
    "matrix at a point": (sp.Subs(TURN, t, sp.pi / 2), sp.Matrix([[0, -1], [1, 0]])),
    "derivative of a matrix": (sp.Subs(sp.Derivative(TURN, t), t, 0), sp.Matrix([[0, -1], [1, 0]])),
    "product of matrices": (sp.MatMul(TURN, sp.Matrix([x, 0])), sp.Matrix([x * sp.cos(t), x * sp.sin(t)])),
    "inverse": (sp.Inverse(sp.ImmutableMatrix([[x, 0], [1, y]])), sp.Matrix([[1 / x, 0], [-1 / (x * y), 1 / y]])),
    "determinant": (sp.Determinant(TURN) * x, x),
    "trace": (sp.Trace(sp.MatMul(TURN, TURN)), 2 * sp.cos(2 * t)),
    "sum": (sp.Sum(x**2, (n, 1, 3)), 3 * x**2),
    "as written": (sp.UnevaluatedExpr(x + y) ** 2, x**2 + 2 * x * y + y**2),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_a_side_is_kept_as_claimed_and_worked_out_when_it_is_checked(name):
    left, right = KEPT[name]
    step = Step(name, left, right)
    assert step.left != step.right
    assert step.check(fresh=True) is Verdict.HOLDS
    wrong = Step(name, left, sp.Rational(8, 7) * right)
    assert wrong.check(fresh=True) is Verdict.FAILS
    assert wrong.counterexample() is not None


def test_the_shape_of_a_matrix_that_is_not_worked_out_counts():
    with pytest.raises(ValueError, match="one shape"):
        Step("shapes", sp.Subs(TURN, t, 0), sp.eye(3))
    with pytest.raises(ValueError, match="one shape"):
        Step("shapes", sp.MatMul(TURN, sp.Matrix([x, 0])), x)


SLOPES = [sp.Derivative(x * y**2, letter) for letter in (x, y)]


def test_a_value_that_sympy_takes_for_another_is_refused():
    """Of these slopes at x = y = z sympy makes twice the first: [z^2, z^2] would hold for [z^2, 2 z^2]."""
    at_once = [sp.Subs(slope, (x, y), (z, z)) for slope in SLOPES]
    for sides in (
        (sp.Matrix(at_once), sp.Matrix([z**2, z**2])),
        (sp.Mul(*at_once), z**4),
        (sp.Subs(sp.Matrix(SLOPES), (x, y), (z, z)), sp.Matrix([z**2, 2 * z**2])),
        (sp.Subs(sp.UnevaluatedExpr(sp.Subs(SLOPES[0], y, z)), x, z), z**2),
    ):
        with pytest.raises(ValueError, match="needs one letter put in for the other first"):
            Step("slopes at equal letters", *sides)


@pytest.mark.parametrize("point", [{x: z, y: z}, {y: z, x: z}, {x: z, n: 1, y: z}])
def test_values_put_in_one_after_another_are_told_apart(point):
    values = [at_values(slope, point, point.values()) for slope in SLOPES]
    right = sp.Matrix([z**2, 2 * z**2])
    assert Step("two slopes", sp.Matrix(values), right).check(fresh=True) is Verdict.HOLDS
    matrix = at_values(sp.Matrix(SLOPES), point, point.values())
    assert Step("a matrix of them", matrix, right).check(fresh=True) is Verdict.HOLDS
    equal = sp.Matrix([z**2, z**2])
    assert Step("equal slopes", sp.Matrix(values), equal).check(fresh=True) is Verdict.FAILS
    third = sp.exp(2 * x + 3 * y)
    orders = [sp.Derivative(third, *by) for by in ((x, x, y), (x, y, y), (x, x, x), (y, y, y))]
    there = [at_values(slope, (x, y), (z, z)) for slope in orders]
    assert len(set(there)) == 4
    factors = [12, 18, 8, 27]
    holds = Step("four", sp.Matrix(there), sp.Matrix(factors) * sp.exp(5 * z)).check(fresh=True)
    assert holds is Verdict.HOLDS


def test_a_parametrisation_opens_roots():
    p, m = sp.symbols("p m", positive=True)
    root = sp.sqrt(x**2 + 4 * y)
    step = Step(
        "product of the roots",
        (x + root) * (root - x),
        4 * y,
        where={x: p**2 - m**2, y: p**2 * m**2},
    )
    assert step.check() is Verdict.HOLDS
    step = Step(
        "sum of the roots",
        sp.sqrt(x**2 + 4 * y) + x,
        2 * p**2,
        where={x: p**2 - m**2, y: p**2 * m**2},
    )
    assert step.check() is Verdict.HOLDS
    wrong = Step(
        "wrong root", sp.sqrt(x**2 + 4 * y) + x, 2 * m**2, where={x: p**2 - m**2, y: p**2 * m**2}
    )
    assert wrong.check() is Verdict.FAILS


@pytest.mark.parametrize(
    "where",
    [{x: 1}, {x: z, y: z}, {x: z**2, y: z + 1}, {x: z + s**2, y: 2 * z + 2 * s**2}],
)
def test_a_parametrisation_may_be_a_special_case(where):
    """With x = y as the whole domain, x^2 would be x y; another step on the same sides makes it one of the cases."""
    sides = x * y, x**2 * sp.UnevaluatedExpr(y) / x
    special = Step("a case", *sides, where=where)
    assert special_cases([special]) == (special,)
    for general in ({}, {x: z, y: s**2 + 1}):
        assert special_cases([special, Step("all others", *sides, where=general)]) == ()
    assert special_cases([special, Step("other sides", sides[1], sides[0])]) == (special,)


def test_a_parametrisation_ties_no_letters_of_a_formula():
    """x = y says what is claimed of the letter y alone, and nothing of x y as a formula in both."""
    area = Premise("the area", z**2)
    step = Step("the area", x * y, sp.Subs(area.expression, z, x), where={x: y}, uses=(area,))
    assert step.check() is Verdict.HOLDS
    arguments = (Argument(x, "a"), Argument(y, "b"))
    with pytest.raises(ValueError, match="which ties letters to each other"):
        ClosedForm("own.area", "An area.", arguments, x * y, Status.DERIVED, (step,))


def test_a_parametrisation_that_leaves_the_domain_does_not_refute():
    p = sp.Symbol("p", real=True)
    assert (
        Step("positive root", sp.sqrt(x**2 + 2 * x + 1), x + 1, where={x: p}).check()
        is not Verdict.FAILS
    )
    assert sp.sqrt(p**2) != p


@pytest.mark.parametrize("side", ["x", True, sp.Eq(x, 1), [1, 2]])
def test_a_side_that_is_no_expression_is_refused(side):
    with pytest.raises(
        TypeError, match=r"left of step 'bad': got .*, needs an expression or a matrix"
    ):
        Step("bad", side, x)


def test_a_claim_is_needed():
    with pytest.raises(ValueError, match="claim"):
        Step("  ", x, x)


def test_checks_run_programs():
    assert Check("two and two", lambda: 2 + 2 == 4).check() is Verdict.HOLDS
    assert Check("two and three", lambda: 2 + 3 == 4).check() is Verdict.FAILS
    assert Check("nothing", lambda: None).check() is Verdict.UNDECIDED
    with pytest.raises(TypeError, match="True, False or None"):
        Check("seven", lambda: 7).check()


def test_one_failure_fails_all():
    assert Verdict.all([]) is Verdict.HOLDS
    assert Verdict.all([Verdict.HOLDS, Verdict.UNDECIDED]) is Verdict.UNDECIDED
    assert Verdict.all([Verdict.UNDECIDED, Verdict.FAILS]) is Verdict.FAILS


def test_a_proof_comes_before_the_search(monkeypatch):
    def search(*arguments, **options):
        raise AssertionError("nothing is left to search for")

    monkeypatch.setattr("theory.core.proof.decision.compare", search)
    p = sp.Symbol("p", positive=True)
    assert Step("proved", (p + 1) ** 2, p**2 + 2 * p + 1).check() is Verdict.HOLDS


def test_what_sympy_says_does_not_count_against_a_counterexample(monkeypatch):
    monkeypatch.setattr("theory.core.proof.decision._simplifies_to_zero", lambda difference: True)
    p = sp.Symbol("p", positive=True)
    assert (
        Step("wrong, though sympy were to say it is right", sp.erf(p), sp.sin(p)).check()
        is Verdict.FAILS
    )


def test_a_factor_is_not_drawn_under_an_integral_over_its_own_variable():
    step = Step("capture", x * sp.Integral(x, (x, 0, 1)), sp.Integral(x**2, (x, 0, 1)))
    assert step.check() is Verdict.FAILS
    assert (
        Step("no capture", y * sp.Integral(x, (x, 0, 1)), sp.Integral(x * y, (x, 0, 1))).check()
        is Verdict.HOLDS
    )


def test_the_budget_interrupts_and_only_then():
    with budget(30):
        pass
    with pytest.raises(OutOfTime), budget(0.2):
        sum(1 for _ in iter(int, 1))


def test_a_block_that_swallows_the_interruption_is_out_of_time_all_the_same():
    def stubborn():
        try:
            sum(1 for _ in iter(int, 1))
        except OutOfTime:
            return

    with pytest.raises(OutOfTime), budget(0.1):
        stubborn()


def test_the_budget_is_one_of_processor_time():
    """Waiting costs nothing: what a neighbour does to this machine changes no verdict."""
    with budget(0.2):
        time.sleep(0.5)


def test_nothing_is_remembered_of_a_step_that_ran_out_of_time(monkeypatch):
    p = sp.Symbol("p", positive=True)
    step = Step("cut short", (p + 17) ** 2, p**2 + 34 * p + 289)

    def never(*arguments, **options):
        raise OutOfTime

    with monkeypatch.context() as patch:
        patch.setattr("theory.core.proof.decision._vanishes", never)
        patch.setattr("theory.core.proof.decision.compare", never)
        assert step.check() is Verdict.UNDECIDED
    assert step.check() is Verdict.HOLDS


def test_a_hopeless_step_is_given_up(monkeypatch):
    """sympy integrates this for hours."""
    monkeypatch.setattr("theory.core.proof.decision._SECONDS_TO_SIMPLIFY", 0.5)
    integrand = sp.erf(x * y) ** 2 * sp.exp(-(x**2)) * sp.log(1 + x**3) * sp.sin(x * y)
    step = Step("hopeless", sp.Integral(integrand, (x, 0, y)), f(y))
    start = time.process_time()
    assert step.check() is not Verdict.HOLDS
    assert time.process_time() - start < 20


def test_values_within_values_contain_each_other():
    x, y = sp.symbols("x y", real=True)
    inner = sp.Subs(x * y**2, (x, y), (y, x))
    outer = sp.Subs(1 + x * inner, (x, y), (y, x))
    assert Step("true", outer, 1 + x * y**3).check(fresh=True) is Verdict.HOLDS
    assert (
        Step("matrix", sp.Matrix([inner]), sp.Matrix([x**2 * y])).check(fresh=True)
        is Verdict.HOLDS
    )
