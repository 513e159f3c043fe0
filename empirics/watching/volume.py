"""The volume element at some of the inputs, while a network trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from empirics.measure.geometry.log_volume import log_volume_element
from empirics.measure.models.layer_outputs import part_up_to
from empirics.watching.quantity import Described, TraceVariable, point_coordinate
from empirics.watching.subject import WatchedModel


class Volume:
    """Logarithm of the volume element of the last measured layer; see :func:`empirics.measure.log_volume_element`."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; inputs in floating point are needed."""
        if not subject.inputs.is_floating_point():
            raise ValueError("inputs: the model takes indices, so that its outputs have no derivative in them")
        place = f"the output of {subject.layers[-1].name}" if subject.layers else "the model's output"
        meaning = f"log sqrt(det g) of the metric that {place} induces on the inputs"
        return Described({"log_volume": TraceVariable(meaning, ("point",))}, point_coordinate(subject))

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure at some points."""
        features = part_up_to(subject.model, subject.layers[-1].name) if subject.layers else subject.model
        return {"log_volume": log_volume_element(features, subject.some(), subject.memory).cpu().numpy()}
