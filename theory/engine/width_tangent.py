"""The tangent kernel of a deep network at one input, to first order in 1/width: its mean and its variance."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import sympy as sp

from closedform import networks
from theory.activations import Activation
from theory.core import ClosedForm, Premise
from theory.engine import width
from theory.engine.dense_chain import Moments, Rule, above_layers, layers_of
from theory.engine.inputs import R
from theory.engine.metric_levels import mean_square_meant
from theory.engine.tangent_rules import (
    SLOPES,
    b,
    between_lemma,
    between_units,
    d,
    f,
    h,
    mean_lemma,
    of_mean,
    t,
    tangent_above,
    tangent_lemma,
    theta,
)
from theory.engine.width import form_of, in_letters, with_warnings
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.moments import second_moment, squared_slope_jet


class FiniteTangent(NamedTuple):
    """The tangent kernel above a network of finite width, as closed forms of ``r`` and the symbols of the network."""

    tangent: ClosedForm
    """Tangent kernel of a unit at infinite width."""
    variance: ClosedForm
    """Its variance over draws of the weights, to first order in the inverse widths."""
    shift: ClosedForm
    """Its mean minus that of infinite width, to first order."""
    spread: ClosedForm
    """Its variance over its squared value at infinite width, to first order."""


SPREAD = Premise("the spread is the variance of the tangent kernel over its square", t / theta**2)
TOTAL = Premise(
    "the variance of the tangent kernel is that of its mean over the weights of its layer, and around that mean twice "
    "the mean square between two units",
    t + 2 * b,
)


def finite_tangent(net: networks.Network, name: str = "engine.finite_tangent") -> FiniteTangent:
    """Return the tangent kernel above a chain of dense layers with widths at an input, to first order.

    Args:
        net: as for :func:`theory.engine.finite_width`; gradients have the factors ``gains`` of each layer.
        name: dotted name, to which the quantities are added. Default: "engine.finite_tangent".

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it is no such chain, or an activation has a jump.

    Source: derived here; the recursions are those of Roberts, Yaida and Hanin (2022), chapter 8.

    >>> from theory.engine import Act, Dense, finite_tangent
    >>> narrow = Dense(2, width=sp.Symbol("n", positive=True))
    >>> finite_tangent(narrow >> Act("relu") >> Dense(2)).variance.expression
    48*r**2/n
    """
    levels, state = above_layers(layers_of(net, (R,)), rule())
    mean = state["theta"]
    total = in_letters(TOTAL, {t: state["t"], b: state["b"]})
    relative = in_letters(SPREAD, {t: total.left, theta: mean})
    form = partial(form_of, net, levels)
    return FiniteTangent(
        form(f"{name}.tangent", f"Tangent kernel of {net}, infinitely wide.", mean),
        form(
            f"{name}.variance",
            f"Variance of the tangent kernel of {net} over weights, to first order.",
            total.left,
            total,
        ),
        form(
            f"{name}.shift",
            f"Shift of the mean tangent kernel of {net}, to first order.",
            state["h"],
        ),
        form(
            f"{name}.spread",
            f"Variance of the tangent kernel of {net} over its square, to first order.",
            relative.left,
            total,
            relative,
        ),
    )


@cache
def rule() -> Rule:
    """Return the rule of the state in the text of this module."""
    kernels = width.rule()
    mean_variance, mean_covariance, mean_shift = of_mean()
    square, product = between_units()
    above = {
        "theta": tangent_above(), "t": mean_variance, "d": mean_covariance, "h": mean_shift,
        "b": square, "f": product,
    }  # fmt: skip
    return replace(
        kernels,
        letters={
            **kernels.letters,
            **{letter.name: letter for letter in (theta, t, d, h, b, f, *SLOPES)},
        },
        above={**kernels.above, **above},
        moments=moments_of,
        lemmas=(*kernels.lemmas, tangent_lemma(), between_lemma(), mean_lemma()),
    )


@cache
def moments_of(act: Activation) -> Moments:
    """Return the moments of ``theory.engine.width`` and those with slopes.

    Args:
        act: the activation.
    """
    values, meanings, rests = width.moments_of(act)
    slope = act.derivative(1)
    mixed = Activation(f"{act.name}_times_slope", act.expression * slope, act.kinks)
    fourth = Activation(f"slope_of_{act.name}_squared", slope**2, act.kinks)
    jet = squared_slope_jet(act)
    meant = jet if jet[0].has(sp.Integral) else mean_square_meant(act, 1)
    names = [letter.name for letter in SLOPES]
    made = with_warnings((second_moment(mixed)[0], jet[0], second_moment(fourth)[0], *jet[1:]))
    stated = (
        mean_square_meant(mixed, 0)[0],
        meant[0],
        mean_square_meant(fourth, 0)[0],
        *meant[1:],
    )
    return (
        {**values, **dict(zip(names, made, strict=True))},
        {**meanings, **dict(zip(names, stated, strict=True))},
        (*rests, kernel_formula(mixed), kernel_formula(fourth)),
    )
