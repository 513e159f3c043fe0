"""Tests that the page of tasks counts its lines rightly, and that no task needs more than five."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "by-task.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \[([^]]+)\]\(#([\w-]+)\) \| (\d) \|", re.MULTILINE)
CELL = re.compile(r"^```\{code-cell\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
MOST = 5


def lines_of_the_last_cell(section: str) -> int:
    """Number of lines of code, with imports and without the tags of the cell."""
    lines = CELL.findall(section)[-1].splitlines()
    return sum(bool(line.strip()) and not line.startswith(":") for line in lines)


def test_every_task_takes_as_many_lines_as_the_table_says():
    sections = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
    anchors = {
        re.sub(r"[^\w -]", "", title).lower().replace(" ", "-"): text
        for title, text in sections.items()
    }
    said = {anchor: int(count) for _, anchor, count in ROW.findall(PAGE)}
    assert len(said) == 20
    assert {anchor: lines_of_the_last_cell(anchors[anchor]) for anchor in said} == said
    assert max(said.values()) <= MOST
