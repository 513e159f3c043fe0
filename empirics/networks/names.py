"""The names that a configuration takes for activations, meshes, depths and initial weights, and texts in their place.

They are apart from the tables of functions that they name, so that configurations can be read without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from closedform import activation_names, checks
from empirics.user_choice import UserChoice, is_import_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

# of a ResNet's stages, by depth
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}
Mesh = Literal["equidistant", "irregular", "adaptive"]
MESHES: tuple[Mesh, ...] = get_args(Mesh)
# initial weights: torch's own, or those of :mod:`empirics.experiments.geometry.gaussian_start`
Start = Literal["torch", "gaussian"]
# factor by which a stage of a classifier shrinks an image
POOL = {"residual": 2, "plain": 3, "mlp": 1}
SMOOTH = tuple(
    name for name in activation_names.NAMES if not activation_names.slope_may_jump(name)
)


class UserActivation(UserChoice):
    """The text of an activation, of which the names without a number are listed apart."""

    needs = (
        "a name with a number such as 'monomial_2' or 'leaky_relu(1/10)', an expression in z such as 'z*erf(z)', or an "
        "import path 'module:function'"
    )

    @classmethod
    def check(cls, name: str, text: str) -> str:
        """Return the one text for this activation; see :meth:`empirics.user_choice.UserChoice.check`."""
        if is_import_path(name, text):
            return text
        try:
            named = activation_names.named(text)
            if named is not None:
                return str(named)
            text = activation_names.canonical(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        cls.load(name, text)
        return text

    @classmethod
    def load(cls, name: str, text: str) -> Callable[[Tensor], Tensor]:
        """Return the activation; see :meth:`empirics.user_choice.UserChoice.load`."""
        from empirics.networks.functions import from_text

        return from_text(name, text)


class UserSmoothActivation(UserActivation):
    """The same for measurements of curvature, which need a smooth activation."""

    @classmethod
    def check(cls, name: str, text: str) -> str:
        """Return the one text for this activation; see :meth:`empirics.user_choice.UserChoice.check`."""
        text = super().check(name, text)
        jumps = not is_import_path(name, text) and activation_names.slope_may_jump(text)
        needs = "an activation whose slope does not jump: its curvature is measured, which would lie on the kinks alone"
        checks.require(not jumps, name, repr(text), needs)
        return text


if TYPE_CHECKING:
    ActivationName = str
    SmoothName = str
else:
    ActivationName = Literal[activation_names.NAMES] | UserActivation
    SmoothName = Literal[SMOOTH] | UserSmoothActivation
