"""Choices of a user's own in a configuration, next to the named ones.

A configuration is stored as text, so that such a choice is text too. The annotation of the field is, for example,
``Literal["relu", "tanh"] | UserActivation``, where the last is a subclass of :class:`UserChoice`.

Text comes from files, too, which anybody may have written: to check an import path is to check its form, and nothing is
imported before a run needs it.
"""

import importlib
from collections.abc import Collection
from itertools import chain
from typing import Any, ClassVar, Literal, get_args, get_origin

from closedform.guests import visit


class UserChoice:
    """A choice of a user's own, described by text; ``needs`` says what the text has to be."""

    needs: ClassVar[str]

    @classmethod
    def check(cls, name: str, text: str) -> str:
        """Return a text that is none of the named choices in its one form; ValueError if it is unusable."""
        raise NotImplementedError

    @classmethod
    def load(cls, name: str, text: str) -> Any:
        """Return what the text stands for, which imports an import path; TypeError, ValueError if unsuitable."""
        raise NotImplementedError


def choices(kind: Any) -> tuple[str, ...]:
    """Return the named choices of an annotation; empty if it has none."""
    members = (kind,) if get_origin(kind) is Literal else get_args(kind)
    return tuple(
        chain.from_iterable(
            get_args(member) for member in members if get_origin(member) is Literal
        )
    )


def user_choice(kind: Any) -> type[UserChoice] | None:
    """Return the subclass of :class:`UserChoice` in an annotation, or None."""
    return next(
        (m for m in get_args(kind) if isinstance(m, type) and issubclass(m, UserChoice)), None
    )


def check_choice(name: str, value: Any, named: Collection[str], kind: type[UserChoice]) -> str:
    """Return the one text for a field that takes one of the ``named`` choices or a text for ``kind``."""
    if not isinstance(value, str):
        one_of = f"one of {', '.join(named)}, or " if named else ""
        raise TypeError(
            f"{name}: got {type(value).__name__}, needs text, since a configuration is stored: {one_of}{kind.needs}"
        )
    return value if value in named else kind.check(name, value)


def is_import_path(name: str, text: str) -> bool:
    """Return whether a text is a path ``"package.module:name"``; ValueError if it has a colon and is none."""
    module, colon, attribute = text.partition(":")
    if colon and not all(part.isidentifier() for part in (*module.split("."), attribute)):
        raise ValueError(
            f"{name}: got {text!r}, needs an import path of the form 'package.module:name'"
        )
    return bool(colon)


def imported(name: str, path: str) -> Any:
    """Return the object at an import path ``"package.module:name"``; ValueError, with file and line, if that fails."""
    module, _, attribute = path.partition(":")
    needs = "needs an installed module, or one in a folder on PYTHONPATH"
    with visit(f"{name}: got {path!r}, {needs}, and {module!r}", module):
        imported = importlib.import_module(module)
    if not hasattr(imported, attribute):
        raise ValueError(f"{name}: got {path!r}, but the module {module!r} has no {attribute!r}")
    return getattr(imported, attribute)
