"""Comparison of meshes: test cost, and evenness of the steps along the path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.arrays import geometric_mean
from bridge.leaky_resnet.trace import checked, mean_and_error, residual

if TYPE_CHECKING:
    import xarray as xr

BASE = "equidistant"


def compare_meshes(traces: Mapping[str, xr.Dataset]) -> tuple[dict[str, Any], ...]:
    """Return one row for every trace and effective depth.

    It needs traces, since the distances along the path are those of representations projected on a plane.

    Args:
        traces: label -> trace of ``empirics.experiments.leaky_resnet``, with any meshes and numbers of layers.

    Returns:
        Rows with the keys ``configuration``, ``mesh``, ``layers``, ``depth``, ``seeds``. The following keys have
        standard errors over seeds under the key with ``_error`` appended: ``test_cost``, ``train_cost``, ``evenness``
        (ratio of the largest to the smallest distance by which a layer moves the representation in the plane of the
        path), ``longest`` (largest step times L), ``outer`` (share of the layers in the first and the last quarter of
        p), ``beginning`` and ``end`` (in each of these quarters, where a layer counts in proportion to its part of its
        step) and ``advantage``. The advantage is the ratio of the test cost of the equidistant mesh with as many layers
        to that of this mesh, as a geometric mean over common seeds, which have the same teacher, points and initial
        noise; it is None for the equidistant mesh or without one.
        ``residual`` is the largest residual.

    Raises:
        TypeError, ValueError: if there are no traces, or one is not a trace of Leaky ResNets with a test cost.
    """
    if not isinstance(traces, Mapping) or not traces:
        raise ValueError("traces: needs a mapping of at least one label to a trace")
    by_label: dict[str, tuple[str, int, xr.Dataset]] = {}
    for label, trace in traces.items():
        data = checked(trace, ("test_cost", "position", "projection", "cost"))
        by_label[label] = (arguments.attribute(data, "config")["mesh"], data.sizes["layer"], data)
    base = {layers: data for mesh, layers, data in by_label.values() if mesh == BASE}
    rows = []
    for label, (mesh, layers, data) in by_label.items():
        for depth in data["depth"].values:
            at_depth = data.sel(depth=depth)
            row: dict[str, Any] = {
                "configuration": label, "mesh": mesh, "layers": layers, "depth": float(depth),
                "seeds": at_depth.sizes["seed"], "residual": float(residual(data).sel(depth=depth).max()),
            }  # fmt: skip
            moved = (at_depth["projection"].diff("node") ** 2).sum("component") ** 0.5
            values = {
                "test_cost": at_depth["test_cost"],
                "train_cost": at_depth["cost"].isel(record=-1, drop=True),
                "evenness": moved.max("node") / moved.min("node"),
                "outer": (abs(at_depth["position"].rolling(node=2).mean().dropna("node") - 0.5) > 0.25).mean("node"),
                "beginning": _share(at_depth["position"], 0, 1 / 4),
                "end": _share(at_depth["position"], 3 / 4, 1),
                "longest": layers * at_depth["position"].diff("node").max("node"),
            }
            for name, seeds in values.items():
                row[name], row[f"{name}_error"] = mean_and_error(seeds)
            row["advantage"], row["advantage_error"] = _advantage(at_depth, None if mesh == BASE else base.get(layers))
            rows.append(row)
    return tuple(rows)


def _share(position: xr.DataArray, low: float, high: float) -> xr.DataArray:
    """Return the share of the layers between two positions ``low`` and ``high``, ``[seed]``."""
    after, before = (position.isel(node=part) for part in (slice(1, None), slice(None, -1)))
    inside = after.clip(low, high) - before.clip(low, high).values
    return (inside / (after - before.values)).mean("node", skipna=False)


def _advantage(at_depth: xr.Dataset, base: xr.Dataset | None) -> tuple[float | None, float | None]:
    if base is None or float(at_depth["depth"]) not in base["depth"].values:
        return None, None
    other = base.sel(depth=at_depth["depth"])
    shared = np.intersect1d(at_depth["seed"].values, other["seed"].values)
    if not shared.size:
        return None, None
    ratio = other["test_cost"].sel(seed=shared) / at_depth["test_cost"].sel(seed=shared)
    return geometric_mean(np.log(ratio.values))
