"""Activations: of batched networks, each with the derivative that backpropagation applies, and as modules.

The derivatives of the two-point paper's Table 1 are torch's own kernels, the ones autograd would call, in one pass over
memory. Where possible, they are evaluated from the layer's output, so that the preactivation need not be stored; swish
is not monotone and needs its preactivation. All others come from autograd.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from closedform import checks
from closedform.activation_names import named
from empirics.networks import functions
from empirics.networks.names import UserActivation
from empirics.user_choice import check_choice

_aten = torch.ops.aten


@dataclass(frozen=True)
class ElementwiseActivation:
    """An elementwise activation and its derivative, dimensionless.

    Attributes:
        name: name of the activation, as in a configuration.
        function: the activation, ``[...] -> [...]``.
        pull_back: the map ``(gradient, kept) -> gradient * function'``, where ``kept`` is the output of the
            activation, or its input if ``keeps_input`` is set.
        keeps_input: whether ``pull_back`` needs the input of the activation rather than its output.
    """

    name: str
    function: Callable[[Tensor], Tensor]
    pull_back: Callable[[Tensor, Tensor], Tensor]
    keeps_input: bool = False


def _leaky_relu_pull_back(gradient: Tensor, h: Tensor, slope: float) -> Tensor:
    backward: Tensor = _aten.leaky_relu_backward.default(gradient, h, slope, slope > 0)
    return backward


PULL_BACKS: dict[str, Callable[..., Tensor]] = {
    "leaky_relu": _leaky_relu_pull_back,
    "relu": lambda gradient, h: _aten.threshold_backward.default(gradient, h, 0),
    "elu": lambda gradient, h: _aten.elu_backward.default(gradient, 1.0, 1.0, 1.0, True, h),
    "tanh": lambda gradient, h: _aten.tanh_backward.default(gradient, h),
    "swish": lambda gradient, z: _aten.silu_backward.default(gradient, z),
    "linear": lambda gradient, h: gradient,
}


def activation(value: str | Callable[[Tensor], Tensor]) -> ElementwiseActivation:
    """Return an activation with its derivative: by name, expression, import path, function, module or its class."""
    if not isinstance(value, str):
        return _own(functions.shown(value), functions.from_callable("activation", value))
    text = check_choice("activation", value, (), UserActivation)
    function = functions.from_text("activation", text)
    known = None if ":" in text else named(text)
    if known is None or known.name not in PULL_BACKS:
        return _own(text, function)
    numbers = {name: float(number) for name, number in known.numbers.items()}
    # then the output does not tell the sign
    keeps_input = known.name == "swish" or numbers.get("slope", 1.0) <= 0
    return ElementwiseActivation(
        text, function, partial(PULL_BACKS[known.name], **numbers), keeps_input
    )


def _own(name: str, function: Callable[[Tensor], Tensor]) -> ElementwiseActivation:
    def pull_back(gradient: Tensor, z: Tensor) -> Tensor:
        with torch.enable_grad():
            z = z.detach().requires_grad_()
            (below,) = torch.autograd.grad(function(z), z, gradient)
        return below

    return ElementwiseActivation(name, function, pull_back, keeps_input=True)


class Elementwise(nn.Module):
    r"""An activation divided by a constant: the features of :math:`\Phi = n^{-1/2} \varphi(W x + b)`.

    Args:
        name: a name of :mod:`closedform.activation_names`, an expression in ``z`` such as ``"z*erf(z)"``, an import
            path ``"module:function"``, or an elementwise torch function, module or class of modules.
        divisor: positive number, default 1; :math:`\sqrt n` makes inner products of features averages over n units.

    Raises:
        TypeError, ValueError: if there is no such activation or the divisor is not a positive number.

    >>> Elementwise("tanh", divisor=2.0)(torch.zeros(3)).tolist()
    [0.0, 0.0, 0.0]
    """

    def __init__(self, name: str | Callable[[Tensor], Tensor], divisor: float = 1.0) -> None:
        super().__init__()
        if isinstance(name, str):
            name = check_choice("name", name, (), UserActivation)
            functions.from_text("name", name)  # fails here rather than at the first pass
        self.name = name if isinstance(name, str) else functions.shown(name)
        self._function = None if isinstance(name, str) else functions.from_callable("name", name)
        self.divisor = checks.positive_number("divisor", divisor)

    def forward(self, z: Tensor) -> Tensor:
        """Return φ(z) / divisor, in the shape of ``z``."""
        activated = (self._function or functions.from_text("name", self.name))(z)
        return activated if self.divisor == 1 else activated / self.divisor

    def extra_repr(self) -> str:
        """Return the text for the printed form of the module."""
        return self.name if self.divisor == 1 else f"{self.name}, divided by {self.divisor:.4g}"
