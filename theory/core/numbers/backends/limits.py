"""Functions with a limit where their formula is 0/0, for libraries that differentiate: torch and ``jax.numpy``.

Each branch gets a harmless value where it is not used; otherwise its gradient there would be 0 * inf.
"""

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

# Below this |x| phi1 is computed by its Taylor polynomial, so that two derivatives stay accurate: the rounding error of
# the closed form is amplified by 1/x^2.
_SERIES_RADIUS = 0.5
_SERIES_TERMS = 16  # 0.5**16 / 17! is below 1e-19


def with_limits(m: Any) -> dict[str, Callable[..., Any]]:
    """Return these functions under their sympy names, from the functions of the module ``m``."""
    where = m.where

    def phi1(x: Any) -> Any:
        is_small = abs(x) < _SERIES_RADIUS
        small, large = where(is_small, x, 0.0), where(is_small, 1.0, x)
        series = reduce(
            lambda total, k: total * small / (k + 1) + 1,
            range(_SERIES_TERMS, 0, -1),
            1 + 0 * small,
        )
        return where(is_small, series, m.expm1(large) / large)

    def quotient(x: Any, y: Any) -> Any:
        zero = (x == 0) & (y == 0)
        return where(zero, 0.0, x / where(zero, 1.0, y))

    def correlation(c: Any, v: Any, w: Any) -> Any:
        zero = v * w == 0
        return m.clip(where(zero, 0.0, c / m.sqrt(where(zero, 1.0, v * w))), -1, 1)

    def log_ratio(x: Any, y: Any) -> Any:
        ratio = x / y
        near = (ratio > 0.5) & (ratio < 2)
        far = ~((ratio > m.finfo(x.dtype).tiny) & (ratio < math.inf))
        logs = (
            m.log(where(near | far, 1.0, ratio))
            + m.log(where(far, x, 1.0))
            - m.log(where(far, y, 1.0))
        )
        return logs + m.log1p(where(near, (x - y) / y, 0.0))

    return {"phi1": phi1, "quotient": quotient, "correlation": correlation, "log_ratio": log_ratio}
