"""Numbers of a network above a layer, by the rule of the engine, for an activation with known moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.core import Step
from theory.core.proof.values import stated
from theory.engine import dense_chain as layer
from theory.engine import width_tangent
from theory.finite_width.symbols import n

K = sp.Symbol("K", positive=True)
MOMENTS = ("m2", "m4", "sd", "q2", "q4")
"""Means of phi^2, phi^4, phi^2 phi'^2, phi'^2 and phi'^4 over a Gaussian of variance K."""


def above(
    name: str,
    means: Mapping[str, sp.Expr],
    state: Mapping[str, sp.Expr],
    weights: sp.Expr = sp.S.One,
    uses: tuple[Any, ...] = (),
) -> Step:
    """Return the step that has, on its left, a number of the state above a layer of width n without biases.

    Args:
        name: its letter in the rule of :func:`theory.engine.finite_tangent`, such as "t".
        means: those of ``MOMENTS``, as functions of K.
        state: the numbers below the layer besides K; those that are missing are 0.
        weights: variance of a weight times the width, C. Default: 1, where it is part of the activation.
        uses: what the means and the layer rest on. Default: nothing.
    """
    rule = width_tangent.rule()
    numbers = {**dict.fromkeys(rule.above, sp.S.Zero), **means, **state, "K": K}
    for moment in ("m2", "q2"):
        numbers[f"{moment}'"] = sp.Derivative(means[moment], K)
        numbers[f"{moment}''"] = sp.Derivative(means[moment], (K, 2))
    values = {rule.letters[letter]: sp.sympify(value) for letter, value in numbers.items()}
    values |= dict(zip(layer.LAYER, (weights, 0, weights, 0, n), strict=True))
    part = rule.above[name]
    inside = {letter: value for letter, value in values.items() if part.has(letter)}
    stating = tuple(lemma for lemma in rule.lemmas if part in stated(lemma))
    return Step(
        f"{name} above a layer",
        sp.expand(part.subs(values, simultaneous=True).doit()),
        sp.Subs(part, tuple(inside), tuple(inside.values())),
        because="the rule of a layer, with the means of the activation",
        uses=(*stating, *uses),
    )
