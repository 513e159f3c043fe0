"""Numbers from a formula as it is printed: sums are summed, integrals integrated, undefined functions called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef


def evaluate(expression: Any, values: Mapping[str, Any]) -> Any:
    """The value of a printed expression.

    Args:
        expression: sympy expression, matrix or condition; Sum, Integral and undefined functions may stand in it.
        values: of its symbols, a tuple for several at once, and functions for its undefined functions, by their names.

    Returns:
        A float, a bool for a condition, or an array ``[row, column]`` for a matrix.

    Raises:
        ValueError: if a symbol or a function has no value.
    """
    expression = sp.sympify(expression)
    symbols = tuple(sorted(expression.free_symbols, key=str))
    functions = {node.func.__name__ for node in expression.atoms(AppliedUndef)}
    missing = [name for name in (*map(str, symbols), *sorted(functions)) if name not in values]
    if missing:
        raise ValueError(f"values: got {', '.join(values)}, needs {', '.join(missing)} as well")
    program = _compiled(expression, symbols, tuple((name, values[name]) for name in sorted(functions)))
    return program(*(_plain(values[str(symbol)]) for symbol in symbols))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return np.array(value, dtype=float)
    return float(value) if isinstance(value, sp.Expr) else value


@lru_cache(maxsize=256)
def _compiled(expression: Any, symbols: tuple[Any, ...], functions: tuple[tuple[str, Any], ...]) -> Any:
    # Names of printed letters need not be names of Python; dummify=True would make scalars of matrices.
    plain = {symbol: _renamed(symbol, f"v{index}") for index, symbol in enumerate(symbols)}
    return sp.lambdify(tuple(plain.values()), expression.xreplace(plain), modules=[dict(functions), "scipy"])


def _renamed(symbol: Any, name: str) -> Any:
    if isinstance(symbol, sp.MatrixSymbol):
        return sp.MatrixSymbol(name, *symbol.shape)
    return sp.Symbol(name, **symbol.assumptions0)
