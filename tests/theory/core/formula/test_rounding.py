"""Tests of expressions computed with twice the digits, in numpy and torch, and of logarithms near 1."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.theory.core.demonstrations import A, X, a, transcribed, x
from tests.theory.core.pairs import in_pairs
from theory.core import Argument, Step, Verdict, quotient
from theory.core.formula.cancelling import is_compensable, of_near_inputs
from theory.core.formula.rounding import compensated, log1p, log_ratio, watched
from theory.core.numbers.backends import ball_backend

b, c = sp.symbols("b c", positive=True)
ARGUMENTS = (A, Argument(b, "b"), Argument(c, "c"))
# Each vanishes somewhere, and loses all digits near there if it is computed as it stands.
DIFFERENCES = {
    "products": a * b - c**2,
    "a ratio": a - b * c / (a + sp.Rational(1, 3)),
    "a root": sp.sqrt(a**2 + b) - c,
    "magnitudes": sp.Abs(a - b) * sp.sign(b - a) + sp.pi * c**3,
    "a quotient": a - quotient(b**2, c),
}


def near_zero(expression: sp.Expr, seed: int) -> list[tuple[float, float, float]]:
    """Points at relative distances of 1e-3 to 1e-16 from a zero of the expression."""
    draw = np.random.default_rng(seed)
    plain = sp.lambdify((a, b, c), expression.replace(quotient, lambda u, v: u / v), "mpmath")
    found = []
    while len(found) < 40:
        values = draw.uniform(0.5, 3, 3)
        with mpmath.workdps(40):
            try:
                root = mpmath.findroot(
                    lambda u, v=values: plain(v[0], mpmath.mpf(v[1]), u), values[2]
                )
            except (ValueError, ZeroDivisionError):
                continue
        if mpmath.im(root) == 0 and root > 0.1:
            found.append(
                (
                    values[0],
                    values[1],
                    float(root) * (1 + draw.choice([-1, 1]) * 10 ** -draw.uniform(3, 16)),
                )
            )
    return found


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_compensated_difference_keeps_its_digits(name, torch):
    plain, careful = (
        transcribed(f(DIFFERENCES[name]), *ARGUMENTS) for f in (lambda e: e, compensated)
    )
    columns = np.array(near_zero(DIFFERENCES[name], seed=3)).T
    exact = np.array([float(plain.evaluate(*point, digits=25)) for point in columns.T])
    np.testing.assert_allclose(careful(*columns), exact, rtol=1e-15)
    np.testing.assert_allclose([float(careful(*point)) for point in columns.T], exact, rtol=1e-15)
    np.testing.assert_allclose(
        careful.function("torch")(*map(torch.tensor, columns)).numpy(), exact, rtol=1e-15
    )
    # Without, the same points lose most of their digits: the test can fail.
    assert np.max(np.abs(plain(*columns) / exact - 1)) > 1e-3


def test_compensation_is_transparent(torch):
    careful = compensated(a * b - c**2)
    assert Step("product", careful, a * b - c**2).check() is Verdict.HOLDS
    assert Step("derivative", sp.Derivative(careful, c), -2 * c).check() is Verdict.HOLDS
    assert Step("wrong", careful, a * b + c**2).check() is Verdict.FAILS
    assert str(careful) == "(a*b - c**2)"
    assert sp.latex(careful) == r"\left(a b - c^{2}\right)"
    assert compensated(a) == a
    assert compensated(sp.Integer(2)) == 2
    assert compensated(careful) == careful
    form = transcribed(careful, *ARGUMENTS)
    points = [
        torch.tensor(column, requires_grad=True) for column in ([0.3, 2.0], [1.5, 0.7], [0.8, 0.2])
    ]
    assert torch.autograd.gradcheck(form.function("torch", validate=False), points)
    assert form(np.float32(1), np.float32(2), np.float32(3)).dtype == np.float32
    singles = (torch.tensor(v, dtype=torch.float32) for v in (1.0, 2.0, 3.0))
    assert form.function("torch")(*singles).dtype == torch.float32
    assert form(np.longdouble(1), np.longdouble(2), np.longdouble(3)).dtype == np.longdouble


def test_only_exponents_that_pairs_can_compute_are_compensated():
    integral = sp.Integral(sp.exp(-a * b), (b, 0, 1))
    for exponent in (x - a, sp.log(1 + a) ** 2 - sp.sqrt(b), sp.Abs(x) - c**2):
        assert is_compensable(exponent)
        assert of_near_inputs(sp.exp(exponent) - a).has(compensated(exponent))
    for exponent in (sp.sin(x) - a, sp.cbrt(a) - b, a**b - c, integral - a):
        assert not is_compensable(exponent)
        assert not of_near_inputs(sp.exp(exponent) - a).has(compensated(exponent))
    assert of_near_inputs(integral - a) == integral - a


def test_where_pairs_overflow_the_plain_value_is_taken(torch):
    form = transcribed(compensated(x - a), X, A)
    assert form(1e305, 1.0) == 1e305
    assert form(np.array([1e305, 3.0]), 1.0).tolist() == [1e305, 2.0]
    assert form.function("torch")(
        torch.tensor([1e305, 3.0], dtype=torch.float64), 1.0
    ).tolist() == [1e305, 2.0]


def test_longdouble_has_more_digits_than_float64():
    form = transcribed(compensated(a * b - c), *ARGUMENTS)
    values = [0.1, 0.3, 0.1 * 0.3]  # of a difference of which 64 bits are too few
    exact = float(Fraction(values[0]) * Fraction(values[1]) - Fraction(values[2]))
    assert form(*map(np.longdouble, values)) == pytest.approx(exact, rel=1e-15)
    third = np.longdouble(1) / 3
    exact = 3 * Fraction(*third.as_integer_ratio()) - 1
    assert Fraction(*form(third, np.longdouble(3), np.longdouble(1)).as_integer_ratio()) == exact
    assert form(*map(np.longdouble, ("1e2000", "1e-1000", "1"))) == np.longdouble("1e1000")


def test_a_function_that_pairs_lack_is_refused():
    with pytest.raises(NotImplementedError, match="numpy backend has no sin in pairs of numbers"):
        transcribed(compensated(sp.sin(x) - 1), X)(1.0)


def test_log1p(torch):
    form = transcribed(log1p(x), X)
    points = np.array([-0.9, -1e-9, 0.0, 1e-300, 1e-12, 0.5, 1e8])
    with mpmath.workdps(40):
        exact = [float(mpmath.log1p(point)) for point in points]
    np.testing.assert_allclose(form(points), exact, rtol=1e-15)
    np.testing.assert_allclose(
        form.function("torch")(torch.tensor(points)).numpy(), exact, rtol=1e-15
    )
    assert [float(form.evaluate(float(point))) for point in points] == pytest.approx(
        exact, rel=1e-15
    )
    assert [float(form.function("mpmath")(point)) for point in points] == pytest.approx(
        exact, rel=1e-15
    )
    assert Step("logarithm", log1p(a), sp.log(1 + a)).check() is Verdict.HOLDS
    assert Step("derivative", sp.Derivative(log1p(a), a), 1 / (1 + a)).check() is Verdict.HOLDS
    assert sp.latex(log1p(a)) == r"\log\left(1 + a\right)"
    assert log1p(0) == 0
    assert log1p(a).is_positive
    assert float(log1p(sp.Float("1e-20", 30))) == pytest.approx(1e-20, rel=1e-12)


def test_log_ratio(torch):
    form = transcribed(log_ratio(x, a), X, A)
    pairs = [
        (1.0, 1 + 1e-15),
        (0.3, 0.3),
        (1e-300, 1e300),
        (1e300, 1e-300),
        (2.0, 1.0),
        (1.0, 1.7),
        (5.0, 1e-12),
    ]
    numbers, others = np.array(pairs).T
    with mpmath.workdps(60):
        exact = [float(mpmath.log(mpmath.mpf(one) / mpmath.mpf(other))) for one, other in pairs]
    np.testing.assert_allclose(form(numbers, others), exact, rtol=1e-15)
    np.testing.assert_allclose([form(*pair) for pair in pairs], exact, rtol=1e-15)
    tensors = torch.tensor(numbers, requires_grad=True), torch.tensor(others)
    value = form.function("torch")(*tensors)
    np.testing.assert_allclose(value.detach().numpy(), exact, rtol=1e-15)
    (slope,) = torch.autograd.grad(value.sum(), tensors[0])
    np.testing.assert_allclose(slope.numpy(), 1 / numbers, rtol=1e-12)
    assert [float(form.evaluate(*pair)) for pair in pairs] == pytest.approx(exact, rel=1e-15)
    assert Step("derivative", sp.Derivative(log_ratio(a, b), b), -1 / b).check() is Verdict.HOLDS
    assert sp.latex(log_ratio(a, b)) == sp.latex(sp.log(a / b))


CANCELLING = transcribed(watched(sp.asin(x) - a) / sp.exp(x * a), X, A)
SPOILT = 0.5, float(np.arcsin(0.5)) * (1 + 1e-12)


@pytest.mark.parametrize("number", [1, 10])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_balls_are_asked_where_a_watched_sum_cancels_and_nowhere_else(number, dtype, monkeypatch):
    asked, nearest = [], ball_backend.nearest

    def counted(value):
        asked.append(value)
        return nearest(value)

    monkeypatch.setattr(ball_backend, "nearest", counted)
    spoilt = np.array(SPOILT, dtype)
    others = np.linspace(0.6, 0.9, 990, dtype=dtype), np.full(990, 0.5, dtype)
    columns = [np.append([p] * number, o) for p, o in zip(spoilt, others, strict=True)]
    values = CANCELLING(*columns)
    assert (len(asked), values.dtype) == (number, dtype)
    digits = 4 * np.finfo(dtype).eps
    exact = float(CANCELLING.evaluate(*map(float, spoilt), digits=17))
    np.testing.assert_allclose(values[:number], exact, rtol=digits)
    true = (np.arcsin(others[0]) - others[1]) / np.exp(others[0] * others[1])
    np.testing.assert_allclose(values[number:], true, rtol=10 * digits)


def test_a_watched_sum_that_is_zero_is_zero():
    form = transcribed(watched(sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1), X)
    assert form(0.3) == 0


def test_a_watched_sum_warns_where_balls_do_not_help(torch):
    """For tensors, whose gradient goes through the sum, and beside an integral."""
    t = sp.Symbol("t")
    area = sp.Integral(sp.exp(-(t**2) * x), (t, 0, 1))
    form = transcribed(area * watched(sp.asin(x) - a), X, A)
    tensors = [torch.tensor(number, dtype=torch.float64) for number in SPOILT]
    for function, point in ((form, SPOILT), (form.function("torch"), tensors)):
        with pytest.warns(
            RuntimeWarning, match="at 1 of 1 points the terms of a closed form cancel"
        ) as warned:
            function(*point)
        assert [one.filename for one in warned] == [__file__]  # the line that called
    with pytest.warns(RuntimeWarning, match="at 1 of 1 points"):
        form(np.array([SPOILT[0], 0.5]), np.array([SPOILT[1], 0.25]))
    assert form(0.5, 0.25) > 0


def test_denominators_are_divided_by_one_after_the_other():
    form = transcribed(a / (b**3 * c**4), *ARGUMENTS)
    # the product of both powers is infinite
    assert form(1e200, 1e80, 1e60) == pytest.approx(1e-280, rel=1e-14)


def test_pairs_have_twice_the_digits():
    draw = np.random.default_rng(0)
    first, second, third = sp.symbols("first second third", real=True)
    ratios = (
        first / second,
        first / (second + third),
        first * second / third,
        first * second / (second + third),
        (first - second * third) * third,
        sp.sqrt(first * second, evaluate=False) ** 2 * third / first,
    )
    for ratio in ratios:
        function = in_pairs(ratio, [first, second, third])
        for point in draw.uniform(0.1, 3, (50, 3)).tolist():
            high, low = function(*point)
            exact = ratio.subs(
                dict(zip((first, second, third), map(sp.Rational, point), strict=True))
            )
            assert abs(
                (sp.Rational(float(high)) + sp.Rational(float(low))) / exact - 1
            ) < Fraction(1, 2**96)
