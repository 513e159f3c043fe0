"""Marks of the cases of a table."""

from __future__ import annotations

from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Return cases of ``pytest.mark.parametrize``, a tuple for several arguments, of which each is a slow test."""
    rows = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*row, marks=pytest.mark.slow) for row in rows]
