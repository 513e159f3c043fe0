"""What is measured while a network trains: the interface, the values, and the labelled trace that they make."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import nn

from empirics.measure.models.prepared_model import PreparedModel
from empirics.watching.subject import WatchedModel

MOST_KEPT = 2**22  # numbers, 32 MiB in float64


@dataclass(frozen=True)
class TraceVariable:
    """One variable of the trace."""

    meaning: str  # the attribute ``long_name``
    dims: tuple[str, ...] = ()  # other than ``step``
    units: str = "dimensionless"  # the attribute ``units``


@dataclass(frozen=True)
class Described:
    """The variables of a measure, its coordinates other than ``step``, and the attributes that it adds to the trace."""

    quantities: Mapping[str, TraceVariable]
    coordinates: Mapping[str, tuple[Sequence[Any], str]] = field(default_factory=dict)
    attributes: Mapping[str, str | float] = field(default_factory=dict)


class Measure(ABC):
    """A measurement of a model on a :class:`WatchedModel`; ``state`` is what later ones and checkpoints need."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self._prepared = PreparedModel(None)

    def prepared(self, model: nn.Module) -> Any:
        """Return a model with what is known from its last measurement, unless a copy in float64 takes much memory."""
        self._prepared.model = model
        return self._prepared if sum(p.numel() for p in model.parameters()) <= MOST_KEPT else model

    @abstractmethod
    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables; ValueError says why the measure does not apply to this model and these data."""

    @abstractmethod
    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure; return the value of each variable, a number or an array with the dimensions described."""


def layer_coordinate(subject: WatchedModel) -> dict[str, tuple[Sequence[Any], str]]:
    """Return the coordinate ``layer``; ValueError if the model has no layer that can be measured."""
    if not subject.layers:
        raise ValueError("layers: none was found in the model; name some by layers=")
    names = [layer.name for layer in subject.layers]
    return {"layer": (names, "name of the call whose output is measured, from first to last")}


def point_coordinate(subject: WatchedModel) -> dict[str, tuple[Sequence[Any], str]]:
    """Return the coordinate ``point``."""
    return {"point": (subject.positions(), "position among the inputs")}


TIMES = {
    "training_seconds": TraceVariable(
        "time that the training had taken, without the measurements", units="s"
    ),
    "measuring_seconds": TraceVariable("time that this measurement took", units="s"),
}


@dataclass
class WatchRecord:
    """The values measured so far, ``{variable: one array for each measurement}``, float64, and their steps."""

    described: dict[str, Described]
    steps: list[int] = field(default_factory=list)
    values: dict[str, list[np.ndarray[Any, Any]]] = field(default_factory=dict)

    @property
    def quantities(self) -> dict[str, TraceVariable]:
        """All variables of the trace."""
        quantities: dict[str, TraceVariable] = {}
        for described in self.described.values():
            quantities |= described.quantities
        return quantities | TIMES

    @property
    def coordinates(self) -> dict[str, Any]:
        """All coordinates other than ``step``: ``{dimension: (values, meaning)}``."""
        coordinates: dict[str, Any] = {}
        for described in self.described.values():
            coordinates |= described.coordinates
        return coordinates

    def add(self, step: int, values: Mapping[str, Any]) -> None:
        """Add one measurement; variables without a value are NaN."""
        self.steps.append(step)
        sizes = {name: len(coordinate[0]) for name, coordinate in self.coordinates.items()}
        for name, quantity in self.quantities.items():
            shape = tuple(sizes[dim] for dim in quantity.dims)
            value = np.asarray(values.get(name, np.nan), dtype=np.float64)
            self.values.setdefault(name, []).append(np.broadcast_to(value, shape).copy())

    def dataset(self, attributes: Mapping[str, Any]) -> xr.Dataset:
        """Return the labelled trace."""
        variables = {
            name: (("step", *quantity.dims), np.stack(self.values[name]), _meaning(quantity))
            for name, quantity in self.quantities.items()
        }
        coords: dict[str, Any] = {
            name: (name, list(values), {"long_name": meaning})
            for name, (values, meaning) in self.coordinates.items()
        }
        coords["step"] = (
            "step",
            np.asarray(self.steps),
            {"units": "step", "long_name": "updates made"},
        )
        return xr.Dataset(variables, coords, dict(attributes))

    def state_dict(self) -> dict[str, Any]:
        """Return the record as tensors and numbers."""
        values = {name: torch.from_numpy(np.stack(rows)) for name, rows in self.values.items()}
        return {"steps": list(self.steps), "values": values}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the record."""
        self.steps = list(state["steps"])
        self.values = {
            name: list(rows.cpu().numpy().copy()) for name, rows in state["values"].items()
        }


def _meaning(quantity: TraceVariable) -> dict[str, str]:
    return {"long_name": quantity.meaning} | ({"units": quantity.units} if quantity.units else {})
