"""Chains of dense layers with widths, and the letters above each layer: what all verbs of finite width walk through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from closedform import networks
from closedform.checks import instance
from theory.activations import Activation
from theory.activations.naming import activation
from theory.core import Argument, Step
from theory.core.formula.let import bound_letter
from theory.core.formula.subexpressions import at_values
from theory.engine import rules
from theory.engine.kernel_levels import numbers_of
from theory.engine.levels import Levels, Place, require_own_symbols, variance_of

INDEPENDENT = "weights and biases are independent Gaussians with mean zero"
ORDER = "terms of second order in the inverse widths are left out"
S, Z, G, G_b = rules.NUMBERS
n = bound_letter("n", positive=True)
LAYER = (*rules.NUMBERS, n)
"""Variances of weights and biases, the factors of their gradients, and the width below: letters of every rule."""
Values = dict[str, sp.Expr]
"""Expressions by the names of their letters."""
Moments = tuple[Values, Values, tuple[Any, ...]]
"""Gaussian means of an activation as functions of the kernel below, their meanings, and what both rest on."""


class Layer(NamedTuple):
    """A dense layer, with the activation and the width of what is below it."""

    number: int
    dense: networks.Dense
    act: Activation | None
    """None for the lowest layer, which stands above the inputs."""
    width: Any

    @property
    def numbers(self) -> tuple[sp.Expr, sp.Expr, tuple[sp.Expr, sp.Expr]]:
        """Variances of weights and biases, and the factors of their gradients."""
        return numbers_of(self.dense)


@dataclass(frozen=True)
class Rule:
    """What a layer makes of the state below it: one object for the lemmas and for its application.

    Attributes:
        letters: letters of the state and of the moments, by name.
        above: the state above a layer, in these letters and those of the layer, ``LAYER``.
        moments: the moments of an activation, in the symbols ``point``.
        point: symbol of each part of the kernel below, by its name in the state.
        at_inputs: those of the moments that are not zero at the inputs, which have no activation.
        inputs: the state of the inputs, as far as it is not zero.
        lemmas: what the rule rests on.
    """

    letters: Mapping[str, sp.Symbol]
    above: Mapping[str, sp.Expr]
    moments: Callable[[Activation], Moments]
    point: Mapping[str, sp.Symbol]
    at_inputs: Values
    inputs: Values
    lemmas: tuple[Step, ...]


def layers_of(net: Any, reserved: Iterable[Argument]) -> list[Layer]:
    """Return the dense layers of a chain, the lowest first.

    Args:
        net: ``Dense(..., width=n1) >> Act(...) >> Dense(..., width=n2) >> ... >> Dense(...)``; a layer without a width
            is infinitely wide.
        reserved: arguments that the formula has besides the symbols of the network.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if it is no such chain, or one of its symbols is reserved.
    """
    instance("net", net, networks.Network, "a network")
    require_own_symbols(net, reserved)
    layers: list[Layer] = []
    act, width = None, None
    for number, level in enumerate(networks.levels_of(net), 1):
        if isinstance(level, networks.Act) and act is None and width is not None:
            act = activation("activation", level.activation)
            continue
        if type(level) is not networks.Dense or (number > 1 and act is None):
            raise ValueError(f"net: got {net}, needs Dense and Act in turn, from Dense to Dense")
        layers.append(Layer(number, level, act, sp.oo if width is None else width))
        act, width = None, sp.oo if level.width is None else variance_of("width", level.width)
    if act is not None or width is None:
        raise ValueError(f"net: got {net}, needs a Dense at the end")
    return layers


def above_layers(layers: Iterable[Layer], rule: Rule) -> tuple[Levels, Values]:
    """Return the letters of the state above the last of some layers, and the levels that define them.

    Args:
        layers: the layers.
        rule: what is above a layer.
    """
    levels = Levels()
    state = dict.fromkeys(rule.above, sp.S.Zero) | rule.inputs
    for layer in layers:
        levels, moments = _moments(levels, state, layer, rule)
        weights, biases, gains = layer.numbers
        values = {rule.letters[name]: value for name, value in (state | moments).items()}
        values |= dict(zip(LAYER, (weights, biases, *gains, layer.width), strict=True))
        because = (
            "independent units, given the layer below" if layer.act else "the inputs are given"
        )
        made = {name: part.xreplace(values) for name, part in rule.above.items()}
        # what is 0 is so whatever the rule is
        meant = {
            name: at_values(part, values, values.values()) if made[name] != 0 else sp.S.Zero
            for name, part in rule.above.items()
        }
        rests = (*rule.lemmas, INDEPENDENT, ORDER)
        claim = Place(str(layer.number)).claim(layer.dense)
        levels, state = _lettered(levels, layer, claim, made, meant, because, rests, rule)
    return levels, state


def _moments(levels: Levels, state: Values, layer: Layer, rule: Rule) -> tuple[Levels, Values]:
    """Return letters for the moments of the activation below a layer, at the kernel there."""
    if layer.act is None:
        absent = (name for name in rule.letters if name not in state)
        return levels, dict.fromkeys(absent, sp.S.Zero) | rule.at_inputs
    values, meanings, rests = rule.moments(layer.act)
    point = {symbol: state[name] for name, symbol in rule.point.items()}
    made = {name: value.xreplace(point) for name, value in values.items()}
    meant = {
        name: at_values(part, tuple(point), tuple(point.values()))
        for name, part in meanings.items()
    }
    claim = f"{layer.number - 1}: means of {layer.act.name}"
    because = "Gaussian units, at the kernel below"
    return _lettered(
        levels, layer, claim, made, meant, because, (*rests, layer.act.definition), rule
    )


def _lettered(
    levels: Levels,
    layer: Layer,
    claim: str,
    made: Values,
    meant: Values,
    because: str,
    rests: tuple[Any, ...],
    rule: Rule,
) -> tuple[Levels, Values]:
    """Return levels with letters for what is not zero, and the letters."""
    letters: Values = {
        name: bound_letter(
            f"{name}_{layer.number}", real=True, positive=rule.letters[name].is_positive
        )
        if value != 0
        else sp.S.Zero
        for name, value in made.items()
    }
    # what is 0 has no letter, but is stated where it is not 0 by its meaning alone
    wanted = [
        (letters[name], made[name], meant[name])
        for name in made
        if made[name] != 0 or meant[name] not in (0, made[name])
    ]
    return levels.with_level(claim, wanted, because, rests), letters
