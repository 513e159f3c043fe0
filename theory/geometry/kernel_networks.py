r"""Kernel matrices of networks that are described in words: a layer per level, branches, norms, convolutions on images.

The state between two levels is the kernel between rows and columns, with the variances of both, which activations and
norms need. Images have a kernel between every position of the one and every position of the other where a mean over
positions is taken above, and otherwise only between equal positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, singledispatch
from itertools import product
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


@dataclass(frozen=True)
class State:
    """Kernels above some levels.

    Attributes:
        down, right: variances at each position, ``[n, *positions]`` and ``[m, *positions]``.
        kernel: ``[n, *positions, m, *positions]`` between all positions (``pairs`` is "all"), ``[n, m, *positions]``
            between equal ones ("equal"), or ``[n, *positions]`` of every input with itself ("same"), the variances.
        tangent: the tangent kernel, of the same shape; None where it is not wanted.
        pairs: which positions are paired.
        unit_gains: whether gradients have the factor 1, and not that of the literature, where a layer names none.
        rounding: by how much kernels are changed below every activation, relative to the variances of both.
    """

    down: Array
    right: Array
    kernel: Array
    tangent: Array | None
    pairs: str
    unit_gains: bool
    rounding: float = 0.0

    def mapped(
        self, rule: Callable[[Array], Array], *, positions: Callable[[Array], Array]
    ) -> State:
        """Return the state with kernels and variances mapped."""
        tangent = None if self.tangent is None else rule(self.tangent)
        return replace(
            self,
            down=positions(self.down),
            right=positions(self.right),
            kernel=rule(self.kernel),
            tangent=tangent,
        )


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
    rule = _numerical(rules.dense(*numbers_of(net)).meant)
    if isinstance(net, networks.Conv):
        below = _averaged(net, below)
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
    made = down if below.pairs == "same" else _of_pairs(layer.pair, below)
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
    rule = _numerical(rules.norm().meant)

    def normed(values: Array) -> Array:
        if below.pairs == "same":
            return np.asarray(rule(below.down, below.down, values, 0.0)[0])
        state = replace(below, kernel=values)
        return _of_pairs(lambda v, w, c: (rule(v, w, c, 0.0)[0],), state)[0]

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
            values = _equal_positions(values, len(axes))
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


def _of_pairs(
    function: Callable[[Array, Array, Array], tuple[Array, ...]], below: State
) -> tuple[Array, ...]:
    """Return functions of two variances and the kernel, at every pair of positions."""
    kernel = below.kernel
    if below.pairs == "each":
        v, w, c = (values.reshape(-1, 1) for values in (below.down, below.right, kernel))
        most = np.sqrt(v) * np.sqrt(w)
        made = function(v, w, np.clip(c + below.rounding * most, -most, most))
        return tuple(values.reshape(kernel.shape) for values in made)
    if below.pairs == "all" or below.down.ndim == 1:
        flat = kernel.reshape(below.down.size, below.right.size)
        made = function(below.down.reshape(-1, 1), below.right.reshape(1, -1), flat)
        return tuple(values.reshape(kernel.shape) for values in made)
    parts = []
    for position in product(*map(range, below.down.shape[1:])):
        here: Any = (slice(None), *position)
        parts.append(
            function(
                below.down[here][:, None],
                below.right[here][None],
                kernel[(slice(None), *here)],
            )
        )
    return tuple(
        np.stack(values, axis=-1).reshape(kernel.shape) for values in zip(*parts, strict=True)
    )


def _averaged(net: networks.Conv, below: State) -> State:
    """Return the state with kernels and variances averaged over the taps of a convolution."""
    axes = below.down.ndim - 1
    taps = list(product(range(-net.reach, net.reach + 1), repeat=axes))

    def shifted(values: Array, tap: tuple[int, ...], first: int) -> Array:
        where = tuple(range(first, first + axes))
        moved = np.roll(values, [-step for step in tap], where)
        if net.padding == "zeros":
            for axis, step in zip(where, tap, strict=True):
                outside = [slice(None)] * values.ndim
                outside[axis] = (
                    slice(max(values.shape[axis] - step, 0), None) if step > 0 else slice(0, -step)
                )
                moved[tuple(outside)] = 0
        return moved

    def of_inputs(values: Array) -> Array:
        return sum(shifted(values, tap, 1) for tap in taps) / len(taps)  # type: ignore[return-value]

    def of_pairs(values: Array) -> Array:
        if below.pairs != "all":
            first = values.ndim - axes
            return sum(shifted(values, tap, first) for tap in taps) / len(taps)  # type: ignore[return-value]
        total = np.zeros_like(values)
        for tap in taps:
            total += shifted(shifted(values, tap, 1), tap, 2 + axes)
        return total / len(taps)

    return below.mapped(of_pairs, positions=of_inputs)


def _equal_positions(values: Array, axes: int) -> Array:
    """Return a kernel ``[n, *positions, m, *positions]`` at equal positions, ``[n, m, *positions]``."""
    letters = "abcdefgh"[:axes]
    return np.einsum(f"x{letters}y{letters}->xy{letters}", values)


def _require_variances(net: networks.Network, below: State) -> None:
    if np.isnan(below.down).any():
        raise ValueError(
            f"net: got {net} above a mean over positions, needs Pool to be the last but dense layers"
        )


def of_inputs(rows: Array, columns: Array, kind: str, pairs: str) -> State:
    """Return the state of the inputs, whose kernels are inner products over the channels, at every position."""
    letters = "abcdefgh"[: rows.ndim - 2]
    others = letters.upper() if pairs == "all" else letters
    form = {
        "all": f"x{letters}c,y{others}c->x{letters}y{others}",
        "equal": f"x{letters}c,y{letters}c->xy{letters}",
        "each": f"x{letters}c,x{letters}c->x{letters}",
        "same": f"x{letters}c,x{letters}c->x{letters}",
    }
    kernel = np.einsum(form[pairs], rows, columns, optimize=True)
    down, right = (np.einsum("...c,...c->...", side, side) for side in (rows, columns))
    tangent = None if kind == "nngp" else np.zeros_like(kernel)
    return State(down, right, kernel, tangent, pairs, kind == "ntk")


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
