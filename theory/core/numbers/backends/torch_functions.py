"""The functions of the torch backend under their sympy names; torch is imported when they are first asked for."""

import importlib
import math
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from closedform.missing import require
from theory.core.numbers.backends import pairs
from theory.core.numbers.backends.limits import with_limits
from theory.core.numbers.backends.numpy_functions import reciprocals

# the module, once it is imported; ``torch.compile`` follows this name but no import
_TORCH: Any = None


def torch() -> Any:
    """Import and return the torch module."""
    global _TORCH
    if _TORCH is not None:
        return _TORCH
    require("the torch backend", "torch")
    _TORCH = importlib.import_module("torch")
    return _TORCH


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of tensors."""
    t = torch()

    def extremum(pick: Callable[..., Any]) -> Callable[..., Any]:
        def fold(*values: Any) -> Any:
            like = next(v for v in values if isinstance(v, t.Tensor))
            return reduce(
                pick, (v if isinstance(v, t.Tensor) else t.full_like(like, v) for v in values)
            )

        return fold

    same = (
        *("sqrt", "rsqrt", "exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
        *("asin", "acos", "atan", "atan2"),
    )
    return {
        **{
            name: getattr(t, name)
            for name in (*same, "asinh", "acosh", "atanh", "sign", "floor", "logical_not")
        },
        **{name: getattr(t.special, name) for name in ("erf", "erfc", "erfinv")},
        "erfcinv": lambda x: -t.special.ndtri(x / 2) / math.sqrt(2),
        **reciprocals(t),
        "loggamma": t.special.gammaln,
        "polygamma": lambda n, x: t.special.polygamma(int(n), x),
        "gamma": lambda x: (
            t.exp(t.special.gammaln(x)) * (1 - 2 * ((x < 0) & (t.floor(x) % 2 != 0)).to(x.dtype))
        ),
        "Abs": t.abs,
        "ceiling": t.ceil,
        "Max": extremum(t.maximum),
        "Min": extremum(t.minimum),
        "power": t.pow,
        "integer_power": lambda x, n: x**n,
        **with_limits(t),
        **pairs.functions(t.sqrt, t.sign),
        "normal_cdf": lambda x: t.special.erfc(-x / math.sqrt(2)) / 2,
    }
