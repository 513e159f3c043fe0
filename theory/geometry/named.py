"""Closed forms of single activations, as the catalogue finds them: ``volume_element.erf`` is an attribute here.

Any other activation is one call away: ``geometry.volume_element(act)``.
"""

from __future__ import annotations

from theory import activations, geometry
from theory.core import ClosedForm

ACTIVATIONS: dict[str, activations.Activation] = {
    act.name: act
    for act in (
        activations.ERF,
        activations.GELU,
        activations.SIN,
        activations.COS,
        activations.EXP,
        activations.GAUSSIAN,
        activations.RELU,
        activations.relu_power(2),
        activations.monomial(2),
        activations.hermite(3),
        activations.TANH,
    )
}


def __getattr__(name: str) -> ClosedForm:
    quantity, _, act = name.partition(".")
    if act not in ACTIVATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(geometry, quantity)(ACTIVATIONS[act])
