"""Activation functions as expressions in one symbol: what every subject builds its expectations from."""

from __future__ import annotations

from theory.activations.activation import Activation, z
from theory.activations.families import (
    COS,
    ERF,
    EXP,
    GAUSSIAN,
    GELU,
    LEAKY_RELU,
    RELU,
    SIGMOID,
    SIN,
    SOFTPLUS,
    SWISH,
    TANH,
    from_expression,
    hermite,
    monomial,
    polynomial,
    relu_power,
)

__all__ = [
    "COS",
    "ERF",
    "EXP",
    "GAUSSIAN",
    "GELU",
    "LEAKY_RELU",
    "RELU",
    "SIGMOID",
    "SIN",
    "SOFTPLUS",
    "SWISH",
    "TANH",
    "Activation",
    "from_expression",
    "hermite",
    "monomial",
    "polynomial",
    "relu_power",
    "z",
]
