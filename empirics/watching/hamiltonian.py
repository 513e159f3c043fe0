"""The Hamiltonian of a Leaky ResNet along its layers, while it trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from empirics.measure.leaky_resnet.network import leaky_resnet_state
from empirics.watching.quantity import Described, Measure, TraceVariable
from empirics.watching.subject import WatchedModel

VARIABLES = {
    "stable_hamiltonian": TraceVariable(
        "kinetic energy minus depth/2 times the cost of identity, with K + gamma", ("block",)
    ),
    "stable_kinetic_energy": TraceVariable("squared velocity of the representations over twice the depth", ("block",)),
    "stable_cost_of_identity": TraceVariable("cost of identity with K + gamma in place of K", ("node",)),
}


class Hamiltonian(Measure):
    """The stable Hamiltonian, kinetic energy and cost of identity; see :func:`empirics.measure.leaky_resnet_state`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; a module with the attributes of a Leaky ResNet is needed."""
        layers = getattr(subject.model, "layers", None)
        if not isinstance(layers, nn.ModuleList) or not hasattr(subject.model, "depth"):
            raise ValueError("model: is not a Leaky ResNet, since it has no attributes `layers` and `depth`")
        coordinates = {
            "block": (range(1, len(layers) + 1), "residual layer, counted from 1"),
            "node": (range(len(layers) + 1), "representation between the layers, counted from 0"),
        }
        return Described(VARIABLES, coordinates)

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on some of the inputs."""
        state = leaky_resnet_state(subject.model, subject.some())
        return {name: getattr(state, name) for name in VARIABLES}
