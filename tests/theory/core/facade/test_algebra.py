"""A closed form behaves like a formula: derivatives, limits and types by the names of its arguments."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import theory

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
