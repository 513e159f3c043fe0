"""Elementwise activations as modules."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from closedform import checks
from empirics.networks import functions
from empirics.networks.names import UserActivation
from empirics.user_choice import check_choice


class Elementwise(nn.Module):
    r"""An activation divided by a constant: the features of :math:`\Phi = n^{-1/2} \varphi(W x + b)`.

    Args:
        name: a name of :mod:`closedform.activation_names`, an expression in ``z`` such as ``"z*erf(z)"``, an import
            path ``"module:function"``, or an elementwise torch function, module or class of modules.
        divisor: positive number, default 1; :math:`\sqrt n` makes inner products of features averages over n units.

    Raises:
        TypeError, ValueError: if there is no such activation or the divisor is not a positive number.
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
        return (self._function or functions.from_text("name", self.name))(z) / self.divisor

    def extra_repr(self) -> str:
        """Return the text for the printed form of the module."""
        return self.name if self.divisor == 1 else f"{self.name}, divided by {self.divisor:.4g}"
