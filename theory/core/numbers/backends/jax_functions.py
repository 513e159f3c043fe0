"""The functions of the JAX backend under their sympy names; jax is imported when they are first asked for."""

import importlib
import math
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

# Below this |x| phi1 is computed by its Taylor polynomial, so that derivatives stay accurate (see the torch backend).
_SERIES_RADIUS = 0.5
_SERIES_TERMS = 16


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of arrays."""
    np_, special = importlib.import_module("jax.numpy"), importlib.import_module("jax.scipy.special")

    def phi1(x: Any) -> Any:
        is_small = abs(x) < _SERIES_RADIUS
        # Each branch gets a harmless value where it is not used; otherwise its gradient there would be 0 * inf.
        small, large = np_.where(is_small, x, 0.0), np_.where(is_small, 1.0, x)
        series = reduce(lambda total, k: total * small / (k + 1) + 1, range(_SERIES_TERMS, 0, -1), 1 + 0 * small)
        return np_.where(is_small, series, np_.expm1(large) / large)

    def quotient(x: Any, y: Any) -> Any:
        zero = (x == 0) & (y == 0)
        return np_.where(zero, 0.0, x / np_.where(zero, 1.0, y))

    def correlation(c: Any, v: Any, w: Any) -> Any:
        zero = v * w == 0
        return np_.clip(np_.where(zero, 0.0, c / np_.sqrt(np_.where(zero, 1.0, v * w))), -1, 1)

    def log_ratio(x: Any, y: Any) -> Any:
        ratio = x / y
        near = (ratio > 0.5) & (ratio < 2)
        far = ~((ratio > np_.finfo(x.dtype).tiny) & (ratio < math.inf))
        logs = np_.log(np_.where(near | far, 1.0, ratio)) + np_.log(np_.where(far, x, 1.0))
        return logs - np_.log(np_.where(far, y, 1.0)) + np_.log1p(np_.where(near, (x - y) / y, 0.0))

    same = ("sqrt", "exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign", "floor", "logical_not")
    return {
        **{name: getattr(np_, name) for name in same},
        **{
            name: getattr(np_, "arc" + name[1:])
            for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")
        },
        **{name: getattr(special, name) for name in ("erf", "erfc", "erfinv", "gamma")},
        "erfcinv": lambda x: -special.ndtri(x / 2) / math.sqrt(2),
        # jax.scipy.special.beta has only seven digits.
        "beta": lambda a, b: np_.exp(special.gammaln(a) + special.gammaln(b) - special.gammaln(a + b)),
        "loggamma": special.gammaln,
        "polygamma": lambda n, x: special.digamma(x) if n == 0 else special.polygamma(n, x),
        "normal_cdf": lambda x: special.erfc(-x / math.sqrt(2)) / 2,
        "cot": lambda x: 1 / np_.tan(x),
        "coth": lambda x: 1 / np_.tanh(x),
        "sech": lambda x: 1 / np_.cosh(x),
        "csch": lambda x: 1 / np_.sinh(x),
        "Abs": abs,
        "ceiling": np_.ceil,
        "Mod": np_.mod,
        "Max": lambda *x: reduce(np_.maximum, x),
        "Min": lambda *x: reduce(np_.minimum, x),
        "Heaviside": np_.heaviside,
        "power": np_.power,
        "integer_power": lambda x, n: x**n,
        "phi1": phi1,
        "log_ratio": log_ratio,
        "quotient": quotient,
        "correlation": correlation,
    }
