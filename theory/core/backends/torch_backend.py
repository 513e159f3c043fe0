"""torch: differentiable, on the device and in the dtype of the input. torch is imported only when this is asked for."""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import sympy as sp

from theory.core.backends.double_double import Pair
from theory.core.backends.torch_integrals import double_integral as double_integral  # part of what a backend offers
from theory.core.backends.torch_integrals import integral as integral
from theory.core.exact import UNTYPED, as_float

NAME = "torch"
FOLDS = True

# Below this |x| phi1 is its Taylor polynomial, so that two derivatives keep their digits: the closed form loses
# 1/x^2 of them.
_SERIES_RADIUS = 0.5
_SERIES_TERMS = 16  # 0.5**16 / 17! is below 1e-19


@cache
def torch() -> Any:
    """The torch module.

    Raises:
        ModuleNotFoundError: if it is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "the torch backend needs PyTorch, which is not installed: pip install torch", name="torch"
        ) from error


def _phi1(x: Any) -> Any:
    where = torch().where
    near = x.abs() < _SERIES_RADIUS
    # Each branch sees a harmless value where it is not taken, or its gradient there would be 0 * inf.
    small, large = where(near, x, 0), where(near, 1, x)
    series = reduce(lambda total, k: total * small / (k + 1) + 1, range(_SERIES_TERMS, 0, -1), 1 + 0 * small)
    return where(near, series, torch().expm1(large) / large)


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
    """Name of the sympy function -> callable of tensors."""
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
        "cot": lambda x: 1 / t.tan(x),
        "coth": lambda x: 1 / t.tanh(x),
        "sech": lambda x: 1 / t.cosh(x),
        "csch": lambda x: 1 / t.sinh(x),
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
        "quotient": _quotient,
        "correlation": _correlation,
        "normal_cdf": lambda x: t.special.erfc(-x / math.sqrt(2)) / 2,
    }


def literal(number: sp.Expr) -> str | None:
    """Every constant is a Python float, which adopts the dtype of the tensor that it meets."""
    if number.is_Integer and abs(number) < 2**53:
        return None
    if number.is_infinite:
        return f"float('{'inf' if number.is_extended_positive else '-inf'}')"
    value = number.evalf(25)
    if not value.is_Float and not value.is_Rational:
        raise ValueError(f"the constant {number} must be a real number, got {value}")
    return f"{float(value)!r}"


def piecewise(branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]]) -> Callable[..., Any]:
    """Each branch sees only the points where it is the first to hold, so no gradient leaks from the others."""

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        tensors = t.broadcast_tensors(*inputs)
        left = t.ones_like(tensors[0], dtype=t.bool)
        result = t.full_like(tensors[0], math.nan)
        for holds, value in branches:
            here = left if holds is None else left & holds(*tensors)
            if here.any():
                found = value(*(tensor[here] for tensor in tensors))
                result = result.masked_scatter(here, found + t.zeros_like(tensors[0][here]))
            left = left & ~here
        return result

    return evaluate


def compensated(plain: Callable[..., Any], doubled: Callable[..., Any]) -> Callable[..., Any]:
    """What ``doubled`` finds with pairs of float64; where these overflow, what ``plain`` finds."""

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        if inputs[0].device.type == "mps":  # which has no float64
            return plain(*inputs)
        found = doubled(*(Pair(x.double()) for x in inputs)).high.to(inputs[0].dtype)
        finite = t.isfinite(found)
        return t.where(finite, found, plain(*inputs))

    return evaluate


def default_options() -> dict[str, Any]:
    """What to compile with when nothing is known of the arguments yet."""
    return {}


def quiet() -> Any:
    """No warnings to keep quiet."""
    return contextlib.nullcontext()


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Tensors of one floating dtype on one device: those of the tensors given; float64 if there is no floating one."""
    t = torch()
    found = [_tensor(name, value) for name, value in zip(names, values, strict=True)]
    typed = [x for x, v in zip(found, values, strict=True) if x.is_floating_point() and not isinstance(v, UNTYPED)]
    dtype = reduce(t.promote_types, (x.dtype for x in typed)) if typed else t.float64
    devices = {x.device for x, v in zip(found, values, strict=True) if isinstance(v, t.Tensor)}
    if len(devices) > 1:
        where = ", ".join(f"{name} {x.device}" for name, x in zip(names, found, strict=True))
        raise ValueError(f"all tensors must be on one device: {where}")
    try:
        t.broadcast_shapes(*(x.shape for x in found))
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(x.shape)}" for name, x in zip(names, found, strict=True))
        raise ValueError(f"the shapes of the arguments do not broadcast: {shapes}") from None
    device = devices.pop() if devices else t.device("cpu")
    return [x.to(dtype=dtype, device=device) for x in found], {}


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
    """Smallest and largest entry; NaN if there is one."""
    low, high = torch().aminmax(value.detach())
    return low.item(), high.item()


def whole(value: Any) -> bool:
    """Whether every entry is an integer."""
    return bool((value == value.floor()).all())


def nonzero(value: Any) -> bool:
    """Whether no entry is zero."""
    return bool((value != 0).all())


def holds(gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any) -> bool:
    """Whether the condition holds everywhere, up to the rounding that it forgives."""
    t = torch()
    with t.no_grad():
        found = gap(*values)
        if condition.strict:
            return bool((found > 0).all())
        slack = max(condition.slack, 64 * t.finfo(found.dtype).eps)
        return bool((found >= -slack * scale(*values)).all())


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """The result in the broadcast shape, dtype and device of the arguments."""
    t = torch()
    result = body(*values)
    shape = t.broadcast_shapes(*(x.shape for x in values))
    if not isinstance(result, t.Tensor):
        result = values[0].new_tensor(result) if values else t.tensor(result, dtype=t.float64)
    return result if result.shape == shape else result.expand(shape).clone()
