"""Discovery of the subjects of the theory: packages beside this module, and packages of other distributions.

A subject announces its closed forms in two constants of its package, ``FORMS`` and ``FAMILIES``. These are dictionaries
of strings, name -> "module:attribute", and are cheap to import. Another distribution announces a subject by an entry
point in the group ``closedform.subjects``. The name of the entry point is the name of the subject, and its value is a
package P. The module ``P.theory`` has the two constants. It may also define ``LEDGERS``, a dictionary key of a paper ->
module, and ``REFERENCES``, the name of a BibTeX file beside the ``__init__`` of P.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

GROUP = "closedform.subjects"
FLOOR = "theory"
NO_SUBJECTS = frozenset({"core", "gaussian", "activations", "papers"})
"""The packages of the theory that are not subjects: the tools on which subjects are built, and the ledgers."""
_DICTIONARIES = ("FORMS", "FAMILIES", "LEDGERS")


@dataclass(frozen=True)
class Subject:
    """A subject and the package that announces it.

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
    def is_plugin(self) -> bool:
        """Whether the subject comes from another distribution."""
        return bool(self.package)

    def announced(self, constant: str) -> dict[str, str]:
        """Return the dictionary with the name ``constant``; empty if the subject does not define it."""
        return dict(getattr(self.announcement, constant, {}))


@cache
def subjects() -> tuple[Subject, ...]:
    """Return all subjects: those of this package in alphabetical order, then those of other distributions.

    A distribution that cannot be imported, or whose announcement is not a dictionary of strings, is omitted with a
    warning.

    Raises:
        ValueError: if two subjects have the same name.
    """
    by_name: dict[str, Subject] = {}
    for subject in (*_inside(), *_outside()):
        if subject.name in by_name:
            raise ValueError(_announced_twice("subject", subject.name, by_name[subject.name], subject))
        by_name[subject.name] = subject
    return tuple(by_name.values())


def announced(constant: str) -> dict[str, tuple[str, Subject]]:
    """Return the announcements of all subjects in the dictionary ``constant``, as name -> (value, subject).

    Raises:
        ValueError: if a name is announced twice; the message gives both subjects.
    """
    announcements: dict[str, tuple[str, Subject]] = {}
    for subject in subjects():
        for name, value in subject.announced(constant).items():
            if name in announcements:
                raise ValueError(_announced_twice("name", name, announcements[name][1], subject))
            announcements[name] = value, subject
    return announcements


def load(target: str) -> Any:
    """Import and return the object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def warn(subject: str, origin: str, error: Exception) -> None:
    """Warn that a subject of another distribution is omitted because of an error."""
    warnings.warn(f"{origin} is omitted: its subject {subject!r} raises {error!r}", RuntimeWarning, stacklevel=2)


def _inside() -> Iterator[Subject]:
    package = import_module(FLOOR)
    for module in sorted(iter_modules(package.__path__), key=lambda module: module.name):
        if module.ispkg and module.name not in NO_SUBJECTS:
            name = f"{FLOOR}.{module.name}"
            yield Subject(module.name, import_module(name), name)


def _outside() -> Iterator[Subject]:
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        origin = _origin(entry)
        try:
            announcement = _announcement(entry.module)
            if announcement is None:
                continue
            subject = Subject(entry.name, announcement, origin, entry.module)
            for constant in _DICTIONARIES:
                _require_text(constant, subject.announced(constant))
        except Exception as error:  # code of another distribution may raise anything
            warn(entry.name, origin, error)
        else:
            yield subject


def _announcement(package: str) -> ModuleType | None:
    """Return the module ``package.theory``, or None if the package does not have it."""
    import_module(package)
    name = f"{package}.{FLOOR}"
    return None if find_spec(name) is None else import_module(name)


def _origin(entry: EntryPoint) -> str:
    return f"the distribution {entry.dist.name}" if entry.dist else f"the entry point {entry.value!r}"


def _require_text(constant: str, announcement: dict[Any, Any]) -> None:
    for name, value in announcement.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"{constant} must be a dictionary of strings, got {name!r}: {value!r}")
        if constant != "LEDGERS" and not (value.partition(":")[0] and value.partition(":")[2]):
            raise ValueError(f"{constant}[{name!r}] must be 'module:attribute', got {value!r}")


def _announced_twice(kind: str, name: str, first: Subject, second: Subject) -> str:
    return f"the {kind} {name!r} is announced twice: by {first.origin} and by {second.origin}"
