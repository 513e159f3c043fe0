"""What needs class indices: neural collapse of the layers, and the accuracy, while a network trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from empirics.measure.collapse.layerwise import layerwise_collapse
from empirics.measure.collapse.report import NeuralCollapse
from empirics.measure.models.layers import in_groups
from empirics.measure.models.memory import bytes_of
from empirics.watching.quantity import Described, Measure, TraceVariable, layer_coordinate
from empirics.watching.subject import WatchedModel

BATCH = 256
NUMBERS = 8  # for each class and feature, that the two passes hold in float64
VARIABLES = {
    "nc1": "tr(Sigma_W Sigma_B^+), within-class over between-class variance",
    "nc2_norm": "coefficient of variation of the lengths of the centred class means",
    "nc2_angle": "mean over pairs of classes of |cos + 1/(C-1)|",
    "nc3": "squared distance of the classifier's weights from the class means, both of norm one; last layer only",
    "nc4": "fraction of inputs whose predicted class is not that of the nearest class mean",
    "nearest_centre_error": "fraction of inputs that are nearer to the mean of another class",
}


class Collapse(Measure):
    """NC1 to NC4 of each layer, on all inputs; see :func:`empirics.measure.layerwise_collapse`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; class indices are needed."""
        _need_class_indices(subject, "neural collapse")
        quantities = {name: TraceVariable(meaning, ("layer",)) for name, meaning in VARIABLES.items()}
        return Described(quantities, layer_coordinate(subject))

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure all layers."""
        assert subject.labels is not None
        pairs = [
            (subject.inputs[i : i + BATCH], subject.labels[i : i + BATCH]) for i in range(0, len(subject.inputs), BATCH)
        ]
        classes = subject.outputs().shape[-1]
        found: dict[str, NeuralCollapse] = {}
        each = 8 * (BATCH + NUMBERS * classes)  # bytes for every feature
        for group in in_groups(subject.layers, bytes_of(subject.memory) / each):
            head = subject.head if group[-1] is subject.layers[-1] else ""
            names = [layer.name for layer in group]
            found |= layerwise_collapse(
                subject.model, names, pairs, classes, classifier=head or None, memory=subject.memory
            )
        return {name: np.array([getattr(one, name) for one in found.values()]) for name in VARIABLES}


class Accuracy(Measure):
    """The share of inputs whose largest output is that of their class, in evaluation mode."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; class indices and one output for each class are needed."""
        _need_class_indices(subject, "the accuracy")
        subject.targets(subject.outputs().flatten(1).shape[1])
        return Described(
            {"accuracy": TraceVariable("share of inputs that are classified correctly, in evaluation mode")}
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on all inputs."""
        assert subject.labels is not None
        return {"accuracy": float((subject.outputs().argmax(1) == subject.labels).double().mean())}


def _need_class_indices(subject: WatchedModel, measure: str) -> None:
    if subject.labels is None or subject.labels.is_floating_point():
        raise ValueError(f"labels: {measure} needs class indices, one integer for each input")
