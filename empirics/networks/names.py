"""The names that a configuration takes for activations, meshes and depths, and the texts in place of a name.

They are apart from the tables of functions that they name, so that configurations can be read without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from closedform import checks
from empirics.user_choice import Own, is_import_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}  # of a ResNet's stages, by depth
Mesh = Literal["equidistant", "irregular", "adaptive"]
MESHES: tuple[Mesh, ...] = get_args(Mesh)
POOL = {"residual": 2, "plain": 3, "mlp": 1}  # factor by which a stage of a classifier shrinks an image
SMOOTH = ("erf", "gelu", "sin", "tanh", "sigmoid", "softplus", "gaussian", "monomial_2", "monomial_3")


class OwnActivation(Own):
    """The text of an activation that a configuration may have in place of a name."""

    needs = "an expression in z such as 'z*erf(z)', or an import path 'module:function'"

    @classmethod
    def check(cls, name: str, text: str) -> None:
        """Check the text; see :meth:`empirics.user_choice.Own.check`."""
        if not is_import_path(name, text):
            cls.load(name, text)

    @classmethod
    def load(cls, name: str, text: str) -> Callable[[Tensor], Tensor]:
        """Return the activation; see :meth:`empirics.user_choice.Own.load`."""
        from empirics.networks.own_activation import from_text

        return from_text(name, text)


class OwnSmoothActivation(OwnActivation):
    """The same for measurements of curvature, which need a smooth activation."""

    needs = "a smooth expression in z such as 'z*erf(z)', or an import path 'module:function'"

    @classmethod
    def check(cls, name: str, text: str) -> None:
        """Check the text; see :meth:`empirics.user_choice.Own.check`."""
        from empirics.networks.own_activation import is_smooth

        super().check(name, text)
        checks.require(
            is_smooth(text), name, repr(text), "an expression without a kink, since its curvature is measured"
        )


if TYPE_CHECKING:
    Nonlinearity = str
    FunctionName = str
    SmoothName = str
    ResNetActivation = str
else:
    Nonlinearity = Literal["leaky_relu", "relu", "elu", "tanh", "swish", "linear"] | OwnActivation
    FunctionName = Literal[(*SMOOTH, "relu")] | OwnActivation
    SmoothName = Literal[SMOOTH] | OwnSmoothActivation
    ResNetActivation = Literal["gelu", "relu", "silu", "tanh", "softplus", "elu"] | OwnActivation
