"""The paper of Jacot and Kaiser (2024)."""

from __future__ import annotations

from theory.core import Paper

PAPER = Paper("jacot2024")
entry = PAPER.unlinked_entry
