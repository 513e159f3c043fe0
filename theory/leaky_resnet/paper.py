"""The paper behind the theory of Leaky ResNets."""

from __future__ import annotations

from theory.core import Source

EDITION = "the version submitted to NeurIPS 2024, line numbers 1 to 520"


def paper(locator: str) -> Source:
    """A place in Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets (2024)."""
    return Source("leakyresnets2024", locator, EDITION)
