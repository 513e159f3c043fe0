r"""Elementwise activations as modules, under their names in ``theory.activations``.

``erf`` is :math:`\operatorname{erf}(z/\sqrt 2)`, ``gelu`` the exact :math:`z\Phi(z)`, ``monomial_2`` is
:math:`z^2/\sqrt 3` and ``monomial_3`` :math:`z^3/\sqrt{15}`, so that their mean square is 1 for standard normal z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.networks import own_activation
from empirics.networks.names import SMOOTH, OwnActivation
from empirics.user_choice import check_choice


class Elementwise(nn.Module):
    r"""An activation divided by a constant: the features of :math:`\Phi = n^{-1/2} \varphi(W x + b)`.

    Args:
        name: one of :data:`FUNCTIONS`, an expression in ``z`` such as ``"z*erf(z)"``, an import path
            ``"module:function"``, or an elementwise torch function, module or class of modules.
        divisor: positive number, default 1; :math:`\sqrt n` makes inner products of features averages over n units.

    Raises:
        TypeError, ValueError: if there is no such activation or the divisor is not a positive number.
    """

    def __init__(self, name: str | Callable[[Tensor], Tensor], divisor: float = 1.0) -> None:
        super().__init__()
        self.name = name if isinstance(name, str) else own_activation.shown(name)
        self._function = None if isinstance(name, str) else own_activation.from_callable("name", name)
        if isinstance(name, str):
            check_choice("name", name, FUNCTIONS, OwnActivation)
            function(name)  # fails here rather than at the first pass
        self.divisor = checks.positive_number("divisor", divisor)

    def forward(self, z: Tensor) -> Tensor:
        """Return φ(z) / divisor, in the shape of ``z``."""
        return (self._function or function(self.name))(z) / self.divisor

    def extra_repr(self) -> str:
        """Return the text for the printed form of the module."""
        return self.name if self.divisor == 1 else f"{self.name}, divided by {self.divisor:.4g}"


FUNCTIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "erf": lambda z: torch.erf(z / math.sqrt(2)),
    "gelu": nn.functional.gelu,
    "sin": torch.sin,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": nn.functional.softplus,
    "gaussian": lambda z: torch.exp(-(z**2) / 2),
    "monomial_2": lambda z: z**2 / math.sqrt(3),
    "monomial_3": lambda z: z**3 / math.sqrt(15),
    "relu": torch.relu,
}


def function(name: str) -> Callable[[Tensor], Tensor]:
    """Return the activation with this name, or that a text describes, see :class:`Elementwise`."""
    return FUNCTIONS[name] if name in FUNCTIONS else own_activation.from_text("activation", name)


def is_smooth(name: str) -> bool:
    """Return whether the activation with this name, or that a text describes, has no kink as far as is known."""
    return name in SMOOTH if name in FUNCTIONS else own_activation.is_smooth(name)
