"""The metric above each level of a network: its variance and two coefficients, with their derivatives in r."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, singledispatch
from typing import Any

import sympy as sp

from closedform import networks
from theory import gaussian
from theory.activations import Activation, z
from theory.activations.naming import activation
from theory.core import Step
from theory.core.formula.let import bound_letter
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.engine import rotational, rules
from theory.engine.kernel_levels import numbers_of
from theory.engine.levels import NONE, Levels, Place
from theory.engine.metric_rules import (
    JET,
    Branch,
    MetricRule,
    a,
    above_activation,
    branched,
    dense,
    mu,
    norm,
    omega,
    product_lemma,
    product_of,
    sum_lemma,
    sum_of,
    v,
)
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.mean import Mean
from theory.gaussian.moments import density_steps, second_moment, squared_slope_jet
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y


@dataclass(frozen=True)
class Geometry:
    """Variance and metric above some levels.

    Attributes:
        jet: letters or numbers for what is in ``JET``.
        levels: letters and steps.
    """

    jet: tuple[sp.Expr, ...]
    levels: Levels = NONE


@singledispatch
def above(net: Any, below: Geometry, place: Place) -> Geometry:
    """Return variance and metric above a network.

    Args:
        net: the network.
        below: those below it.
        place: where it is.

    Raises:
        ValueError: if its kernel is no function of inner products, or an activation jumps.
    """
    raise ValueError(
        f"net: got {net}, needs levels whose kernel is a function of inner products: Dense, Act, Norm, Sum, Product"
    )


@above.register
def _(net: networks.Chain, below: Geometry, place: Place) -> Geometry:
    for number, level in enumerate(net.levels, 1):
        below = above(level, below, place.level(number))
    return below


@above.register
def _(net: networks.Dense, below: Geometry, place: Place) -> Geometry:
    if isinstance(net, networks.Conv):
        raise ValueError(f"net: got {net}, above which every position has a metric of its own")
    weights, biases, _ = numbers_of(net)
    return _level(net, below, place, dense(weights, biases))


@above.register
def _(net: networks.Norm, below: Geometry, place: Place) -> Geometry:
    return _level(net, below, place, norm())


@above.register
def _(net: networks.Act, below: Geometry, place: Place) -> Geometry:
    act = activation("activation", net.activation)
    letters = (*mu[:3], *omega[:3])
    moments = *second_moment(act), *squared_slope_jet(act)
    at_variance = {variance: below.jet[0]}
    here = {
        letter: value.xreplace(at_variance) for letter, value in zip(letters, moments, strict=True)
    }
    meant = {
        letter: sp.Subs(meaning, variance, below.jet[0])
        for letter, meaning in zip(letters, moments_meant(act), strict=True)
    }
    rests = (*moments_lemmas(act), act.definition)
    return _level(net, below, place, above_activation(), here, rests, meant)


@above.register
def _(net: networks.Sum, below: Geometry, place: Place) -> Geometry:
    return _branched(net, below, place, sum_of, sum_lemma)


@above.register
def _(net: networks.Product, below: Geometry, place: Place) -> Geometry:
    if len(net.branches) > 2:
        raise ValueError(
            f"net: got a product of {len(net.branches)} branches, needs two for a metric"
        )
    return _branched(net, below, place, product_of, product_lemma)


def _level(
    net: networks.Network,
    below: Geometry,
    place: Place,
    rule: MetricRule,
    moments: Mapping[sp.Symbol, sp.Expr] | None = None,
    rests: tuple[Any, ...] = (),
    meant: Mapping[sp.Symbol, sp.Expr] | None = None,
) -> Geometry:
    """Return the metric above a level, by its rule at the metric below and at the moments of its activation.

    ``moments`` are the values of these, and ``meant`` what they are by definition.
    """
    values = {**dict(zip(JET, below.jet, strict=True)), **(moments or {}), **rule.numbers}
    meanings = {**values, **(meant or {})}
    jet = [part.xreplace(values) for part in rule.jet]
    claims = [at_values(part, meanings, meanings.values()) for part in rule.jet]
    rests = (*rule.rests, *rests, rules.WIDE)
    return _with_letters(net, below.levels, place, jet, claims, rule.because, rests)


def _branched(
    net: networks.Sum | networks.Product,
    below: Geometry,
    place: Place,
    rule: Any,
    lemma: Callable[[int], Step],
) -> Geometry:
    """Return the metric above branches, by a rule of the variance and the metric of each."""
    ends: list[Geometry] = []
    levels = below.levels
    for number, branch in enumerate(net.branches):
        ends.append(above(branch, replace(below, levels=levels), place.branch(number)))
        levels = ends[-1].levels
    change = sp.Symbol("h", real=True)
    series = [_series(end.jet, change) for end in ends]
    orders = [(i, order) for i, count in enumerate((3, 3, 2)) for order in range(count)]
    made, meant = rule(*series), branched(rule, series)
    jet = [sp.diff(made[i], change, order).subs(change, 0) for i, order in orders]
    meanings = [rotational.derivative_at_zero(meant[i], change, order) for i, order in orders]
    rests = (lemma(len(ends)), rules.WIDE)
    return _with_letters(net, levels, place, jet, meanings, "the branches", rests)


def _series(jet: tuple[sp.Expr, ...], change: sp.Symbol) -> Branch:
    """Return v, v', a, b of a branch as polynomials in a change of r, with the derivatives of the jet."""
    v0, v1, v2, a0, a1, a2, b0, b1 = jet
    curve, across, beyond = (
        rotational.taylor(part, change) for part in ((v0, v1, v2), (a0, a1, a2), (b0, b1))
    )
    return curve, sp.diff(curve, change), across, beyond


def _with_letters(
    net: networks.Network,
    below: Levels,
    place: Place,
    jet: list[sp.Expr],
    meanings: list[sp.Expr],
    because: str,
    rests: tuple[Any, ...],
) -> Geometry:
    """Return the metric above a level with letters for what is not a number."""
    entries, letters = [], []
    for symbol, value, meaning in zip(JET, map(sp.sympify, jet), meanings, strict=True):
        is_positive = True if symbol in (v, a) else None
        letter = bound_letter(f"{symbol.name}{place.suffix}", real=True, positive=is_positive)
        entries.append(value if value.is_number else letter)
        if value != meaning:
            letters.append((entries[-1], value, meaning))
    return Geometry(tuple(entries), below.with_level(place.claim(net), letters, because, rests))


def moments_meant(act: Activation) -> tuple[sp.Expr, ...]:
    """Return what E[phi^2], E[phi'^2] and their first two derivatives in the variance are by definition.

    Args:
        act: the activation; of one with kinks and without closed forms these are the integrals themselves.
    """
    return *mean_square_meant(act, 0), *mean_square_meant(act, 1)


@cache
def mean_square_meant(act: Activation, order: int) -> tuple[sp.Expr, ...]:
    """Return the mean square of a derivative of an activation and its first two derivatives, by definition.

    Args:
        act: as for :func:`moments_meant`.
        order: 0 for the activation itself, 1 for its slope.
    """
    form = gaussian.squared_slope(act) if order else kernel_formula(act)
    if form.expression.has(sp.Integral) and not act.smooth:
        return squared_slope_jet(act) if order else second_moment(act)
    if form.expression.has(sp.Integral):
        unit = sp.Symbol("z", real=True)
        value: sp.Expr = Mean((act.derivative(order) ** 2).xreplace({z: unit}), unit, variance)
    else:
        equal = dict.fromkeys((variance_x, variance_y, covariance), variance)
        value = form.expression.xreplace(equal)
    return value, sp.Derivative(value, variance), sp.Derivative(value, (variance, 2))


@cache
def moments_lemmas(act: Activation) -> tuple[Step, ...]:
    """Return steps for the moments of an activation as functions of the variance, and their derivatives.

    Args:
        act: the activation.
    """
    moments = (*second_moment(act), *squared_slope_jet(act))
    meant = moments_meant(act)
    if moments == meant:
        return density_steps(2)
    names = [
        f"{change}E[{mean}]" for mean in ("phi^2", "phi'^2") for change in ("", "d/dv ", "d2/dv2 ")
    ]
    forms = (kernel_formula(act), gaussian.squared_slope(act))
    return tuple(
        Step(
            f"{name} of {act.name}",
            value,
            sp.UnevaluatedExpr(meaning),
            "z' = z, and differentiation",
            uses=(forms[index // 3], *((theorems.PRICE,) if value.has(sp.Integral) else ())),
        )
        for index, (name, value, meaning) in enumerate(zip(names, moments, meant, strict=True))
        if value != meaning
    )
