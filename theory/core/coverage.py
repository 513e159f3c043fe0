"""What a ledger covers: every passage of the text that was read, and the entries that it has."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Passage:
    """A stretch of a paper, from its first words to those of the next passage.

    Args:
        begins: its first words, as printed.
        entries: labels of the ledger's entries for what it says.
        reason: why it has none: "outline", "related work".
    """

    begins: str
    entries: tuple[str, ...] = ()
    reason: str = ""


def passages(package: str, name: str = "coverage.tsv") -> tuple[Passage, ...]:
    """The passages of a paper in their order, from the file beside its ledger.

    A line is ``label | label`` or ``- reason``, a tab, the first words; lines that start with # are comments.

    Args:
        package: of the ledger, "theory.papers.paccolat2021".
        name: of the file.

    Raises:
        ValueError: for a line that is not of this form.
    """
    found = []
    for number, line in enumerate((files(package) / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        what, tab, begins = line.partition("\t")
        if not tab or not begins.strip() or not what.removeprefix("-").strip():
            raise ValueError(
                f"{name}, line {number}: got {line!r}, needs entries or '- reason', a tab, the first words"
            )
        if what.startswith("-"):
            found.append(Passage(begins, reason=what.removeprefix("-").strip()))
        else:
            found.append(Passage(begins, tuple(label.strip() for label in what.split("|"))))
    return tuple(found)
