"""The page with the tables of this folder, docs/calibration.md, of which each program writes its own table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"


def write_table(head: str, rows: Iterable[str], page: Path = PAGE) -> None:
    """Write a table in place of the one on the page that has the same head.

    Args:
        head: both lines above the rows of the table, each with its line break.
        rows: lines of the table without line breaks; each is printed once it is known.
        page: file of the page. Default: docs/calibration.md.

    Raises:
        ValueError: if the page has no such table, before any row is computed.
    """
    if head not in page.read_text(encoding="utf-8"):
        raise ValueError(f"head: got {head!r}, needs the head of a table of {page.name}")
    lines = []
    for line in rows:
        lines.append(line)
        print(line, flush=True)
    before, _, rest = page.read_text(encoding="utf-8").partition(head)
    after = rest[rest.index("\n\n") :]
    page.write_text(before + head + "\n".join(lines) + after, encoding="utf-8")
