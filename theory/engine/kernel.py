r"""Kernels of wide networks, from the words that describe them: the NNGP kernel and the tangent kernel.

Every level has letters for the kernels above it, its definition in the letters below, and a step that says why. The
letters stay letters, so that the formula of a deep network is as long as the network.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from closedform import networks
from closedform.checks import instance, integer
from theory.core import Argument, ClosedForm
from theory.core.formula.cancelling import of_near_inputs
from theory.core.formula.let import Let
from theory.engine import rules
from theory.engine.inputs import CAUCHY_SCHWARZ, XX, XY, YY, xx, xy, yy
from theory.engine.kernel_levels import Kernels, above
from theory.engine.levels import Place, definitions_of, require_own_symbols

_BLOCKS = ("xx", "xy", "yy")


def kernel(
    net: networks.Network, name: str = "engine.kernel", *, positions: int = 1
) -> ClosedForm:
    """Return the kernel of the features above a wide network: the covariance of a unit, or its mean product.

    Args:
        net: the network, in the words of this package.
        name: dotted name of the closed form. Default: "engine.kernel".
        positions: number of positions of an input, for convolutions; the result has one. Default: 1.

    Returns:
        The closed form, of the inner products ``xx``, ``yy`` and ``xy`` of the inputs (with positions, of ``xx_0_0``,
        ``xy_0_1``, ...) and of the symbols of the network; each level is a step.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if an activation or a norm stands above features that are not Gaussian, or positions are left.

    Source: Neal (1996); Lee et al. (2018) for depth, Garriga-Alonso et al. (2019) and Novak et al. (2019) for
    convolutions.

    >>> from theory.engine import Act, Dense, kernel
    >>> round(float(kernel(Dense(2) >> Act("relu"))(xx=1, yy=1, xy=0.3)), 4)
    0.4827
    """
    made = _of_inputs(net, positions, wants_tangent=False)
    return _form(name, f"Kernel of the features of {net}.", made, made.gram[0, 1], net)


def tangent(
    net: networks.Network, name: str = "engine.tangent", *, positions: int = 1
) -> ClosedForm:
    """Return the tangent kernel of a unit above a wide network, whose weights and biases are all trained.

    Args:
        net, name, positions: as for :func:`kernel`, with the name "engine.tangent". Gradients have the factors
            ``gains`` of each layer.

    Returns:
        The closed form, as of :func:`kernel`.

    Raises:
        TypeError, ValueError: as :func:`kernel`, and for an activation with a jump, or no layer with weights.

    Source: Jacot et al. (2018).

    >>> from theory.engine import Act, Dense, tangent
    >>> round(float(tangent(Dense(2) >> Act("relu") >> Dense(1))(xx=1, yy=1, xy=0.3)), 4)
    0.6618
    """
    made = _of_inputs(net, positions, wants_tangent=True)
    if made.tangent[0, 0] == 0:
        raise ValueError(f"net: got {net}, needs a layer with weights")
    return _form(name, f"Tangent kernel of {net}.", made, made.tangent[0, 0], net)


def _of_inputs(net: Any, positions: int, wants_tangent: bool) -> Kernels:
    """Return the kernels above a network of inputs with so many positions, of which none are left."""
    instance("net", net, networks.Network, "a network")
    require_own_symbols(net, (XX, YY, XY))
    size = integer("positions", positions, 1)
    gram = sp.Matrix(2 * size, 2 * size, lambda i, j: _input(min(i, j), max(i, j), size))
    inputs = Kernels(gram.as_immutable(), sp.zeros(size, size).as_immutable(), wants_tangent)
    made = above(net, inputs, Place())
    if made.positions > 1:
        raise ValueError(
            f"net: got {made.positions} positions above {net}, needs Pool or Flatten at the end"
        )
    return made


def _input(i: int, j: int, size: int) -> sp.Symbol:
    """Return the inner product of two positions of both inputs."""
    block = i // size + j // size
    if size == 1:
        return (xx, xy, yy)[block]
    assumptions = {"nonnegative": True} if i == j else {"real": True}
    return sp.Symbol(f"{_BLOCKS[block]}_{i % size}_{j % size}", **assumptions)


def _form(
    name: str, meaning: str, made: Kernels, result: sp.Expr, net: networks.Network
) -> ClosedForm:
    formula = made.levels.formula(result)
    letters = sorted(formula.free_symbols, key=str)
    inputs = tuple(
        Argument(
            letter, f"inner product of the inputs at two positions, {letter.name}", unit="input^2"
        )
        for letter in letters
        if letter.name.split("_")[0] in _BLOCKS and letter.name.count("_") == 2
    )
    return made.levels.form(
        name,
        meaning,
        result,
        (XX, YY, XY, *inputs),
        (rules.WIDE, *definitions_of(net)),
        expression=_of_near_inputs(formula),
        conditions=(CAUCHY_SCHWARZ,),
    )


def _of_near_inputs(formula: sp.Expr) -> sp.Expr:
    """Return the formula of a kernel that warns where the terms of its last level cancel."""
    if not isinstance(formula, Let):
        return of_near_inputs(formula)
    values = dict(formula.definitions)
    last = values.pop(formula.result)
    return Let(values.items(), of_near_inputs(last))
