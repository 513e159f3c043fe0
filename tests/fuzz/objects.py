"""Objects of the public classes, made anew for every call, whose methods the fuzz calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch

from tests.fuzz import values

LEFT_OUT = {
    "check": "decides proofs",
    "forward": "torch's own",
    "write": "writes files",
    "plot": "takes axes of matplotlib",
    "built": "of the class itself, as are the next ones",
    **dict.fromkeys(
        ("check_integers", "check_numbers", "check_positions", "set_field"), "for subclasses"
    ),
}


def makers() -> Mapping[str, Callable[[], Any]]:
    """Functions that make one object each, by the name of its class."""
    import bridge
    import empirics
    import theory
    from closedform.measured import Measured
    from empirics.data import Dataset
    from empirics.experiments import EXPERIMENTS, STUDIES
    from empirics.measure import CollapseMeans
    from empirics.training import Optimisation, Partition
    from theory import activations, compression, geometry

    features, labels = values.normal(6, 3), np.array([0, 1, 0, 1, 0, 1])
    stripes = compression.Stripes((-0.3, 1.185))
    return {
        "ClosedForm": lambda: theory.catalogue()["two_point.final_distance"],
        "Activation": lambda: activations.ERF,
        "Stripes": lambda: stripes,
        "Shells": lambda: compression.Shells((1.0, 2.0)),
        "NeuronFlow": lambda: compression.neuron_flow(stripes, 3, points=50),
        "NngpMetric": lambda: geometry.nngp_metric(activations.ERF),
        "CollapseMeans": lambda: CollapseMeans(2).update(features, labels),
        "Optimisation": Optimisation,
        "Partition": lambda: Partition(torch.tensor(features), torch.tensor(labels)),
        "Dataset": lambda: Dataset(torch.tensor(features), torch.tensor(labels), 2, "six points"),
        "Study": lambda: STUDIES["two-point-adam"],
        "Config": lambda: EXPERIMENTS["two_point"].Config(),
        "Measured": lambda: Measured("q", "x", 1.0, 0.1, 5, 1.0),
        "Watch": lambda: empirics.watch(
            values.network(), values.normal(6, 2), torch.tensor([0, 1, 2, 0, 1, 2])
        ),
        "Comparison": lambda: bridge.compare([1.0, 2.0], [1.1, 2.1], error=0.1),
        "ScalingFit": lambda: bridge.scaling.fit([10, 20, 40, 80], values.normal(4, 3) ** 2 + 1),
        "Power": lambda: bridge.power(bridge.compare([1.0, 2.0], [1.1, 2.1], error=0.1)),
    }


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods with arguments of these objects, and the calls of those that can be called."""
    for kind, make in makers().items():
        found = type(make())
        for name in dir(found):
            function = inspect.getattr_static(found, name)
            is_method = inspect.isfunction(function) or isinstance(function, classmethod)
            if (name.startswith("_") and name != "__call__") or not is_method or name in LEFT_OUT:
                continue
            method = Method(f"{kind}.{name}", make, name)
            if inspect.signature(method).parameters:
                yield method.__name__, method


class Method:
    """A method of an object that is made for each call."""

    def __init__(self, name: str, make: Callable[[], Any], method: str) -> None:
        bound = getattr(make(), method)
        self.__name__, self.make, self.method = name, make, method
        self.__doc__, self.__signature__ = inspect.getdoc(bound), inspect.signature(bound)

    def __call__(self, **arguments: Any) -> Any:
        """Call the method of a new object."""
        return getattr(self.make(), self.method)(**arguments)
