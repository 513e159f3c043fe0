"""What call sites give: the outputs of named ones, and the part of a model up to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxtyping import Shaped
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.call_sites import Key, observed


def check_names(argument: str, model: nn.Module, names: Any) -> list[str]:
    """Return names of call sites as a list, whose modules exist; whether they are reached is seen in a forward pass.

    Raises:
        TypeError: if ``names`` is a single string, or not a sequence.
        ValueError: if there are none, or one is given twice or belongs to no module.
    """
    listed = list(checks.sequence(argument, names, "names"))
    checks.require(bool(listed) and len(set(map(str, listed))) == len(listed), argument, listed, "names, each once")
    modules = [name for name, _ in model.named_modules() if name]
    for name in listed:
        is_known = str(name).partition("[")[0] in modules or "()" in str(name)
        checks.require(is_known, argument, repr(name), f"one of {', '.join(modules) or 'no submodules'}")
    return listed


def outputs_of(model: nn.Module, x: Tensor, names: Sequence[str]) -> tuple[Any, dict[str, Tensor]]:
    """Return the output of the model and, by name, copies of the outputs ``[batch, ...]`` of call sites.

    Args:
        model: the model.
        x: points ``[batch, *input]``.
        names: names of call sites: ``"3"``, ``"relu[1]"`` for the second call of a module, ``"relu()"`` for a function.

    Raises:
        TypeError: if a call gives no tensor.
        ValueError: if one is not reached, or a name without number stands for several.
    """
    kept: dict[str, Tensor] = {}
    calls: dict[str, int] = {}

    def keep(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
        calls[key[0]] = key[1] + 1
        for name in {*_names(key)} & {*names}:
            if not isinstance(output, Tensor):
                raise TypeError(f"layer {name!r}: gives {type(output).__name__}, needs to give one tensor")
            kept[name] = output.clone()  # later layers may work in place

    with observed(model, keep):
        output = model(x)
    for name in names:
        if name not in kept:
            raise ValueError(f"layer {name!r}: is never reached in a forward pass")
        if (times := calls.get(name, 1)) > 1:
            raise ValueError(f"layer {name!r}: is reached {times} times, needs one call, such as '{name}[0]'")
    return output, kept


def part_up_to(model: nn.Module, name: str) -> nn.Module:
    """Return the part of a model up to and including a call site, as a module ``[batch, *input] -> [batch, ...]``.

    Of a Sequential these are its first modules, for which measures have fast routes.
    """
    path, _, number = name.removesuffix("]").partition("[")
    if type(model) is nn.Sequential and path in model._modules:
        module = model._modules[path]
        places = [place for place, part in enumerate(model) if part is module]
        if len(places) == sum(part is module for _, part in model.named_modules(remove_duplicate=False)):
            return nn.Sequential(*list(model)[: places[int(number or 0)] + 1])
    return TruncatedModel(model, name)


class TruncatedModel(nn.Module):
    """The part of a model up to and including one call site, ``[batch, *input] -> [batch, features]``.

    Args:
        model: the model.
        name: name of the call site.
    """

    def __init__(self, model: nn.Module, name: str) -> None:
        super().__init__()
        self.model, self.name = model, name

    def forward(self, x: Shaped[Tensor, "batch ..."]) -> Shaped[Tensor, "batch features"]:
        """Return the features of the points ``x``; what comes after the call site is not run."""

        def stop(key: Key, operation: str, is_nonlinearity: bool, is_leaf: bool, output: Any) -> None:
            if self.name in _names(key):
                raise _Reached(output.flatten(1))

        try:
            with observed(self.model, stop):
                self.model(x)
        except _Reached as reached:
            return reached.features
        raise ValueError(f"layer {self.name!r}: is not reached in this forward pass")


class _Reached(Exception):
    """The end of a forward pass at a call site, with the features there."""

    def __init__(self, features: Tensor) -> None:
        super().__init__()
        self.features = features


def _names(key: Key) -> tuple[str, str]:
    """Return the names of a call: its path, and the path with its number."""
    return key[0], f"{key[0]}[{key[1]}]"
