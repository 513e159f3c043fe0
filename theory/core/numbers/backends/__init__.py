"""Compilation of sympy expressions into functions of numbers, arrays or tensors.

Each backend is one module with a function ``functions``, which maps the names of sympy functions to callables. The
common parts are in ``source`` (the printer of expressions as Python source) and ``call`` (binding and checking
arguments).
"""

import importlib
from typing import Any

from closedform.checks import one_of

BACKENDS = ("numpy", "numba", "torch", "jax", "mpmath")


def load(name: str) -> Any:
    """Import and return the module of a backend, "numpy", "torch", "jax", "mpmath"; ValueError for another name."""
    one_of("backend", name, BACKENDS)
    return importlib.import_module(f"theory.core.numbers.backends.{name}_backend")
