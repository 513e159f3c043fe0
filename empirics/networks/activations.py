"""Nonlinearities of the paper's Table 1, each with the derivative that backpropagation applies to a gradient.

The derivatives are torch's own kernels, the ones autograd would call, in one pass over memory. Where
possible, they are evaluated from the layer's output, so that the preactivation need not be stored; swish is not
monotone and needs its preactivation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.networks import own_activation
from empirics.networks.names import OwnActivation
from empirics.user_choice import check_choice

_aten = torch.ops.aten
NEGATIVE_SLOPE = 0.01  # torch's default, and the released settings of the two-point paper


@dataclass(frozen=True)
class Activation:
    """An elementwise nonlinearity and its derivative, dimensionless.

    Attributes:
        name: name of the nonlinearity, as in ``Config.nonlinearity``.
        function: the nonlinearity, ``[...] -> [...]``.
        pull_back: the map ``(gradient, kept) -> gradient * function'``, where ``kept`` is the output of the
            nonlinearity, or its input if ``keeps_input`` is set.
        keeps_input: whether ``pull_back`` needs the input of the nonlinearity rather than its output.
    """

    name: str
    function: Callable[[Tensor], Tensor]
    pull_back: Callable[[Tensor, Tensor], Tensor]
    keeps_input: bool = False


def leaky_relu(slope: float = NEGATIVE_SLOPE) -> Activation:
    """Return the leaky ReLU max(z, slope z); for a positive slope, its output has the sign of its input."""
    backward = _aten.leaky_relu_backward.default
    return Activation(
        "leaky_relu",
        lambda z: torch.nn.functional.leaky_relu(z, slope),
        lambda gradient, h: backward(gradient, h, slope, slope > 0),
        keeps_input=slope <= 0,
    )


RELU = Activation("relu", torch.relu, lambda gradient, h: _aten.threshold_backward.default(gradient, h, 0))
ELU = Activation(
    "elu", torch.nn.functional.elu, lambda gradient, h: _aten.elu_backward.default(gradient, 1.0, 1.0, 1.0, True, h)
)
TANH = Activation("tanh", torch.tanh, lambda gradient, h: _aten.tanh_backward.default(gradient, h))
SWISH = Activation(
    "swish", torch.nn.functional.silu, lambda gradient, z: _aten.silu_backward.default(gradient, z), keeps_input=True
)
LINEAR = Activation("linear", lambda z: z, lambda gradient, h: gradient)

ACTIVATIONS: dict[str, Activation] = {a.name: a for a in (leaky_relu(), RELU, ELU, TANH, SWISH, LINEAR)}


def activation(name: str | Callable[[Tensor], Tensor], negative_slope: float = NEGATIVE_SLOPE) -> Activation:
    """Return the nonlinearity called ``name``, or one of the user's own.

    Args:
        name: one of :data:`ACTIVATIONS`, an expression in ``z`` such as ``"z*erf(z)"``, an import path
            ``"module:function"``, or an elementwise torch function, module or class of modules. The derivative of one
            that is not in the table comes from autograd.
        negative_slope: slope of the leaky ReLU below zero, dimensionless, default 0.01; ignored by the others.

    Raises:
        TypeError, ValueError: if ``name`` is none of these.
    """
    if not isinstance(name, str):
        return _own(own_activation.shown(name), own_activation.from_callable("nonlinearity", name))
    check_choice("nonlinearity", name, ACTIVATIONS, OwnActivation)
    if name == "leaky_relu":
        return leaky_relu(negative_slope)
    return ACTIVATIONS.get(name) or _own(name, own_activation.from_text("nonlinearity", name))


def _own(name: str, function: Callable[[Tensor], Tensor]) -> Activation:
    def pull_back(gradient: Tensor, z: Tensor) -> Tensor:
        with torch.enable_grad():
            z = z.detach().requires_grad_()
            (below,) = torch.autograd.grad(function(z), z, gradient)
        return below

    return Activation(name, function, pull_back, keeps_input=True)
