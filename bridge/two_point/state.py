r"""The states that two points can have, and the state in which a trace begins.

With ``p`` the component of ``dy`` along the target difference and ``s`` its squared length across it,
``dy2 = p^2 + s`` and ``w = dy2 - p |y2 - y1|``. So a triple (``dh2``, ``dy2``, ``w``) is a state if and only if
``dh2 > 0`` and ``(dy2 - w)^2 <= dy2 target2`` (Cauchy and Schwarz). For scalar outputs every state is on the boundary,
``s = 0``, and rounding alone may push it out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge.arrays import Array
from bridge.two_point.trace import CURVES, Trace

ROUNDING = 1e-5  # of target2 (or of dy2, where that is larger): float32 sums of 500 terms stay below it
NOISY = 1e-7  # of a curve's range: noise above the rounding of single precision
WHITE_FLIPS = 0.62  # white noise flips the sign of 77 % of its third differences, a smooth curve of nearly none
NOISE_MARGIN = 6.0  # standard deviations of noise that a check forgives
SHORTEST = 1e-200  # dh2 of a state that cannot be told from coinciding representations
THIRD_DIFFERENCE = np.sqrt(20.0)  # standard deviation of 1, -3, 3, -1 applied to unit white noise
NORMAL_MEDIAN = 0.6744897501960817  # median of |z|, z standard normal


def excess(state: Array, target2: float, slack: float = 0.0) -> Array:
    """How far ``(dy2 - w)`` exceeds its bound ``sqrt(dy2 target2)``, in output^2; not positive for valid states.

    ``slack`` is an error of dy2, which matters most near dy2 = 0, where the square root is steep.
    """
    _, dy2, w = state
    return np.asarray(np.abs(dy2 - w) - np.sqrt((np.maximum(dy2, 0.0) + slack) * target2))


def project(state: Array, target2: float) -> Array:
    """Return the state ``[3]`` with the same distances and the nearest possible alignment."""
    dh2, dy2, w = state
    dy2 = max(dy2, 0.0)
    most = np.sqrt(dy2 * target2)
    return np.array([dh2, dy2, dy2 - np.clip(dy2 - w, -most, most)])


def tolerance(state: Array, target2: float) -> float:
    """What dy2 and w may be off by rounding, output^2."""
    return float(ROUNDING * max(target2, np.abs(state[1]).max()))


def is_possible(state: Array, trace: Trace, noise: Array) -> NDArray[np.bool_]:
    """Which of the states ``[3, ...]`` keep Cauchy and Schwarz, within rounding and ``noise [3]`` of the trace."""
    rounding = tolerance(trace.state, trace.target2)
    slack = rounding + NOISE_MARGIN * float(noise[1])
    return np.asarray(excess(state, trace.target2, slack) <= slack + NOISE_MARGIN * float(noise[2]))


def noise(trace: Trace) -> Array:
    """Standard deviation ``[3]`` of the measurement noise in each curve, 0 where there is none, or an exact record.

    From third differences, in which a smooth curve all but vanishes; their median, because transitions do not; and only
    if their signs alternate as those of white noise do. Rounding is noise, too; :func:`is_noisy` tells more from it.
    """
    if trace.exact:
        return np.zeros(3)
    third = np.diff(trace.state, n=3, axis=1)
    flips = (third[:, 1:] * third[:, :-1] < 0).mean(axis=1)
    deviation = np.median(np.abs(third), axis=1) / (NORMAL_MEDIAN * THIRD_DIFFERENCE)
    return np.where(flips > WHITE_FLIPS, deviation, 0.0)


def is_noisy(trace: Trace, noise: Array) -> bool:
    """Whether a curve's ``noise [3]`` is more than rounding."""
    return bool((noise > NOISY * np.ptp(trace.state, axis=1)).any())


def pack(state: Array, target2: float) -> Array:
    """Return the free numbers of a state: length ``a`` of dh, decoder output per length along and across the target.

    ``a`` may take either sign and pass through zero, as the theory's smooth variables do, and the decoder is what stays
    nearly constant meanwhile; in ``dh2`` and ``dy2`` themselves the search would follow a narrow curved valley. The
    part across enters as its square, at least 0. With target2 = 0 there is no direction along. Inverse: :func:`unpack`.
    """
    dh2, dy2, w = state
    if target2 == 0:
        return np.array([np.sqrt(dh2), dy2 / dh2])
    along = (dy2 - w) / np.sqrt(target2)
    return np.array([np.sqrt(dh2), along / np.sqrt(dh2), max(dy2 - along**2, 0.0) / dh2])


def unpack(numbers: Array, target2: float) -> Array:
    """Return the states ``[set, 3]`` of free numbers ``[set, 3]`` (or ``[set, 2]`` if target2 is 0)."""
    length = numbers[:, 0]
    dh2 = np.maximum(length**2, SHORTEST)
    dy2 = dh2 * numbers[:, -1]
    if target2 == 0:
        return np.stack([dh2, dy2, dy2], axis=1)
    along = length * numbers[:, 1]
    dy2 = dy2 + along**2
    return np.stack([dh2, dy2, dy2 - along * np.sqrt(target2)], axis=1)


def first(trace: Trace, warnings: list[str], noise: Array) -> Array:
    """The trace's first point as a state ``[3]``, put right within rounding and noise ``[3]``, with a warning beyond.

    Raises:
        ValueError: if the representations coincide at first, or ``dy2`` is negative.
    """
    state = trace.state[:, 0]
    name = f" ({trace.label})" if trace.label else ""
    if state[0] <= 0 or state[1] < 0:
        raise ValueError(
            f"data{name}: the first point has dh2 = {state[0]:g} and dy2 = {state[1]:g}, needs dh2 > 0 and dy2 >= 0; "
            "if that is noise, use initial='fit'; two representations that coincide never part"
        )
    if not is_possible(state, trace, noise):
        over = float(excess(state, trace.target2))
        warnings.append(
            f"the first point is not a possible state: |dy2 - w| exceeds sqrt(dy2 target2) by {over:.3g}; "
            "the nearest possible w was used (check target2, or use initial='fit' for noisy data)"
        )
    return project(state, trace.target2)


def given(state: object, target2: float) -> Array:
    """Check a user's initial state (dh2, dy2, w)."""
    values = np.asarray(state)
    if values.shape != (3,) or values.dtype.kind not in "fiu":
        raise TypeError(f"initial: got {state!r}, needs 'auto', 'data', 'fit' or three numbers {CURVES}")
    values = values.astype(np.float64)
    if not np.isfinite(values).all() or values[0] <= 0 or values[1] < 0:
        raise ValueError(f"initial: got {values.tolist()}, needs dh2 > 0 and dy2 >= 0, all finite")
    if excess(values[:, None], target2)[0] > ROUNDING * max(target2, values[1]):
        raise ValueError(f"initial: {values.tolist()} is not a possible state, needs (dy2 - w)^2 <= dy2 target2")
    return project(values, target2)
