"""The calls of a forward pass while it runs, as hooks of modules and a mode of functions see them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from empirics.measure.models.probe import is_bent

Key = tuple[str, int]  # the path of a call and its number among the calls with this path
# not elementwise
ALL_AT_ONCE = ("Softmax", "LogSoftmax", "Softmax2d", "Softmin", "MultiheadAttention")
FUNCTIONS = frozenset((
    "celu", "elu", "erf", "expit", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
    "log_sigmoid", "mish", "prelu", "relu", "relu6", "rrelu", "selu", "sigmoid", "silu", "sin", "softplus",
    "softshrink", "softsign", "tanh", "tanhshrink", "threshold",
))  # fmt: skip
PIECEWISE = frozenset(("clamp", "clamp_max", "clamp_min", "clip", "maximum", "minimum"))
SUMS = frozenset(("add", "iadd", "radd"))
MAPS = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)


@dataclass(frozen=True)
class Call:
    """One call while a forward pass runs."""

    key: Key  # the path and the number among the calls with this path
    operation: str  # class of the module, or name of the function with ()
    is_nonlinearity: bool  # elementwise
    is_leaf: bool  # whether it is a function, or a module without submodules
    is_map: bool  # linear
    is_residual: bool  # whether it is the sum of a residual connection, where that is judged
    given: Any  # the first argument
    output: Any  # which later operations may overwrite; the first tensor of several, points first

    @property
    def names(self) -> tuple[str, str]:
        """The path, and the path with the number."""
        return self.key[0], f"{self.key[0]}[{self.key[1]}]"


@dataclass
class _Frame:
    """A module whose ``forward`` runs: what it takes, and what its submodules and its sums have given so far."""

    path: str
    taken: Sequence[Any]
    given: list[Any] = field(default_factory=list)
    sums: list[Any] = field(default_factory=list)

    def is_residual(self, one: Tensor, two: Tensor, result: Tensor) -> bool:
        """Return whether a sum of the two is a residual connection, and remember its result."""
        stream, parts = [*self.taken, *self.sums], [*self.taken, *self.sums, *self.given]
        known = [_is_in(parts, one), _is_in(parts, two)]
        shapes = [getattr(tensor, "shape", None) for tensor in stream]
        is_sum = all(known) or (any(known) and (not self.path or one.shape in shapes))
        self.sums += [result] if is_sum else []
        return is_sum


class _Functions(TorchFunctionMode):
    """A mode that reports functions, piecewise ones (linear unless judged), sums and linear maps."""

    def __init__(self, called: Callable[[str, bool, Any, Any], None], judge: bool) -> None:
        super().__init__()
        self.called, self.judge = called, judge

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and report its output."""
        name = getattr(func, "__name__", "").removeprefix("special_").strip("_")
        looks = self.judge and name in PIECEWISE and args and isinstance(args[0], Tensor)
        before = args[0].clone() if looks else None  # the function may work in place
        output = func(*args, **(kwargs or {}))
        if name in FUNCTIONS or name == "linear":
            self.called(name, name != "linear", args, output)
        elif name in PIECEWISE:
            self.called(
                name, before is not None and is_bent(name, before, args, output), args, output
            )
        elif name in SUMS and _is_sum(args):
            self.called("add", False, args, output)
        return output


def _is_in(parts: Sequence[Any], term: Any) -> bool:
    return any(term is part for part in parts)


def _is_sum(args: Any) -> bool:
    """Return whether the arguments are two tensors of numbers with one shape, a row for each point."""
    tensors = len(args) > 1 and all(
        isinstance(term, Tensor) and term.is_floating_point() for term in args[:2]
    )
    return tensors and args[0].shape == args[1].shape and args[0].ndim > 1


@contextmanager
def observed(
    model: nn.Module, see: Callable[[Call], None], *, judge: bool = False
) -> Iterator[None]:
    """Call ``see`` with every call of the passes; ``judge`` tells clamps from guards and sums from residuals."""
    calls: Counter[str] = Counter()
    stack: list[_Frame] = []
    modules = {
        name: part
        for name, part in model.named_modules()
        if not isinstance(part, torch.jit.ScriptModule)
    }
    nonlinear = {name for name, part in modules.items() if _is_nonlinearity(part)}
    leaves = {name for name, part in modules.items() if not list(part.children())}

    def enter(name: str, taken: Any) -> None:
        if not stack:
            calls.clear()
        stack.append(_Frame(name, taken if judge else ()))

    def leave(name: str, part: nn.Module, taken: Any, output: Any) -> None:
        stack.pop()
        first = first_tensor(part, output)
        if judge and stack:
            stack[-1].given += (
                [first] if isinstance(output, Tensor) else list(output) if _several(output) else []
            )
        if name:
            is_map, argument = isinstance(part, MAPS), next(iter(taken), None)
            key = name, calls[name]
            see(
                Call(
                    key,
                    type(part).__name__,
                    name in nonlinear,
                    name in leaves,
                    is_map,
                    False,
                    argument,
                    first,
                )
            )
            calls[name] += 1

    def function(name: str, is_nonlinearity: bool, args: Any, output: Any) -> None:
        if not stack or stack[-1].path in nonlinear:
            return
        frame, is_elementwise = stack[-1], name not in ("add", "linear")
        if not is_elementwise and frame.path and frame.path in leaves:
            return  # a part of the call of a module that is seen as a whole
        path = f"{frame.path}.{name}()".lstrip(".")
        is_residual = judge and name == "add" and frame.is_residual(args[0], args[1], output)
        argument = args[0] if args else None
        key = path, calls[path]
        see(
            Call(
                key,
                f"{name}()",
                is_nonlinearity,
                True,
                name == "linear",
                is_residual,
                argument,
                output,
            )
        )
        calls[path] += 1

    handles: list[Any] = []
    for name, module in modules.items():
        handles += [
            module.register_forward_pre_hook(
                lambda _, args, kwargs, name=name: enter(name, (*args, *kwargs.values())),
                with_kwargs=True,
            ),
            module.register_forward_hook(
                lambda part, args, kwargs, output, name=name: leave(
                    name, part, (*args, *kwargs.values()), output
                ),
                with_kwargs=True,
            ),
        ]
    try:
        with _Functions(function, judge):
            yield
    finally:
        for handle in handles:
            handle.remove()


def first_tensor(part: nn.Module, output: Any) -> Any:
    """Return the output of a module, or the first tensor of several, with the points in the first dimension."""
    first = (
        next((item for item in output if isinstance(item, Tensor)), output)
        if _several(output)
        else output
    )
    is_time_first = isinstance(part, nn.RNNBase | nn.MultiheadAttention) and not part.batch_first
    return (
        first.transpose(0, 1)
        if is_time_first and isinstance(first, Tensor) and first.ndim == 3
        else first
    )


def _several(output: Any) -> bool:
    return isinstance(output, tuple | list)


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
    is_elementwise = (
        isinstance(flat, Tensor) and flat.shape == z.shape and torch.equal(flat, square.flatten())
    )
    return bool(is_elementwise) and not torch.allclose(flat.diff(), flat.diff()[:1])
