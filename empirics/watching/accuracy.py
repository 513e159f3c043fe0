"""The accuracy on the inputs, while a network trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from empirics.watching.quantity import Described, TraceVariable
from empirics.watching.subject import WatchedModel


class Accuracy:
    """The share of inputs whose largest output is that of their class, in evaluation mode."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; class indices and one output for each class are needed."""
        if subject.labels is None or subject.labels.is_floating_point():
            raise ValueError("labels: the accuracy needs class indices, one integer for each input")
        subject.targets(subject.outputs().flatten(1).shape[1])
        return Described(
            {"accuracy": TraceVariable("share of inputs that are classified correctly, in evaluation mode")}
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on all inputs."""
        assert subject.labels is not None
        return {"accuracy": float((subject.outputs().argmax(1) == subject.labels).double().mean())}
