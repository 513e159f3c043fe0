"""Functions of pairs of numbers from expressions, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import Source


def in_pairs(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., tuple[Any, Any]]:
    """Return the function of single numbers or arrays that computes an expression in pairs."""
    source = Source(numpy_backend, {})
    name = source.function(expression, symbols, in_pairs=True)
    function: Callable[..., tuple[Any, Any]] = source.functions()[name]
    return function
