"""Activations whose Gaussian expectations have closed forms, one of each kind."""

from theory import activations

CLOSED = (
    activations.ERF,
    activations.GELU,
    activations.SIN,
    activations.COS,
    activations.EXP,
    activations.GAUSSIAN,
    activations.RELU,
    activations.LEAKY_RELU("1/4"),
    activations.relu_power(2),
    activations.relu_power(3),
    activations.monomial(3),
    activations.hermite(4),
)
