"""The measures of a watched run by name, and functions of the user's own as measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.measure.geometry.log_volume import log_volume_element
from empirics.measure.kernels.neural_tangent import neural_tangent_gram
from empirics.measure.leaky_resnet.network import leaky_resnet_state
from empirics.measure.models.layer_outputs import part_up_to
from empirics.watching.classes import Accuracy, Collapse, InputPair
from empirics.watching.quantity import Described, Measure, TraceVariable, point_coordinate
from empirics.watching.subject import WatchedModel

OF_LAYERS = {
    "stable_hamiltonian": TraceVariable(
        "kinetic energy minus depth/2 times the cost of identity, with K + gamma", ("block",)
    ),
    "stable_kinetic_energy": TraceVariable(
        "squared velocity of the representations over twice the depth", ("block",)
    ),
    "stable_cost_of_identity": TraceVariable(
        "cost of identity with K + gamma in place of K", ("node",)
    ),
}

VARIABLES = {
    "kernel_trace": TraceVariable(
        "mean of the tangent kernel's diagonal, the squared gradient norm, summed over outputs",
        units="output^2/parameter^2",
    ),
    "kernel_top_share": TraceVariable(
        "largest eigenvalue of the tangent kernel's Gram matrix over its trace"
    ),
    "kernel_change": TraceVariable(
        "1 - cosine of the Gram matrices of the tangent kernel, now and at the first measurement"
    ),
}
ALIGNMENT = TraceVariable(
    "cosine of the centred Gram matrices of the tangent kernel and of the labels"
)


class Kernel(Measure):
    """Size, spectrum, change and alignment of the tangent kernel; see :func:`empirics.measure.neural_tangent_gram`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; the alignment needs labels."""
        has_labels = subject.task.labels is not None
        return Described(VARIABLES | {"kernel_alignment": ALIGNMENT} if has_labels else VARIABLES)

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure at some points."""
        gram = neural_tangent_gram(
            self.prepared(subject.model), subject.some(), memory=subject.memory
        ).cpu()
        gram = (gram + gram.T) / 2
        first: Tensor = self.state.setdefault("first", gram.clone())
        trace = float(gram.trace())
        values = {
            "kernel_trace": trace / len(gram),
            "kernel_top_share": float(torch.linalg.eigvalsh(gram)[-1]) / trace,
            "kernel_change": float((gram / gram.norm() - first / first.norm()).square().sum()) / 2,
        }
        targets = subject.at(subject.positions()).targets()
        if targets is not None:
            about, products = _centred(gram), _centred(torch.from_numpy(targets @ targets.T))
            values["kernel_alignment"] = float(
                (about * products).sum() / (about.norm() * products.norm())
            )
        return values


def _centred(gram: Tensor) -> Tensor:
    """Return the Gram matrix of the same points about their mean."""
    return gram - gram.mean(0) - gram.mean(1, keepdim=True) + gram.mean()


class Volume(Measure):
    """Logarithm of the volume element of the last measured layer; see :func:`empirics.measure.log_volume_element`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable; inputs in floating point are needed."""
        if not subject.inputs.is_floating_point():
            raise ValueError(
                "inputs: the model takes indices, so that its outputs have no derivative in them"
            )
        described = (
            f"the output of {subject.layers[-1].name}" if subject.layers else "the model's output"
        )
        meaning = f"log sqrt(det g) of the metric that {described} induces on the inputs"
        return Described(
            {"log_volume": TraceVariable(meaning, ("point",))}, point_coordinate(subject)
        )

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure at some points."""
        features = (
            part_up_to(subject.model, subject.layers[-1].name) if subject.layers else subject.model
        )
        volume = log_volume_element(self.prepared(features), subject.some(), subject.memory)
        return {"log_volume": volume.cpu().numpy()}


class Hamiltonian(Measure):
    """The stable Hamiltonian, kinetic energy and cost of identity; see :func:`empirics.measure.leaky_resnet_state`."""

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; a module with the attributes of a Leaky ResNet is needed."""
        layers = getattr(subject.model, "layers", None)
        if not isinstance(layers, nn.ModuleList) or not hasattr(subject.model, "depth"):
            raise ValueError(
                "model: is not a Leaky ResNet, since it has no attributes `layers` and `depth`"
            )
        coordinates = {
            "block": (range(1, len(layers) + 1), "residual layer, counted from 1"),
            "node": (range(len(layers) + 1), "representation between the layers, counted from 0"),
        }
        return Described(OF_LAYERS, coordinates)

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure on some of the inputs."""
        state = leaky_resnet_state(subject.model, subject.some())
        return {name: getattr(state, name) for name in OF_LAYERS}


MEASURES: Final[Mapping[str, Callable[[], Measure]]] = {
    "accuracy": Accuracy,
    "collapse": Collapse,
    "volume": Volume,
    "kernel": Kernel,
    "two_point": InputPair,
    "hamiltonian": Hamiltonian,
}


class UserMeasure(Measure):
    """A function of the user's own, from the model in evaluation mode to a number."""

    def __init__(self, function: Callable[[torch.nn.Module], Any]) -> None:
        super().__init__()
        self.function = function

    @property
    def name(self) -> str:
        """Name of the variable: that of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable by the first line of the function's docstring."""
        meaning = (self.function.__doc__ or self.name).strip().partition("\n")[0]
        return Described({self.name: TraceVariable(meaning, units="")})

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Call the function."""
        value = self.function(subject.original)
        return {self.name: value.item() if isinstance(value, torch.Tensor) else float(value)}


def named(wanted: Any) -> dict[str, Measure]:
    """Return the chosen measures by name; all of :data:`MEASURES` for None."""
    if wanted is None:
        return {name: kind() for name, kind in MEASURES.items()}
    chosen: dict[str, Measure] = {}
    for entry in checks.sequence("measures", wanted, "names or functions of the model"):
        measure: Measure
        if callable(entry):
            measure = UserMeasure(entry)
            name = measure.name
        else:
            name = checks.one_of("measures", entry, MEASURES)
            measure = MEASURES[name]()
        checks.require(name not in chosen, "measures", f"{name!r} twice", "each measure once")
        chosen[name] = measure
    checks.require(bool(chosen), "measures", "none", "at least one")
    return chosen
