"""The paper behind the theory of compression."""

from __future__ import annotations

from theory.core import Source

EDITION = "text dated 21 October 2021"


def paper(locator: str) -> Source:
    """A place in Paccolat, Petrini, Geiger, Tyloo & Wyart (2021), Compressing invariant manifolds in neural nets."""
    return Source("paccolat2021", locator, EDITION)
