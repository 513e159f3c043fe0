r"""Kernel matrices of networks that are described in words: a layer per level, branches, norms, convolutions on images.

The state between two levels is the kernel between rows and columns, with the variances of both, which activations and
norms need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, singledispatch
from typing import Any

import numpy as np
import sympy as sp

from closedform import networks
from closedform.checks.arrays import Array
from theory.activations.naming import activation
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import compile_expression
from theory.engine import joining, rules
from theory.engine.kernel_levels import numbers_of
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_state import State, averaged, equal_positions, of_pairs


@singledispatch
def _above(net: Any, below: State) -> State:
    """Return the state above a network."""
    raise TypeError(f"net: got {type(net).__name__}, needs a network")


@_above.register
def _(net: networks.Chain, below: State) -> State:
    for level in net.levels:
        below = _above(level, below)
    return below


@_above.register
def _(net: networks.Dense, below: State) -> State:
    if net.gains is None and below.unit_gains:
        net = replace(net, gains=(1, 1))
    rule = _numerical(rules.dense(*numbers_of(net)).made)
    if isinstance(net, networks.Conv):
        below = averaged(net, below)
    tangent = 0.0 if below.tangent is None else below.tangent

    def kernel(values: Array) -> Array:
        return np.asarray(rule(1.0, 1.0, values, 0.0)[0])

    made = rule(1.0, 1.0, below.kernel, tangent)
    return replace(
        below,
        down=kernel(below.down),
        right=kernel(below.right),
        kernel=made[0],
        tangent=None if below.tangent is None else made[1],
    )


@_above.register
def _(net: networks.Act, below: State) -> State:
    _require_variances(net, below)
    layer = wide_layer(activation("activation", net.activation), below.tangent is not None)

    def diagonal(variances: Array) -> list[Array]:
        return [values.reshape(variances.shape) for values in layer.diagonal(variances.ravel())]

    down, right = diagonal(below.down), diagonal(below.right)
    made = down if below.pairs == "same" else of_pairs(layer.pair, down, below)
    return replace(
        below,
        down=down[0],
        right=right[0],
        kernel=made[0],
        tangent=None if below.tangent is None else made[1] * below.tangent,
    )


@_above.register
def _(net: networks.Norm, below: State) -> State:
    _require_variances(net, below)
    rule = _numerical(rules.norm().made)
    ones = np.ones_like(below.down)

    def normed(values: Array) -> Array:
        if below.pairs == "same":
            return np.asarray(rule(below.down, below.down, values, 0.0)[0])
        state = replace(below, kernel=values)
        return of_pairs(lambda v, w, c: (rule(v, w, c, 0.0)[0],), (ones,), state)[0]

    return below.mapped(normed, positions=np.ones_like)


@_above.register
def _(net: networks.Pool, below: State) -> State:
    axes = tuple(range(1, below.down.ndim))
    count = len(axes)
    both = (*axes, *(axis + 1 + count for axis in axes))
    # The variance of the mean over positions is the kernel between an input and itself, which is not known here.
    return replace(
        below,
        kernel=below.kernel.mean(both),
        tangent=None if below.tangent is None else below.tangent.mean(both),
        down=np.full(len(below.down), np.nan),
        right=np.full(len(below.right), np.nan),
    )


@_above.register
def _(net: networks.Flatten, below: State) -> State:
    axes = tuple(range(1, below.down.ndim))

    def aside(values: Array) -> Array:
        if below.pairs == "all":
            values = equal_positions(values, len(axes))
        return values.mean(tuple(range(values.ndim - len(axes), values.ndim)))

    return below.mapped(aside, positions=lambda values: values.mean(axes))


@_above.register
def _(net: networks.Sum, below: State) -> State:
    return _branched(net, below, joining.branch_sum)


@_above.register
def _(net: networks.Product, below: State) -> State:
    return _branched(net, below, joining.branch_product)


def _branched(net: networks.Sum | networks.Product, below: State, rule: Any) -> State:
    """Return the state above branches, by the rule that theory has for their kernels and tangent kernels."""
    ends = [_above(branch, below) for branch in net.branches]
    if len({end.kernel.shape for end in ends}) > 1:
        raise ValueError(
            f"net: got branches of {net} with and without positions, needs the same in all"
        )
    joined = _numerical(rule(*_letters_of_branches(len(ends))), len(ends))

    def of(name: str) -> list[Any]:
        values = [getattr(end, name) for end in ends]
        return [0.0 if value is None else value for value in values]

    kernel, tangent = joined(*of("kernel"), *of("tangent"))
    zeros = [0.0] * len(ends)
    return replace(
        ends[0],
        down=joined(*of("down"), *zeros)[0],
        right=joined(*of("right"), *zeros)[0],
        kernel=kernel,
        tangent=None if below.tangent is None else tangent,
    )


@lru_cache(maxsize=64)
def _letters_of_branches(count: int) -> tuple[tuple[sp.Symbol, ...], tuple[sp.Symbol, ...]]:
    return sp.symbols(f"kernel:{count}", real=True), sp.symbols(f"tangent:{count}", real=True)


@lru_cache(maxsize=256)
def _numerical(rule: tuple[sp.Expr, sp.Expr], branches: int = 0) -> Callable[..., tuple[Any, Any]]:
    """Return the numbers of a rule: of variances, kernel and tangent kernel below, or of those of its branches."""
    letters = rules.LETTERS
    if branches:
        kernels, tangents = _letters_of_branches(branches)
        letters = (*kernels, *tangents)
    return compile_expression(sp.Tuple(*rule), letters, numpy_backend)


def _require_variances(net: networks.Network, below: State) -> None:
    if np.isnan(below.down).any():
        raise ValueError(
            f"net: got {net} above a mean over positions, needs Pool to be the last but dense layers"
        )


def final_kernel(net: networks.Network, start: State, kind: str) -> Array:
    """Return the kernel or the tangent kernel above the network, at no position."""
    _require_computable(net, start)
    with np.errstate(all="ignore"):
        made = _above(net, start)
    if made.down.ndim > 1:
        raise ValueError(f"net: got positions above {net}, needs Pool or Flatten at the end")
    if kind == "nngp":
        return made.kernel
    assert made.tangent is not None
    return made.tangent


def _require_computable(net: networks.Network, start: State) -> None:
    """Raise ValueError unless the network has numbers and fits the inputs."""
    if networks.needs_gaussian(net):
        raise ValueError(
            f"net: got {net} above inputs, which are not Gaussian, needs a Dense or Conv first"
        )
    for level in networks.every(net):
        if isinstance(level, networks.Attention):
            raise ValueError(
                f"net: got {level}, whose weights need the kernel of every input between its own positions; "
                "theory.engine.kernel(net, positions=...) is its formula"
            )
        if isinstance(level, networks.Dense):
            weights, biases, gains = numbers_of(level)
            symbols = sp.Tuple(weights, biases, *gains).free_symbols
            if symbols:
                raise ValueError(
                    f"{level}: got the symbols {symbols}, needs numbers for a kernel matrix"
                )
        is_of_positions = isinstance(level, networks.Conv | networks.Pool | networks.Flatten)
        if is_of_positions and start.down.ndim == 1:
            raise ValueError(
                f"X: got inputs without positions for {level}, needs [N, *positions, channels]"
            )
