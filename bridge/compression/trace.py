"""Access to a trace of the compression experiment: its checks, its configuration, its labels as theory objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.statistics.arrays import Array
from closedform import checks
from closedform.checks.plain import plain

if TYPE_CHECKING:
    import xarray as xr

    from empirics.experiments.compression import Config
    from theory.compression import Stripes

MEASURED = ("time", "fitted", "amplification", "time_at", "amplification_at", "amplification_max")


def checked(trace: Any) -> xr.Dataset:
    """Return ``trace``; raise a TypeError or ValueError if it is not one of the compression experiment."""
    return arguments.dataset(trace, "the experiment compression", MEASURED, attributes=("config",))


def several(traces: Any, least: int) -> dict[str, xr.Dataset]:
    """Return at least so many traces of the experiment by name; those of a sequence are numbered."""
    checks.sequence("traces", traces, "traces of the experiment compression")
    if hasattr(plain("traces", traces), "shape"):
        raise TypeError(
            f"traces: got {type(traces).__name__}, needs traces of the experiment compression"
        )
    named = (
        dict(traces)
        if isinstance(traces, Mapping)
        else {str(i): trace for i, trace in enumerate(traces)}
    )
    if len(named) < least:
        raise ValueError(f"traces: got {len(named)}, needs at least {least}")
    return {label: checked(trace) for label, trace in named.items()}


def config_of(trace: xr.Dataset) -> Config:
    """Return the configuration that the trace was made with."""
    from empirics.experiments.compression import Config

    return Config.from_json(str(trace.attrs["config"]))


def stripes_of(config: Config, what: str) -> Stripes:
    """Return the labels of a configuration; a ValueError if they are not stripes, which ``what`` needs."""
    from theory.compression import Stripes

    if config.labels != "stripes":
        raise ValueError(f"trace: its labels are shells; {what} is computed for stripes only")
    assert config.boundaries is not None
    assert config.first_label is not None
    return Stripes(config.boundaries, config.first_label)


def at_first_share(trace: xr.Dataset, name: str) -> Array:
    """Return ``name_at`` at t*, when the first share of the points was fitted, ``[seed, ...]``."""
    return np.asarray(trace[f"{name}_at"].isel(share=0).values, dtype=np.float64)
