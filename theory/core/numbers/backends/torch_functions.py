"""The functions of the torch backend under their sympy names; torch is imported when they are first asked for."""

import importlib
import math
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from closedform.missing import require
from theory.core.numbers.backends.numpy_functions import reciprocals

# Below this |x| phi1 is computed by its Taylor polynomial, so that two derivatives stay accurate: the rounding error of
# the closed form is amplified by 1/x^2.
_SERIES_RADIUS = 0.5
_SERIES_TERMS = 16  # 0.5**16 / 17! is below 1e-19


_TORCH: Any = None  # the module, once it is imported; ``torch.compile`` follows this name but no import


def torch() -> Any:
    """Import and return the torch module."""
    global _TORCH
    if _TORCH is not None:
        return _TORCH
    require("the torch backend", "torch")
    _TORCH = importlib.import_module("torch")
    return _TORCH


def _phi1(x: Any) -> Any:
    where = torch().where
    is_small = x.abs() < _SERIES_RADIUS
    # Each branch gets a harmless value where it is not used; otherwise its gradient there would be 0 * inf.
    small, large = where(is_small, x, 0), where(is_small, 1, x)
    series = reduce(lambda total, k: total * small / (k + 1) + 1, range(_SERIES_TERMS, 0, -1), 1 + 0 * small)
    return where(is_small, series, torch().expm1(large) / large)


def _log_ratio(x: Any, y: Any) -> Any:
    t = torch()
    ratio = x / y
    near = (ratio > 0.5) & (ratio < 2)
    far = ~((ratio > t.finfo(x.dtype).tiny) & (ratio < math.inf))
    logs = t.log(t.where(near | far, 1, ratio)) + t.log(t.where(far, x, 1)) - t.log(t.where(far, y, 1))
    return logs + t.log1p(t.where(near, (x - y) / y, 0))


def _quotient(x: Any, y: Any) -> Any:
    where = torch().where
    zero = (x == 0) & (y == 0)
    return where(zero, 0, x / where(zero, 1, y))


def _correlation(c: Any, v: Any, w: Any) -> Any:
    where = torch().where
    zero = v * w == 0
    return where(zero, 0, c / torch().sqrt(where(zero, 1, v * w))).clamp(-1, 1)


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of tensors."""
    t = torch()

    def extremum(pick: Callable[..., Any]) -> Callable[..., Any]:
        def fold(*values: Any) -> Any:
            like = next(v for v in values if isinstance(v, t.Tensor))
            return reduce(pick, (v if isinstance(v, t.Tensor) else t.full_like(like, v) for v in values))

        return fold

    same = (
        *("sqrt", "rsqrt", "exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
        *("asin", "acos", "atan", "atan2"),
    )
    return {
        **{name: getattr(t, name) for name in (*same, "asinh", "acosh", "atanh", "sign", "floor", "logical_not")},
        **{name: getattr(t.special, name) for name in ("erf", "erfc", "erfinv")},
        "erfcinv": lambda x: -t.special.ndtri(x / 2) / math.sqrt(2),
        **reciprocals(t),
        "loggamma": t.special.gammaln,
        "polygamma": lambda n, x: t.special.polygamma(int(n), x),
        "gamma": lambda x: t.exp(t.special.gammaln(x)) * (1 - 2 * ((x < 0) & (t.floor(x) % 2 != 0)).to(x.dtype)),
        "Abs": t.abs,
        "ceiling": t.ceil,
        "Max": extremum(t.maximum),
        "Min": extremum(t.minimum),
        "power": t.pow,
        "integer_power": lambda x, n: x**n,
        "phi1": _phi1,
        "log_ratio": _log_ratio,
        "quotient": _quotient,
        "correlation": _correlation,
        "normal_cdf": lambda x: t.special.erfc(-x / math.sqrt(2)) / 2,
    }
