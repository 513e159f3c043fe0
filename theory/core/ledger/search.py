"""Where in a paper the condition of a conditional entry was looked for, as data for a reader of the paper."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from theory.core.ledger.source import Line


@dataclass(frozen=True)
class Search:
    """The places in a paper where a condition was looked for and not found.

    Args:
        sections: sections that were read, such as ("2.1", "B").
        quotations: the sentences that come closest to the condition, verbatim, with "..." for what is left out.
    """

    sections: tuple[str, ...] = ()
    quotations: tuple[str, ...] = ()

    def __str__(self) -> str:
        nearest = " ".join(f'"{quotation}"' for quotation in self.quotations)
        places = f"Section{'s' if len(self.sections) > 1 else ''} {', '.join(self.sections)}" if self.sections else ""
        return "; ".join(filter(None, (places, nearest)))


def read_search(lines: Iterable[Line], known: Collection[str]) -> Search | None:
    """Return what lines of a field ``looked_for`` say, each sections, a quotation or both; None for no lines.

    Raises:
        SourceError: for a section that is none of those ``known``, and contains none of them.
    """
    sections: list[str] = []
    quotations: list[str] = []
    for line in lines:
        places, _, quotation = line.text.partition('"')
        quotations += [quotation.removesuffix('"')] if quotation else []
        for section in filter(None, places.strip("; ").split(", ")):
            if not any(one == section or one.startswith(f"{section}.") for one in known):
                raise line.error(f"the section {section!r}", "sections of the ledger, and a quotation after '; '")
            sections.append(section)
    return Search(tuple(sections), tuple(quotations)) if sections or quotations else None
