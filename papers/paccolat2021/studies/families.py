"""Families of traces with the same labels in the same dimension, and common parts of the compression studies."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import xarray as xr

from bridge.compression import trace as read
from bridge.results.analysis import Doubt, Traces, seeds_named
from bridge.statistics.arrays import Array
from closedform.measured import Measured

MANY_JUMPS = 0.2  # fraction of the steps
TIMES = 300  # of curves that are averaged


def families(traces: Traces) -> dict[str, dict[str, xr.Dataset]]:
    """Group traces by family: from a name such as "stripe, d = 5" to labelled traces."""
    groups: dict[str, dict[str, xr.Dataset]] = {}
    for label, trace in traces.items():
        config = read.config_of(read.checked(trace))
        name = f"{config.shape}, d = {config.dimension}"
        groups.setdefault(name, {})[label] = trace
    return groups


def on_common_times(trace: xr.Dataset, name: str) -> tuple[Array, Array]:
    """Interpolate all curves to common times ``[time]``, up to the first end; return ``[seed, time]``, too."""
    times, values = trace["time"].values, trace[name].values
    ends = np.linspace(0, times[:, -1].min(), TIMES)
    return ends, np.stack([np.interp(ends, t, v) for t, v in zip(times, values, strict=True)])


def doubts(traces: Traces) -> Iterator[Doubt]:
    """Yield realisations that stopped early, and runs with many steps across jumps of the forces."""
    for label, trace in traces.items():
        for share in trace["share"].values:
            never = trace["seed"].values[np.isnan(trace["time_at"].sel(share=share).values)]
            if never.size:
                text = (
                    f"stopped before {share:.0%} of the points were fitted: there it has no values"
                )
                yield Doubt(label, text, seeds_named(never))
        jumps = trace["jumps"].values / np.maximum(trace["steps"].values, 1)
        if (jumps > MANY_JUMPS).any():
            text = "of the steps crossed jumps of the forces: accurate to the step, not beyond"
            yield Doubt(label, f"{jumps.max():.0%} {text}")


def counts_in_words(counts: Iterable[int]) -> str:
    """Return the smallest and the largest of some numbers of realisations, such as "4 to 10", or the only one."""
    ordered = sorted(set(counts)) or [0]
    return " to ".join(map(str, dict.fromkeys((ordered[0], ordered[-1]))))


def fitted(
    quantity: str,
    label: str,
    value: float,
    error: float,
    n: float,
    predicted: float | None = None,
    resolution: float | None = None,
) -> Measured | None:
    """Return a number of a fit to ``n`` repetitions; None if they do not determine its error."""
    finite = bool(np.isfinite(error))
    return (
        Measured(quantity, label, value, error, n, predicted, resolution=resolution)
        if finite
        else None
    )


def log_axes(axis: Any, *, x: bool = True, y: bool = True) -> None:
    """Make the scales of the axes logarithmic."""
    if x:
        axis.set_xscale("log")
    if y:
        axis.set_yscale("log")
