"""What should be: closed forms, their derivations, and what the literature printed.

Importing this package costs milliseconds: sympy and numpy are imported when a closed form is first built, and torch
only when a torch function is asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

# Imported here, and not on demand, because importing the submodule later would rebind the name `theory.catalogue`
# from the function to the module.
from theory.catalogue import catalogue, equations, errata

SUBJECTS = ("two_point", "geometry", "compression", "leaky_resnet", "collapse")
_LAZY = ("core", "papers", "gaussian", "activations", *SUBJECTS)

__all__ = ["catalogue", "equations", "errata"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        try:
            return importlib.import_module(f"theory.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"theory.{name}":
                raise
    raise AttributeError(f"module 'theory' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
