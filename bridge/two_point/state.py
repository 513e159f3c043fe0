r"""The possible states of two points, and the initial state of a trace.

With ``p`` the component of ``dy`` along the target difference and ``s`` the squared length of its component across it,
``dy2 = p^2 + s`` and ``w = dy2 - p |y2 - y1|``. A triple (``dh2``, ``dy2``, ``w``) is therefore a possible state if and
only if ``dh2 > 0`` and ``(dy2 - w)^2 <= dy2 target2`` (the Cauchy-Schwarz inequality). For scalar outputs every state
lies on the boundary, ``s = 0``, and rounding may move it outside.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge.statistics.arrays import Array
from bridge.two_point.trace import CURVES, NOISE_MARGIN, Trace
from closedform.checks.arrays import any_array

# relative to the larger of target2 and dy2: an upper bound for float32 sums of 500 terms
ROUNDING = 1e-5
SHORTEST = 1e-200  # dh2 below which the representations count as identical


class InitialState(NamedTuple):
    """The initial state through which a trajectory is fitted."""

    state: Array  # dh2, dy2, w, [3]
    warnings: tuple[str, ...] = ()  # why the state is not that of the data


def excess(state: Array, target2: float, slack: float = 0.0) -> Array:
    """Return by how much ``|dy2 - w|`` exceeds ``sqrt(dy2 target2)``, with an error ``slack`` of dy2."""
    _, dy2, w = state
    return np.asarray(np.abs(dy2 - w) - np.sqrt((np.maximum(dy2, 0.0) + slack) * target2))


def project(state: Array, target2: float) -> Array:
    """Return the state ``[3]`` with the same distances and the nearest possible alignment."""
    dh2, dy2, w = state
    dy2 = max(dy2, 0.0)
    most = np.sqrt(dy2 * target2)
    return np.array([dh2, dy2, dy2 - np.clip(dy2 - w, -most, most)])


def tolerance(state: Array, target2: float) -> float:
    """Return the largest rounding error of dy2 and w, output^2."""
    return float(ROUNDING * max(target2, np.abs(state[1]).max()))


def is_possible(state: Array, trace: Trace, noise: Array) -> NDArray[np.bool_]:
    """Return which of the states ``[3, ...]`` satisfy Cauchy-Schwarz within rounding and the trace's ``noise [3]``."""
    rounding = tolerance(trace.state, trace.target2)
    slack = rounding + NOISE_MARGIN * float(noise[1])
    return np.asarray(
        excess(state, trace.target2, slack) <= slack + NOISE_MARGIN * float(noise[2])
    )


def units(trace: Trace) -> Array:
    """Return the units of a state's free parameters, powers of two, so that these are near one, as steps need."""
    length, output = (
        np.ldexp(1.0, int(np.frexp(np.abs(curve).max())[1]) // 2) for curve in trace.state[:2]
    )
    gain = output / length
    return np.array([length, gain**2] if trace.target2 == 0 else [length, gain, gain**2])


def pack(state: Array, trace: Trace) -> Array:
    """Return the free parameters of a state: length ``a`` of dh, decoder output per length along and across the target.

    ``a`` may pass through zero, as in the smooth variables of the theory, while the decoder stays nearly constant; in
    ``dh2`` and ``dy2`` the search would follow a narrow curved valley. The part across enters as its square. With
    target2 = 0 there is no part along. Units are those of :func:`units`.
    """
    dh2, dy2, w = state
    if trace.target2 == 0:
        return np.array([np.sqrt(dh2), dy2 / dh2]) / units(trace)
    along = (dy2 - w) / np.sqrt(trace.target2)
    return np.array([np.sqrt(dh2), along / np.sqrt(dh2), max(dy2 - along**2, 0.0) / dh2]) / units(
        trace
    )


def unpack(numbers: Array, trace: Trace) -> Array:
    """Return the states ``[set, 3]`` of free numbers ``[set, 3]`` (or ``[set, 2]`` if target2 is 0)."""
    numbers = numbers * units(trace)
    length = numbers[:, 0]
    dh2 = np.maximum(length**2, SHORTEST)
    dy2 = dh2 * numbers[:, -1]
    if trace.target2 == 0:
        return np.stack([dh2, dy2, dy2], axis=1)
    along = length * numbers[:, 1]
    dy2 = dy2 + along**2
    return np.stack([dh2, dy2, dy2 - along * np.sqrt(trace.target2)], axis=1)


def first(trace: Trace) -> InitialState:
    """Return the first point of a trace as a possible state, with a warning if it had to be moved.

    Args:
        trace: the data.

    Returns:
        The first point, with the nearest possible alignment; the warning if it is impossible beyond rounding and noise.

    Raises:
        ValueError: if the representations coincide initially, or ``dy2`` is negative.
    """
    state = trace.state[:, 0]
    name = f" ({trace.label})" if trace.label else ""
    if state[0] <= 0 or state[1] < 0:
        raise ValueError(
            f"data{name}: the first point has dh2 = {state[0]:g} and dy2 = {state[1]:g}, needs dh2 > 0 and dy2 >= 0; "
            "if that is noise, use initial='fit'; two representations that coincide never separate"
        )
    warnings: tuple[str, ...] = ()
    if not is_possible(state, trace, trace.noise):
        over = float(excess(state, trace.target2))
        warnings = (
            f"the first point is not a possible state: |dy2 - w| exceeds sqrt(dy2 target2) by {over:.3g}; "
            "the nearest possible w was used (check target2, or use initial='fit' for noisy data)",
        )
    return InitialState(project(state, trace.target2), warnings)


def stated(state: object, target2: float) -> InitialState:
    """Return the initial state that a user states.

    Args:
        state: dh2, dy2 and w, three numbers.
        target2: squared distance of the target outputs, output^2.

    Returns:
        The state, within rounding a possible one.

    Raises:
        TypeError: if these are not three real numbers.
        ValueError: if they are not a possible state.
    """
    values = any_array("initial", state)
    if values.shape != (3,) or values.dtype.kind not in "fiu":
        raise TypeError(
            f"initial: got {state!r}, needs 'auto', 'data', 'fit' or three numbers {CURVES}"
        )
    values = values.astype(np.float64)
    if not np.isfinite(values).all() or values[0] <= 0 or values[1] < 0:
        raise ValueError(f"initial: got {values.tolist()}, needs dh2 > 0 and dy2 >= 0, all finite")
    if excess(values[:, None], target2)[0] > ROUNDING * max(target2, values[1]):
        raise ValueError(
            f"initial: {values.tolist()} is not a possible state, needs (dy2 - w)^2 <= dy2 target2"
        )
    return InitialState(project(values, target2))
