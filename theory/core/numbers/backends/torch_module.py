"""A closed form as a ``torch.nn.Module`` with arguments that are trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from closedform.suggestions import unknown
from theory.core.numbers.backends import torch_backend
from theory.core.numbers.backends.call import build

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument
    from theory.core.formula.form import Form


def module(form: Form, trainable: Sequence[str], values: Mapping[str, float]) -> Any:
    """Return the module; see ``ClosedForm.module``.

    Args:
        form: the closed form.
        trainable: names of the arguments that are parameters of the module.
        values: numbers at which trainable arguments begin and others are fixed.
    """
    t = torch_backend.torch()
    arguments = {argument.name: argument for argument in form.arguments}
    for name in (*trainable, *values):
        if name not in arguments:
            raise ValueError(unknown(f"argument of {form.name}", name, list(arguments)))
    for name in trainable:
        if arguments[name].allowed.is_integer:
            raise ValueError(f"trainable: got {name!r}, needs arguments that are not integers")
    numbers = {
        name: t.as_tensor(value, dtype=t.get_default_dtype()) for name, value in values.items()
    }
    for name in trainable:
        middle = sum(arguments[name].range) / 2
        numbers.setdefault(name, t.as_tensor(middle, dtype=t.get_default_dtype()))
    for name, value in numbers.items():
        arguments[name].require(value, torch_backend)
    function = build(form, "torch")

    class FormulaModule(t.nn.Module):  # type: ignore[misc, name-defined]
        """A formula with parameters."""

        def __init__(self) -> None:
            super().__init__()
            for name, value in numbers.items():
                if name in trainable:
                    self.register_parameter(name, t.nn.Parameter(_free(arguments[name], value)))
                else:
                    self.register_buffer(name, value)

        def values(self) -> dict[str, Any]:
            """Return the trained and fixed arguments by name."""
            free = dict(self.named_parameters())
            trained = {name: _bounded(arguments[name], value) for name, value in free.items()}
            return {**dict(self.named_buffers()), **trained}

        def forward(self, **inputs: Any) -> Any:
            """Return the formula at the remaining arguments, of their broadcast shape."""
            return function(**inputs, **self.values())

        def extra_repr(self) -> str:
            """Return the name of the formula and its trained arguments."""
            return f"{form.name}, trainable={tuple(trainable)}"

    return FormulaModule()


def _free(argument: Argument, value: Any) -> Any:
    """Return the parameter without a bound: the logarithm of a magnitude whose sign is fixed, else the number."""
    sign = argument.allowed.sign
    if sign and not (value != 0).all():
        raise ValueError(
            f"{argument.name}: got 0, needs a trainable number that is not at the edge of its domain"
        )
    return (sign * value).log() if sign else value


def _bounded(argument: Argument, parameter: Any) -> Any:
    sign = argument.allowed.sign
    return sign * parameter.exp() if sign else parameter
