"""The page of first calls names every network and every log of the two galleries."""

from __future__ import annotations

from pathlib import Path

from tests.bridge.dossier.foreign_models import MODELS
from tests.bridge.tables import test_gallery_of_logs as logs

PAGE = Path(__file__).parents[2] / "docs" / "first-calls.md"


def first_cells(heading: str) -> list[str]:
    """Return the first cells of the rows of the table under a heading."""
    part = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [
        line.strip("| ").split(" | ")[0] for line in part.splitlines() if line.startswith("| ")
    ]
    return rows[1:]


def test_the_page_has_the_networks_of_the_gallery():
    assert first_cells("Networks") == list(MODELS)


def test_the_page_has_the_layouts_of_the_gallery():
    in_memory = [f"{name} (in memory)" for name in logs.IN_MEMORY]
    assert first_cells("Logs") == [*in_memory, *logs.READ, *logs.REFUSED]
