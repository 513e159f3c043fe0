"""torch's derivatives: without warnings about torch's internals, in full float32, and of attention, twice.

torch's fused attention kernels support neither second derivatives nor forward mode, and they hide their internal
operations (a ReLU, the memory of the attention matrix) from inspection. In evaluation mode, torch turns a whole
Transformer layer into one such kernel.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.func import jvp, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode

__all__ = [
    "by_definition",
    "full_float32",
    "grad",
    "jvp",
    "new_tensors_in",
    "refusal",
    "unhurried",
    "vmap",
    "without_onednn",
]

# shorter floating-point types -> what stands for them where a model is measured in float64
WIDE = {
    torch.bfloat16: torch.float64,
    torch.float16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}
# methods of tensors that convert to a shorter type -> the type instead
WIDE_CONVERSIONS = {
    **dict.fromkeys(("bfloat16", "half", "float"), torch.float64),
    "cfloat": torch.complex128,
}
WAY_OUT = (
    "needs operations with a derivative: write the named one with others, give a custom function a backward pass that "
    "torch can differentiate, and checkpoint with use_reentrant=False"
)

with warnings.catch_warnings():
    # torch.jit.script, inside torch, at the first use
    warnings.simplefilter("ignore", DeprecationWarning)
    jvp(torch.sin, (torch.zeros(()),), (torch.ones(()),))


@contextmanager
def unhurried() -> Iterator[None]:
    """Suppress torch's warning, within this context, that ``vmap`` loops over an operation that it cannot batch."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        yield


@contextmanager
def full_float32() -> Iterator[None]:
    """Keep a GPU from rounding the factors of float32 products to 10 bits (TF32), its default in convolutions."""
    cudnn: Any = torch.backends.cudnn
    units = cudnn.conv, cudnn.rnn, torch.backends.cuda.matmul
    before = [unit.fp32_precision for unit in units]
    try:
        for unit in units:
            unit.fp32_precision = "ieee"
        yield
    finally:
        for unit, precision in zip(units, before, strict=True):
            unit.fp32_precision = precision


def grad(*arguments: Any, **options: Any) -> tuple[Tensor, ...]:
    """Return what ``torch.autograd.grad`` returns, in full float32; forward mode runs within the call of the map.

    Raises:
        ValueError: if torch cannot take the derivative.
    """
    try:
        with full_float32():
            slopes: tuple[Tensor, ...] = torch.autograd.grad(*arguments, **options)
    except torch.OutOfMemoryError:
        raise
    except RuntimeError as error:
        raise refusal(error, "derivative") from error
    return slopes


def refusal(error: Exception, what: str) -> ValueError:
    """Return the error that names ``what`` torch cannot take, for which reason of torch's, and the way out."""
    cause = error.__cause__ or error
    reason = str(cause).strip().partition("\n")[0]
    return ValueError(f"feature_map: torch cannot take its {what} ({reason}); {WAY_OUT}")


@contextmanager
def by_definition() -> Iterator[None]:
    """Let attention and Transformer layers run unfused, and products in full float32, within this context."""
    was_enabled = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH), full_float32():
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(was_enabled)


@contextmanager
def new_tensors_in(dtype: torch.dtype) -> Iterator[None]:
    """Let tensors that a forward pass makes for itself (``torch.eye(n)``) have at least a precision in this context.

    With float64 the pass converts to float64 where it asks for a shorter type, as in ``images.float() / 255``.
    """
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.promote_types(before, dtype))
    try:
        with _WideConversions() if dtype == torch.float64 else nullcontext():
            yield
    finally:
        torch.set_default_dtype(before)


class _WideConversions(TorchFunctionMode):
    """Calls of torch that name a shorter floating-point type are made with float64 or complex128 instead."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Call ``function``, or the conversion that stands for it."""
        wide = [
            WIDE.get(value, value) if isinstance(value, torch.dtype) else value for value in args
        ]
        options = dict(kwargs or {})
        if options.get("dtype") in WIDE:
            options["dtype"] = WIDE[options["dtype"]]
        conversion = WIDE_CONVERSIONS.get(getattr(function, "__name__", ""))
        if conversion is not None and isinstance(wide[0], Tensor):
            return wide[0].to(conversion, **options)
        return function(*wide, **options)


@contextmanager
def without_onednn() -> Iterator[None]:
    """Let a CPU compute by torch's own operations; oneDNN's LSTM, for float32, has no derivative under transforms."""
    onednn: Any = torch.backends.mkldnn
    was_enabled = onednn.enabled
    onednn.enabled = False
    try:
        yield
    finally:
        onednn.enabled = was_enabled


def leads_to(leaf: Tensor, node: Any) -> bool:
    """Return whether torch's graph has a way from a node back to ``leaf``; a backward pass takes longer."""
    nodes, met = [node], {None, node}
    for node in nodes:
        before = {other for other, _ in getattr(node, "next_functions", ())} - met
        met |= before
        nodes += before
    return any(getattr(node, "variable", None) is leaf for node in nodes)
