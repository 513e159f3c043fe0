"""The torch backend: differentiable functions on the device and in the dtype of the input.

torch is imported when the backend is first used.
"""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import sympy as sp

from theory.core.backends.cancellation import watched as watched
from theory.core.backends.double_double import Pair
from theory.core.backends.torch_integrals import double_integral as double_integral  # attribute of the backend
from theory.core.backends.torch_integrals import integral as integral
from theory.core.exact import UNTYPED, as_float

NAME = "torch"
FOLDS = True

# Below this |x| phi1 is computed by its Taylor polynomial, so that two derivatives stay accurate: the rounding error of
# the closed form is amplified by 1/x^2.
_SERIES_RADIUS = 0.5
_SERIES_TERMS = 16  # 0.5**16 / 17! is below 1e-19


@cache
def torch() -> Any:
    """Import and return the torch module.

    Raises:
        ModuleNotFoundError: if torch is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "the torch backend needs PyTorch, which is not installed: pip install torch", name="torch"
        ) from error


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

    same = ("sqrt", "exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "atan2")
    return {
        **{name: getattr(t, name) for name in (*same, "asinh", "acosh", "atanh", "sign", "floor", "logical_not")},
        **{name: getattr(t.special, name) for name in ("erf", "erfc", "erfinv")},
        "erfcinv": lambda x: -t.special.ndtri(x / 2) / math.sqrt(2),
        **{name: lambda x, f=f: 1 / f(x) for name, f in zip(("cot", "coth"), (t.tan, t.tanh), strict=True)},
        **{name: lambda x, f=f: 1 / f(x) for name, f in zip(("sech", "csch"), (t.cosh, t.sinh), strict=True)},
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


def literal(number: sp.Expr) -> str | None:
    """Return the code of a constant: a Python float, which adopts the dtype of the tensors."""
    if number.is_Integer and abs(number) < 2**53:
        return None
    if number.is_infinite:
        return f"float('{'inf' if number.is_extended_positive else '-inf'}')"
    value = number.evalf(25)
    if not value.is_Float and not value.is_Rational:
        raise ValueError(f"the constant {number} must be a real number, got {value}")
    return f"{float(value)!r}"


def piecewise(branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]]) -> Callable[..., Any]:
    """Return the function that evaluates each branch only where its condition is the first to hold, else NaN.

    No gradient therefore comes from points at which another branch is used.
    """

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        tensors = t.broadcast_tensors(*inputs)
        undecided = t.ones_like(tensors[0], dtype=t.bool)
        result = t.full_like(tensors[0], math.nan)
        for holds, value in branches:
            here = undecided if holds is None else undecided & holds(*tensors)
            if here.any():
                values = value(*(tensor[here] for tensor in tensors))
                result = result.masked_scatter(here, values + t.zeros_like(tensors[0][here]))
            undecided = undecided & ~here
        return result

    return evaluate


def compensated(plain: Callable[..., Any], doubled: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that computes with ``doubled`` on pairs of float64, or with ``plain`` where they overflow."""

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        if inputs[0].device.type == "mps":  # this device has no float64
            return plain(*inputs)
        value = doubled(*(Pair(x.double()) for x in inputs)).high.to(inputs[0].dtype)
        finite = t.isfinite(value)
        return t.where(finite, value, plain(*inputs))

    return evaluate


def default_options() -> dict[str, Any]:
    """Return the options with which an expression is compiled before its arguments are known."""
    return {}


def quiet() -> Any:
    """Return a context that does nothing, since this backend gives no warnings."""
    return contextlib.nullcontext()


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return tensors of one floating dtype on one device, those of the given tensors.

    The dtype is float64 if no tensor is floating, and the device is the CPU if there is no tensor.

    Raises:
        TypeError: if a value does not consist of real numbers, or is masked.
        ValueError: if a tensor is empty, the tensors are on different devices, or the shapes do not broadcast.
    """
    t = torch()
    tensors = [_tensor(name, value) for name, value in zip(names, values, strict=True)]
    typed = [x for x, v in zip(tensors, values, strict=True) if x.is_floating_point() and not isinstance(v, UNTYPED)]
    dtype = reduce(t.promote_types, (x.dtype for x in typed)) if typed else t.float64
    devices = {x.device for x, v in zip(tensors, values, strict=True) if isinstance(v, t.Tensor)}
    if len(devices) > 1:
        where = ", ".join(f"{name} {x.device}" for name, x in zip(names, tensors, strict=True))
        raise ValueError(f"all tensors must be on one device: {where}")
    try:
        t.broadcast_shapes(*(x.shape for x in tensors))
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(x.shape)}" for name, x in zip(names, tensors, strict=True))
        raise ValueError(f"the shapes of the arguments do not broadcast: {shapes}") from None
    device = devices.pop() if devices else t.device("cpu")
    return [x.to(dtype=dtype, device=device) for x in tensors], {}


def _tensor(name: str, value: Any) -> Any:
    t = torch()
    if isinstance(value, UNTYPED) and not isinstance(value, (int, float)):
        value = as_float(name, value)
    if value is None:
        raise TypeError(f"{name} must be a real number or a tensor of them, got {value!r}")
    if hasattr(value, "mask"):
        raise TypeError(f"{name} must not be a masked array; fill or drop the masked entries")
    try:
        tensor = t.as_tensor(value, dtype=t.float64 if isinstance(value, float) else None)
    except (RuntimeError, ValueError, TypeError):
        raise TypeError(f"{name} must be a real number or a tensor of them, got {type(value).__name__}") from None
    if tensor.is_complex() or tensor.dtype == t.bool:
        raise TypeError(f"{name} must be real, got {tensor.dtype}")
    if not tensor.numel():
        raise ValueError(f"{name} must not be empty, got shape {tuple(tensor.shape)}")
    return tensor


def extremes(value: Any) -> tuple[float, float]:
    """Return the smallest and the largest entry, and NaN if an entry is NaN."""
    low, high = torch().aminmax(value.detach())
    return low.item(), high.item()


def whole(value: Any) -> bool:
    """Return whether every entry is an integer."""
    return bool((value == value.floor()).all())


def nonzero(value: Any) -> bool:
    """Return whether no entry is zero."""
    return bool((value != 0).all())


def holds(gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any) -> bool:
    """Return whether the condition holds at every point, up to the rounding that it tolerates."""
    t = torch()
    with t.no_grad():
        gaps = gap(*values)
        if condition.strict:
            return bool((gaps > 0).all())
        slack = max(condition.slack, 64 * t.finfo(gaps.dtype).eps)
        return bool((gaps >= -slack * scale(*values)).all())


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Evaluate the function and return the result in the broadcast shape, dtype and device of the arguments."""
    t = torch()
    result = body(*values)
    shape = t.broadcast_shapes(*(x.shape for x in values))
    if not isinstance(result, t.Tensor):
        result = values[0].new_tensor(result) if values else t.tensor(result, dtype=t.float64)
    return result if result.shape == shape else result.expand(shape).clone()
