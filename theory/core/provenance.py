"""Where a formula comes from, and what stands behind it."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from theory.subjects import subjects

_ENTRY = re.compile(r"^@(?P<kind>\w+)\{(?P<key>[^,\s]+),(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s*(?P<name>\w+)\s*=\s*\{(?P<value>.*)\},?\s*$", re.MULTILINE)


class Status(enum.Enum):
    """What stands behind a closed form; stated by its author, never inferred."""

    DERIVED = "derived"
    """Every step from stated premises is checked by program, and the last one uses the expression itself."""
    TRANSCRIBED = "transcribed"
    """Copied from a source and compared with it, not derived here."""
    CONJECTURED = "conjectured"
    """Believed on evidence that is not a derivation."""


@cache
def _own() -> Mapping[str, Mapping[str, str]]:
    return _entries((files("theory") / "references.bib").read_text(encoding="utf-8"), "references.bib")


@cache
def references() -> Mapping[str, Mapping[str, str]]:
    """Entries of ``theory/references.bib`` and of the bibliographies that plugins bring: key -> field -> value.

    One field a line, values in braces: the small part of BibTeX that these files are written in.

    Raises:
        ValueError: if a key stands in two bibliographies, or twice in one.
    """
    found, origin = dict(_own()), dict.fromkeys(_own(), "theory/references.bib")
    for subject in subjects():
        name = getattr(subject.announcement, "REFERENCES", None)
        if name is None:
            continue
        where = f"{name} of {subject.origin}"
        for key, entry in _entries((files(subject.package) / name).read_text(encoding="utf-8"), where).items():
            if key in found:
                raise ValueError(f"the reference {key!r} stands in {origin[key]} and in {where}")
            found[key], origin[key] = entry, where
    return MappingProxyType(found)


def _entries(text: str, where: str) -> Mapping[str, Mapping[str, str]]:
    entries: dict[str, Mapping[str, str]] = {}
    for entry in _ENTRY.finditer(text):
        if entry["key"] in entries:
            raise ValueError(f"{where} holds {entry['key']!r} twice")
        fields = {field["name"]: field["value"] for field in _FIELD.finditer(entry["body"])}
        entries[entry["key"]] = MappingProxyType({"kind": entry["kind"], **fields})
    return MappingProxyType(entries)


def reference(key: str) -> Mapping[str, str]:
    """One entry of the bibliographies: field -> value. Plugins are looked through only for keys that are not ours.

    Raises:
        ValueError: if there is no such key.
    """
    if key in _own():
        return _own()[key]
    if key not in references():
        raise ValueError(f"source {key!r} is not in references.bib, which has {', '.join(references())}")
    return references()[key]


def require_reference(key: str) -> None:
    """Raises ValueError if ``key`` is in no bibliography."""
    reference(key)


@dataclass(frozen=True)
class Source:
    """A place in the literature.

    Args:
        key: entry of ``references.bib``, or of the bibliography of a plugin.
        locator: where in it: "eq. (10), Section 4.1".
        edition: which text was read: "arXiv v4". Default: the field ``read`` of the reference.
    """

    key: str
    locator: str
    edition: str = ""

    def __post_init__(self) -> None:
        require_reference(self.key)
        if not self.locator.strip():
            raise ValueError(f"source {self.key!r} needs a locator such as 'eq. (10)', got an empty one")
        object.__setattr__(self, "edition", self.edition or references()[self.key].get("read", ""))

    @property
    def citation(self) -> str:
        """Authors and year: "van Rossem and Saxe (2024)"."""
        entry = reference(self.key)
        names = [author.split(",")[0].strip() for author in entry["author"].split(" and ")]
        authors = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        return f"{authors} ({entry['year']})"

    def __str__(self) -> str:
        return ", ".join(part for part in (self.citation, self.locator, self.edition) if part)
