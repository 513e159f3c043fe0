"""A trace of the compression experiment, checked, with the labels of its data as the theory knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.arrays import Array

if TYPE_CHECKING:
    import xarray as xr

    from empirics.experiments.compression import Config
    from theory.compression import Shells, Stripes

MEASURED = ("time", "fitted", "amplification", "time_at", "amplification_at", "amplification_max")


def checked(trace: Any) -> xr.Dataset:
    """``trace`` if it is one of the compression experiment.

    Raises:
        TypeError: if it is no Dataset.
        ValueError: naming what it lacks.
    """
    return arguments.dataset(trace, "the experiment compression", MEASURED, attributes=("config",))


def several(traces: Any, least: int) -> dict[str, xr.Dataset]:
    """Traces by name, at least ``least`` of them; a sequence is numbered.

    Raises:
        TypeError, ValueError: for something else, or too few.
    """
    named = dict(traces) if isinstance(traces, Mapping) else {str(i): trace for i, trace in enumerate(traces)}
    if len(named) < least:
        raise ValueError(f"traces: got {len(named)}, needs at least {least}")
    return {label: checked(trace) for label, trace in named.items()}


def config_of(trace: xr.Dataset) -> Config:
    """The configuration that the trace was made with."""
    from empirics.experiments.compression import Config

    return Config.from_json(str(trace.attrs["config"]))


def labels_of(config: Config) -> Stripes | Shells:
    """Its labels, as the theory has them."""
    from theory.compression import Shells, Stripes

    assert config.boundaries is not None
    assert config.first_label is not None
    if config.labels == "stripes":
        return Stripes(config.boundaries, config.first_label)
    assert config.d_parallel is not None
    return Shells(config.boundaries, config.d_parallel, config.first_label)


def stripes_of(config: Config, what: str) -> Stripes:
    """Its labels, if they are stripes.

    Raises:
        ValueError: if they are not: the attractors of other labels are not known in closed form.
    """
    from theory.compression import Stripes

    labels = labels_of(config)
    if not isinstance(labels, Stripes):
        raise ValueError(f"trace: its labels are shells; {what} is derived for stripes only")
    return labels


def at_first_share(trace: xr.Dataset, name: str) -> Array:
    """``name_at`` when the first share was fitted, at t*, ``[seed, ...]``."""
    return np.asarray(trace[f"{name}_at"].isel(share=0).values, dtype=np.float64)
