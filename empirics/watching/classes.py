"""What needs class indices: neural collapse of the layers, and the accuracy, while a network trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from empirics.measure.collapse.neural_collapse import neural_collapse
from empirics.measure.models.memory import bytes_of, require
from empirics.watching.quantity import Described, Measure, TraceVariable, layer_coordinate
from empirics.watching.subject import WatchedModel

VARIABLES = {
    "nc1": "tr(Sigma_W Sigma_B^+), within-class over between-class variance",
    "nc2_norm": "coefficient of variation of the lengths of the centred class means",
    "nc2_angle": "mean over pairs of classes of |cos + 1/(C-1)|",
    "nc3": "squared distance of the classifier's weights from the class means, both of norm one; last layer only",
    "nc4": "fraction of inputs whose predicted class is not that of the nearest class mean",
    "nearest_centre_error": "fraction of inputs that are nearer to the mean of another class",
}


class Collapse(Measure):
    """NC1 to NC4 of each layer, on all inputs or positions; see :func:`empirics.measure.neural_collapse`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; class indices are needed."""
        if subject.labels is None:
            raise ValueError("labels: neural collapse needs class indices")
        coordinate = layer_coordinate(subject)
        size = next(subject.model.parameters(), subject.inputs).element_size()
        widest = max(layer.features for layer in subject.layers)
        require(bytes_of(subject.memory), 2 * len(subject.inputs) * widest * size, "the features of the widest layer")
        return Described({name: TraceVariable(meaning, ("layer",)) for name, meaning in VARIABLES.items()}, coordinate)

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure all layers; NaN where the positions of a layer are not those of the labels."""
        decision = subject.decisions()[0] if subject.task.classes else None
        values = {name: np.full(len(subject.layers), np.nan) for name in VARIABLES}
        for place, (layer, features) in enumerate(subject.features(subject.memory)):
            if (points := subject.as_points(features, decision)) is None:
                continue
            head = subject.model.get_submodule(subject.head) if subject.head and layer == subject.layers[-1] else None
            weights = getattr(head, "weight", None)
            if weights is not None and weights.shape == (subject.classes, points.features.shape[1]):
                others = points.classes - len(points.occurring)
                weights = torch.nn.functional.pad(weights.detach()[points.occurring], (0, 0, 0, others))
            else:
                weights = None  # of one output for two classes
            found = neural_collapse(
                points.features, points.labels, classes=points.classes, weights=weights, predictions=points.decisions
            )
            for name, array in values.items():
                array[place] = getattr(found, name)
        return values


class Accuracy(Measure):
    """The share of inputs, or of their positions, that are classified correctly, in evaluation mode."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; labels that are the classes of the outputs are needed."""
        if not subject.task.classes:
            raise ValueError(f"labels: the accuracy needs the classes that the model decides on ({subject.task.how})")
        return Described(
            {"accuracy": TraceVariable("share of inputs that are classified correctly, in evaluation mode")}
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on all inputs."""
        assert subject.labels is not None
        return {"accuracy": float(subject.decisions()[0].eq(subject.labels).double().mean())}
