"""Call sites of a forward pass: every call of a module, and every nonlinearity that is called as a function.

A module can be called several times in one forward pass (torchvision's residual blocks share one ReLU). Each call is a
layer of its own, named by the path of the module and, if there are several calls, their number from zero:
``layer3.1.relu[0]``, ``layer3.1.relu[1]``. The call of a function such as ``torch.nn.functional.relu`` is named by the
module in whose ``forward`` it stands: ``layer3.1.relu()``.

Not visible are functions that are called inside fused or scripted modules (LSTM cells, attention), nonlinearities that
are written with arithmetic, comparisons or indexing, and sums such as residual connections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Shaped
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from empirics import check

Key = tuple[str, int]  # the path of a call and its number among the calls with this path
ALL_AT_ONCE = ("Softmax", "LogSoftmax", "Softmax2d", "Softmin", "MultiheadAttention")  # not elementwise
FUNCTIONS = frozenset((
    "celu", "elu", "erf", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
    "logsigmoid", "mish", "prelu", "relu", "relu6", "rrelu", "selu", "sigmoid", "silu", "sin", "softplus", "softshrink",
    "softsign", "tanh", "tanhshrink", "threshold",
))  # fmt: skip


@dataclass(frozen=True)
class CallSite:
    """One call in a forward pass.

    Attributes:
        name: path of the call, with its number in brackets if there are several calls with this path.
        key: the path and the number.
        operation: class of the module, or name of the function with ``()``.
        is_nonlinearity: whether the call is an elementwise nonlinearity.
        is_leaf: whether it is a function, or a module without submodules.
        features: numbers that the call gives for each point; 0 if it does not give one tensor whose first dimension is
            that of the points.
    """

    name: str
    key: Key
    operation: str
    is_nonlinearity: bool
    is_leaf: bool
    features: int


class _Functions(TorchFunctionMode):
    """A mode that reports the calls of :data:`FUNCTIONS`."""

    def __init__(self, called: Callable[[str, Any], None]) -> None:
        super().__init__()
        self.called = called

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and report its output."""
        output = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "").removesuffix("_")
        if name in FUNCTIONS:
            self.called(name, output)
        return output


@contextmanager
def observed(model: nn.Module, see: Callable[[Key, str, bool, bool, Any], None]) -> Iterator[None]:
    """Call ``see`` with every call site of the forward passes within this context.

    Args:
        model: the model; its hooks are restored afterwards.
        see: function of the key, the operation, whether it is a nonlinearity, whether it is a leaf, and the output,
            which later operations may overwrite.
    """
    calls: Counter[str] = Counter()
    stack: list[str] = []
    modules = {name: part for name, part in model.named_modules() if not isinstance(part, torch.jit.ScriptModule)}
    nonlinear = {name for name, part in modules.items() if _is_nonlinearity(part)}

    def enter(name: str) -> None:
        if not stack:
            calls.clear()
        stack.append(name)

    def leave(name: str, part: nn.Module, output: Any) -> None:
        stack.pop()
        if name:
            see((name, calls[name]), type(part).__name__, name in nonlinear, not list(part.children()), output)
            calls[name] += 1

    def function(name: str, output: Any) -> None:
        if stack and stack[-1] not in nonlinear:
            path = f"{stack[-1]}.{name}()".lstrip(".")
            see((path, calls[path]), f"{name}()", True, True, output)
            calls[path] += 1

    handles: list[Any] = []
    for name, module in modules.items():
        handles += [
            module.register_forward_pre_hook(lambda *_, name=name: enter(name)),
            module.register_forward_hook(lambda part, _, output, name=name: leave(name, part, output)),
        ]
    try:
        with _Functions(function):
            yield
    finally:
        for handle in handles:
            handle.remove()


def call_sites(model: nn.Module, x: ArrayLike | Tensor) -> tuple[CallSite, ...]:
    """Return the call sites of one forward pass in the order in which they end.

    Args:
        model: module ``[batch, *input] -> ...``, in evaluation mode where that matters.
        x: points ``[batch, *input]``, a tensor, an array or numbers.

    Raises:
        TypeError: if ``model`` is no module or ``x`` is not an array.
    """
    check.instance("model", model, nn.Module, "a torch module")
    points = check.tensor("x", x)
    check.shape("x", points, points.ndim > 0, "[batch, *input]")
    sites: list[CallSite] = []

    def add(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
        sites.append(CallSite(key[0], key, operation, is_nonlinearity, is_leaf, _features(output, len(points))))

    try:
        with torch.no_grad(), observed(model, add):
            model(points.clone())
    except RuntimeError as error:
        raise ValueError(f"model: fails on x of shape {list(points.shape)} and {points.dtype} ({error})") from error
    number = Counter(site.key[0] for site in sites)
    return tuple(
        site if number[site.name] == 1 else replace(site, name=f"{site.name}[{site.key[1]}]") for site in sites
    )


def outputs_of(model: nn.Module, x: Tensor, keys: tuple[Key, ...]) -> tuple[Any, dict[Key, Tensor]]:
    """Return the output of the model and, by key, the flattened outputs ``[batch, features]`` of some call sites."""
    kept: dict[Key, Tensor] = {}

    def keep(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
        if key in keys:
            kept[key] = output.clone().flatten(1)  # a clone: later layers may work in place

    with observed(model, keep):
        output = model(x)
    return output, kept


class UpTo(nn.Module):
    """The part of a model up to and including one call site, ``[batch, *input] -> [batch, features]``.

    Args:
        model: the model.
        key: key of the call site.
    """

    def __init__(self, model: nn.Module, key: Key) -> None:
        super().__init__()
        self.model, self.key = model, key

    def forward(self, x: Shaped[Tensor, "batch ..."]) -> Shaped[Tensor, "batch features"]:
        """Return the features of the points ``x``; what comes after the call site is not run."""

        def stop(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
            if key == self.key:
                raise _Reached(output.flatten(1))

        try:
            with observed(self.model, stop):
                self.model(x)
        except _Reached as reached:
            return reached.features
        raise ValueError(f"layer {self.key[0]!r}: call {self.key[1]} is not reached in this forward pass")


class _Reached(Exception):
    """The end of a forward pass at a call site, with the features there."""

    def __init__(self, features: Tensor) -> None:
        super().__init__()
        self.features = features


def _is_nonlinearity(module: nn.Module) -> bool:
    """Return whether a module is one of torch's nonlinearities, or one like them: no submodules, no parameters."""
    kind = type(module)
    if kind.__module__ == "torch.nn.modules.activation":
        return kind.__name__ not in ALL_AT_ONCE
    return not kind.__module__.startswith("torch.") and _is_own_nonlinearity(module)


def _is_own_nonlinearity(module: nn.Module) -> bool:
    """Return whether a user's module acts on each number by itself and is not linear."""
    if list(module.children()) or module.state_dict():
        return False
    z = torch.linspace(-2.0, 2.0, 12, dtype=torch.float64)
    try:
        with torch.no_grad():
            flat, square = module(z.clone()), module(z.reshape(3, 4).clone())
    except Exception:  # a user's module may fail in any way on numbers of another shape
        return False
    is_elementwise = isinstance(flat, Tensor) and flat.shape == z.shape and torch.equal(flat, square.flatten())
    return bool(is_elementwise) and not torch.allclose(flat.diff(), flat.diff()[:1])


def _features(output: Any, points: int) -> int:
    fits = isinstance(output, Tensor) and output.ndim > 1 and len(output) == points and output.is_floating_point()
    return output[0].numel() if fits else 0
