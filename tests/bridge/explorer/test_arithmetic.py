"""Tests of the JavaScript backend: its bounds contain the values of mpmath, for functions and for all closed forms."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

import theory
from bridge.explorer import arithmetic as javascript
from tests.bridge.explorer.node import computed, needs_node
from tests.theory.core.demonstrations import EVERYWHERE, a, transcribed, x
from theory.core.formula.let import Let, bound_letter
from theory.core.formula.rounding import watched
from theory.core.formula.special import besselk_scaled
from theory.core.numbers.backends.mpmath_backend import functions as exact_functions

ENOUGH = 1e-24  # relative bound of a function without integrals at a well-conditioned point
ENOUGH_OF_INTEGRALS = 1e-9
ENOUGH_OF_CANCELLING = 1e-20  # of a sum that says where its terms cancel, at any point
REFERENCE = 50  # digits
FAST = ("leaky_resnet.affine_path",)

ANY, ABOVE, INSIDE = (-8.0, 8.0), (1e-3, 40.0), (-0.999, 0.999)
FUNCTIONS = {
    **dict.fromkeys(
        ("sin", "cos", "exp", "expm1", "phi1", "sinh", "cosh", "tanh", "sech", "atan", "asinh"),
        (ANY,),
    ),
    **dict.fromkeys(("erf", "erfc", "normal_cdf", "tan", "cot", "csch", "coth"), (ANY,)),
    **dict.fromkeys(("sqrt", "log", "log1p", "loggamma", "gamma"), (ABOVE,)),
    **dict.fromkeys(("asin", "acos", "atanh", "erfinv"), (INSIDE,)),
    "acosh": ((1.001, 40.0),),
    "erfcinv": ((1e-3, 1.999),),
    "atan2": (ANY, ANY),
    "beta": (ABOVE, ABOVE),
    "power": (ABOVE, ANY),
    "quotient": (ANY, ABOVE),
    "log_ratio": (ABOVE, ABOVE),
}
EXTREMES = {
    "exp": (-740.0, -1e-20, 709.0),
    "phi1": (0.0, -1e-30, 1e-9, -800.0),
    "erfc": (26.0, 27.5, -30.0, 2.9999999, 3.0000001, 1e-300),
    "normal_cdf": (-37.0, -38.5, 5.0),
    "log": (1e-300, 1 + 2**-52, 1 - 2**-53, 1e300),
    "log1p": (1e-300, -1 + 2**-53, 1e-9),
    "sin": (1e-300, 22.0, 1e6, 355.0),
    "tanh": (1e-200, 400.0, -20.0),
    "asin": (1.0, -1.0, 1 - 2**-53, 1e-200),
    "atanh": (1 - 2**-53, 1e-200),
    "asinh": (1e-200, -1e100),
    "loggamma": (1e-300, 1.0, 2.0, 1e10),
    "erfcinv": (1e-300, 2 - 2**-52, 1.0),
    "sqrt": (5e-324, 1e308, 0.0),
}


def context():
    mp = mpmath.MPContext()
    mp.dps = REFERENCE
    return mp


def exactly(mp, name):
    """The function of mpmath, with the digits that a difference of nearly equal numbers needs."""
    named = {**exact_functions(mp), "expm1": mp.expm1}
    return named[name]


def missed(mp, result, exact):
    """How far a value is outside of the bounds of a result; at most 0 if it is inside."""
    assert not isinstance(result, str), result
    high, low, error = map(mp.mpf, result)
    return abs(high + low - exact) - error - abs(exact) * mp.mpf(10) ** (5 - REFERENCE)


@needs_node
@pytest.mark.slow
def test_functions_contain_the_values_of_mpmath(rng):
    mp = context()
    points = {
        name: [*np.column_stack([rng.uniform(*side, 40) for side in sides]).tolist()]
        + [[value] for value in EXTREMES.get(name, ())]
        for name, sides in FUNCTIONS.items()
    }
    points["polygamma"] = [
        [n, value] for n in (0, 1, 2, 5) for value in (1e-3, 0.7, 3.5, 31.9, 200.0)
    ]
    results = computed({name: f"({{ {name} }}) => {name}" for name in points}, points)
    for name, rows in points.items():
        function = exactly(mp, name)
        for point, result in zip(rows, results[name], strict=True):
            exact = function(*map(mp.mpf, point))
            assert missed(mp, result, exact) <= 0, (name, point, result, exact)
            if point[0] not in EXTREMES.get(name, ()):
                assert result[2] <= 1e-22 * abs(exact), (name, point, result)


@needs_node
@pytest.mark.slow
def test_functions_contain_the_values_at_all_numbers_that_an_argument_stands_for(rng):
    mp, error = context(), 1e-4
    points = {
        name: [
            [[float(value), 0.0, error] for value in row]
            for row in np.column_stack([rng.uniform(*side, 12) for side in sides])
        ]
        for name, sides in FUNCTIONS.items()
        if name
        not in ("tan", "cot", "csch", "coth", "acosh", "atanh")  # whose slope grows without bound
    }
    results = computed({name: f"({{ {name} }}) => {name}" for name in points}, points)
    for name, rows in points.items():
        function = exactly(mp, name)
        for point, result in zip(rows, results[name], strict=True):
            if isinstance(result, str):
                assert result.startswith("Undecided")
                continue
            for side in (-1, 0.3, 1):
                near = [mp.mpf(value) + side * mp.mpf(error) for value, _, _ in point]
                if name in ("asin", "acos", "erfinv") and abs(near[0]) >= 1:
                    continue
                exact = function(*near)
                assert mp.im(exact) == 0
                assert missed(mp, result, exact) <= 0, (name, point, side, result, exact)


def compare(form, size):
    """Hold a form at random points against mpmath and return the bounds relative to the values."""
    columns = form.sample(size, seed=11)
    rows = [
        [float(columns[argument.name][index]) for argument in form.arguments]
        for index in range(size)
    ]
    code = javascript.program(form.expression, [argument.symbol for argument in form.arguments])
    bounds = []
    for row, result in zip(rows, computed({"form": code}, {"form": rows})["form"], strict=True):
        mp = context()
        exact = mp.mpf(form.evaluate(*row, digits=REFERENCE - 15))
        allowed = abs(exact) * mp.mpf(10) ** (18 - REFERENCE)
        assert missed(mp, result, exact) <= allowed, (form.name, row, result, exact)
        bounds.append(result[2] / abs(float(exact)) if exact else result[2])
    return bounds


@needs_node
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n in FAST else pytest.mark.slow)
        for n in sorted(theory.catalogue())
    ],
)
def test_every_closed_form_contains_the_value_of_mpmath_in_narrow_bounds(name):
    form = theory.catalogue()[name]
    enough = ENOUGH_OF_CANCELLING if form.expression.has(watched) else ENOUGH
    enough = ENOUGH_OF_INTEGRALS if form.expression.has(sp.Integral) else enough
    assert max(compare(form, 5 if form.arguments else 1)) < enough


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("geometry.scalar_curvature", {"activation": "erf", "depth": 3}),
        ("geometry.volume_element", {"activation": "gelu", "depth": 2}),
        ("geometry.nngp_kernel", {"activation": "relu_power_3"}),
        ("geometry.scalar_curvature", {"activation": "z*erf(z)"}),
        ("compression.learning_curve_exponent", {"regime": "lazy"}),
    ],
)
def test_members_of_families_that_the_catalogue_does_not_list(family, parameters):
    assert max(compare(theory.catalogue().families[family](**parameters), 4)) < ENOUGH


@needs_node
def test_the_demonstrations():
    mp = context()
    forms = {
        name: transcribed(expression, *arguments)
        for name, (expression, arguments) in EVERYWHERE.items()
    }
    programs = {
        name: javascript.program(f.expression, [b.symbol for b in f.arguments])
        for name, f in forms.items()
    }
    points = {
        name: [list(map(float, row)) for row in zip(*form.sample(3, seed=2).values(), strict=True)]
        or [[]]
        for name, form in forms.items()
    }
    for name, results in computed(programs, points).items():
        for point, result in zip(points[name], results, strict=True):
            exact = mp.mpf(forms[name].evaluate(*point, digits=30))
            assert missed(mp, result, exact) <= abs(exact) * mp.mpf(10) ** -29, (
                name,
                point,
                result,
                exact,
            )


@needs_node
def test_cancelled_digits_widen_the_bound():
    """1e40 + x - 1e40 has no digit left in pairs of doubles, and the bound says so."""
    code = javascript.program(sp.Add(10**40, sp.sin(x), -(10**40), evaluate=False), [x])
    ((high, low, error),) = computed({"lost": code}, {"lost": [[0.5]]})["lost"]
    assert abs(high + low - 0.479425538604203) <= error
    assert error > 0.01


NO_VALUE = {
    "Undefined: the square root of a negative number": (sp.sqrt(x - 1), 0.5),
    "Undefined: the logarithm of zero": (sp.log(x), 0.0),
    "Undefined: the logarithm of a negative number": (sp.log(x - 1), -2.0),
    "Undefined: a division by zero": (1 / (x - 1), 1.0),
    "Undefined: the arcsine of a number outside [-1, 1]": (sp.asin(x), 1.5),
    "Undefined: none of the cases of the formula": (sp.Piecewise((x, x > 1)), 0.3),
    "Undecided: a case of the formula": (
        sp.Piecewise((x, sp.sin(x) ** 2 + sp.cos(x) ** 2 > 1), (1, True)),
        0.3,
    ),
    "Undecided: a denominator that": (1 / (sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1), 0.3),
}


@needs_node
def test_what_has_no_value_is_said():
    programs = {
        message: javascript.program(expression, [x])
        for message, (expression, _) in NO_VALUE.items()
    }
    results = computed(programs, {message: [[value]] for message, (_, value) in NO_VALUE.items()})
    for message, (result,) in results.items():
        assert isinstance(result, str)
        assert result.startswith(message)


def test_what_cannot_be_written_is_named():
    with pytest.raises(NotImplementedError, match="the javascript backend has no besselk_scaled"):
        javascript.program(besselk_scaled(2, a), [a])
    y, z = sp.symbols("y z", real=True)
    inner = sp.Integral(sp.exp(-((y - z) ** 2)), (y, 0, 1))
    with pytest.raises(NotImplementedError, match="has no integral within an integral"):
        javascript.program(sp.Integral(inner, (z, 0, 1)), [])
    with pytest.raises(ValueError, match="f is an undefined function: define it with specialise"):
        javascript.program(sp.Function("f")(x), [x])
    with pytest.raises(ValueError, match="a is not an argument of the program"):
        javascript.program(a * x, [x])


@needs_node
def test_letters_stand_for_their_own_parts():
    """One letter means different parts in two expressions, and a function of it is computed for each."""
    letter = bound_letter("a")
    inner = Let([(letter, x + 1)], sp.sin(letter) * letter)
    whole = Let([(letter, sp.exp(x))], sp.sin(letter) + inner + letter)
    mp = context()
    exact = mp.sin(mp.exp(0.5)) + mp.sin(mp.mpf(1.5)) * 1.5 + mp.exp(0.5)
    (result,) = computed({"let": javascript.program(whole, [x])}, {"let": [[0.5]]})["let"]
    assert missed(mp, result, exact) <= 0
