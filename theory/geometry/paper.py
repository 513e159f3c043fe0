"""The paper behind the geometry of feature maps."""

from __future__ import annotations

from theory.core import Source

EDITION = "arXiv:2301.11375, the text with Appendices A to G"


def paper(locator: str) -> Source:
    """A place in Zavatone-Veth et al. (2023), Neural networks learn to magnify areas near decision boundaries."""
    return Source("zavatoneveth2023", locator, EDITION)
