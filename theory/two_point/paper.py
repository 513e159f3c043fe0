"""The paper behind the two-point theory."""

from __future__ import annotations

from theory.core import Source

# The text read carries no version number. It has 18 figures; the first version on arXiv announces 16.
EDITION = "arXiv:2402.09142, the text with 18 figures"


def paper(locator: str) -> Source:
    """A place in van Rossem & Saxe (2024), When Representations Align."""
    return Source("vanrossem2024", locator, EDITION)
