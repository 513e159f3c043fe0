"""The two-point state of a pair of inputs, while a network trains."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from empirics.measure.two_point import two_point_states
from empirics.watching.quantity import Described, Measure, TraceVariable, layer_coordinate
from empirics.watching.subject import WatchedModel

VARIABLES = {
    "dh2": TraceVariable("squared distance of the two representations", ("layer",), "representation^2"),
    "dy2": TraceVariable("squared distance of the two outputs", units="output^2"),
    "w": TraceVariable("dy2 - dy . (y2 - y1)", units="output^2"),
}
OF_TWO = {
    "loss": TraceVariable("half the mean squared error", units="output^2"),
    "output_mean": TraceVariable("mean of the two outputs", ("output",), "output"),
}


class InputPair(Measure):
    """``dh2``, ``dy2`` and ``w`` of one pair of inputs; see :func:`empirics.measure.two_point_state`.

    Where the pair is all the data, the loss and the mean output are added, which the theory also predicts.
    """

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
            return Described(VARIABLES, layers, attributes)
        attributes["target_mean"] = json.dumps(((targets[0] + targets[1]) / 2).tolist())
        coordinates = {**layers, "output": (range(len(targets[0])), "component of the output")}
        return Described(VARIABLES | OF_TWO, coordinates, attributes)

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
