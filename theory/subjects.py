"""The subjects of the theory are found, not listed: packages beside this module, and packages of other distributions.

A subject announces its closed forms in constants of its package, dictionaries of text that cost nothing to import:
``FORMS`` and ``FAMILIES``, name -> "module:attribute". A distribution of somebody else announces a subject by an entry
point in the group ``closedform.subjects``. The name of the entry point is the name of the subject, its value a package
P; ``P.theory`` has the constants, and may add ``LEDGERS``, key of a paper -> module, and ``REFERENCES``, the name of a
BibTeX file beside P's ``__init__``.
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
"""The packages of the theory that are no subjects: what subjects are made of, and the ledger."""
_DICTIONARIES = ("FORMS", "FAMILIES", "LEDGERS")


@dataclass(frozen=True)
class Subject:
    """A subject and who announces it.

    Args:
        name: "two_point".
        announcement: the package, or module, with the constants.
        origin: whose it is, for messages: "theory.two_point", "the distribution closedform-saxe".
        package: the package of the entry point; empty for the subjects of this distribution.
    """

    name: str
    announcement: ModuleType
    origin: str
    package: str = ""

    @property
    def is_plugin(self) -> bool:
        """Whether another distribution brings it."""
        return bool(self.package)

    def announced(self, constant: str) -> dict[str, str]:
        """One of the dictionaries, empty where the subject has none of this name."""
        return dict(getattr(self.announcement, constant, {}))


@cache
def subjects() -> tuple[Subject, ...]:
    """All subjects: those of this package by name, then those of other distributions by name.

    A distribution that cannot be imported, or whose announcement is no dictionary of text, gives a warning and is left
    out.

    Raises:
        ValueError: if two subjects have one name.
    """
    found: dict[str, Subject] = {}
    for subject in (*_inside(), *_outside()):
        if subject.name in found:
            raise ValueError(_twice("subject", subject.name, found[subject.name], subject))
        found[subject.name] = subject
    return tuple(found.values())


def announced(constant: str) -> dict[str, tuple[str, Subject]]:
    """What all subjects announce in one of the dictionaries: name -> (value, subject).

    Raises:
        ValueError: if a name is announced twice; names both subjects.
    """
    found: dict[str, tuple[str, Subject]] = {}
    for subject in subjects():
        for name, value in subject.announced(constant).items():
            if name in found:
                raise ValueError(_twice("name", name, found[name][1], subject))
            found[name] = value, subject
    return found


def load(target: str) -> Any:
    """The object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def warn(subject: str, origin: str, error: Exception) -> None:
    """Warns that a subject of somebody else is left out, and why."""
    warnings.warn(f"{origin} is left out: its subject {subject!r} raises {error!r}", RuntimeWarning, stacklevel=2)


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
        except Exception as error:  # whatever the code of another laboratory may raise
            warn(entry.name, origin, error)
        else:
            yield subject


def _announcement(package: str) -> ModuleType | None:
    """``package.theory``; None if the package does not have it."""
    import_module(package)
    name = f"{package}.{FLOOR}"
    return None if find_spec(name) is None else import_module(name)


def _origin(entry: EntryPoint) -> str:
    return f"the distribution {entry.dist.name}" if entry.dist else f"the entry point {entry.value!r}"


def _require_text(constant: str, announcement: dict[Any, Any]) -> None:
    for name, value in announcement.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"{constant} must be a dictionary of text, got {name!r}: {value!r}")
        if constant != "LEDGERS" and not (value.partition(":")[0] and value.partition(":")[2]):
            raise ValueError(f"{constant}[{name!r}] must be 'module:attribute', got {value!r}")


def _twice(kind: str, name: str, first: Subject, second: Subject) -> str:
    return f"the {kind} {name!r} is announced twice: by {first.origin} and by {second.origin}"
