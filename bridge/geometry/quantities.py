"""The quantities that the studies of this subject measure."""

from __future__ import annotations

EXTRA: tuple[str, ...] = ()
"""Quantities that are shown and recorded, and that no figure and no entry of the ledger names."""
