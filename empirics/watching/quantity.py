"""The interface of what is measured while a network trains."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from empirics.watching.subject import WatchedModel


@dataclass(frozen=True)
class TraceVariable:
    """One variable of the trace.

    Attributes:
        meaning: the attribute ``long_name``.
        dims: dimensions other than ``step``; default none.
        units: the attribute ``units``; default dimensionless.
    """

    meaning: str
    dims: tuple[str, ...] = ()
    units: str = "dimensionless"


@dataclass(frozen=True)
class Described:
    """The variables of a measure, its coordinates other than ``step``, and the attributes that it adds to the trace.

    Attributes:
        quantities: ``{variable: TraceVariable}``.
        coordinates: ``{dimension: (values, meaning)}``; default none.
        attributes: text and numbers; default none.
    """

    quantities: Mapping[str, TraceVariable]
    coordinates: Mapping[str, tuple[Sequence[Any], str]] = field(default_factory=dict)
    attributes: Mapping[str, str | float] = field(default_factory=dict)


class Measure(ABC):
    """A measurement of a model on the data of a :class:`WatchedModel`.

    Attributes:
        state: what later measurements need, a dictionary of tensors that checkpoints contain.
    """

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    @abstractmethod
    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variables.

        Raises:
            ValueError: if the measure does not apply to this model and these data; the message says why.
        """

    @abstractmethod
    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Measure; return the value of each variable, a number or an array with the dimensions described."""


def layer_coordinate(subject: WatchedModel) -> dict[str, tuple[Sequence[Any], str]]:
    """Return the coordinate ``layer``.

    Raises:
        ValueError: if the model has no layer that can be measured.
    """
    if not subject.layers:
        raise ValueError("layers: none was found in the model; name some by layers=")
    names = [layer.name for layer in subject.layers]
    return {"layer": (names, "name of the call whose output is measured, from first to last")}


def point_coordinate(subject: WatchedModel) -> dict[str, tuple[Sequence[Any], str]]:
    """Return the coordinate ``point``."""
    return {"point": (subject.positions(), "position among the inputs")}
