"""The activation as a parameter of families of closed forms. Importing this module imports no computer algebra."""

from __future__ import annotations

from typing import Any

from theory.core.formula.family import Parameter


def _read(name: str, value: Any) -> Any:
    from theory.activations.naming import activation

    return activation(name, value)


ACTIVATION = Parameter(
    "activation",
    "an activation of theory.activations, its name (erf, swish, relu_power_3, leaky_relu) or an expression in z",
    _read,
)
