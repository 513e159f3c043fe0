"""Numbers of a network above a layer, by the rule of the engine, for an activation with known moments."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

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
) -> sp.Expr:
    """Return a number of the state above a layer of width n without biases.

    Args:
        name: its letter in the rule of :func:`theory.engine.finite_tangent`, such as "t".
        means: those of ``MOMENTS``, as functions of K.
        state: the numbers below the layer besides K; those that are missing are 0.
        weights: variance of a weight times the width, C. Default: 1, where it is part of the activation.
    """
    rule = width_tangent.rule()
    numbers = {**dict.fromkeys(rule.above, sp.S.Zero), **means, **state, "K": K}
    for moment in ("m2", "q2"):
        numbers[f"{moment}'"] = sp.diff(means[moment], K)
        numbers[f"{moment}''"] = sp.diff(means[moment], K, 2)
    values = {rule.letters[letter]: sp.sympify(value) for letter, value in numbers.items()}
    values |= dict(zip(layer.LAYER, (weights, 0, weights, 0, n), strict=True))
    return sp.expand(rule.above[name].subs(values, simultaneous=True).doit())
