"""The thesis behind the collapse theory."""

from __future__ import annotations

from theory.core import Source

EDITION = "Chalmers University of Technology, Gothenburg 2025"


def paper(locator: str) -> Source:
    """A place in Cheong (2025), Explaining Deep Neural Networks using Information Theory and Geometry."""
    return Source("cheong2025", locator, EDITION)
