"""A probe of one forward pass: the memory that its operations take, and the operations whose slope jumps.

The probe intercepts operations below autograd, so that functional calls count as much as modules.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

# Continuous operations whose slope jumps; for those in the second line it depends on the values (see is_bent).
_KINKED = {
    "relu", "leaky_relu", "_prelu_kernel", "rrelu_with_noise", "threshold", "hardtanh", "hardswish", "hardsigmoid",
    "softshrink", "hardshrink", "max_pool2d_with_indices", "max_pool3d_with_indices", "adaptive_max_pool2d",
    "adaptive_max_pool3d", "fractional_max_pool2d", "fractional_max_pool3d", "mkldnn_max_pool2d",
}  # fmt: skip
_PIECEWISE = {"clamp", "clamp_min", "clamp_max", "abs", "maximum", "minimum", "elu"}


class Probe(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode that records memory (bytes) and the kinks of a forward pass."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.graph, self.widest = 0, 0
        self.kinks: list[str] = []
        self.softsign: tuple[Any, Any] = None, None  # z and 1 + abs(z), whose quotient has no kink

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and record its memory and kinks."""
        # the in-place version counts as the same operation
        name = func.overloadpacket.__name__.removesuffix("_")
        input_copy = (
            args[0].clone() if name in _PIECEWISE and isinstance(args[0], Tensor) else None
        )
        result = func(*args, **(kwargs or {}))
        inputs = [*_tensors(args)]
        pointers = {t.untyped_storage().data_ptr() for t in inputs}
        # views are not new
        new = [t for t in _tensors(result) if t.untyped_storage().data_ptr() not in pointers]
        new_bytes = sum(map(_size, new))
        self.graph += new_bytes
        if name != "detach":
            read = [t for t in inputs if not isinstance(t, torch.nn.Parameter)]
            self.widest = max(
                self.widest, new_bytes + sum(map(_size, read[:1])) + _columns(name, args, result)
            )
        if name in _KINKED or (input_copy is not None and is_bent(name, input_copy, args, result)):
            self.kinks.append(name)
            if name == "abs" and result is not args[0]:
                self.softsign = args[0], result
        elif name in ("add", "div"):
            self._follow_softsign(name, args, result)
        return result

    def _follow_softsign(self, name: str, args: Any, result: Any) -> None:
        if name == "add" and args[0] is self.softsign[1]:
            self.softsign = self.softsign[0], result
        elif name == "div" and args[0] is self.softsign[0] and args[1] is self.softsign[1]:
            self.kinks.remove("abs")


def is_bent(name: str, z: Tensor, args: Any, result: Any) -> bool:
    """Return whether both branches of a piecewise operation on ``z`` occur; clamp_min(norm, 1e-12) is smooth."""
    if not z.is_floating_point():
        return False
    if name == "elu":
        alpha, _scale, steepness = [*args[1:], 1, 1, 1][:3] if len(args) < 4 else args[1:4]
        return float(alpha) * float(steepness) != 1.0  # the slope below zero over the slope above
    branch = (z > 0) if name == "abs" else (result == z)
    return bool(branch.any()) and not bool(branch.all())


def _columns(name: str, args: Any, result: Any) -> int:
    """Return the bytes of the patches that torch unfolds for a convolution, as it does in float64 on the CPU."""
    if name != "convolution":
        return 0
    weight = args[1]
    return int(_size(result) // max(weight.shape[0], 1) * weight[0].numel())


def _size(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def _tensors(tree: Any) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, list | tuple):
        for item in tree:
            yield from _tensors(item)


def watch(call: Callable[[Tensor], Any], x: Tensor) -> tuple[Any, Probe]:
    """Return the output of ``call`` at ``x``, without gradients, and the probe of that pass."""
    with torch.no_grad(), Probe() as probe:
        return call(x), probe
