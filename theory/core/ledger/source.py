"""The text of a ledger, in the order of its paper: letters, passages, and the entries under each passage.

The format is that of ``docs/ledger-guide.md``. This module splits the text into blocks and knows the line of each; it
knows no formula. Reading a text executes and imports nothing; programs run the lines of its algorithms.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files

from closedform.suggestions import unknown

FILE = "ledger.txt"
FIELDS = (
    "as", "section", "printed", "corrected", "condition", "looked_for", "inferred", "evidence",
    "consequence", "effect", "finding", "assumed", "heirs", "harmless", "closed_form",
)  # fmt: skip
SHARED = ("printed", "condition", "looked_for", "assumed", "evidence", "consequence", "effect")
"""Fields that an entry with the field ``as LABEL`` has from another one, unless it gives them itself."""
_ENTRY = re.compile(r"\[(?P<label>[^\[\]]+)\] (?P<verdict>[A-Z]+)(?: (?P<statement>.*))?")
_PASSAGE = re.compile(
    r"(?:(?P<section>\S+) )?> (?P<begins>.*?)(?:  (?P<mark>//|=>) (?P<rest>.+))?"
)
_PART = re.compile(r"lines (?P<first>\d+) to (?P<last>\d+) of (?P<label>.+)")
_CHANGED_LINE = re.compile(r"line (?P<number>\d+) \| ?(?P<text>.*)")
_FIELD = re.compile(r"  (?P<name>[a-z_]+)(?: (?P<text>.*))?")


class SourceError(ValueError):
    """A fault in the text of a ledger; the message begins with the file and the line."""


@dataclass(frozen=True)
class Line:
    """Text with its place, such as "paccolat2021/ledger.txt, line 12"."""

    text: str
    place: str

    def error(self, got: str, needs: str) -> SourceError:
        """Return the error that says what was found at this place, and what is needed there."""
        return SourceError(f"{self.place}: got {got}, needs {needs}")


@dataclass(frozen=True)
class Block:
    """One entry as text; ``letters`` is the number of lines of letters that stand before it."""

    label: str
    verdict: str
    statement: str
    section: str
    place: str
    fields: Mapping[str, tuple[Line, ...]]
    letters: int = 0


@dataclass(frozen=True)
class Passage:
    """A part of a paper, from its first words on: the labels of its entries, or the reason why it has none."""

    begins: str
    entries: tuple[str, ...] = ()
    reason: str = ""


@dataclass
class LedgerText:
    """The blocks of a ledger: lines of letters, passages and entries, each in order."""

    letters: list[Line] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def algorithm(blocks: Mapping[str, Block], label: str, name: str) -> dict[int, str] | None:
    """Return the lines of the algorithm in a field of an entry by number; None for another kind of statement.

    ``line 8 | text`` replaces a printed line, and ``lines 7 to 8 of LABEL`` are lines of the same field of another
    entry.
    """
    lines = blocks[label].fields[name]
    if all(line.text.startswith("|") for line in lines):
        return {
            number: line.text.removeprefix("|").removeprefix(" ")
            for number, line in enumerate(lines, 1)
        }
    part = _PART.fullmatch(lines[0].text)
    if part:
        whole = algorithm(blocks, part["label"], name) if part["label"] in blocks else None
        if whole is None:
            raise lines[0].error(repr(lines[0].text), "the label of an algorithm")
        numbers = range(int(part["first"]), int(part["last"]) + 1)
        taken = textwrap.dedent("\n".join(whole[number] for number in numbers)).splitlines()
        return dict(zip(numbers, taken, strict=True))
    changes = [_CHANGED_LINE.fullmatch(line.text) for line in lines]
    if not all(changes):
        return None
    changed = algorithm(blocks, label, "printed") or {}
    return changed | {int(change["number"]): change["text"] for change in filter(None, changes)}


def harmless_changes(line: Line) -> dict[str, str]:
    """Return the changes of a line such as ``printed: sign of x ; x twice -- reason``, each with the reason."""
    changes, arrow, reason = line.text.partition(" -- ")
    if not arrow:
        raise line.error(
            repr(line.text), "a planted error, ' -- ', and the reason why it changes nothing"
        )
    name, _, changes = changes.partition(": ")
    return {f"{name}: {change}": reason for change in changes.split(" ; ")}


def read(package: str, name: str = FILE) -> LedgerText:
    """Return the blocks of the ledger of a package, such as "papers.paccolat2021.ledger"; SourceError for a fault."""
    text = (files(package) / name).read_text(encoding="utf-8")
    return _Reader("/".join([*package.split(".")[-2:], name])).read(text)


def _with_shared_fields(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the entries; one with the field ``as LABEL`` gets the fields of that entry, which stands before it."""
    known: dict[str, Mapping[str, tuple[Line, ...]]] = {}
    for block in blocks:
        fields = block.fields
        for line in fields.get("as", ()):
            if line.text not in known:
                raise line.error(
                    repr(line.text), "the label of an entry that stands before this one"
                )
            fields = {
                name: lines for name, lines in known[line.text].items() if name in SHARED
            } | {**fields}
        known[block.label] = fields
        yield replace(block, fields=fields)


@dataclass(frozen=True)
class Search:
    """Sections in which a condition was looked for in vain, and sentences that come closest to it, verbatim."""

    sections: tuple[str, ...] = ()
    quotations: tuple[str, ...] = ()

    def __str__(self) -> str:
        nearest = " ".join(f'"{quotation}"' for quotation in self.quotations)
        places = (
            f"Section{'s' if len(self.sections) > 1 else ''} {', '.join(self.sections)}"
            if self.sections
            else ""
        )
        return "; ".join(filter(None, (places, nearest)))


def read_search(lines: Iterable[Line], known: Collection[str]) -> Search | None:
    """Return what lines of a field ``looked_for`` say: sections, a quotation or both; None for no lines."""
    sections: list[str] = []
    quotations: list[str] = []
    for line in lines:
        places, _, quotation = line.text.partition('"')
        quotations += [quotation.removesuffix('"')] if quotation else []
        for section in filter(None, places.strip("; ").split(", ")):
            if not any(key == section or key.startswith(f"{section}.") for key in known):
                raise line.error(
                    f"the section {section!r}",
                    "sections of the ledger, and a quotation after '; '",
                )
            sections.append(section)
    return Search(tuple(sections), tuple(quotations)) if sections or quotations else None


class _Reader:
    """One pass over the text. A line that is indented by four spaces or more continues the line before it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._source = LedgerText()
        self._section = ""
        self._labels: set[str] = set()

    def read(self, text: str) -> LedgerText:
        fields: dict[str, tuple[Line, ...]] | None = None
        for line in self._joined(text):
            if line.text.startswith("letters "):
                self._source.letters.append(Line(line.text.removeprefix("letters "), line.place))
            elif found := _PASSAGE.fullmatch(line.text):
                self._passage(found, line)
                fields = None
            elif found := _ENTRY.fullmatch(line.text):
                fields = self._entry(found, line)
            elif (found := _FIELD.fullmatch(line.text)) and fields is not None:
                if found["name"] not in FIELDS:
                    raise SourceError(f"{line.place}: {unknown('field', found['name'], FIELDS)}")
                fields[found["name"]] = (
                    *fields.get(found["name"], ()),
                    Line(found["text"] or "", line.place),
                )
            else:
                raise line.error(
                    repr(line.text),
                    "section > passage, > passage, [label] VERDICT statement, or a field",
                )
        self._source.blocks = list(_with_shared_fields(self._source.blocks))
        return self._source

    def _joined(self, text: str) -> Iterator[Line]:
        """Yield the lines without comments and empty ones, each with its continuations."""
        kept: list[str] = []
        place = ""
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("    ") and kept:
                kept.append(line.strip())
            elif line.strip() and not line.startswith("#"):
                if kept:
                    yield Line(" ".join(kept), place)
                kept, place = [line.rstrip()], f"{self._name}, line {number}"
        if kept:
            yield Line(" ".join(kept), place)

    def _passage(self, found: re.Match[str], line: Line) -> None:
        self._section = found["section"] or self._section
        if not self._section:
            raise line.error(
                "a passage without a section",
                "its section before the first passage, '1.2 > words'",
            )
        reason = found["rest"] if found["mark"] == "//" else ""
        elsewhere = found["rest"].split(" | ") if found["mark"] == "=>" else []
        self._source.passages.append(Passage(found["begins"], tuple(elsewhere), reason))

    def _entry(self, found: re.Match[str], line: Line) -> dict[str, tuple[Line, ...]]:
        label, passages = found["label"], self._source.passages
        if label in self._labels:
            raise line.error(f"the label [{label}] twice", "one entry for each label")
        if not passages:
            raise line.error("an entry without a passage", "a line '1.2 > words' before it")
        self._labels.add(label)
        passages[-1] = Passage(passages[-1].begins, (*passages[-1].entries, label), "")
        fields: dict[str, tuple[Line, ...]] = {}
        known = len(self._source.letters)
        block = Block(
            label,
            found["verdict"],
            found["statement"] or "",
            self._section,
            line.place,
            fields,
            known,
        )
        self._source.blocks.append(block)
        return fields
