r"""How the update of each layer scales with the width, in every parametrisation by powers of the width.

Weights are :math:`n^{-a} w` with :math:`w \sim N(0, n^{-2 b})` at the start and learning rate :math:`n^{-c}`, for the
input, the hidden and the output layer (Yang and Hu 2021, with a rate for each layer). The exponent of a layer's *own
update*, what its step adds to its output on the features that it has, follows from balances of sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from closedform import checks
from theory.engine.balance import balance
from theory.engine.derived import Derived
from theory.engine.order import Order

LAYERS = ("input", "hidden", "output")
A, B, C = (sp.symbols(f"{letter}1:4", real=True) for letter in "abc")
Triple = tuple[Any, Any, Any]
_HALF = sp.Rational(1, 2)
PARAMETRISATIONS: Mapping[str, tuple[Triple, Triple, Mapping[str, Triple]]] = {
    "standard": ((0, 0, 0), (0, _HALF, _HALF), {"sgd": (0, 0, 0), "adam": (0, 0, 0)}),
    "ntk": ((0, _HALF, _HALF), (0, 0, 0), {"sgd": (0, 0, 0), "adam": (0, 0, 0)}),
    "mean field": ((0, _HALF, 1), (0, 0, 0), {"sgd": (-1, -1, -1)}),
    "maximal update": ((0, 0, 0), (0, _HALF, 1), {"sgd": (-1, 0, 1), "adam": (0, 1, 1)}),
}
"""Exponents a, b, and c by the optimiser, each for the three layers."""


def own_updates(optimizer: str = "sgd") -> dict[str, Derived]:
    """Return the exponents in the width of each layer's own update after one step, as formulas of a, b and c.

    Args:
        optimizer: "sgd", or "adam", whose step has the size of the learning rate for every weight. Default: "sgd".

    Returns:
        "input", "hidden", "output" -> the exponent with its derivation; ``a1`` to ``c3`` are its letters.

    Raises:
        ValueError: for another optimiser.

    >>> own_updates("adam")["hidden"].expression
    -a1 - a2 - b1 - c2 + 1
    """
    checks.one_of("optimizer", optimizer, ("sgd", "adam"))
    weights = [Order(f"w{k}", -a - b) for k, (a, b) in enumerate(zip(A, B, strict=True), 1)]
    factors = [Order(f"n^-a{k}", -a) for k, a in enumerate(A, 1)]
    rates = [Order(f"eta{k}", -c) for k, c in enumerate(C, 1)]
    first, second, readout_gradient, first_gradient = sp.symbols("h1 h2 g2 g1", real=True)
    moves = sp.symbols("u1:4", real=True)
    one, two, back, below = (
        Order(str(symbol), symbol) for symbol in (first, second, readout_gradient, first_gradient)
    )
    updates = [Order(str(move), move) for move in moves]
    words = {
        "features of the first layer are its weights times the inputs": weights[0] / one,
        "features of the hidden layer are sums of independent terms": (weights[1] * one).sum(
            1, independent=True
        )
        / two,
        "gradients of the last features are the readout": weights[2] / back,
        "gradients of the first features are sums of independent terms": (weights[1] * back).sum(
            1, independent=True
        )
        / below,
    }
    # the step of a weight: rate, factor, gradient and feature; Adam divides by the size of the last three
    is_adam = optimizer == "adam"
    steps = (
        [rates[0], rates[1], rates[2]]
        if is_adam
        else [
            rates[0] * factors[0] * below,
            rates[1] * factors[1] * back * one,
            rates[2] * factors[2] * two,
        ]
    )
    words |= {
        "a step of the first layer adds its weights' change times the inputs": factors[0]
        * steps[0]
        / updates[0],
        "a step of the hidden layer adds a sum of terms of one sign": (
            factors[1] * steps[1] * one
        ).sum(1)
        / updates[1],
        "a step of the readout adds a sum of terms of one sign": (factors[2] * steps[2] * two).sum(
            1
        )
        / updates[2],
    }
    table = balance(words, (first, second, readout_gradient, first_gradient, *moves))
    return {layer: table[move] for layer, move in zip(LAYERS, moves, strict=True)}


def in_parametrisation(name: str, optimizer: str = "sgd") -> dict[str, float]:
    """Return the exponents of the own updates in a parametrisation.

    Args:
        name: one of ``PARAMETRISATIONS``.
        optimizer: "sgd" or "adam". Default: "sgd".

    Returns:
        "input", "hidden", "output" -> exponent; 0 for all is what transfers.

    Raises:
        ValueError: for another name or optimiser, or an optimiser for which the parametrisation has no rates.

    >>> in_parametrisation("standard", "adam")
    {'input': 0.0, 'hidden': 1.0, 'output': 1.0}
    """
    checks.one_of("name", name, tuple(PARAMETRISATIONS))
    factors, starts, rates = PARAMETRISATIONS[name]
    checks.one_of("optimizer", optimizer, tuple(rates))
    values = dict(zip((*A, *B, *C), (*factors, *starts, *rates[optimizer]), strict=True))
    return {
        layer: float(update.expression.subs(values))
        for layer, update in own_updates(optimizer).items()
    }
