"""The source and the status of a formula, and the bibliographies to which sources refer."""

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from closedform import checks
from closedform.guests import GuestError, leave_out
from closedform.subjects import subjects
from theory.subjects import FLOOR

_ENTRY = re.compile(
    r"^@(?P<kind>\w+)\{(?P<key>[^,\s]+),(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL
)
_FIELD = re.compile(r"^\s*(?P<name>\w+)\s*=\s*\{(?P<value>.*)\},?\s*$", re.MULTILINE)


class Status(enum.Enum):
    """The kind of evidence for a closed form; its author states it, and it is never inferred.

    >>> [status.name for status in Status]
    ['DERIVED', 'TRANSCRIBED', 'CONJECTURED']
    """

    DERIVED = "derived"
    """A program checks every step from stated premises, and the last step uses the expression itself."""
    TRANSCRIBED = "transcribed"
    """The formula is copied from a source and compared with it, and not derived here."""
    CONJECTURED = "conjectured"
    """The evidence for the formula is not a derivation."""


@cache
def _own() -> Mapping[str, Mapping[str, str]]:
    return _entries(
        (files("theory") / "references.bib").read_text(encoding="utf-8"), "references.bib"
    )


@cache
def references() -> Mapping[str, Mapping[str, str]]:
    """Return the entries of ``theory/references.bib`` and of the bibliographies of guests, as key -> field -> value.

    These files use a small part of BibTeX: one field per line, with the value in braces. A bibliography of a guest that
    cannot be read, and an entry whose key another bibliography has, are left out with a warning.

    >>> references()["jacot2024"]["year"]
    '2024'
    """
    entries, origin = dict(_own()), dict.fromkeys(_own(), "theory/references.bib")
    for subject in subjects(FLOOR):
        if (
            not subject.is_guest
            or (name := getattr(subject.announcement, "REFERENCES", None)) is None
        ):
            continue
        where = f"{name} of {subject.origin}"
        theirs: Mapping[str, Mapping[str, str]] = {}
        try:
            with subject.visit("bibliography"):
                theirs = _entries(
                    (files(subject.package) / name).read_text(encoding="utf-8"), where
                )
        except GuestError as error:
            leave_out(error)
        for key, entry in theirs.items():
            if key in entries:
                leave_out(GuestError(f"{where}: the reference {key!r} is in {origin[key]}, too"))
            else:
                entries[key], origin[key] = entry, where
    return MappingProxyType(entries)


def _entries(text: str, where: str) -> Mapping[str, Mapping[str, str]]:
    entries: dict[str, Mapping[str, str]] = {}
    for entry in _ENTRY.finditer(text):
        if entry["key"] in entries:
            raise ValueError(f"{where} has two entries with the key {entry['key']!r}")
        fields = {field["name"]: field["value"] for field in _FIELD.finditer(entry["body"])}
        entries[entry["key"]] = MappingProxyType({"kind": entry["kind"], **fields})
    return MappingProxyType(entries)


def reference(key: str) -> Mapping[str, str]:
    """Return one entry of the bibliographies as field -> value; those of plugins are read only where ours lacks it."""
    if key in _own():
        return _own()[key]
    if key not in references():
        raise ValueError(
            f"source {key!r} is not in references.bib, which has the keys {', '.join(references())}; a subject of your "
            "own has a bibliography of its own, and a new formula needs no source"
        )
    return references()[key]


@dataclass(frozen=True)
class Source:
    """A place in the literature.

    Args:
        key: key in ``references.bib`` or in the bibliography of a plugin.
        locator: place in the text, such as "eq. (10), Section 4.1".
        edition: edition that was read, such as "arXiv v4". Default: the field ``read`` of the reference.

    Raises:
        ValueError: if no bibliography has the key, or the locator is empty.

    >>> print(Source("zavatoneveth2023", "Eq. (7)"))
    Zavatone-Veth et al. (2023), Eq. (7), arXiv:2301.11375, the text with Appendices A to G
    """

    key: str
    locator: str
    edition: str = ""

    def __post_init__(self) -> None:
        reference(checks.text("key", self.key))  # raises an error for an unknown one
        checks.text(f"locator of source {self.key!r}", self.locator)
        checks.text(f"edition of source {self.key!r}", self.edition, or_empty=True)
        object.__setattr__(self, "edition", self.edition or references()[self.key].get("read", ""))

    @property
    def citation(self) -> str:
        """Authors and year, such as "van Rossem and Saxe (2024)"."""
        entry = reference(self.key)
        names = [author.split(",")[0].strip() for author in entry["author"].split(" and ")]
        authors = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        return f"{authors} ({entry['year']})"

    def __str__(self) -> str:
        return ", ".join(part for part in (self.citation, self.locator, self.edition) if part)
