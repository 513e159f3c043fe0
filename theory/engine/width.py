r"""The first order in 1/width of a deep network: how its kernel varies from one draw of weights to the next.

Given the kernel K below, the units of a layer of width n are independent, and the kernel above is :math:`K' = S
\tfrac{1}{n} \sum_i \varphi(z_i)^2 + Z`. With :math:`m_2(K) = E[\varphi^2]`, :math:`m_4 = E[\varphi^4]`, its variance
:math:`\nu` and the shift *g* of its mean are, to first order in the inverse widths,

.. math:: \nu' = \tfrac{S^2}{n} (m_4 - m_2^2) + (S m_2')^2 \nu, \qquad g' = S m_2' g + \tfrac{1}{2} S m_2'' \nu,

and the excess kurtosis of a unit is :math:`3 \nu / K^2`, since it is Gaussian given the kernel.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import sympy as sp

from closedform import networks
from closedform.checks import instance
from theory import gaussian
from theory.activations import Activation
from theory.activations.naming import activation
from theory.core import ClosedForm, Premise, Step
from theory.core.formula.cancelling import is_compensable
from theory.core.formula.let import Let, bound_letter
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.subexpressions import tree_size
from theory.engine import rules
from theory.engine.inputs import R, r
from theory.engine.kernel_levels import numbers_of
from theory.engine.levels import (
    Levels,
    Place,
    definitions_of,
    require_own_symbols,
    variance_of,
)
from theory.engine.metric_levels import mean_square_meant, moments_lemmas
from theory.gaussian.mean import Mean
from theory.gaussian.moments import second_moment
from theory.gaussian.symbols import variance

SHORT = 400  # nodes of a rational formula as a tree, above which simplifying it takes seconds
INDEPENDENT = "weights and biases are independent Gaussians with mean zero"
ORDER = "terms of second order in the inverse widths are left out"
_K = bound_letter("K", positive=True)
_S, _N, _NU = (bound_letter(name, positive=True) for name in ("S", "n", "nu"))
_G = bound_letter("g", real=True)
MOMENTS = tuple(bound_letter(name, real=True) for name in ("m2", "m4", "m2'", "m2''"))
"""Mean square, mean fourth power, and the first two derivatives of the mean square in the variance."""
LETTERS = (_S, _N, *MOMENTS, _NU, _G)
"""Variance of the weights, width, the moments, and variance and shift of the kernel below: letters of the rule."""


SPREAD = Premise("the spread is the variance of the kernel over its square", _NU / _K**2)
KURTOSIS = Premise(
    "a unit is Gaussian given its kernel, so that its excess kurtosis is 3 times the spread",
    3 * _NU / _K**2,
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


def spread_and_shift() -> tuple[sp.Expr, sp.Expr]:
    """Return variance and shift above a layer, in the letters of this module: the rule."""
    m2, m4, slope, bend = MOMENTS
    spread = _S**2 * watched(m4 - m2**2) / _N + (_S * slope) ** 2 * _NU
    shift = _S * slope * _G + _S * bend * _NU / 2
    return spread, shift


@cache
def layer_lemma() -> Step:
    """The rule, for a kernel below of mean K + e^2 g and variance e^2 nu, and a layer of width n/e^2."""
    small, change, kernel = sp.symbols("e w K", real=True)
    two, four = sp.Function("m2", real=True), sp.Function("m4", real=True)
    at = kernel + small**2 * _G + small * change
    within = (four(at) - two(at) ** 2) * small**2 / _N

    def mean(function: sp.Expr) -> sp.Expr:
        return Mean(function, change, _NU)

    spread = _S**2 * (mean(within + two(at) ** 2) - mean(two(at)) ** 2)
    shift = _S * mean(two(at))
    here = dict(
        zip(
            MOMENTS,
            (
                two(kernel),
                four(kernel),
                *(sp.Derivative(two(kernel), (kernel, n)) for n in (1, 2)),
            ),
            strict=True,
        )
    )
    return Step(
        "variance and shift of the kernel above a layer",
        sp.Matrix(
            [sp.Subs(sp.Derivative(part, (small, 2)), small, 0) / 2 for part in (spread, shift)]
        ),
        sp.Matrix([part.subs(here, simultaneous=True) for part in spread_and_shift()]),
        because="total variance, and the second order in e",
        uses=(
            equal_terms_lemma(),
            Premise(
                "K' = S (mean of phi(z)^2 over n units) + Z, the units independent given the kernel K below"
            ),
        ),
    )


@cache
def equal_terms_lemma() -> Step:
    """The variance of the mean of n independent numbers with the same moments."""
    i, j = sp.symbols("i j", integer=True, positive=True)
    n = sp.Symbol("n", integer=True, positive=True)
    m2, m4 = MOMENTS[:2]
    same = sp.KroneckerDelta(i, j)
    pairs = sp.Sum(same * m4 + (1 - same) * m2**2, (i, 1, n), (j, 1, n))
    return Step(
        "variance of the mean of n independent terms",
        pairs / n**2 - m2**2,
        (m4 - m2**2) / n,
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
    instance("net", net, networks.Network, "a network")
    require_own_symbols(net, (R,))
    values: tuple[sp.Expr, ...] = (r, sp.S.Zero, sp.S.Zero)
    levels = Levels()
    act, width = None, None
    for number, level in enumerate(networks.levels_of(net), 1):
        if isinstance(level, networks.Act) and act is None and width is not None:
            act = activation("activation", level.activation)
            continue
        if type(level) is not networks.Dense or (number > 1 and act is None):
            raise ValueError(f"net: got {net}, needs Dense and Act in turn, from Dense to Dense")
        made, meant, rests = _above(values, level, act, width)
        letters = [
            bound_letter(f"{word}_{number}", real=True, positive=is_positive)
            for word, is_positive in (("K", True), ("nu", None), ("g", None))
        ]
        wanted = [entry for entry in zip(letters, made, meant, strict=True) if entry[1] != 0]
        because = "independent units, given the kernel below" if act else "the inputs are given"
        levels = levels.with_level(Place(str(number)).claim(level), wanted, because, rests)
        values = tuple(
            letter if value != 0 else sp.S.Zero
            for letter, value in zip(letters, made, strict=True)
        )
        act, width = None, sp.oo if level.width is None else variance_of("width", level.width)
    if act is not None or width is None:
        raise ValueError(f"net: got {net}, needs a Dense at the end")
    kernel, spread, shift = values
    relative, excess = (_of_letters(ratio, kernel, spread) for ratio in (SPREAD, KURTOSIS))
    form = partial(_form, net, levels)
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


def _of_letters(ratio: Premise, kernel: sp.Expr, variance_of_kernel: sp.Expr) -> Step:
    """Step from the definition of a ratio to that of a network, in the letters of its last level."""
    values = (kernel, variance_of_kernel)
    here = ratio.expression.xreplace(dict(zip((_K, _NU), values, strict=True)))
    filled = sp.Subs(ratio.expression, (_K, _NU), values)
    return Step("in the letters of the last level", here, filled, "definition", uses=(ratio,))


def _form(
    net: networks.Network, levels: Levels, name: str, meaning: str, result: sp.Expr, *rests: Step
) -> ClosedForm:
    formula = levels.formula(result)
    if is_compensable(formula):
        is_short = not formula.has(Let) and tree_size(formula) <= SHORT
        is_simple = is_short and formula.is_rational_function()
        formula = sp.simplify(formula) if is_simple else compensated(formula)
    return levels.form(
        name,
        meaning,
        result,
        (R,),
        (ORDER, INDEPENDENT, *definitions_of(net)),
        expression=formula,
        rests=rests,
    )


def _above(
    below: tuple[sp.Expr, ...], level: networks.Dense, act: Activation | None, width: Any
) -> tuple[tuple[sp.Expr, ...], tuple[sp.Expr, ...], tuple[Any, ...]]:
    """Return kernel, variance and shift above a layer, the same by the meaning of the rule, and what it rests on."""
    weights, biases, _ = numbers_of(level)
    if act is None:
        affine = rules.dense(weights, biases, (weights, biases))
        values = (weights * below[0] + biases, sp.S.Zero, sp.S.Zero)
        meant = (sp.Subs(affine.meant[0], rules.LETTERS[2], below[0]), sp.S.Zero, sp.S.Zero)
        return values, meant, (rules.dense_lemma(), INDEPENDENT)
    kernel, spread, shift = below
    squared = Activation(f"{act.name}_squared", act.expression**2, act.kinks)
    two, slope, bend = second_moment(act)
    moments = [two, second_moment(squared)[0], slope, bend]
    # of a mean that is an integral, the lemmas have the meaning, which few steps decide within a product
    is_integral = two.has(sp.Integral)
    meant = (two, slope, bend) if is_integral else mean_square_meant(act, 0)
    by_definition = meant[0], mean_square_meant(squared, 0)[0], *meant[1:]
    if not all(map(is_compensable, moments)):
        moments = [moment if moment.has(sp.Integral) else watched(moment) for moment in moments]
    at_kernel = [moment.xreplace({variance: kernel}) for moment in moments]
    rule = spread_and_shift()
    numbers = weights, width, *at_kernel, spread, shift
    made = (
        weights * at_kernel[0] + biases,
        *(part.subs(dict(zip(LETTERS, numbers, strict=True)), simultaneous=True) for part in rule),
    )
    there = [sp.Subs(moment, variance, kernel) for moment in by_definition]
    stated = (
        weights * there[0] + biases,
        *(sp.Subs(part, LETTERS, (weights, width, *there, spread, shift)) for part in rule),
    )
    rests = (
        layer_lemma(),
        *moments_lemmas(act),
        gaussian.kernel(squared),
        rules.dense_lemma(),
        act.definition,
        INDEPENDENT,
        ORDER,
    )
    return made, stated, rests
