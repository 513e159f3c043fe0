"""Architectures that a configuration takes: their names, or the import path of one of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from closedform.checks import shown
from empirics.user_choice import UserChoice, imported, is_import_path

if TYPE_CHECKING:
    from empirics.networks.architecture import Architecture

NAMES = ("fully_connected", "convolution", "skip", "dropout")


class UserArchitecture(UserChoice):
    """The import path of an architecture that a configuration may have in place of a name."""

    needs = "an import path 'module:class' of a subclass of empirics.networks.Architecture"

    @classmethod
    def check(cls, name: str, text: str) -> str:
        """Check the form of the import path; see :meth:`empirics.user_choice.UserChoice.check`."""
        if not is_import_path(name, text):
            from_class(name, text)
        return text

    @classmethod
    def load(cls, name: str, text: str) -> type[Architecture]:
        """Return the architecture; see :meth:`empirics.user_choice.UserChoice.load`."""
        return from_class(name, imported(name, text))


if TYPE_CHECKING:
    ArchitectureName = str
else:
    ArchitectureName = Literal[NAMES] | UserArchitecture


def from_class(name: str, kind: object) -> type[Architecture]:
    """Return an architecture that is given as a class, a subclass of :class:`empirics.networks.Architecture`."""
    from empirics.networks.architecture import Architecture

    if not (isinstance(kind, type) and issubclass(kind, Architecture)):
        raise ValueError(
            f"{name}: got {shown(kind)}, needs {UserArchitecture.needs}, or one of {', '.join(NAMES)}"
        )
    return kind
