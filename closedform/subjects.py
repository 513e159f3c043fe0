"""Discovery of subjects: packages of this distribution, and guests, which other distributions bring.

A subject has a package on each of three floors, and a paper has a wing, a package in ``papers``. These packages
announce what is in them by constants, which are dictionaries of text and cheap to import, name -> "module:attribute" or
name -> "module". On a floor, the subjects of this distribution are the packages inside its homes that have one of its
constants: a wing has those of ``theory`` and of ``bridge``, and no other package imports it. Another distribution
announces a subject by an entry point in the group ``closedform.subjects``. The name of the entry point is the name of
the subject, and its value is a package P, of which the modules or packages ``P.theory``, ``P.empirics`` and
``P.bridge``, all optional, have the constants.

A guest that cannot be imported, announces anything else than text, or takes a name that is taken, is left out with a
warning.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any

from closedform.guests import ANNOUNCING, GuestError, leave_out, package_of, place, steps, visit

GROUP = "closedform.subjects"
OURS = {"closedform", "theory", "empirics", "bridge", "papers"}


@dataclass(frozen=True)
class EntryKind:
    """A constant by which a subject announces entries."""

    name: str  # such as "FORMS"
    kind: str  # word for an entry, such as "closed form"; a name is announced once for each kind
    has: tuple[str, ...] = ()  # attributes that an entry of a guest must have
    of_modules: bool = False  # whether entries are modules rather than their attributes


@dataclass(frozen=True)
class Floor:
    """A floor of the house."""

    name: (
        str  # the module of a guest's package that belongs to it: "theory", "empirics" or "bridge"
    )
    homes: tuple[str, ...]  # packages whose subpackages are subjects
    constants: tuple[EntryKind, ...]  # what a subject announces here


@dataclass(frozen=True)
class Subject:
    """A subject on one floor."""

    name: str  # such as "two_point"
    announcement: ModuleType  # package or module with the constants
    origin: str  # what brings it, as messages show it: "theory.two_point", "the distribution closedform-saxe"
    package: str = ""  # of the entry point; empty for the subjects of this distribution

    @property
    def is_guest(self) -> bool:
        """Whether another distribution brings the subject."""
        return bool(self.package)

    @property
    def folder(self) -> Path | None:
        """Folder of the package; None if it is not in a file, or is that of a guest, whose folder is not ours."""
        file = self.announcement.__file__
        return None if self.is_guest or file is None else Path(file).parent

    def announced(self, constant: str) -> dict[str, str]:
        """Return the dictionary with the name ``constant``; empty if the subject does not define it."""
        return dict(getattr(self.announcement, constant, {}))

    def visit(
        self, what: str = "", module: str = "", seconds: float | None = None
    ) -> AbstractContextManager[None]:
        """Return a context for code of this subject, :func:`closedform.guests.visit`; it does nothing for our own."""
        if not self.is_guest:
            return nullcontext()
        beginning = f"{self.origin}: its {what or f'subject {self.name!r}'}"
        return visit(beginning, module or self.announcement.__name__, seconds)


def load(target: str) -> Any:
    """Import and return what "module:attribute" or "module" names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


@cache
def subjects(floor: Floor) -> tuple[Subject, ...]:
    """Return all subjects on a floor: those of this distribution in alphabetical order, then guests."""
    owners: dict[tuple[str, str], Subject] = {}
    listed = []
    for subject in (*_inside(floor), *_guests_on(floor)):
        names = {("subject", subject.name)}
        for known in floor.constants:
            names |= {(known.kind, name) for name in subject.announced(known.name)}
        taken = sorted(names & owners.keys())
        if taken:
            (kind, name), first = taken[0], owners[taken[0]]
            clash = f"the {kind} {name!r} is announced twice: by {first.origin} and by {subject.origin}"
            if not subject.is_guest:
                raise ValueError(clash)
            leave_out(GuestError(clash, subject.announcement.__file__ or ""))
            continue
        owners |= dict.fromkeys(names, subject)
        listed.append(subject)
    return tuple(listed)


@cache
def announced(floor: Floor, constant: str) -> Mapping[str, tuple[str, Subject]]:
    """Return the announcements of all subjects in the dictionary ``constant``, as name -> (value, subject)."""
    announcements: dict[str, tuple[str, Subject]] = {}
    for subject in subjects(floor):
        announcements |= {
            name: (target, subject) for name, target in subject.announced(constant).items()
        }
    return MappingProxyType(announcements)


def place_in_a_guest(error: BaseException) -> str:
    """Return the place of an error that a guest's line raises, as " (FILE, line N)"; empty for any other error.

    What another library raises, such as numpy, counts as raised by the line that called it.
    """
    guests = {package_of(guest.package) for guest in _guests()}
    callers = [package_of(step) for step in steps(error) if package_of(step) in guests | OURS]
    return str(GuestError("", *place(error, callers[-1]))) if guests & {*callers[-1:]} else ""


def _inside(floor: Floor) -> Iterator[Subject]:
    for home in floor.homes:
        names = sorted(
            module.name for module in iter_modules(import_module(home).__path__) if module.ispkg
        )
        for name in names:
            package = import_module(f"{home}.{name}")
            if any(hasattr(package, constant.name) for constant in floor.constants):
                yield Subject(name, package, package.__name__)


@cache
def _guests() -> tuple[Subject, ...]:
    """Return the guests whose package P can be imported, announcing nothing yet."""
    guests: dict[str, Subject] = {}
    for entry in _entries():
        origin = (
            f"the distribution {entry.dist.name}"
            if entry.dist
            else f"the entry point {entry.value!r}"
        )
        try:
            with visit(
                f"{origin}: its subject {entry.name!r}", entry.value.partition(":")[0], ANNOUNCING
            ):
                if entry.name in guests:
                    raise ValueError(f"{guests[entry.name].origin} has a subject of this name")
                guests[entry.name] = Subject(
                    entry.name, import_module(entry.module), origin, entry.module
                )
        except GuestError as error:
            leave_out(error)
    return tuple(guests.values())


def _entries() -> list[EntryPoint]:
    """Return the entry points in the group; a distribution whose metadata cannot be read is left out."""
    entries: dict[tuple[str, str], EntryPoint] = {}
    for distribution in distributions():
        try:
            with visit("its metadata", "importlib"):
                for entry in distribution.entry_points.select(group=GROUP):
                    entries.setdefault((entry.name, entry.value), entry)
        except GuestError as error:
            name = "without a readable name"
            with suppress(Exception):  # a name takes ten times as long as the entry points
                name = distribution.name
            leave_out(GuestError(f"the distribution {name}: {error}"))
    return [entries[key] for key in sorted(entries)]


def _guests_on(floor: Floor) -> Iterator[Subject]:
    for guest in _guests():
        module = f"{guest.package}.{floor.name}"
        try:
            with guest.visit(module=module, seconds=ANNOUNCING):
                if find_spec(module) is None:
                    continue
                subject = replace(guest, announcement=import_module(module))
                for constant in floor.constants:
                    _require_text(constant, subject)
        except GuestError as error:
            leave_out(error)
        else:
            yield subject


def _require_text(constant: EntryKind, subject: Subject) -> None:
    for name, value in subject.announced(constant.name).items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(
                f"{constant.name}: got {name!r}: {value!r}, needs a dictionary of strings"
            )
        module, _, attribute = value.partition(":")
        if not module or bool(attribute) == constant.of_modules:
            needs = "'module'" if constant.of_modules else "'module:attribute'"
            raise ValueError(f"{constant.name}[{name!r}]: got {value!r}, needs {needs}")
