"""A map in sentences."""

from itertools import pairwise
from typing import Any

import numpy as np

from bridge.validity import single

# values of the other parameters for which the boundary is named: the ends and the middle
LINES = 3


def sentences(region: Any) -> tuple[str, ...]:
    """Return the sentences on a map: its shares, the boundary along the first parameter, the simplest failure."""
    shares, count = region.shares, sum(len(panel.points) for panel in region.panels)
    verdicts = region.points["verdict"]
    alone, absent = (
        int(verdicts.isin(words).sum()) for words in (["holds", "fails"], ["not measured"])
    )
    over = " × ".join(axis.name for axis in region.space.axes)
    first = getattr(region.base, "first_seed", 0)
    n, open_share = region.networks, shares[None]
    text = (
        f"Over {over} it holds on average{region.claim.within(region.resolution)} in {shares[True]:.0%} of the map, "
        f"fails in {shares[False]:.0%}, and is not decided in {open_share:.0%} ({n} networks with seeds from {first} "
        f"on at {count} points, {alone} decided by their own networks, of which the nearest one agrees everywhere, "
        f"{absent} without a network that measures it; {region.stopped})."
    )
    sentences = [text, single.sentence(region)]
    for index, panel in enumerate(region.panels):
        for others, values, known in region.lines(index, LINES):
            at = _assigned(panel.choices | others)
            sentences.append(
                f"{f'At {at}: ' if at else ''}{along(region.space.axes[0].name, values, known)}."
            )
    simplest = region.counterexample
    if simplest is not None:
        sentences.append(f"Simplest counterexample: {_assigned(simplest)}.")
    return tuple(sentences)


def condition(region: Any) -> str:
    """Return where a claim holds, in the sentence that its formulas show."""
    name, places = region.space.axes[0].name, []
    for index, panel in enumerate(region.panels):
        for others, values, known in region.lines(
            index, LINES if len(region.space.axes) < 3 else 2
        ):
            spans = [f"{name} {span}" for state, span in _spans(values, known) if state == "holds"]
            at = _assigned(panel.choices | others)
            places.append(
                " ".join(
                    filter(None, (" and ".join(spans) or "nowhere", f"at {at}" if at else ""))
                )
            )
    shares = region.shares
    return (
        f"{region.claim.sentence} On average it holds{region.claim.within(region.resolution)} where: "
        f"{'; '.join(places)} ({shares[True]:.0%} of the map; fails in {shares[False]:.0%}, {region.networks} "
        f"networks). {single.sentence(region).removesuffix('.')}"
    )


def along(name: str, values: Any, known: Any) -> str:
    """Return where a claim holds along one parameter: "holds for gain 0.5 to 1.3, fails from 1.5 on"."""
    return ", ".join(f"{state} for {name} {span}" for state, span in _spans(values, known))


def _spans(values: Any, known: Any) -> list[tuple[str, str]]:
    """Return the parts of a line, each with its state and its range in words."""
    words = {1.0: "holds", 0.0: "fails"}
    states = [words.get(float(state), "not decided") for state in known]
    starts = [0, *(i for i in range(1, len(states)) if states[i] != states[i - 1]), len(states)]
    ends = (
        (first, _text(values[first]), _text(values[end - 1])) for first, end in pairwise(starts)
    )
    return [
        (states[first], low if low == high else f"{low} to {high}") for first, low, high in ends
    ]


def _assigned(values: Any) -> str:
    return ", ".join(f"{name} = {_text(value)}" for name, value in values.items())


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float | np.number) else str(value)
