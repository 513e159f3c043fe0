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
    from theory.compression import Shells, Stripes

MEASURED = ("time", "fitted", "amplification", "time_at", "amplification_at", "amplification_max")


def checked(trace: Any) -> xr.Dataset:
    """Return ``trace``; raise an error if it is not one of the compression experiment.

    Raises:
        TypeError: if it is not a Dataset.
        ValueError: if a part is missing; the message names it.
    """
    return arguments.dataset(trace, "the experiment compression", MEASURED, attributes=("config",))


def several(traces: Any, least: int) -> dict[str, xr.Dataset]:
    """Return traces by name; the traces of a sequence are numbered.

    Raises:
        TypeError, ValueError: if an entry is not a trace of the experiment, or there are fewer than ``least``.
    """
    checks.sequence("traces", traces, "traces of the experiment compression")
    if hasattr(plain("traces", traces), "shape"):
        raise TypeError(f"traces: got {type(traces).__name__}, needs traces of the experiment compression")
    named = dict(traces) if isinstance(traces, Mapping) else {str(i): trace for i, trace in enumerate(traces)}
    if len(named) < least:
        raise ValueError(f"traces: got {len(named)}, needs at least {least}")
    return {label: checked(trace) for label, trace in named.items()}


def config_of(trace: xr.Dataset) -> Config:
    """Return the configuration that the trace was made with."""
    from empirics.experiments.compression import Config

    return Config.from_json(str(trace.attrs["config"]))


def labels_of(config: Config) -> Stripes | Shells:
    """Return the labels of a configuration as objects of the theory."""
    from theory.compression import Shells, Stripes

    assert config.boundaries is not None
    assert config.first_label is not None
    if config.labels == "stripes":
        return Stripes(config.boundaries, config.first_label)
    assert config.d_parallel is not None
    return Shells(config.boundaries, config.d_parallel, config.first_label)


def stripes_of(config: Config, what: str) -> Stripes:
    """Return the labels of a configuration if they are stripes.

    Args:
        config: the configuration.
        what: name of the quantity that needs stripes, for the message.

    Raises:
        ValueError: for other labels.
    """
    from theory.compression import Stripes

    labels = labels_of(config)
    if not isinstance(labels, Stripes):
        raise ValueError(f"trace: its labels are shells; {what} is computed for stripes only")
    return labels


def at_first_share(trace: xr.Dataset, name: str) -> Array:
    """Return ``name_at`` at t*, when the first share of the points was fitted, ``[seed, ...]``."""
    return np.asarray(trace[f"{name}_at"].isel(share=0).values, dtype=np.float64)
