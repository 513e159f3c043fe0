"""The torch backend: differentiable functions on the device and in the dtype of the input.

torch is imported when the backend is first used.
"""

import contextlib
import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from closedform.checks.plain import plain, what_is_strange
from theory.core.numbers.backends import cancellation, numpy_backend
from theory.core.numbers.backends.quadrature import calls, settled
from theory.core.numbers.backends.torch_functions import functions as functions
from theory.core.numbers.backends.torch_functions import torch as torch
from theory.core.numbers.exact import UNTYPED, as_float

NAME = "torch"
FOLDS = True
literal = numpy_backend.literal  # a Python float, which adopts the dtype of the tensors
quiet, default_options = contextlib.nullcontext, dict  # no warnings, no options


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]],
) -> Callable[..., Any]:
    """Return the function that evaluates each branch only where its condition is the first to hold, else NaN.

    No gradient therefore comes from points at which another branch is used. Under ``torch.compile`` and
    ``torch.func.vmap``, where the choice cannot depend on the data, all branches are evaluated everywhere.
    """

    def everywhere(*tensors: Any) -> Any:
        result = torch().full_like(tensors[0], math.nan)
        for holds, value in reversed(branches):
            here = (
                torch().ones_like(tensors[0], dtype=torch().bool)
                if holds is None
                else holds(*tensors)
            )
            result = torch().where(here, value(*tensors), result)
        return result

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        tensors = t.broadcast_tensors(*inputs)
        if t.compiler.is_compiling():
            return everywhere(*tensors)
        undecided = t.ones_like(tensors[0], dtype=t.bool)
        result = t.full_like(tensors[0], math.nan)
        for holds, value in branches:
            here = undecided if holds is None else undecided & holds(*tensors)
            try:
                is_used = bool(here.any())
            except RuntimeError:  # torch.func.vmap
                return everywhere(*tensors)
            if is_used:
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
        value = doubled(*(x.double() for x in inputs))[0].to(inputs[0].dtype)
        finite = t.isfinite(value)
        return t.where(finite, value, plain(*inputs))

    return evaluate


def watched(terms: Callable[..., Sequence[Any]]) -> Callable[..., Any]:
    """Return the function that warns where digits cancel; under ``torch.compile`` it cannot and returns the values."""
    warns = cancellation.watched(terms)

    def evaluate(*inputs: Any) -> Any:
        is_compiling = torch().compiler.is_compiling()
        return cancellation.sums(terms(*inputs))[0] if is_compiling else warns(*inputs)

    return evaluate


def is_uniform(values: Sequence[Any]) -> bool:
    """Return whether all values are tensors of one floating dtype on one device, which need no conversion."""
    tensor = torch().Tensor
    if (
        not values
        or not all(isinstance(x, tensor) for x in values)
        or not values[0].is_floating_point()
    ):
        return False
    first = values[0]
    return all(x.dtype == first.dtype and x.device == first.device for x in values[1:])


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return tensors of one floating dtype on one device, by default float64 on the CPU.

    TypeError is raised for what does not consist of real numbers or is masked, ValueError for an empty tensor, tensors
    on different devices, or shapes that do not broadcast.
    """
    t = torch()
    tensors = [_tensor(name, value) for name, value in zip(names, values, strict=True)]
    typed = [
        x
        for x, v in zip(tensors, values, strict=True)
        if x.is_floating_point() and not isinstance(v, UNTYPED)
    ]
    dtype = reduce(t.promote_types, (x.dtype for x in typed)) if typed else t.float64
    devices = {x.device for x, v in zip(tensors, values, strict=True) if isinstance(v, t.Tensor)}
    if len(devices) > 1:
        where = ", ".join(f"{name} {x.device}" for name, x in zip(names, tensors, strict=True))
        raise ValueError(f"tensors: got {where}, needs one device for all")
    numpy_backend.require_broadcast(names, tensors)
    device = devices.pop() if devices else t.device("cpu")
    return [x.to(dtype=dtype, device=device) for x in tensors], {}


def _common_shape(tensors: Sequence[Any]) -> Any:
    """Return the shape to which tensors broadcast, at once where all that are not single numbers have the same."""
    shapes = [x.shape for x in tensors if x.ndim]
    if shapes and all(shape == shapes[0] for shape in shapes[1:]):
        return shapes[0]
    return torch().broadcast_shapes(*(x.shape for x in tensors))


def _tensor(name: str, value: Any) -> Any:
    t = torch()
    if isinstance(value, UNTYPED) and not isinstance(value, (int, float)):
        value = as_float(name, value)
    if value is None:
        raise TypeError(f"{name}: got {value!r}, needs a real number or a tensor of them")
    if not isinstance(value, t.Tensor):  # whose gradients are kept
        value = plain(name, value)
    elif strange := what_is_strange(value):
        raise TypeError(f"{name}: got {strange}, needs a dense tensor of real numbers")
    try:
        tensor = t.as_tensor(value, dtype=t.float64 if isinstance(value, float) else None)
    except (RuntimeError, ValueError, TypeError):
        raise TypeError(
            f"{name}: got {type(value).__name__}, needs a real number or a tensor of them"
        ) from None
    if tensor.is_complex() or tensor.dtype == t.bool:
        raise TypeError(f"{name}: got {tensor.dtype}, needs real numbers")
    if not tensor.numel():
        raise ValueError(f"{name}: got shape {tuple(tensor.shape)}, needs at least one number")
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


def holds(
    gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any
) -> bool:
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
    shape = _common_shape(values)
    if not isinstance(result, t.Tensor):
        result = values[0].new_tensor(result) if values else t.tensor(result, dtype=t.float64)
    return result if result.shape == shape else result.expand(shape).clone()


def integral(*parts: Callable[..., Any]) -> Callable[..., Any]:
    """Return the integral as a differentiable function of the inputs; ArithmeticError as in the numpy backend."""
    integrand, low, high = parts

    def evaluate(*inputs: Any) -> Any:
        t = torch()
        tensors = t.broadcast_tensors(*inputs) if inputs else [t.zeros((), dtype=t.float64)]
        points = [tensor.reshape(-1).double() for tensor in tensors]

        def grid(steps: Any) -> Any:
            return points[0].new_tensor(steps)

        inside = (
            _with_safe_gradient(integrand) if any(x.requires_grad for x in inputs) else integrand
        )
        values = [settled(*part, grid, t) for part in calls(inside, (low, high), inputs, points)]
        return t.cat(values).reshape(tensors[0].shape).to(tensors[0].dtype)

    return evaluate


def double_integral(*parts: Any) -> Callable[..., Any]:
    """Raise NotImplementedError, because an inner integral has no relative accuracy where it passes through zero."""
    raise NotImplementedError("the torch backend has no double Integral")


def _with_safe_gradient(integrand: Callable[..., Any]) -> Callable[..., Any]:
    """Return the integrand without gradients at nodes where it is 0 or not finite; they would be 0 * inf there."""

    def evaluate(z: Any, *inputs: Any) -> Any:
        t = torch()
        with t.no_grad():
            value = integrand(z, *inputs) + 0 * z
            matters = (value != 0) & t.isfinite(value)
            largest = t.where(matters, value, 0).abs().argmax(-1, keepdim=True)
        safe = t.where(matters, z, (z + 0 * value).gather(-1, largest))
        return t.where(matters, integrand(safe, *inputs), value)

    return evaluate
