"""A closed form behaves like a formula: derivatives, limits and types by the names of its arguments."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import theory
from theory.core import Argument, ClosedForm, Status

VALUES = {"dh2_0": 0.3, "dy2_0": 0.2, "tau_h": 2.0, "tau_y": 3.0, "dx2": 0.7, "target2": 1.3}
STEP = 1e-6  # of a central difference, whose error is about its square


@pytest.fixture(scope="module")
def form():
    return theory.catalogue()["two_point.final_distance"]


def value(expression):
    return float(expression.subs(VALUES))


def test_a_derivative_by_name_is_the_slope(form):
    ends = [form(**{**VALUES, "tau_y": 3.0 + sign * STEP}) for sign in (1, -1)]
    assert value(form.diff("tau_y")) == pytest.approx((ends[0] - ends[1]) / (2 * STEP), rel=1e-6)
    assert form.diff(form.symbols.tau_y) == form.diff("tau_y")
    with pytest.raises(ValueError, match="no argument 'tau_z'"):
        form.diff("tau_z")


def test_sympy_takes_a_form_as_its_expression(form):
    assert sp.sympify(form) == form.plain
    assert sp.latex(form) == form.latex
    assert value(sp.sympify(form)) == pytest.approx(form(**VALUES))
    assert form.lambdify()(**VALUES) == pytest.approx(form(**VALUES))


def test_numbers_are_put_in_and_the_rest_is_a_form(form):
    rest = form.subs(tau_y=3)
    assert [argument.name for argument in rest.arguments] == [n for n in VALUES if n != "tau_y"]
    assert rest(**{n: v for n, v in VALUES.items() if n != "tau_y"}) == pytest.approx(
        form(**VALUES)
    )


def test_limits_series_and_solutions_know_names():
    rate = theory.catalogue()["two_point.relaxation_rate"]
    (first, *_) = [argument.name for argument in rate.arguments]
    assert rate.left.func.__name__ == "relaxation_rate"
    assert [str(symbol) for symbol in rate.left.args] == [a.name for a in rate.arguments]
    gain = theory.catalogue()["compression.compression_gain"]
    difference = gain.limit("d", "oo") - sp.limit(gain.plain, sp.Symbol("d"), sp.oo)
    for cusp in (1, 5):  # on both sides of the kink of the absolute value
        assert abs(difference.subs({"cusp": cusp, "d_parallel": 1}).evalf()) < 1e-12
    (back,) = gain.solve("d", gain.plain.subs(sp.Symbol("d"), 5))
    assert sp.simplify(back - 5) == 0
    assert first in str(rate.symbols)


def test_a_form_gives_back_the_type_that_it_gets(form):
    torch, pd, xr = (pytest.importorskip(name) for name in ("torch", "pandas", "xarray"))
    others = {name: number for name, number in VALUES.items() if name != "tau_y"}
    taus = np.array([2.0, 3.0])
    expected = form(tau_y=taus, **others)
    tensor = torch.tensor(taus, requires_grad=True)
    result = form(tau_y=tensor, **others)
    result.sum().backward()
    np.testing.assert_allclose(result.detach(), expected)
    assert float(tensor.grad[1]) == pytest.approx(value(form.diff("tau_y")))
    array = xr.DataArray(taus, dims="run", coords={"run": ["a", "b"]})
    crossed = form(tau_y=array, **others | {"dx2": xr.DataArray([0.7, 0.9], dims="pair")})
    assert set(crossed.dims) == {"run", "pair"}
    np.testing.assert_allclose(crossed.isel(pair=0), expected)
    series = form(tau_y=pd.Series(taus, index=["a", "b"]), **others)
    assert series.index.tolist() == ["a", "b"]
    np.testing.assert_allclose(series, expected)
    with pytest.raises(ValueError, match="one index"):
        form(tau_y=pd.Series(taus), tau_h=pd.Series(taus, index=[1, 2]),
             **{n: v for n, v in others.items() if n != "tau_h"})  # fmt: skip


@pytest.mark.parametrize(("name", "ours"), [("expr", "expression"), ("evalf", "evaluate")])
def test_names_of_other_libraries_say_ours(form, name, ours):
    with pytest.raises(AttributeError, match=rf"use \.{ours}"):
        getattr(form, name)


x = sp.Symbol("x", real=True)
rate = sp.Symbol("rate", positive=True)


def plain_form(expression, *symbols):
    arguments = tuple(Argument(symbol, f"the letter {symbol}") for symbol in symbols)
    return ClosedForm("demonstration.form", "A form.", arguments, expression, Status.TRANSCRIBED)


@pytest.mark.parametrize(
    "function", [sp.sign(x), sp.Heaviside(x), 1 / x, sp.exp(1 / x), sp.floor(x)]
)
def test_a_limit_from_one_side_is_none(function):
    with pytest.raises(ValueError, match=r"from above and .* from below"):
        plain_form(function, x).limit("x", 0)


def test_limits_and_series_keep_to_the_domain():
    decay = plain_form(1 / rate + sp.exp(-rate), rate)
    assert decay.limit("rate", 0) is sp.oo
    assert decay.limit("rate", "oo") == 0
    for outside in ("-oo", -1):
        with pytest.raises(ValueError, match="needs a value that its domain reaches"):
            decay.limit("rate", outside)
    with pytest.raises(ValueError, match="at which there is a limit"):
        plain_form(sp.sin(x), x).limit("x", "oo")
    with pytest.raises(ValueError, match="from above and -x from below"):
        plain_form(sp.Abs(x), x).series("x")
    about = plain_form(sp.exp(x), x).series("x", "1/2", 2).removeO()
    assert (
        sp.simplify(about - sp.exp(sp.Rational(1, 2)) * (sp.Symbol("x") + sp.Rational(1, 2))) == 0
    )


@pytest.mark.parametrize("verb", ["limit", "solve", "series"])
def test_text_is_a_formula_and_never_runs(verb):
    form = plain_form(x**2, x)
    with pytest.raises(ValueError, match="needs known numbers, operations and functions"):
        getattr(form, verb)("x", "__import__('os').getpid()")


def test_a_value_is_not_caught_by_an_integral():
    s = sp.Symbol("s", real=True)
    form = plain_form(sp.Integral(x * sp.exp(-rate * s**2), (s, 0, 1)), x, rate)
    with pytest.raises(ValueError, match="got s, needs only symbols that are among the arguments"):
        form.subs(x=s)


def test_a_tensor_of_a_users_own_type_keeps_its_gradient():
    torch, pd = (pytest.importorskip(name) for name in ("torch", "pandas"))
    kinds = {"Own": torch.Tensor, "Log": pd.Series}
    own, log = (type(name, (base,), {}) for name, base in kinds.items())
    weights = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert plain_form(x**2, x)(weights.as_subclass(own)).sum().requires_grad
    assert plain_form(x**2, x)(log([1.0, 2.0], index=[3, 4])).index.tolist() == [3, 4]


def test_kinds_that_do_not_mix_are_refused():
    pd, xr = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    with pytest.raises(TypeError, match="got a DataArray and a Series"):
        plain_form(x * rate, x, rate)(xr.DataArray([1.0, 2.0], dims="run"), pd.Series([1.0, 2.0]))
