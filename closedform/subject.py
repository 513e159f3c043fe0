"""What a subject is: a package on each floor, which announces what is in it by constants of text."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from closedform.guests import visit


@dataclass(frozen=True)
class EntryKind:
    """A constant by which a subject announces entries.

    Args:
        name: its name, such as "FORMS".
        kind: word for an entry, such as "closed form". A name is announced once for each kind.
        has: attributes that an entry of a guest must have. Default: none.
        of_modules: whether entries are modules rather than attributes of modules. Default: False.
    """

    name: str
    kind: str
    has: tuple[str, ...] = ()
    of_modules: bool = False


@dataclass(frozen=True)
class Floor:
    """A floor of the house.

    Args:
        name: the module of a guest's package that belongs to it: "theory", "empirics" or "bridge".
        home: package whose subpackages are subjects.
        constants: what a subject announces here.
    """

    name: str
    home: str
    constants: tuple[EntryKind, ...]


@dataclass(frozen=True)
class Subject:
    """A subject on one floor.

    Args:
        name: name of the subject, such as "two_point".
        announcement: package or module with the constants.
        origin: the package or distribution that brings the subject, as messages show it: "theory.two_point", "the
            distribution closedform-saxe".
        package: package of the entry point; empty, the default, for the subjects of this distribution.
    """

    name: str
    announcement: ModuleType
    origin: str
    package: str = ""

    @property
    def is_guest(self) -> bool:
        """Whether another distribution brings the subject."""
        return bool(self.package)

    def announced(self, constant: str) -> dict[str, str]:
        """Return the dictionary with the name ``constant``; empty if the subject does not define it."""
        return dict(getattr(self.announcement, constant, {}))

    def visit(self, what: str = "", module: str = "", seconds: float | None = None) -> AbstractContextManager[None]:
        """Return a context for code of this subject, which does nothing unless the subject is a guest.

        Args:
            what: what the code is for, such as "closed form 'saxe.strength'". Default: the subject.
            module: module in which the code begins. Default: that of the announcement.
            seconds: after what time a guest is interrupted. Default: never.

        Raises:
            GuestError: in the context, if code of a guest raises anything, or takes too long.
        """
        if not self.is_guest:
            return nullcontext()
        who = f"{self.origin}: its {what or f'subject {self.name!r}'}"
        return visit(who, module or self.announcement.__name__, seconds)


def load(target: str) -> Any:
    """Import and return what "module:attribute" or "module" names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)
