"""What needs class indices: neural collapse of the layers, and the accuracy, while a network trains."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from empirics.measure.collapse.neural_collapse import neural_collapse
from empirics.measure.models.memory import bytes_of, require
from empirics.measure.two_point import two_point_states
from empirics.watching.quantity import Described, Measure, TraceVariable, layer_coordinate
from empirics.watching.subject import WatchedModel

OF_PAIR = {
    "dh2": TraceVariable(
        "squared distance of the two representations", ("layer",), "representation^2"
    ),
    "dy2": TraceVariable("squared distance of the two outputs", units="output^2"),
    "w": TraceVariable("dy2 - dy . (y2 - y1)", units="output^2"),
}
OF_TWO = {
    "loss": TraceVariable("half the mean squared error", units="output^2"),
    "output_mean": TraceVariable("mean of the two outputs", ("output",), "output"),
}

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
        require(
            bytes_of(subject.memory),
            2 * len(subject.inputs) * widest * size,
            "the features of the widest layer",
        )
        return Described(
            {name: TraceVariable(meaning, ("layer",)) for name, meaning in VARIABLES.items()},
            coordinate,
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure all layers; NaN where the positions of a layer are not those of the labels."""
        decision = subject.decisions().classes if subject.task.classes else None
        values = {name: np.full(len(subject.layers), np.nan) for name in VARIABLES}
        for row, (layer, features) in enumerate(subject.features(subject.memory)):
            points = subject.as_points(features, decision)
            if points is None:
                continue
            head = (
                subject.model.get_submodule(subject.head)
                if subject.head and layer == subject.layers[-1]
                else None
            )
            weights = getattr(head, "weight", None)
            if weights is not None and weights.shape == (
                subject.classes,
                points.features.shape[1],
            ):
                others = points.classes - len(points.occurring)
                weights = torch.nn.functional.pad(
                    weights.detach()[points.occurring], (0, 0, 0, others)
                )
            else:
                weights = None  # of one output for two classes
            measured = neural_collapse(
                points.features,
                points.labels,
                classes=points.classes,
                weights=weights,
                predictions=points.decisions,
            )
            for name, array in values.items():
                array[row] = getattr(measured, name)
        return values


class Accuracy(Measure):
    """The share of inputs, or of their positions, that are classified correctly, in evaluation mode."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; labels that are the classes of the outputs are needed."""
        if not subject.task.classes:
            raise ValueError(
                f"labels: the accuracy needs the classes that the model decides on ({subject.task.how})"
            )
        return Described(
            {
                "accuracy": TraceVariable(
                    "share of inputs that are classified correctly, in evaluation mode"
                )
            }
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on all inputs."""
        return {"accuracy": subject.decisions().accuracy}


class InputPair(Measure):
    """``dh2``, ``dy2`` and ``w`` of a pair of inputs; with loss and mean output where the pair is all the data."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; two inputs with different labels are needed."""
        if subject.pair is None:
            raise ValueError("pair: there are no two inputs with different labels; give labels")
        layers = layer_coordinate(subject)
        (first, second), x = subject.pair, subject.inputs
        targets = [subject.target_of(point) for point in subject.pair]
        attributes: dict[str, str | float] = {
            "pair": json.dumps(subject.pair),
            "dx2": float((x[second].double() - x[first].double()).square().sum()),
            "target2": float((targets[1] - targets[0]).square().sum()),
        }
        if len(x) > 2:
            return Described(OF_PAIR, layers, attributes)
        attributes["target_mean"] = json.dumps(((targets[0] + targets[1]) / 2).tolist())
        coordinates = {**layers, "output": (range(len(targets[0])), "component of the output")}
        return Described(OF_PAIR | OF_TWO, coordinates, attributes)

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure the pair in every layer."""
        assert subject.pair is not None
        targets = [subject.target_of(point) for point in subject.pair]
        (first, second), x = subject.pair, subject.inputs
        names = [layer.name for layer in subject.layers]
        points = x[first], x[second], *targets
        states = list(two_point_states(subject.model, names, *points).values())
        values: dict[str, Any] = {
            "dh2": np.array([state.dh2 for state in states]), "dy2": states[0].dy2, "w": states[0].w,
        }  # fmt: skip
        if len(x) == 2:
            outputs = subject.outputs()[[first, second]].reshape(2, -1).double()
            values["loss"] = float((outputs - torch.stack(targets)).square().sum(1).mean() / 2)
            values["output_mean"] = outputs.mean(0).cpu().numpy()
        return values
