"""Tests of closed forms at tensors beside Python numbers: a short way, against the general way."""

from __future__ import annotations

import math

import pytest
import sympy as sp

import theory
from tests.theory.core.demonstrations import A, X, transcribed
from theory.core import Argument
from theory.core.numbers.backends import torch_backend
from theory.core.numbers.backends.number_parts import separated

torch = pytest.importorskip("torch")
QUICK = ("geometry.scalar_curvature.erf", "geometry.volume_element.gelu", "two_point.final_distance")
FORMS = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in theory.catalogue()]
LAST_DIGITS, OF_SLOPES = 1e-12, 1e-9  # a derivative may be a difference of larger terms


@pytest.mark.parametrize("name", FORMS)
def test_the_values_are_those_of_tensors_alone(name, no_general_way):
    form = theory.catalogue()[name]
    if len(form.arguments) < 2 or form.expression.has(sp.Integral):
        pytest.skip("a constant, one argument or an integral, which takes the general way")
    *numbers, last = (float(column[0]) for column in form.sample(1, seed=4).values())
    x = torch.tensor([last], dtype=torch.float64, requires_grad=True)
    expected = form.function("torch")(*(torch.tensor([value], dtype=torch.float64) for value in numbers), x)
    no_general_way()
    value = form.function("torch", validate=False)(*numbers, x)
    torch.testing.assert_close(value, expected, rtol=LAST_DIGITS, atol=0)
    if value.requires_grad:
        slopes = [torch.autograd.grad(v, x)[0] for v in (value, expected)]
        torch.testing.assert_close(*slopes, rtol=OF_SLOPES, atol=1e-300)
    if not form.conditions:
        assert form.function("torch")(*numbers, x) == value


def test_a_bad_value_is_named_as_in_the_general_way():
    function = theory.catalogue()["geometry.scalar_curvature.erf"].function("torch")
    r = torch.linspace(0, 1, 3, dtype=torch.float64)
    for given, message in (
        ((2.5, r, 1.0, 0.5), "d .*: got 2.5, needs a positive integer"),
        ((2, -r, 1.0, 0.5), "r .*: got .*, needs a nonnegative"),
        ((2, r, 0.0, 0.5), "sigma .*: got 0.*, needs a positive"),
        ((2, r * math.nan, 1.0, 0.5), "r .*: got .*, needs a nonnegative"),
        ((2, r[:0], 1.0, 0.5), "r: got shape .*, needs at least one number"),
    ):
        with pytest.raises(ValueError, match=message):
            function(*given)
    with pytest.raises(TypeError, match=r"d: got torch.bool, needs real numbers"):
        function(True, r, 1.0, 0.5)
    with pytest.raises(TypeError, match="sigma: got"):
        function(2, r, 10**400, 0.5)


def test_a_result_that_overflows_is_an_error():
    x, y = sp.symbols("x y", positive=True)
    function = transcribed(sp.exp(x) * y, Argument(x, "one"), Argument(y, "other")).function("torch")
    with pytest.raises(ArithmeticError, match="not finite in torch arithmetic"):
        function(800, torch.ones(2, dtype=torch.float64))
    with pytest.raises(ArithmeticError, match="not finite in torch arithmetic"):
        function(torch.full((2,), 800.0, dtype=torch.float64), 1.0)


def test_finite_results_whose_sum_overflows_are_allowed(no_general_way):
    large = torch.full((3,), 1e308, dtype=torch.float64)
    function = transcribed(A.symbol * X.symbol, X, A).function("torch")
    no_general_way()
    assert function(large, 1.5).tolist() == [1.5e308] * 3
    assert not torch_backend.is_finite(torch.tensor([math.inf, -math.inf, 1.0]))
    assert not torch_backend.is_finite(torch.tensor([1.0, math.nan]))


def test_roots_in_denominators_and_their_slopes(no_general_way):
    given, a = (1.5 * A.symbol) * X.symbol / sp.sqrt(X.symbol**2 + 1) / sp.sqrt(A.symbol), A.symbol
    expression = given - 1 / sp.sqrt(a) + 2 / (a * sp.sqrt(a + X.symbol**2) * sp.sqrt(a))
    x = torch.linspace(-2, 2, 9, dtype=torch.float64, requires_grad=True)
    function = transcribed(expression, X, A).function("torch")
    no_general_way()
    value = function(x, 0.7)
    slope = torch.autograd.grad(value.sum(), x)[0]
    for index, point in enumerate(x.tolist()):
        at = {X.symbol: sp.Float(point, 30), a: sp.Float(0.7, 30)}
        assert value[index].item() == pytest.approx(float(expression.subs(at)), rel=LAST_DIGITS)
        assert slope[index].item() == pytest.approx(float(expression.diff(X.symbol).subs(at)), rel=LAST_DIGITS)


def test_the_dtype_is_that_of_the_tensors():
    function = theory.catalogue()["geometry.scalar_curvature.erf"].function("torch")
    assert function(3, torch.ones(2), 1.1, 0.6).dtype == torch.float32


def test_factors_and_terms_that_are_numbers_are_one_part():
    x, a, b = sp.symbols("x a b", real=True)
    parts, rest = separated(a * b * x + sp.exp(-2 * a * x) + a + 1, [a, b])
    assert set(parts.values()) == {a * b, -2 * a, a + 1}
    assert not rest.free_symbols & {a, b}
    guarded = sp.Piecewise((a / x, x > 0), (0, True))
    assert separated(b * a * guarded, [a, b])[1].has(guarded)
