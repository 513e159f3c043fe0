"""Steps from the recursion of a deep network's metric to the recursion of its ratios.

The ratios are defined as functions of the squared norm of the input, of which the recursion gives a Taylor polynomial.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

import sympy as sp

from theory.activations import Activation
from theory.core import Step
from theory.core.formula.subexpressions import at_values
from theory.core.proof.values import taking
from theory.engine import metric_rules, rotational
from theory.engine.rules import S, Z
from theory.gaussian.symbols import variance as any_variance
from theory.geometry.deep_curvature import (
    LAYER,
    RATES,
    Ratios,
    above,
    entries,
    first,
    scalar,
    volume,
)
from theory.geometry.rates import Rates, by_name, of_layer, rates, stated_rates
from theory.geometry.symbols import d, r, sigma, variance, zeta

step = sp.Symbol("h", real=True)
"""A change of r."""


_any = rotational.ANY
_gap, _gap1 = _any.b - 2 * _any.a1, _any.b1 - 2 * _any.a2
RATIOS = (
    _any.a,
    _any.a1 / _any.a,
    _any.a1 / _any.a + r * _any.a2 / _any.a - r * _any.a1**2 / _any.a**2,
    _gap / _any.a,
    _gap / _any.a + r * (_gap1 / _any.a - _gap * _any.a1 / _any.a**2),
    1 + r * _any.b / _any.a,
)
"""The ratios in which the curvature of a metric is written, of a metric of letters."""
RATIO_LETTERS = sp.symbols("a k k1 h h1 q", positive=True)
scalar_in_ratios = scalar(
    RATIO_LETTERS[0], RATIO_LETTERS[1:3], RATIO_LETTERS[3:5], RATIO_LETTERS[5]
)
volume_in_ratios = volume(RATIO_LETTERS[0], RATIO_LETTERS[5])
_OF_LAST = ("a[0]", "slope[0]", "slope[1]", "bend[0]", "bend[1]", "stretch[0]")
OF_LAST = dict(zip(_OF_LAST, RATIO_LETTERS, strict=True))
"""Names of the ratios of the last layer, with their letters."""


@lru_cache(maxsize=1)
def curvature_step() -> Step:
    """Step that compares the formula in ratios with the one in a and b and their derivatives."""
    return Step(
        "curvature in ratios",
        sp.Subs(scalar_in_ratios, RATIO_LETTERS, RATIOS),
        _any.scalar_curvature(d),
        because="with alpha = r a'/a and eta = r (b - 2a')/a",
        uses=(*rotational.curvature_steps(), rotational.SECTIONAL),
    )


@lru_cache(maxsize=1)
def volume_step() -> Step:
    """Step that compares the formula in ratios with the one in the eigenvalues."""
    a, *_, q = RATIO_LETTERS
    along = replace(_any, a=a, b=a * (q - 1) / r).by(rotational.ANY.radial)
    return Step(
        "volume element in ratios",
        volume_in_ratios,
        sp.Subs(rotational.ROOT, (rotational.ACROSS, rotational.ALONG), (a, along)),
        because="q = 1 + r b/a",
        uses=(rotational.ROOT_STEP, rotational.eigenvalue_step()),
    )


OF_VOLUME = ("v[0]", "v[1]", "a[0]", "growth[0]", "stretch[0]")
_POWERS = ("power[0]", "power[1]")


@cache
def _rules() -> tuple[metric_rules.MetricRule, metric_rules.MetricRule]:
    """Return what a dense layer, with letters for its variances, and an activation make of a metric."""
    return metric_rules.dense(S, Z), metric_rules.above_activation()


def carried(act: Activation, with_curvature: bool) -> tuple[str, ...]:
    """Return the names of the ratios that a layer passes on."""
    if not with_curvature:
        return OF_VOLUME
    return tuple(name for name in entries(LAYER) if rates(act).power or name not in _POWERS)


@cache
def layer_lemma(is_first: bool, names: tuple[str, ...]) -> Step:
    """Step from the definitions of the ratios to those of the first layer, or of one layer up.

    All functions are Taylor polynomials in a change of r.
    """
    v, a, m, w = (sp.symbols(f"{letter}:3", positive=True) for letter in ("v", "a", "m", "w"))
    b, u = (sp.symbols(f"{letter}:2", positive=True) for letter in ("b", "u"))
    if is_first:
        where, values = "the first layer", by_name(_symbolic(variance, m, w))
        defined, letters = _defined(r + step, sp.S.One, sp.S.Zero, w), {}
    else:
        v_at, a_at, b_at = (rotational.taylor(jet, step) for jet in (v, a, b))
        # sigma^2 times the eigenvalue two layers down is a / u
        two_down = a_at / rotational.taylor(u, v_at - v[0]) / sigma**2
        where, below = "one layer up", _definitions(v_at, a_at, b_at, two_down)
        here = (sp.diff(function.doit(), step, n).subs(step, 0) for function, n in below.values())
        letters = dict(zip(entries(LAYER).values(), here, strict=True))
        defined = _defined(rotational.taylor(m, v_at - v[0]), a_at, b_at, w)
        of = _symbolic(sigma**2 * m[0] + zeta**2, m, w)
        values = by_name(_symbolic(v[0], m, (*u, sp.S.Zero))) | of_layer(of)
    letters |= dict(zip(by_name(RATES).values(), values.values(), strict=True))
    meant = [
        rotational.derivative_at_zero(f, step, n) for f, n in (defined[name] for name in names)
    ]
    lemma = Step(
        f"{where}, by the definitions of the ratios",
        at_values(rule(is_first, names), letters, letters.values()),
        sp.Matrix(meant),
        because="the definition of the ratio and the metric above a dense layer and an activation",
    )
    return taking(lemma, tuple(rule.rests[0] for rule in _rules()))


def rule(is_first: bool, names: tuple[str, ...]) -> sp.Matrix:
    """Return these ratios of a layer in the letters of rates and, but for the first, of the layer below."""
    if is_first:
        made = first(RATES)
    else:
        of = RATES if _POWERS[0] in names else replace(RATES, power=None)
        made, _ = above(LAYER, of, of)
    return sp.ImmutableMatrix([entries(made)[name] for name in names])


def layers_step(
    act: Activation, layers: Sequence[Ratios], with_curvature: bool, last: tuple[str, ...]
) -> Step:
    """Step to these ratios of the last layer, which takes those of the layer below from such a step."""
    values, nodes = stated_rates(act)
    names = carried(act, with_curvature)
    previous: tuple[Step, ...] = ()
    letters: dict[sp.Symbol, sp.Expr] = {}
    rates_of_layer = of_layer(RATES)
    for number, layer in enumerate(layers, 1):
        listed = names if number < len(layers) else last
        variance_here = entries(layer)["v[0]"]
        there = {
            letter: at_values(values[name], (any_variance,), (variance_here,))
            for name, letter in by_name(RATES).items()
            if name in values
        }
        letters |= {rates_of_layer[name]: there[rates_of_layer[name]] for name in rates_of_layer}
        step = Step(
            f"layer {number} by the rules above",
            sp.Matrix([entries(layer)[name] for name in listed]),
            at_values(
                rule(number == 1, names).extract([*map(names.index, listed)], [0]),
                letters,
                letters.values(),
            ),
            because="in the letters of the layer below"
            if previous
            else "at the rates of the activation",
        )
        previous = (taking(step, (layer_lemma(number == 1, names), *previous, *nodes)),)
        letters = dict(zip(entries(LAYER).values(), entries(layer).values(), strict=True)) | there
    return previous[0]


def _definitions(
    v: sp.Expr, a: sp.Expr, b: sp.Expr, a_below: sp.Expr
) -> dict[str, tuple[sp.Expr, int]]:
    """Return the entries of ``Ratios`` as functions of r + h, each with the order of its derivative at h = 0."""
    here, growth, slope = (
        r + step,
        sp.Derivative(v, step) / (sigma**2 * a_below),
        sp.Derivative(a, step) / a,
    )
    power, gap = here * sp.Derivative(v, step) / v, b / a - 2 * slope
    defined = [(v, 0), (v, 1), (v, 2), (power, 0), (power, 1), (a, 0), (growth, 0), (growth, 1)]
    defined += [(growth - 1, 0), (slope, 0), (here * slope, 1), (gap, 0), (here * gap, 1)]
    return dict(zip(entries(LAYER), (*defined, (1 + here * b / a, 0)), strict=True))


def _defined(
    kernel: sp.Expr, a: sp.Expr, b: sp.Expr, w: tuple[sp.Symbol, ...]
) -> dict[str, tuple[sp.Expr, int]]:
    """Return the definitions of the ratios of a layer above k(x, x) and a metric, by the rules of both levels."""
    v = sigma**2 * kernel + zeta**2
    change = v - v.subs(step, 0)
    omega, bent = rotational.taylor(w, change), rotational.taylor(w[1:], change)
    weights = (S, Z, metric_rules.v, metric_rules.a, metric_rules.b)
    of_dense, of_activation = _rules()
    dense = [
        at_values(part, weights, (sigma**2, zeta**2, kernel, a, b))
        for part in (of_dense.v, of_dense.a, of_dense.b)
    ]
    letters = (*metric_rules.omega[:2], metric_rules.v1, metric_rules.a, metric_rules.b)
    point = (omega, bent, sp.Derivative(v, step), *dense[1:])
    return _definitions(
        dense[0],
        at_values(of_activation.a, letters, point),
        at_values(of_activation.b, letters, point),
        a,
    )


def _symbolic(v: sp.Expr, m: tuple[sp.Expr, ...], w: tuple[sp.Expr, ...]) -> Rates:
    """Return the rates that the moments and their derivatives at one variance define."""
    slope = w[1] / w[0], w[2] / w[0] - w[1] ** 2 / w[0] ** 2
    growth = m[1] / m[0], m[2] / m[0] - m[1] ** 2 / m[0] ** 2
    return Rates(
        mu=m,
        omega=w[0],
        ratio=m[1] / w[0],
        excess=(m[1] / w[0] - 1, m[2] / w[0] - m[1] * w[1] / w[0] ** 2),
        slope=slope,
        product=(v * slope[0], slope[0] + v * slope[1]),
        power=(v * growth[0], growth[0] + v * growth[1]),
        first_slope=sigma**2 * (slope[0] + sigma**2 * r * slope[1]),
        first_stretch=1 + 2 * sigma**2 * r * slope[0],
    )
