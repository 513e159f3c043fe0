"""What should be, held against what is: fits of the theory to measurements, scaling exponents, comparisons, reports.

    fit = bridge.two_point.fit(trace)            # effective learning rates of two points, with errors and warnings
    bridge.scaling.fit(x, y)                     # an exponent with an interval that covers
    bridge.compare(prediction, measurement)      # agrees, disagrees, or too blunt to say
    bridge.dossier(model, inputs, labels)        # everything we can say about a network of your own

Nothing heavy is imported until it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FUNCTIONS = {"compare": "bridge.comparison", "Comparison": "bridge.comparison", "dossier": "bridge.portrait.compose"}
_MODULES = ("two_point", "leaky_resnet", "collapse", "compression", "geometry", "scaling", "report")

__all__ = [
    "two_point", "leaky_resnet", "collapse", "compression", "geometry", "scaling", "compare", "Comparison", "dossier",
    "report",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS:
        value = getattr(import_module(_FUNCTIONS[name]), name)
    elif name in _MODULES:
        value = import_module(f"bridge.{name}")
    else:
        raise AttributeError(f"module 'bridge' has no attribute {name!r}; it has {', '.join(__all__)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
