"""Elementary functions without branches, for the loops of numba, which then compute several numbers at once.

The functions of the C library that numba calls otherwise take one number at a time. Errors are at most two units in the
last place. The reductions and the coefficients are those of fdlibm (Sun Microsystems, 1993), and for the exponential a
Taylor polynomial on ``|r| <= log(2)/2``, whose remainder is 4e-18. The logarithm comes as a pair of numbers, whose sum
has a relative error of 2e-18, so that powers have digits, too.
"""

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

inlined: Callable[[Callable[..., Any]], Callable[..., Any]] = numba.njit(
    error_model="numpy", forceinline=True
)
"""Decorator of a function of numbers that the loops of another function contain; it has no loop itself."""

_TO_INTEGER = 1.5 * 2.0**52  # added to a number, it leaves the nearest integer in the last bits
_ONE = np.int64(0x3FF0000000000000)  # the bits of 1.0
_PER_LOG2 = 1 / math.log(2)
_LOG2_HIGH, _LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_SMALLEST, _LARGEST = -708.0, 709.0  # arguments between which the exponential is a normal number
_ROOT_HALF = np.int64(0x3FE6A09E667F3BCD)  # the bits of the root of a half
_FRACTION = np.int64(0xFFFFFFFFFFFFF)  # the bits of a number other than its sign and its exponent
_SMALLEST_NORMAL, _TO_NORMAL = 2.0**-1022, 54  # smaller ones are multiplied by a power of two
_BITS_TO_INTEGER = np.int64(0x4338000000000000)  # the bits of the number that is added
_L1, _L2, _L3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
_L4, _L5, _L6 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
_L7 = 1.479819860511658591e-01
_C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9, _C10, _C11, _C12, _C13 = (
    1 / math.factorial(k) for k in range(2, 14)
)

_P0, _P1, _P2 = 1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01
_P3, _P4, _P5 = -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05
_Q1, _Q2 = -2.40339491173441421878e00, 2.02094576023350569471e00
_Q3, _Q4 = -6.88283971605453293030e-01, 7.70381505559019352791e-02


@inlined
def _reduced(x: float) -> tuple[float, float]:
    """Return ``exp(r) - 1`` and ``2^n`` of ``x = n log 2 + r``, for x within the ends."""
    x = min(max(x, _SMALLEST), _LARGEST)
    shifted = x * _PER_LOG2 + _TO_INTEGER
    n = shifted - _TO_INTEGER
    r = (x - n * _LOG2_HIGH) - n * _LOG2_LOW
    tail = _C8 + r * (_C9 + r * (_C10 + r * (_C11 + r * (_C12 + r * _C13))))
    series = _C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * (_C6 + r * (_C7 + r * tail)))))
    exponent = np.float64(shifted).view(np.int64) << np.int64(52)
    power = np.int64(exponent + _ONE).view(np.float64)
    return r + r * r * series, power


@inlined
def exp(x: float) -> float:
    """Return the exponential; 0 where it is no normal number any more."""
    less_one, power = _reduced(x)
    y = power + power * less_one
    y = 0.0 if x < _SMALLEST else y
    y = math.inf if x > _LARGEST else y
    return y if x == x else x


@inlined
def expm1(x: float) -> float:
    """Return ``exp(x) - 1``, with all digits for small x."""
    less_one, power = _reduced(x)
    y = power * less_one + (power - 1.0)
    y = math.inf if x > _LARGEST else y
    return y if x == x else x


def _fused(context: Any, a: Any, b: Any, c: Any) -> Any:
    """Return the types and the instruction of :data:`fma`."""
    number = numba.float64
    return number(number, number, number), lambda _, builder, __, numbers: builder.fma(*numbers)


fma: Callable[..., Any] = intrinsic(_fused)
"""``fma(a, b, c)`` is ``a * b + c`` with one rounding, by one instruction of the processor."""


@inlined
def logarithm(x: float) -> tuple[float, float]:
    """Return the logarithm of a positive, finite number as a pair: the rounded one and its error."""
    is_small = x < _SMALLEST_NORMAL
    x = x * 2.0**_TO_NORMAL if is_small else x
    bits = np.float64(x).view(np.int64) + (_ONE - _ROOT_HALF)
    m = np.int64((bits & _FRACTION) + _ROOT_HALF).view(np.float64)
    exponent = (bits >> np.int64(52)) - np.int64(1023) + _BITS_TO_INTEGER
    k = np.int64(exponent).view(np.float64) - _TO_INTEGER - (_TO_NORMAL if is_small else 0)
    above, below = m - 1.0, m + 1.0  # the first is exact
    s = above / below
    s_error = (fma(-s, below, above) - s * (m - (below - 1.0))) / below
    z = s * s
    series = z * (_L1 + z * (_L2 + z * (_L3 + z * (_L4 + z * (_L5 + z * (_L6 + z * _L7))))))
    first, second = k * _LOG2_HIGH, 2.0 * s  # the first is exact
    total = first + second
    rest = ((first - total) + second) + (2.0 * s_error + (s * series + k * _LOG2_LOW))
    rounded = total + rest
    return rounded, (total - rounded) + rest


@inlined
def log(x: float) -> float:
    """Return the logarithm."""
    rounded, _ = logarithm(x)
    y: float = rounded if x < math.inf else x
    return y if x > 0 else -math.inf if x == 0 else math.nan


@inlined
def log1p(x: float) -> float:
    """Return ``log(1 + x)``, with all digits for small x."""
    total = 1.0 + x
    y: float = log(total) + (x - (total - 1.0)) / total  # the second is the error of the sum
    return y if 0 < total < math.inf else log(total)


@inlined
def asin(x: float) -> float:
    """Return the arcsine of a number between -1 and 1, in radians; NaN for others."""
    size = abs(x)
    is_small = size <= 0.5
    square = size * size if is_small else 0.5 * (1.0 - size)
    root = size if is_small else math.sqrt(square)
    numerator = _P0 + square * (
        _P1 + square * (_P2 + square * (_P3 + square * (_P4 + square * _P5)))
    )
    ratio = (
        square
        * numerator
        / (1.0 + square * (_Q1 + square * (_Q2 + square * (_Q3 + square * _Q4))))
    )
    angle = root + root * ratio
    return math.copysign(angle if is_small else math.pi / 2 - 2.0 * angle, x)
