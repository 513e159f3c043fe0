"""Call sites of a forward pass: every call of a module, and every nonlinearity that is called as a function.

A module can be called several times in one forward pass (torchvision's residual blocks share one ReLU). Each call is a
layer of its own, named by the path of the module and, if there are several calls, their number from zero:
``layer3.1.relu[0]``, ``layer3.1.relu[1]``. The call of a function such as ``torch.nn.functional.relu`` is named by the
module in whose ``forward`` it stands: ``layer3.1.relu()``.

A clamp, maximum or minimum is a nonlinearity where it changes some of the numbers and keeps others, and not where it
guards against a division by zero.

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
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.probe import is_bent

Key = tuple[str, int]  # the path of a call and its number among the calls with this path
ALL_AT_ONCE = ("Softmax", "LogSoftmax", "Softmax2d", "Softmin", "MultiheadAttention")  # not elementwise
FUNCTIONS = frozenset((
    "celu", "elu", "erf", "expit", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
    "log_sigmoid", "mish", "prelu", "relu", "relu6", "rrelu", "selu", "sigmoid", "silu", "sin", "softplus",
    "softshrink", "softsign", "tanh", "tanhshrink", "threshold",
))  # fmt: skip
PIECEWISE = frozenset(("clamp", "clamp_max", "clamp_min", "clip", "maximum", "minimum"))


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
    """A mode that reports the calls of :data:`FUNCTIONS` and :data:`PIECEWISE`.

    Args:
        called: function of the name, of whether the call is a nonlinearity, and of the output.
        judge: whether to look at the numbers of piecewise functions, which count as linear otherwise.
    """

    def __init__(self, called: Callable[[str, bool, Any], None], judge: bool) -> None:
        super().__init__()
        self.called, self.judge = called, judge

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and report its output."""
        name = getattr(func, "__name__", "").removeprefix("special_").strip("_")
        looks = self.judge and name in PIECEWISE and args and isinstance(args[0], Tensor)
        before = args[0].clone() if looks else None  # the function may work in place
        output = func(*args, **(kwargs or {}))
        if name in FUNCTIONS:
            self.called(name, True, output)
        elif name in PIECEWISE:
            self.called(name, before is not None and is_bent(name, before, args, output), output)
        return output


@contextmanager
def observed(
    model: nn.Module, see: Callable[[Key, str, bool, bool, Any], None], *, judge: bool = False
) -> Iterator[None]:
    """Call ``see`` with every call site of the forward passes within this context.

    Args:
        model: the model; its hooks are restored afterwards.
        see: function of the key, the operation, whether it is a nonlinearity, whether it is a leaf, and the output,
            which later operations may overwrite.
        judge: whether clamps are told from guards, for which their numbers are needed. Default: False.
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

    def function(name: str, is_nonlinearity: bool, output: Any) -> None:
        if stack and stack[-1] not in nonlinear:
            path = f"{stack[-1]}.{name}()".lstrip(".")
            see((path, calls[path]), f"{name}()", is_nonlinearity, True, output)
            calls[path] += 1

    handles: list[Any] = []
    for name, module in modules.items():
        handles += [
            module.register_forward_pre_hook(lambda *_, name=name: enter(name)),
            module.register_forward_hook(lambda part, _, output, name=name: leave(name, part, output)),
        ]
    try:
        with _Functions(function, judge):
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
        TypeError: if ``model`` is not a module, does not take a single tensor, or ``x`` is not an array.
        ValueError: if the model fails on ``x``.
    """
    checks.instance("model", model, nn.Module, "a torch module")
    points = tensor_checks.tensor("x", x)
    tensor_checks.shape("x", points, points.ndim > 0, "[batch, *input]")
    sites: list[CallSite] = []

    def add(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
        sites.append(CallSite(key[0], key, operation, is_nonlinearity, is_leaf, _features(output, len(points))))

    try:
        with torch.no_grad(), observed(model, add, judge=True):
            model(points.clone())
    except (TypeError, LookupError, AttributeError) as error:  # of a forward that needs a dict or several tensors
        raise TypeError(f"model: cannot be called with one tensor of inputs ({error})") from error
    except RuntimeError as error:
        raise ValueError(f"model: fails on x of shape {list(points.shape)} and {points.dtype} ({error})") from error
    number = Counter(site.key[0] for site in sites)
    return tuple(
        site if number[site.name] == 1 else replace(site, name=f"{site.name}[{site.key[1]}]") for site in sites
    )


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
