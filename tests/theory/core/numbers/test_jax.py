"""Tests of the JAX backend: values against mpmath, transformations, precision, domains and missing functions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import theory
from tests.optional import needs
from tests.theory.core.demonstrations import EVERYWHERE, A, X, a, transcribed, x
from tests.theory.core.formula.test_special import LIMITS
from theory import activations
from theory.core import Argument, ClosedForm, Condition, Status, phi1
from theory.core.formula.rounding import compensated
from theory.core.numbers.backends import jax_backend, numpy_backend, pairs

pytestmark = needs("jax", "jax")
DOUBLE = 1e-9  # as in the sweep over the other backends
LENGTH = 60  # of arrays; JAX compiles an operation for each length anew
FAST = {
    "geometry.volume_element.erf",
    "leaky_resnet.affine_path",
    "two_point.final_distance",
}
FORMS = [
    pytest.param(n, marks=() if n in FAST else pytest.mark.slow)
    for n in sorted(theory.catalogue())
]


@pytest.fixture
def jax():
    import jax

    return jax


@pytest.fixture(autouse=True)
def float64(jax):
    with jax.enable_x64(True):
        yield


# torch, whose slopes are compared, warns where sums of many means cancel
@pytest.mark.filterwarnings(
    "ignore:at . of 4 points the terms of a closed form cancel:RuntimeWarning"
)
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMS)
def test_values_are_those_of_mpmath_and_functions_transform(jax, name):
    form = theory.catalogue()[name]
    if form.expression.has(sp.Integral):
        with pytest.raises(NotImplementedError, match="the jax backend has no Integral"):
            form.function("jax")
        return
    function = form.function("jax")
    points = form.sample(4, seed=5)
    rows = [dict(zip(points, row, strict=True)) for row in zip(*points.values(), strict=True)]
    exact = [float(form.evaluate(digits=20, **row)) for row in rows or [{}]]
    compiled = jax.jit(lambda point: function(**point))
    arrays = {key: jax.numpy.asarray(column) for key, column in points.items()}
    values = compiled(arrays)
    assert values.dtype == np.float64
    np.testing.assert_allclose(
        values, np.array(exact) if form.arguments else exact[0], rtol=DOUBLE
    )
    if not form.arguments:
        return
    smooth = [argument.name for argument in form.arguments if not argument.symbol.is_integer]
    if not smooth:
        return
    key = smooth[0]
    slopes = jax.jit(jax.vmap(jax.grad(lambda value, rest: function(**{**rest, key: value}))))
    rest = {other: column for other, column in arrays.items() if other != key}
    torch = pytest.importorskip("torch")
    tensors = {other: torch.tensor(column) for other, column in points.items()}
    tensors[key].requires_grad_()
    result = form.function("torch")(**tensors).sum()
    expected = (
        torch.autograd.grad(result, tensors[key])[0] if result.requires_grad else torch.zeros(4)
    )
    np.testing.assert_allclose(
        slopes(arrays[key], rest), expected, rtol=1e-7, atol=1e-10 * abs(expected).max()
    )


# of the others each function is compared with that of scipy below
SHAPES = {"constants", "root", "nested piecewise", "joined conditions", "extrema", "integer"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] * (n not in SHAPES)) for n in sorted(EVERYWHERE)],
)
def test_the_demonstrations(name):
    expression, arguments = EVERYWHERE[name]
    form = transcribed(expression, *arguments)
    points = form.sample(LENGTH, seed=3)
    np.testing.assert_allclose(form.function("jax")(**points), form(**points), rtol=1e-12)


def test_functions_have_the_digits_of_scipy(jax):
    ours, theirs = jax_backend.functions(), numpy_backend.functions()
    # digits which the forms that use them compare
    doubled = pairs.functions(np.sqrt, np.sign).keys()
    ranges = (0.03, 0.97), (0.05, 6), (-8, 8)
    column = np.concatenate([np.linspace(*ends, LENGTH // 3) for ends in ranges])
    names = sorted(ours.keys() & theirs.keys() - doubled - {"logical_not"})

    def points(name, column, tanh=np.tanh):
        two = ("atan2", "beta", "Max", "Min", "power", "quotient", "log_ratio", "Mod")
        arguments = {
            **dict.fromkeys(two, (column, column[::-1] + 9)),
            "Heaviside": (column, 0.5),
            "integer_power": (column, 3),
            "polygamma": (1, column),
            "correlation": (0.3 * tanh(column), 1 + 0 * column, column**2 + 1),
        }
        return arguments.get(name, (column,))

    # all of them in one program, since JAX translates each for a second
    compiled = jax.jit(
        lambda column: {n: ours[n](*points(n, column, jax.numpy.tanh)) for n in names}
    )
    values = compiled(column)
    for name in names:
        with np.errstate(all="ignore"):
            expected = theirs[name](*points(name, column))
        known = np.isfinite(expected) & (expected != 0)
        if name in ("polygamma", "gamma", "loggamma", "beta", "log_ratio"):
            known &= column > 0
        np.testing.assert_allclose(
            np.asarray(values[name])[known], expected[known], rtol=2e-12, err_msg=name
        )


def test_precision_follows_the_arrays_and_float64_must_be_enabled(jax):
    function = transcribed(sp.sqrt(2) * x + a, X, A).function("jax")
    single = jax.numpy.ones(3, dtype=np.float32)
    assert function(1.0, 2).dtype == np.float64
    assert function(np.ones(2), single[:2]).dtype == np.float64
    assert function(single, 0.5).dtype == np.float32
    assert float(transcribed(sp.sqrt(2) + 0 * x, X).function("jax")(1.0)) == math.sqrt(2)
    with jax.enable_x64(False):
        assert function(single, 0.5).dtype == np.float32
        assert function(np.ones(3, np.float32), single).dtype == np.float32
        for given in ((1.0, 2.0), (np.ones(3), 2.0), (single, np.ones(3)), (np.arange(3), 1.0)):
            with pytest.raises(ValueError, match="jax_enable_x64"):
                function(*given)


def test_arguments_are_checked_as_by_the_other_backends(jax):
    lower = ClosedForm(
        "tests.jax",
        "Test.",
        (X, A),
        sp.exp(x) * a,
        Status.TRANSCRIBED,
        conditions=(Condition(a - x, "x is at most a"),),
    )
    function = lower.function("jax")
    assert float(function(0.0, 1.0)) == 1
    for given, error, message in (
        ((1.0, -1.0), ValueError, "needs a positive, finite number"),
        ((math.nan, 1.0), ValueError, "finite"),
        ((np.ones(2), np.ones(3)), ValueError, "broadcast"),
        ((np.ma.masked_array([1.0], [True]), 1.0), TypeError, "masked"),
        ((True, 1.0), TypeError, "real"),
        (("2", "1"), ValueError, "requires: x is at most a; got "),
        ((np.ones(0), 1.0), ValueError, "needs at least one number"),
        ((800.0, 900.0), ArithmeticError, "not finite in jax"),
    ):
        with pytest.raises(error, match=message):
            function(*given)
    given = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, -1.0], [math.nan, 1.0], [1.0, 1.0]])
    traced = jax.jit(function)(*given.T)
    np.testing.assert_array_equal(np.isnan(traced), [False, True, True, True, False])
    assert np.isfinite(jax.jit(lower.function("jax", validate=False))(2.0, 1.0))


def test_gradients_ignore_branches_not_taken(jax):
    form = transcribed(sp.Piecewise((sp.log(x), x > 1), (phi1(x), True)), X)
    slope = jax.jit(jax.vmap(jax.grad(form.function("jax"))))
    points = np.array([-1.0, 0.0, 1e-9, 0.4999, 0.5001, 3.0])
    exact = [float(sp.diff(phi1(x), x).subs(x, p).evalf(30)) for p in points[[0, 3, 4]]]
    np.testing.assert_allclose(slope(points)[np.array([0, 3, 4])], exact, rtol=1e-12)
    np.testing.assert_allclose(slope(points)[np.array([1, 2, 5])], [0.5, 0.5, 1 / 3], rtol=1e-8)


def test_compensated_differences_keep_their_digits_under_jit(jax):
    b = sp.Symbol("b", positive=True)
    form = transcribed(compensated(a * a - b * b), A, Argument(b, "b"))
    near = np.random.default_rng(0).uniform(1, 2, 200)
    others = near * (1 + 1e-9)
    exact = [
        float(sp.Rational(p) ** 2 - sp.Rational(q) ** 2) for p, q in zip(near, others, strict=True)
    ]
    for function in (
        form.function("jax"),
        jax.jit(form.function("jax")),
        jax.jit(jax.vmap(form.function("jax"))),
    ):
        np.testing.assert_allclose(function(near, others), exact, rtol=1e-15)


def test_a_missing_function_is_named_and_activations_transform(jax):
    with pytest.raises(NotImplementedError, match="the jax backend has no elliptic_k"):
        transcribed(sp.elliptic_k(x), X).function("jax")
    slope = jax.jit(jax.vmap(jax.grad(activations.GELU.function(backend="jax"))))
    points = np.linspace(-2, 2, 5)
    np.testing.assert_allclose(slope(points), activations.GELU.function(1)(points), rtol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("function", "point", "expected"), LIMITS)
def test_sympy_prints_functions_with_their_limits(function, point, expected):
    letters = sp.symbols(f"u:{len(point)}")
    value = sp.lambdify(letters, function(*letters), "jax")(*map(np.float64, point))
    assert float(value) == pytest.approx(expected)
