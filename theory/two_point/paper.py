"""The paper behind the two-point theory."""

from __future__ import annotations

from theory.core import Source


def paper(locator: str) -> Source:
    """A place in van Rossem & Saxe, When Representations Align (ICML 2024)."""
    return Source("vanrossem2024", locator, "ICML 2024")
