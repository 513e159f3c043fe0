"""The coverage of a ledger: every passage of the paper, and the entries of the ledger about it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

NAME = "coverage.tsv"


@dataclass(frozen=True)
class Passage:
    """A part of a paper, from its first words to the first words of the next passage.

    Args:
        begins: first words of the passage, as printed.
        entries: labels of the ledger's entries about the passage. Default: none.
        reason: reason why the passage has no entries, such as "outline" or "related work". Default: empty.
    """

    begins: str
    entries: tuple[str, ...] = ()
    reason: str = ""


def passages(package: str) -> tuple[Passage, ...]:
    """Return the passages of a paper in their order, read from ``coverage.tsv`` beside its ledger.

    Each line of the file consists of ``label | label`` or ``- reason``, a tab, and the first words of the passage.
    Lines that start with # are comments.

    Args:
        package: package of the ledger, such as "theory.papers.paccolat2021".

    Raises:
        ValueError: for a line that does not have this form.
    """
    result = []
    for number, line in enumerate((files(package) / NAME).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        labels, tab, begins = line.partition("\t")
        if not tab or not begins.strip() or not labels.removeprefix("-").strip():
            raise ValueError(
                f"{NAME}, line {number}: got {line!r}, needs labels or '- reason', a tab and the first words"
            )
        if labels.startswith("-"):
            result.append(Passage(begins, reason=labels.removeprefix("-").strip()))
        else:
            result.append(Passage(begins, tuple(label.strip() for label in labels.split("|"))))
    return tuple(result)
