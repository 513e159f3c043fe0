r"""Kernel matrices of networks that are described in words: a layer per level, branches, norms, convolutions on images.

The state between two levels is the kernel between rows and columns, with the variances of both, which activations and
norms need. Images have a kernel between every position of the one and every position of the other where a mean over
positions is taken above, and otherwise only between equal positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from closedform import networks
from closedform.checks.arrays import Array
from theory.activations.naming import activation
from theory.engine.levels import variance_of
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_tiles import numbers_of_rows

LARGEST_BLOCK = 2**24  # entries of a kernel between positions that are computed at once


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
    """

    down: Array
    right: Array
    kernel: Array
    tangent: Array | None
    pairs: str
    unit_gains: bool

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
    weights, biases = _number("weights", net.weights), _number("biases", net.biases)
    given = (1, 1) if below.unit_gains else (weights, biases)
    gains = [_number("gains", gain) for gain in (given if net.gains is None else net.gains)]
    if isinstance(net, networks.Conv):
        below = _averaged(net, below)
    tangent = None
    if below.tangent is not None:
        tangent = weights * below.tangent + gains[0] * below.kernel + gains[1]
    return replace(
        below,
        down=weights * below.down + biases,
        right=weights * below.right + biases,
        kernel=weights * below.kernel + biases,
        tangent=tangent,
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

    def normed(values: Array) -> Array:
        if below.pairs == "same":
            return values / below.down
        state = replace(below, kernel=values)
        return _of_pairs(lambda v, w, c: (c / np.sqrt(v) / np.sqrt(w),), state)[0]

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
    made, *others = [_above(branch, below) for branch in net.branches]
    for end in others:
        tangent = None
        if made.tangent is not None and end.tangent is not None:
            tangent = made.tangent + end.tangent
        made = replace(
            made,
            down=made.down + end.down,
            right=made.right + end.right,
            kernel=made.kernel + end.kernel,
            tangent=tangent,
        )
    return made


@_above.register
def _(net: networks.Product, below: State) -> State:
    made, *others = [_above(branch, below) for branch in net.branches]
    for end in others:
        tangent = None
        if made.tangent is not None and end.tangent is not None:
            tangent = made.tangent * end.kernel + made.kernel * end.tangent
        made = replace(
            made,
            down=made.down * end.down,
            right=made.right * end.right,
            kernel=made.kernel * end.kernel,
            tangent=tangent,
        )
    return made


def _of_pairs(
    function: Callable[[Array, Array, Array], tuple[Array, ...]], below: State
) -> tuple[Array, ...]:
    """Return functions of two variances and the kernel, at every pair of positions."""
    kernel = below.kernel
    if below.pairs == "all" or below.down.ndim == 1:
        flat = kernel.reshape(below.down.size, below.right.size)
        made = function(below.down.reshape(-1, 1), below.right.reshape(1, -1), flat)
        return tuple(values.reshape(kernel.shape) for values in made)
    parts = []
    for position in product(*map(range, below.down.shape[1:])):
        here: Any = (slice(None), *position)
        parts.append(
            function(
                below.down[here][:, None], below.right[here][None], kernel[(slice(None), *here)]
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


def _number(name: str, value: Any) -> float:
    expression = variance_of(name, value)
    if not expression.is_number:
        raise ValueError(f"{name}: got {sp.sstr(expression)}, needs a number for a kernel matrix")
    return float(expression)


def matrix_of_network(
    net: networks.Network, kind: str, rows: Array, columns: Array, result: Array
) -> None:
    """Write the kernel of a network between rows and columns of inputs into a matrix.

    Args:
        net: the network, whose variances are numbers.
        kind: "nngp", "ntk" or "scaled_ntk".
        rows: inputs ``[N, d]``, or images ``[N, *positions, channels]``.
        columns: inputs ``[M, ...]``; the same object for a symmetric matrix.
        result: array ``[N, M]``.

    Raises:
        ValueError: if the network does not fit the inputs, or a variance is no number.
        ArithmeticError: if the kernel exceeds the range of double precision.
    """
    has_pool = any(isinstance(part, networks.Pool) for part in networks.every(net))
    positions = int(np.prod(rows.shape[1:-1]))
    size = max(1, LARGEST_BLOCK // (len(columns) * positions ** (2 if has_pool else 1)))
    for first in range(0, len(rows), size):
        part = rows[first : first + size]
        start = _inputs(part, columns, kind, "all" if has_pool else "equal")
        result[first : first + size] = _final(net, start, kind)
    equal_rows, equal_columns = numbers_of_rows(
        rows.reshape(len(rows), -1), columns.reshape(len(columns), -1)
    )
    is_equal = equal_rows[:, None] == equal_columns[None]
    if is_equal.any():
        np.copyto(result, diagonal_of_network(net, kind, rows)[:, None], where=is_equal)
    if not np.isfinite(result).all():
        raise ArithmeticError(
            f"the {kind} kernel matrix of {net} exceeds the range of double precision"
        )


def diagonal_of_network(net: networks.Network, kind: str, rows: Array) -> Array:
    """Return the kernel of every input with itself, ``[N]``.

    Args:
        net, kind, rows: as for :func:`matrix_of_network`.

    Raises:
        ValueError: as :func:`matrix_of_network`.
    """
    if not any(isinstance(part, networks.Pool) for part in networks.every(net)):
        return _final(net, _inputs(rows, rows, kind, "same"), kind)
    alone = (rows[index : index + 1] for index in range(len(rows)))
    return np.array([_final(net, _inputs(row, row, kind, "all"), kind)[0, 0] for row in alone])


def _inputs(rows: Array, columns: Array, kind: str, pairs: str) -> State:
    """Return the state of the inputs, whose kernels are inner products over the channels, at every position."""
    letters = "abcdefgh"[: rows.ndim - 2]
    others = letters.upper() if pairs == "all" else letters
    form = {
        "all": f"x{letters}c,y{others}c->x{letters}y{others}",
        "equal": f"x{letters}c,y{letters}c->xy{letters}",
        "same": f"x{letters}c,x{letters}c->x{letters}",
    }
    kernel = np.einsum(form[pairs], rows, columns, optimize=True)
    down, right = (np.einsum("...c,...c->...", side, side) for side in (rows, columns))
    tangent = None if kind == "nngp" else np.zeros_like(kernel)
    return State(down, right, kernel, tangent, pairs, kind == "ntk")


def _final(net: networks.Network, start: State, kind: str) -> Array:
    """Return the kernel or the tangent kernel above the network, at no position."""
    if networks.needs_gaussian(net):
        raise ValueError(
            f"net: got {net} above inputs, which are not Gaussian, needs a Dense or Conv first"
        )
    with np.errstate(all="ignore"):
        made = _above(net, start)
    if made.down.ndim > 1:
        raise ValueError(f"net: got positions above {net}, needs Pool or Flatten at the end")
    if kind == "nngp":
        return made.kernel
    assert made.tangent is not None
    return made.tangent
