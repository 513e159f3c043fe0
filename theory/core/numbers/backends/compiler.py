"""The compiler of expressions for all backends."""

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from theory.core.numbers.backends.source import Source


def compile_expression(
    expression: sp.Basic, symbols: Sequence[sp.Symbol], backend: Any, **options: Any
) -> Callable[..., Any]:
    """Return a function of ``symbols``, by position, that evaluates ``expression``.

    Args:
        expression: a scalar, a relation or a ``Tuple`` of several.
        symbols: its free symbols.
        backend: module of a backend, see :class:`Source`.
        options: options of the backend, such as ``dtype``.

    Raises:
        ValueError: for an undefined function.
        NotImplementedError: for a function that the backend lacks.

    >>> from theory.core.numbers.backends import load
    >>> float(compile_expression(sp.Symbol("x") ** 2, [sp.Symbol("x")], load("numpy"))(3.0))
    9.0
    """
    return Source(backend, options).compiled(expression, symbols)
