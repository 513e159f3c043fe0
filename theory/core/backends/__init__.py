"""From a sympy expression to a function of numbers, arrays or tensors.

One module a backend, each with one table ``FUNCTIONS``: name of the sympy function -> callable. What all of them share
is in ``compiler`` (outlining, common subexpressions, printing) and ``call`` (binding and checking arguments).
"""

from __future__ import annotations

import importlib
from typing import Any

BACKENDS = ("numpy", "torch", "mpmath")


def load(name: str) -> Any:
    """The module of one backend.

    Raises:
        ValueError: for an unknown name.
        ModuleNotFoundError: if torch is asked for and not installed.
    """
    if name not in BACKENDS:
        raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, got {name!r}")
    return importlib.import_module(f"theory.core.backends.{name}_backend")
