"""The parameters of a map: ranges of numbers, as steps of a lattice, and choices, each of which is a panel."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from bridge.statistics.arrays import Array
from closedform import checks

DIGITS = 3  # significant ones of the values, so that configurations can be read
PLACES = {1: 65, 2: 33, 3: 17}  # places of the lattice along each axis, by the number of axes
MOST_AXES = 3


@dataclass(frozen=True)
class Axis:
    """A parameter that takes numbers, integers only if ``whole``."""

    name: str
    low: float
    high: float
    whole: bool

    @property
    def is_log(self) -> bool:
        """Whether equal steps are equal factors: all values are positive."""
        return self.low > 0

    def value(self, place: float) -> float:
        """Return the value at a place between 0 and 1, as a configuration takes it."""
        if self.is_log:
            number = float(self.low * (self.high / self.low) ** place)
        else:
            number = self.low + place * (self.high - self.low)
        if self.whole:
            return round(number)
        return min(max(float(f"{number:.{DIGITS}g}"), self.low), self.high)

    def place(self, value: float) -> float:
        """Return the place of a value, between 0 and 1 inside the map."""
        if self.is_log:
            return (
                math.log(value / self.low) / math.log(self.high / self.low)
                if value > 0
                else -math.inf
            )
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Space:
    """All parameters of a map: one to three that take numbers, and the values of the others by name."""

    axes: tuple[Axis, ...]
    choices: Mapping[str, tuple[Any, ...]]

    @property
    def panels(self) -> list[dict[str, Any]]:
        """The combinations of the choices, each a panel; one without any."""
        return [
            dict(zip(self.choices, values, strict=True))
            for values in product(*self.choices.values())
        ]

    @property
    def lattice(self) -> Array:
        """The places of the lattice, ``[place, axis]``, each once."""
        count = PLACES[len(self.axes)]
        along = []
        for axis in self.axes:
            values = {axis.value(share): None for share in np.linspace(0, 1, count)}
            along.append([axis.place(value) for value in values])
        return np.array(list(product(*along)))

    def values(self, places: Array) -> dict[str, float]:
        """Return the values ``{name: value}`` at a place of every axis."""
        return {
            axis.name: axis.value(float(share))
            for axis, share in zip(self.axes, places, strict=True)
        }

    def places(self, values: Mapping[str, Any]) -> Array:
        """Return the place on every axis ``[axis]`` of values by name."""
        return np.array([axis.place(float(values[axis.name])) for axis in self.axes])

    def outside(self, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield a phrase for each parameter whose value lies outside the map."""
        for axis in self.axes:
            value = checks.real_number(axis.name, values[axis.name])
            if not axis.low <= value <= axis.high:
                end = axis.low if value < axis.low else axis.high
                side = "below" if value < axis.low else "above"
                far = (
                    f", by a factor of {max(value / end, end / value):.2g}"
                    if axis.is_log and value > 0
                    else ""
                )
                yield f"{axis.name} = {value:g} lies {side} the map's {end:g}{far}"
        for name, known in self.choices.items():
            if values[name] not in known:
                yield f"{name} = {values[name]} is none of the map's {', '.join(map(str, known))}"


def space(over: Any, base: Any) -> Space:
    """Return a map's parameters: choices, or ranges ``(low, high)``, whole numbers unless the ``base`` has floats."""
    checks.instance("over", over, Mapping, "a mapping such as {'gain': (0.5, 2.0)}")  # type: ignore[type-abstract]
    axes, choices = [], {}
    for name, values in over.items():
        ends = tuple(checks.sequence(f"over[{name!r}]", values, "two numbers or of choices"))
        if len(ends) == 2 and all(
            isinstance(end, int | float) and not isinstance(end, bool) for end in ends
        ):
            low, high = (checks.real_number(f"over[{name!r}]", end) for end in ends)
            checks.require(
                low < high, f"over[{name!r}]", ends, "a range (low, high) with low < high"
            )
            whole = all(isinstance(end, int) for end in ends) and not isinstance(
                getattr(base, name, 0), float
            )
            axes.append(Axis(name, low, high, whole))
        else:
            checks.require(
                len(ends) > 0, f"over[{name!r}]", ends, "a range (low, high) or some choices"
            )
            choices[name] = ends
    checks.require(
        1 <= len(axes) <= MOST_AXES, "over", f"{len(axes)} ranges of numbers", "one to three"
    )
    return Space(tuple(axes), choices)
