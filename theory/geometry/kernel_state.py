"""The kernels between two levels of a network in words, and what maps them: inputs, pairs, convolutions.

Images have a kernel between every position of the one and every position of the other where a mean over positions is
taken above, and otherwise only between equal positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform import networks
from closedform.checks.arrays import Array
from theory.geometry.kernel_tiles import numbers_of_rows


@dataclass(frozen=True)
class State:
    """Kernels above some levels.

    Attributes:
        down, right: variances at each position, ``[n, *positions]`` and ``[m, *positions]``.
        kernel: ``[n, *positions, m, *positions]`` between all positions (``pairs`` is "all"), ``[n, m, *positions]``
            between equal ones ("equal"), or ``[n, *positions]`` of row i with column i ("each") and of every input with
            itself ("same"), the variances.
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

    def across(self, down: NDArray[Any], right: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return values at the positions of rows and of columns in shapes that broadcast to the kernel's."""
        if self.pairs == "all":
            return down.reshape(*down.shape, *[1] * right.ndim), right
        return (down[:, None], right[None]) if self.pairs == "equal" else (down, right)


def of_inputs(rows: Array, columns: Array, kind: str, pairs: str) -> State:
    """Return the state of the inputs, whose kernels are inner products over the channels, at every position.

    Where two inputs are equal, so are the kernel and both variances in every bit, and they stay so in the levels above.
    """
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
    state = State(down, right, kernel, tangent, pairs, kind == "ntk")
    channels = rows.shape[-1]
    numbers = numbers_of_rows(rows.reshape(-1, channels), columns.reshape(-1, channels))
    sides = zip(numbers, (down, right), strict=True)
    first, second = state.across(*(side.reshape(values.shape) for side, values in sides))
    np.copyto(kernel, state.across(down, right)[0], where=first == second)
    return state


def of_pairs(
    function: Callable[[Array, Array, Array], tuple[Array, ...]],
    equal: Sequence[Array],
    below: State,
) -> tuple[Array, ...]:
    """Return functions of two variances and the kernel, at every pair of positions.

    The angle between pre-activations has half the digits of the kernel where it is small. Those that are equal are
    known to be, and take the values ``equal``, which stand at the positions of the rows; with other roundings, none is.
    """
    v, w = below.across(below.down, below.right)
    is_equal = (v == w) & (v == below.kernel) & (below.rounding == 0)
    # what is computed there is not used, and may be an integral over a line
    apart = replace(below, kernel=np.where(is_equal, 0, below.kernel))
    return tuple(
        np.where(is_equal, below.across(value, value)[0], values)
        for value, values in zip(equal, _of_all_pairs(function, apart), strict=True)
    )


def _of_all_pairs(
    function: Callable[[Array, Array, Array], tuple[Array, ...]], below: State
) -> tuple[Array, ...]:
    kernel = below.kernel

    def at(
        v: Array, w: Array, c: Array
    ) -> list[Array]:  # the slopes of the identity are one number
        return [np.broadcast_to(values, c.shape) for values in function(v, w, c)]

    if below.pairs == "each":
        v, w, c = (values.reshape(-1, 1) for values in (below.down, below.right, kernel))
        most = np.sqrt(v) * np.sqrt(w)
        made = at(v, w, np.clip(c + below.rounding * most, -most, most))
        return tuple(values.reshape(kernel.shape) for values in made)
    if below.pairs == "all" or below.down.ndim == 1:
        flat = kernel.reshape(below.down.size, below.right.size)
        made = at(below.down.reshape(-1, 1), below.right.reshape(1, -1), flat)
        return tuple(values.reshape(kernel.shape) for values in made)
    parts = []
    for position in product(*map(range, below.down.shape[1:])):
        here: Any = (slice(None), *position)
        parts.append(
            at(
                below.down[here][:, None],
                below.right[here][None],
                kernel[(slice(None), *here)],
            )
        )
    return tuple(
        np.stack(values, axis=-1).reshape(kernel.shape) for values in zip(*parts, strict=True)
    )


def averaged(net: networks.Conv, below: State) -> State:
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

    def of_positions(values: Array) -> Array:
        return sum(shifted(values, tap, 1) for tap in taps) / len(taps)  # type: ignore[return-value]

    def of_kernels(values: Array) -> Array:
        if below.pairs != "all":
            first = values.ndim - axes
            return sum(shifted(values, tap, first) for tap in taps) / len(taps)  # type: ignore[return-value]
        total = np.zeros_like(values)
        for tap in taps:
            total += shifted(shifted(values, tap, 1), tap, 2 + axes)
        return total / len(taps)

    return below.mapped(of_kernels, positions=of_positions)


def equal_positions(values: Array, axes: int) -> Array:
    """Return a kernel ``[n, *positions, m, *positions]`` at equal positions, ``[n, m, *positions]``."""
    letters = "abcdefgh"[:axes]
    return np.einsum(f"x{letters}y{letters}->xy{letters}", values)
