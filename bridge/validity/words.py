"""A map in sentences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

LINES = 3  # values of the other parameters for which the boundary is named: the ends and the middle


def sentences(region: Any) -> tuple[str, ...]:
    """Return the sentences on a map: its shares, the boundary along the first parameter, the simplest failure."""
    shares, count = region.shares, sum(len(panel.points) for panel in region.panels)
    alone = int(region.points["verdict"].isin(["holds", "fails"]).sum())
    over = " × ".join(axis.name for axis in region.space.axes)
    text = (
        f"Over {over}, by a smooth surface through the deviations, it holds{within(region)} in {shares[True]:.0%} of "
        f"the map, fails in {shares[False]:.0%}, and is not decided in {shares[None]:.0%} ({region.networks} networks "
        f"at {count} points, {alone} of them decided by their own networks; {region.stopped})."
    )
    found = [text]
    for index, panel in enumerate(region.panels):
        for others, values, known in region.lines(index, LINES):
            at = ", ".join(f"{name} = {value:g}" if isinstance(value, int | float) else f"{name} = {value}"
                           for name, value in {**panel.choices, **others}.items())  # fmt: skip
            found.append(f"{f'At {at}: ' if at else ''}{along(region.space.axes[0].name, values, known)}.")
    if (simplest := region.counterexample) is not None:
        shown = ", ".join(f"{name} = {_text(value)}" for name, value in simplest.items())
        found.append(f"Simplest counterexample: {shown}.")
    return tuple(found)


def within(region: Any) -> str:
    """Return the resolution in words, such as " within 10 %"; empty for a bound."""
    if region.claim.relation != "=":
        return ""
    return f" within {100 * region.resolution:g} %" if region.claim.is_relative else f" within {region.resolution:.2g}"


def along(name: str, values: Any, known: Any) -> str:
    """Return where a claim holds along one parameter: "holds for gain 0.5 to 1.3, fails from 1.5 on"."""
    words = {1.0: "holds", 0.0: "fails"}
    states = [words.get(float(state), "not decided") for state in known]
    starts = [0, *(i for i in range(1, len(states)) if states[i] != states[i - 1]), len(states)]
    parts = []
    for first, end in pairwise(starts):
        low, high = values[first], values[end - 1]
        span = f"{_text(low)}" if end - first == 1 else f"{_text(low)} to {_text(high)}"
        parts.append(f"{states[first]} for {name} {span}")
    return ", ".join(parts)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float | np.number) else str(value)
