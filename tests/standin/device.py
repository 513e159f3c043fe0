"""A device that exists only on paper: tensors that compute on the CPU and say, and insist, that they live elsewhere.

torch learns of a device called "paper". Inside :class:`PaperDevice` a tensor that is made on it or moved to it is a
:class:`PaperTensor`, which computes with the CPU's kernels, so that its numbers are nearly those of the CPU. It raises
where a real device would: where it meets a tensor of the CPU that has a shape, where it becomes an array of numpy, and
where it is filled from a generator of the other side. Every time a number or a tensor goes back to the host is counted
in ``PaperDevice.waits``, with the function that asked for it, since a real device makes the host wait there.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import torch
from torch.utils import backend_registration
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

IS_POSSIBLE = hasattr(backend_registration, "_setup_privateuseone_for_python_backend")
needs_such_devices = pytest.mark.skipif(
    not IS_POSSIBLE, reason="this torch cannot be told of a device that is written in Python"
)


@cache
def paper() -> torch.device:
    """Return the device, of which torch learns when it is first asked for."""
    module = backend_registration._DummyBackendModule()
    module.get_amp_supported_dtype = lambda: [torch.bfloat16, torch.float16]
    backend_registration._setup_privateuseone_for_python_backend(
        rename="paper", backend_module=module
    )
    return torch.device("paper", 0)


aten = torch.ops.aten

# Operations that a real device allows between tensors of both sides.
_ACROSS = {aten.copy_.default, aten._to_copy.default, aten.set_.source_Tensor}
_INDEXED = {
    aten.index.Tensor,
    aten.index_put_.default,
    aten.index_put.default,
    aten._unsafe_index.Tensor,
}
_TO_HOST = {
    aten._local_scalar_dense.default,
    aten.nonzero.default,
    aten.masked_select.default,
    aten.equal.default,
}


class PaperTensor(torch.Tensor):
    """A tensor of the paper device; ``held`` is the tensor of the CPU with its numbers."""

    held: torch.Tensor

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> PaperTensor:
        tensor = torch.Tensor._make_subclass(
            cls, held, False, dispatch_device=True, device_for_backend_keys=paper()
        )
        tensor.held = held
        return tensor

    def __repr__(self, **options: Any) -> str:
        return f"PaperTensor({self.held})"

    def tolist(self) -> Any:
        return self.cpu().tolist()

    def numpy(self, **options: Any) -> Any:
        raise TypeError(
            "can't convert a tensor of the paper device to numpy; use Tensor.cpu() first"
        )

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.held.detach().__reduce_ex__(protocol)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copy = self.detach().clone().requires_grad_(self.requires_grad)
        copy = (
            torch.nn.Parameter(copy, self.requires_grad)
            if isinstance(self, torch.nn.Parameter)
            else copy
        )
        memo[id(self)] = copy
        return copy

    @classmethod
    def __torch_dispatch__(
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return run(function, args, kwargs or {}, None)


PACKAGES = ("empirics.", "bridge.")


def _asking() -> str:
    """The innermost function of this repository that is being executed, such as ``empirics.training.loop.train``."""
    frame = sys._getframe()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith(PACKAGES):
            return f"{module}.{frame.f_code.co_qualname}"
        frame = frame.f_back
    return "outside"


def run(function: Any, args: Any, kwargs: dict[str, Any], waits: Counter[str] | None) -> Any:
    """Compute an operation on the CPU, and give its result to the device on which it would be."""
    if function is torch.ops.prim.device.default:
        return paper() if isinstance(args[0], PaperTensor) else args[0].device
    leaves, structure = tree_flatten((args, kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    there = [leaf for leaf in tensors if isinstance(leaf, PaperTensor)]
    target = kwargs.get("device")
    on_paper = torch.device(target).type == "paper" if target is not None else bool(there)
    _require_generators(function, leaves, on_paper)
    if there and function not in _ACROSS:
        _require_one_side(function, args, tensors)
    if (
        waits is not None
        and there
        and (_ends_on_host(function, leaves) or (target is not None and not on_paper))
    ):
        waits[_asking()] += 1
    plain = [_on_cpu(leaf) for leaf in leaves]
    inner_args, inner_kwargs = tree_unflatten(plain, structure)
    result = function(*inner_args, **inner_kwargs)
    if torch.Tag.inplace_view in function.tags and isinstance(args[0], PaperTensor):
        with no_dispatch():  # the shape of the tensor itself changes, too
            return function(*args, **kwargs)
    if not on_paper or function is aten._local_scalar_dense.default:
        return _same_object(result, leaves, plain)
    return _on_paper(result, leaves, plain)


def _on_cpu(leaf: Any) -> Any:
    """What an operation takes on the CPU for one of its arguments."""
    if isinstance(leaf, PaperTensor):
        return leaf.held
    return torch.device("cpu") if isinstance(leaf, torch.device) else leaf


def _on_paper(result: Any, leaves: list[Any], plain: list[Any]) -> Any:
    """The result with its tensors on the device; those that were arguments are the arguments themselves."""
    back = {
        id(inner): leaf
        for inner, leaf in zip(plain, leaves, strict=True)
        if isinstance(leaf, PaperTensor)
    }
    moved = lambda x: PaperTensor(x) if isinstance(x, torch.Tensor) else x  # noqa: E731
    return tree_map(lambda x: back[id(x)] if id(x) in back else moved(x), result)


def _ends_on_host(function: Any, leaves: list[Any]) -> bool:
    """Whether the host waits for numbers, or for how many entries a mask has."""
    masks = function in _INDEXED and any(
        isinstance(x, PaperTensor) and x.dtype == torch.bool for x in leaves[1:]
    )
    return function in _TO_HOST or masks


def _same_object(result: Any, leaves: list[Any], plain: list[Any]) -> Any:
    back = {
        id(inner): leaf
        for inner, leaf in zip(plain, leaves, strict=True)
        if isinstance(leaf, torch.Tensor)
    }
    return tree_map(lambda x: back.get(id(x), x) if isinstance(x, torch.Tensor) else x, result)


def _require_generators(function: Any, leaves: list[Any], on_paper: bool) -> None:
    if any(
        (leaf._cdata in _GENERATORS) != on_paper
        for leaf in leaves
        if isinstance(leaf, torch.Generator)
    ):
        raise RuntimeError(f"{function}: generator and numbers are on different devices")


def _require_one_side(function: Any, args: Any, tensors: list[torch.Tensor]) -> None:
    if function in _INDEXED and isinstance(args[0], PaperTensor):  # indices may come from the host
        tensors = [args[0], *args[2:]] if len(args) > 2 else [args[0]]
    strangers = [
        x
        for x in tensors
        if isinstance(x, torch.Tensor) and not isinstance(x, PaperTensor) and x.ndim
    ]
    if strangers:
        raise RuntimeError(
            f"Expected all tensors to be on the same device: {function} got "
            f"{[(x.device.type, tuple(x.shape)) for x in tensors if isinstance(x, torch.Tensor)]}"
        )


class PaperDevice(TorchDispatchMode):
    """The mode in which the paper device exists.

    Attributes:
        waits: how often each function made the host wait for the device.
    """

    def __init__(self) -> None:
        super().__init__()
        self.waits: Counter[str] = Counter()

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return run(function, args, kwargs or {}, self.waits)


_plain_load, _plain_generator = torch.load, torch.Generator
# those of the paper device; torch returns the same object by address
_GENERATORS: dict[int, torch.Generator] = {}


def _load(*args: Any, map_location: Any = None, **options: Any) -> Any:
    """Load to the CPU, and move every tensor to the device if it was asked for."""
    on_paper = map_location is not None and torch.device(map_location).type == "paper"
    loaded = _plain_load(*args, map_location="cpu", **options)
    return tree_map(
        lambda x: PaperTensor(x) if on_paper and isinstance(x, torch.Tensor) else x, loaded
    )


class _GeneratorMaker(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _plain_generator)

    def __call__(cls, device: Any = "cpu") -> torch.Generator:
        if torch.device(device).type != "paper":
            return _plain_generator(device)
        generator = _plain_generator("cpu")
        _GENERATORS[generator._cdata] = generator
        return generator


class _Generator(metaclass=_GeneratorMaker):
    """Stands for ``torch.Generator``."""


@contextlib.contextmanager
def paper_device(monkeypatch: Any) -> Iterator[PaperDevice]:
    """Let torch load tensors to the paper device and make generators there."""
    paper()
    with monkeypatch.context() as patch:
        patch.setattr(torch, "load", _load)
        patch.setattr(torch, "Generator", _Generator)
        before = torch._C._only_lift_cpu_tensors()
        # torch.tensor(..., device=...) then ends with a move to the device
        torch._C._set_only_lift_cpu_tensors(True)
        try:
            # One thread for backward passes, in which the function that asked for a number can be named.
            with PaperDevice() as mode, torch.autograd.set_multithreading_enabled(False):
                yield mode
        finally:
            torch._C._set_only_lift_cpu_tensors(before)
