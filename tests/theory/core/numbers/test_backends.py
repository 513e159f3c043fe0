"""Tests of the three backends: equal numbers, and the properties of each backend."""

from __future__ import annotations

import importlib
import sys
import warnings

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.theory.core.demonstrations import (
    EVERYWHERE,
    GAUSSIAN_MEAN,
    ROOT,
    A,
    X,
    a,
    transcribed,
    x,
    z,
)
from theory.core import Argument, ClosedForm, Status, besselk_scaled, normal_cdf, normal_pdf, phi1
from theory.core.numbers.backends import load
from theory.core.numbers.backends.source import compile_expression

DOUBLE = 1e-13  # a few operations in double precision, well conditioned


def form(name):
    expression, arguments = EVERYWHERE[name]
    return transcribed(expression, *arguments)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_numpy_and_mpmath_agree(name):
    cf = form(name)
    points = cf.sample(40, seed=1)
    values = np.broadcast_to(cf(**points), 40)
    for index in range(40):
        point = {key: column[index] for key, column in points.items()}
        assert abs(values[index] - cf.evaluate(digits=20, **point)) <= DOUBLE * max(
            1, abs(values[index])
        )
        for value in (cf.function("mpmath")(**point), cf(*map(float, point.values()))):
            assert value == pytest.approx(values[index], rel=DOUBLE, abs=DOUBLE)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_torch_agrees_and_differentiates(name, torch):
    cf = form(name)
    points = cf.sample(12, seed=2)
    tensors = [torch.tensor(column, requires_grad=key != "n") for key, column in points.items()]
    function = cf.function("torch")
    result = function(*tensors)
    assert result.dtype == torch.float64
    np.testing.assert_allclose(result.detach().numpy(), cf(**points), rtol=DOUBLE, atol=DOUBLE)
    if result.requires_grad:
        assert torch.autograd.gradcheck(function, tensors)


def test_arrays_of_the_broadcast_shape():
    rows, columns = np.linspace(-1, 1, 4)[:, None], np.linspace(1, 2, 3)
    assert ROOT(rows, columns).shape == (4, 3)
    assert isinstance(ROOT(1, 2), np.float64)
    assert transcribed(sp.Integer(3), X)(np.zeros((2, 5))).shape == (2, 5)
    assert ROOT([1, 2], a=[3, 4]).tolist() == [ROOT(1, 3), ROOT(2, 4)]


def test_long_arrays_are_worked_through_in_blocks():
    points = ROOT.sample(50_003, seed=3)
    whole = ROOT(**points)
    assert whole.shape == (50_003,)
    np.testing.assert_array_equal(
        whole[-5:], ROOT(**{key: column[-5:] for key, column in points.items()})
    )
    strided = {key: np.repeat(column, 2)[::2] for key, column in points.items()}
    np.testing.assert_array_equal(ROOT(**strided), whole)
    np.testing.assert_array_equal(
        ROOT(points["x"].reshape(-1, 1), points["a"].reshape(-1, 1))[:, 0], whole
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble])
def test_numpy_keeps_the_precision_of_its_input(dtype):
    cf = form("constants")
    result = cf(np.array([0.3, 0.7], dtype), dtype(0.5))
    assert result.dtype == dtype
    third = transcribed(x / 3 + sp.sqrt(2), X)(dtype(1))
    error = abs(mpmath.mpf(str(third)) - (mpmath.mpf(1) / 3 + mpmath.sqrt(2)))
    assert error < 4 * float(np.finfo(dtype).eps)


def test_numpy_promotes_the_rest_to_float64():
    assert ROOT(np.float32(1), np.array([1.0])).dtype == np.float64
    assert ROOT(np.float32(1), 2).dtype == np.float32
    assert ROOT(np.arange(3), 2).dtype == np.float64
    assert ROOT(np.array([1, 2], np.float16), 2).dtype == np.float64


def test_longdouble_has_no_special_functions():
    with pytest.raises(NotImplementedError, match="numpy backend has no erf"):
        transcribed(sp.erf(x), X)(np.longdouble(1))


def test_torch_keeps_dtype_and_device(torch):
    cf = form("constants")
    function = cf.function("torch")
    assert function(torch.ones(3, dtype=torch.float32), 0.5).dtype == torch.float32
    assert (
        function(torch.ones(3, dtype=torch.float32), torch.ones(3, dtype=torch.float64)).dtype
        == torch.float64
    )
    assert function(1, 2).dtype == torch.float64
    assert function(torch.ones(3, dtype=torch.int64), 2).dtype == torch.float64
    torch.set_default_dtype(torch.float32)
    assert function(1.0, 2).dtype == torch.float64
    assert transcribed(sp.sqrt(2) + 0 * x, X).function("torch")(1.0).item() == np.sqrt(2)


def test_torch_functions_transform_without_validation(torch):
    function = ROOT.function("torch", validate=False)
    points = torch.linspace(-1, 1, 5)
    batched = torch.func.vmap(torch.func.grad(function), in_dims=(0, None))(
        points, torch.tensor(2.0)
    )
    expected = 0.5 + points / 4 / torch.sqrt(points**2 / 4 + 2)
    torch.testing.assert_close(batched, expected)


def test_torch_gradients_ignore_branches_not_taken(torch):
    cf = transcribed(sp.Piecewise((sp.log(x), x > 1), (phi1(x), True)), X)
    points = torch.tensor([-1.0, 0.0, 1e-9, 0.4999, 0.5001, 3.0], requires_grad=True)
    assert torch.autograd.gradcheck(cf.function("torch"), points)
    assert torch.autograd.gradgradcheck(cf.function("torch"), points)


def test_no_warning_from_branches_not_taken():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert form("piecewise")(np.array([-3.0, 0.0, 2.0]), 1.0).tolist() == [
            -9,
            1,
            np.log(2) + 1,
        ]
        assert form("piecewise")(0.0, 1.0) == 1


def test_an_exponent_of_zero_that_is_only_known_at_the_call():
    base, exponent = sp.Symbol("base", positive=True), sp.Symbol("exponent", nonnegative=True)
    arguments = (Argument(base, "base"), Argument(exponent, "exponent"))
    form = ClosedForm(
        "demonstration.power", "A power.", arguments, base**exponent, Status.CONJECTURED
    )
    assert [form(base=3.0, exponent=e) for e in (0.0, 0.5, 2.0)] == pytest.approx(
        [1.0, np.sqrt(3.0), 9.0]
    )


def test_a_double_integral():
    cf = transcribed(sp.Integral(sp.exp(-a * z) * x, (z, 0, x), (x, 0, 1)), A)
    rate = 0.7
    inner = (1 - (1 + rate) * np.exp(-rate)) / rate**2
    assert cf(rate) == pytest.approx((0.5 - inner) / rate, rel=1e-10)


def test_torch_integrates_and_differentiates(torch):
    form = transcribed(GAUSSIAN_MEAN, A)
    rates = torch.tensor([1e-3, 0.1, 1.0], requires_grad=True)
    np.testing.assert_allclose(
        form.function("torch")(rates).detach().numpy(), form(rates.detach().numpy()), rtol=1e-12
    )
    assert torch.autograd.gradcheck(form.function("torch", validate=False), rates)


SPECIAL = {
    "besselk": (sp.besselk(sp.Rational(1, 4), a), 1),
    "besseli": (sp.besseli(2, a), 1),
    "besselk_scaled": (besselk_scaled(0, a), 1),
    "hyper": (sp.hyper((1, sp.Rational(1, 2)), (3,), -a), 1),
    "expint": (sp.expint(2, a), 1),
    "elliptic_k": (sp.elliptic_k(1 / (1 + a)), 1),
    "elliptic_e": (sp.elliptic_e(1 / (1 + a)), 1),
    "uppergamma": (sp.uppergamma(sp.Rational(1, 2), a), 1),
    "LambertW": (sp.LambertW(a), 1),
    "erfinv": (sp.erfinv(a / 4), 1),
    "loggamma": (sp.loggamma(a), 1),
    "normal density": (normal_pdf(a), 1),
    "normal distribution": (normal_cdf(-3 * a), 1),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions_agree(name):
    cf = transcribed(SPECIAL[name][0], A)
    for value in (0.3, 1.7, 2.9):
        exact = cf.evaluate(value, digits=25)
        assert cf(value) == pytest.approx(float(exact), rel=1e-12)
        with mpmath.workdps(25):
            assert mpmath.almosteq(cf.function("mpmath")(value), exact, 1e-22)


@pytest.mark.parametrize(
    ("backend", "name", "expression"),
    [
        *(
            ("torch", name, SPECIAL[name][0])
            for name in ("besselk", "hyper", "elliptic_k", "expint", "LambertW")
        ),
        ("torch", "double Integral", sp.Integral(sp.exp(-a * z) * x, (z, 0, x), (x, 0, 1))),
        ("numba", "Integral", sp.Integral(sp.exp(-a * z), (z, 0, 1))),
    ],
)
def test_what_a_backend_lacks_is_named(backend, name, expression):
    pytest.importorskip(backend)
    with pytest.raises(NotImplementedError, match=f"the {backend} backend has no {name}"):
        transcribed(expression, A).function(backend)


def test_an_unknown_backend_is_refused():
    with pytest.raises(
        ValueError, match="got 'julia', needs one of numpy, numba, torch, jax, mpmath"
    ):
        ROOT.function("julia")


def test_torch_not_installed_is_said(monkeypatch):
    backend = importlib.import_module("theory.core.numbers.backends.torch_backend")
    monkeypatch.setattr(
        importlib.import_module("theory.core.numbers.backends.torch_functions"), "_TORCH", None
    )
    backend.functions.cache_clear()

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        ModuleNotFoundError, match="torch backend needs torch, which is not installed"
    ):
        transcribed(x + 5, X).function("torch")


def test_overflow_is_an_error_not_a_number():
    with pytest.raises(ArithmeticError, match=r"demonstration\.form is not finite"):
        transcribed(sp.exp(a) / (1 + sp.exp(a)), A)(1e4)
    assert transcribed(1 / (1 + sp.exp(a)), A)(1e4) == 0


def test_an_undefined_function_cannot_be_computed():
    with pytest.raises(ValueError, match="f is an undefined function"):
        transcribed(sp.Function("f")(x), X).function("numpy")


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_a_constant_beyond_float64_is_infinite(name):
    x = sp.Symbol("x", positive=True)
    for expression, expected in (
        (x * sp.Float("1e600"), "inf"),
        (x / sp.Integer(10) ** 600, "0.0"),
    ):
        function = compile_expression(expression, [x], load(name))
        assert str(float(function(np.float64(2)))) == expected
