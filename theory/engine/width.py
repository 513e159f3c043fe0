r"""The first order in 1/width of a deep network: how its kernel varies from one draw of weights to the next.

Given the kernel K below, the units of a layer of width n are independent, and the kernel above is :math:`K' = S
\tfrac{1}{n} \sum_i \varphi(z_i)^2 + Z`. With :math:`m_2(K) = E[\varphi^2]`, :math:`m_4 = E[\varphi^4]`, its variance
:math:`\nu` and the shift *g* of its mean are, to first order in the inverse widths,

.. math:: \nu' = \tfrac{S^2}{n} (m_4 - m_2^2) + (S m_2')^2 \nu, \qquad g' = S m_2' g + \tfrac{1}{2} S m_2'' \nu,

and the excess kurtosis of a unit is :math:`3 \nu / K^2`, since it is Gaussian given the kernel.
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import sympy as sp

from closedform import networks
from theory.activations import Activation
from theory.core import Argument, ClosedForm, Condition, Premise, Step
from theory.core.formula.cancelling import is_compensable
from theory.core.formula.let import Let, bound_letter
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.subexpressions import at_values, tree_size
from theory.core.proof import theorems
from theory.engine import rules
from theory.engine.dense_chain import (
    INDEPENDENT,
    ORDER,
    Moments,
    Rule,
    S,
    Z,
    above_layers,
    layers_of,
    n,
)
from theory.engine.inputs import R, r
from theory.engine.levels import Levels, definitions_of
from theory.engine.metric_levels import mean_square_meant, moments_lemmas
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.mean import Mean
from theory.gaussian.moments import second_moment
from theory.gaussian.symbols import variance

SHORT = 400  # nodes of a rational formula as a tree, above which simplifying it takes seconds
K, nu = (bound_letter(name, positive=True) for name in ("K", "nu"))
g = bound_letter("g", real=True)
MOMENTS = m2, m4, m2_slope, m2_bend = tuple(
    bound_letter(name, real=True) for name in ("m2", "m4", "m2'", "m2''")
)
"""Mean square, mean fourth power, and the first two derivatives of the mean square in the variance."""

COUNT = sp.Symbol("n", integer=True, positive=True)
"""The number of terms of a mean."""
SPREAD = Premise("the spread is the variance of the kernel over its square", nu / K**2)
KURTOSIS = Premise(
    "a unit is Gaussian given its kernel, so that its excess kurtosis is 3 times the spread",
    3 * nu / K**2,
)


class FiniteWidth(NamedTuple):
    """The kernel above a network of finite width, as closed forms of ``r``, the widths and its other symbols."""

    kernel: ClosedForm
    """Kernel of a unit with itself at infinite width."""
    variance: ClosedForm
    """Variance of the kernel over draws of the weights, to first order in the inverse widths."""
    shift: ClosedForm
    """Mean of the kernel minus that of infinite width, to first order."""
    spread: ClosedForm
    """Variance of the kernel over its squared value at infinite width, to first order."""
    kurtosis: ClosedForm
    """Excess kurtosis of a unit over draws of the weights, to first order."""


def kernel_above(mean: sp.Expr = m2) -> sp.Expr:
    """Return the kernel above a layer at infinite width, in the layer's letters.

    Args:
        mean: mean product of two activations below. Default: the mean square, in the letter of this module.
    """
    return rules.dense(S, Z, (S, Z)).kernel(sp.ones(2) * mean)


@cache
def kernel_lemma(mean: sp.Symbol = m2) -> Step:
    """The kernel above a layer, in the letter of a mean product of two activations."""
    return Step(
        f"kernel above a layer in {mean.name}",
        kernel_above(mean),
        at_values(rules.AFFINE[0], (rules.PAIR[0, 1],), (mean,)),
        because="the kernel below is that mean",
        uses=(rules.dense_lemma(),),
    )


def spread_and_shift() -> tuple[sp.Expr, sp.Expr]:
    """Return variance and shift above a layer, in the letters of this module and the layer's: the rule."""
    spread = S**2 * watched(m4 - m2**2) / n + (S * m2_slope) ** 2 * nu
    shift = S * m2_slope * g + S * m2_bend * nu / 2
    return spread, shift


@cache
def layer_lemma() -> Step:
    """The rule, for a kernel below of mean K + e^2 g and variance e^2 nu, and a layer of width n/e^2."""
    small, change, kernel = sp.symbols("e w K", real=True)
    two, four = sp.Function("m2", real=True), sp.Function("m4", real=True)
    at = kernel + small**2 * g + small * change
    within = sp.Subs(equal_terms_lemma().right, (m4, m2, COUNT), (four(at), two(at), n / small**2))

    def mean(function: sp.Expr) -> sp.Expr:
        return Mean(function, change, nu)

    spread = S**2 * (mean(within + two(at) ** 2) - mean(two(at)) ** 2)
    shift = S * mean(two(at))
    here = dict(
        zip(
            MOMENTS,
            (
                two(kernel),
                four(kernel),
                *(sp.Derivative(two(kernel), (kernel, order)) for order in (1, 2)),
            ),
            strict=True,
        )
    )
    return Step(
        "variance and shift of the kernel above a layer",
        sp.Matrix(
            [sp.Subs(sp.Derivative(part, (small, 2)), small, 0) / 2 for part in (spread, shift)]
        ),
        sp.Matrix(
            [sp.Subs(part, tuple(here), tuple(here.values())) for part in spread_and_shift()]
        ),
        because="total variance, and the second order in e",
        uses=(
            equal_terms_lemma(),
            theorems.UNDER_THE_MEAN,
            Premise(
                "K' = S (mean of phi(z)^2 over n units) + Z, the units independent given the kernel K below"
            ),
        ),
    )


@cache
def equal_terms_lemma() -> Step:
    """The variance of the mean of n independent numbers with the same moments."""
    i, j = sp.symbols("i j", integer=True, positive=True)
    same = sp.KroneckerDelta(i, j)
    pairs = sp.Sum(same * m4 + (1 - same) * m2**2, (i, 1, COUNT), (j, 1, COUNT))
    return Step(
        "variance of the mean of n independent terms",
        pairs / COUNT**2 - m2**2,
        (m4 - m2**2) / COUNT,
        because="equal terms contribute their second moment, others the square of their mean",
        uses=(
            Premise(
                "terms phi(z_i)^2, independent for different i, of mean m2 and mean square m4"
            ),
        ),
    )


def finite_width(net: networks.Network, name: str = "engine.finite_width") -> FiniteWidth:
    """Return kernel, variance, shift and kurtosis above a chain of dense layers with widths, to first order.

    Args:
        net: ``Dense(..., width=n1) >> Act(...) >> Dense(..., width=n2) >> ... >> Dense(...)``; a layer without a width
            is infinitely wide, and that of the last layer does not matter.
        name: dotted name, to which the quantities are added. Default: "engine.finite_width".

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it is no such chain.

    Source: Yaida (2020); Hanin (2018) for rectifiers, whose exact kurtosis this is to first order.

    >>> from theory.engine import Act, Dense, finite_width
    >>> first = finite_width(Dense(2, width=sp.Symbol("n", positive=True)) >> Act("relu") >> Dense(2))
    >>> first.kurtosis.expression
    15/n
    """
    levels, state = above_layers(layers_of(net, (R,)), rule())
    kernel, spread, shift = state.values()
    values = {K: kernel, nu: spread}
    relative, excess = (in_letters(ratio, values) for ratio in (SPREAD, KURTOSIS))
    form = partial(form_of, net, levels)
    return FiniteWidth(
        form(f"{name}.kernel", f"Kernel of a unit of {net} with itself, infinitely wide.", kernel),
        form(
            f"{name}.variance",
            f"Variance of the kernel of {net} over weights, to first order.",
            spread,
        ),
        form(f"{name}.shift", f"Shift of the mean kernel of {net}, to first order.", shift),
        form(
            f"{name}.spread",
            f"Variance of the kernel of {net} over its square, to first order.",
            relative.left,
            relative,
        ),
        form(
            f"{name}.kurtosis",
            f"Excess kurtosis of a unit of {net}, to first order.",
            excess.left,
            excess,
        ),
    )


def in_letters(premise: Premise, values: dict[sp.Symbol, sp.Expr]) -> Step:
    """Return the step from the definition of a number to that of a network, in the letters of its last level.

    Args:
        premise: the definition, in the letters of a rule.
        values: letter -> that of the network.
    """
    filled = sp.Subs(premise.expression, tuple(values), tuple(values.values()))
    claim = f"{premise.text}: in the letters of the last level"
    return Step(claim, premise.expression.xreplace(values), filled, "definition", uses=(premise,))


def form_of(
    net: networks.Network,
    levels: Levels,
    name: str,
    meaning: str,
    result: sp.Expr,
    *rests: Step,
    known: tuple[Argument, ...] = (R,),
    conditions: tuple[Condition, ...] = (),
    in_pairs: bool = True,
) -> ClosedForm:
    """Return a quantity of a network of finite width as a closed form.

    Args:
        net: the network.
        levels: its letters.
        name, meaning: those of the closed form.
        result: the quantity, in the letters.
        rests: what states it.
        known: arguments besides the symbols of the network. Default: the squared norm of the input.
        conditions: those of its arguments. Default: none.
        in_pairs: whether twice the digits suffice where terms cancel; otherwise its moments are watched. Default: True.
    """
    formula = levels.formula(result)
    if is_compensable(formula):
        is_short = not formula.has(Let) and tree_size(formula) <= SHORT
        if is_short and formula.is_rational_function():
            formula = sp.simplify(formula)
        elif in_pairs:
            formula = compensated(formula)
    return levels.form(
        name,
        meaning,
        result,
        known,
        (ORDER, INDEPENDENT, *definitions_of(net)),
        expression=formula,
        rests=rests,
        conditions=conditions,
    )


def with_warnings(moments: tuple[sp.Expr, ...]) -> tuple[sp.Expr, ...]:
    """Return moments that are watched where their terms cancel, unless all of them can be computed with more digits.

    Args:
        moments: functions of the variance.
    """
    if all(map(is_compensable, moments)):
        return moments
    return tuple(moment if moment.has(sp.Integral) else watched(moment) for moment in moments)


@cache
def moments_of(act: Activation) -> Moments:
    """Return mean square and mean fourth power of an activation, and two derivatives of the mean square.

    Args:
        act: the activation.
    """
    squared = Activation(f"{act.name}_squared", act.expression**2, act.kinks)
    two, slope, bend = second_moment(act)
    names = [letter.name for letter in MOMENTS]
    values = with_warnings((two, second_moment(squared)[0], slope, bend))
    # of a mean that is an integral, the lemmas have the meaning, which few steps decide within a product
    meant = (two, slope, bend) if two.has(sp.Integral) else mean_square_meant(act, 0)
    meanings = (meant[0], mean_square_meant(squared, 0)[0], *meant[1:])
    rests = (*moments_lemmas(act), kernel_formula(squared))
    return (
        dict(zip(names, values, strict=True)),
        dict(zip(names, meanings, strict=True)),
        rests,
    )


@cache
def rule() -> Rule:
    """Return the rule of kernel, variance and shift."""
    variance_above, shift_above = spread_and_shift()
    return Rule(
        letters={letter.name: letter for letter in (K, nu, g, *MOMENTS)},
        above={"K": kernel_above(), "nu": variance_above, "g": shift_above},
        moments=moments_of,
        point={"K": variance},
        at_inputs={"m2": r},
        inputs={"K": r},
        lemmas=(kernel_lemma(), layer_lemma()),
    )
