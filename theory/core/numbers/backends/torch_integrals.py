"""Integrals of the torch backend, differentiable in their parameters; torch is imported when one is computed."""

import importlib
from collections.abc import Callable
from typing import Any

from theory.core.numbers.backends.quadrature import calls, settled


def integral(*parts: Callable[..., Any]) -> Callable[..., Any]:
    """Return the integral as a differentiable function of the inputs; ArithmeticError as in the numpy backend."""
    integrand, low, high = parts

    def evaluate(*inputs: Any) -> Any:
        t = importlib.import_module("torch")
        tensors = t.broadcast_tensors(*inputs) if inputs else [t.zeros((), dtype=t.float64)]
        points = [tensor.reshape(-1).double() for tensor in tensors]

        def grid(steps: Any) -> Any:
            return points[0].new_tensor(steps)

        inside = _with_safe_gradient(integrand) if any(x.requires_grad for x in inputs) else integrand
        values = [settled(*part, grid, t) for part in calls(inside, (low, high), inputs, points)]
        return t.cat(values).reshape(tensors[0].shape).to(tensors[0].dtype)

    return evaluate


def double_integral(*parts: Any) -> Callable[..., Any]:
    """Raise NotImplementedError, because an inner integral has no relative accuracy where it passes through zero."""
    raise NotImplementedError("the torch backend has no double Integral")


def _with_safe_gradient(integrand: Callable[..., Any]) -> Callable[..., Any]:
    """Return the integrand without gradients at nodes where it is 0 or not finite; they would be 0 * inf there."""

    def evaluate(z: Any, *inputs: Any) -> Any:
        t = importlib.import_module("torch")
        with t.no_grad():
            value = integrand(z, *inputs) + 0 * z
            matters = (value != 0) & t.isfinite(value)
            largest = t.where(matters, value, 0).abs().argmax(-1, keepdim=True)
        safe = t.where(matters, z, (z + 0 * value).gather(-1, largest))
        return t.where(matters, integrand(safe, *inputs), value)

    return evaluate
