"""Access to a trace of Leaky ResNets: its checks, residuals, steps, values at nodes and layers, errors over seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.statistics import arrays
from bridge.tables.grid import gridded, single
from bridge.tables.reader import load
from closedform import checks

if TYPE_CHECKING:
    import xarray as xr

    from empirics.measure.leaky_resnet.state import LeakyResNetState

AFTER = ("position", "momentum_norm")  # values at the node after the layer of their row
BEFORE = ("stable_cost_of_identity", "gamma")  # values at the node before it
DEFAULTS = {"seed": 0, "residual": math.nan}

CONVERGED = 0.1  # relative residual above which a network does not count as critical
NODE = ("position", "gamma", "stable_cost_of_identity", "momentum_norm")
LAYER = ("hamiltonian", "stable_hamiltonian", "stable_kinetic_energy", "weight_from_momenta_norm")


def checked(trace: Any, needed: Sequence[str]) -> xr.Dataset:
    """Return ``trace`` with dimensions ``depth`` and ``seed`` first; an error names what it lacks of the ``needed``."""
    data = arguments.dataset(
        trace, "the experiment leaky_resnet", (*needed, "residual"), ("depth", "seed")
    )
    return data.transpose("depth", "seed", ...)


def residual(trace: xr.Dataset) -> xr.DataArray:
    """Return the relative residual ``[depth, seed]`` of every network, with a smoothed ReLU where it was trained so."""
    if "smoothed_residual" in trace:
        return trace["smoothed_residual"]
    last = (
        trace["residual"].isel(record=-1, drop=True)
        if "record" in trace["residual"].dims
        else trace["residual"]
    )
    return last.assign_attrs(
        long_name="gradient with respect to the weights, relative to the penalty's, at the end"
    )


def steps(trace: xr.Dataset) -> xr.DataArray:
    """Return the steps of the layers, ``[depth, seed, layer]``, whose sum is one."""
    return trace["position"].diff("node").rename(node="layer").drop_vars("layer", errors="ignore")


def before(values: xr.DataArray) -> xr.DataArray:
    """Return the values at the node before each layer: ``node`` 0 ... L-1 as ``layer`` 1 ... L."""
    return (
        values.isel(node=slice(None, -1)).rename(node="layer").drop_vars("layer", errors="ignore")
    )


def after(values: xr.DataArray) -> xr.DataArray:
    """Return the values at the node after each layer: ``node`` 1 ... L as ``layer`` 1 ... L."""
    return (
        values.isel(node=slice(1, None)).rename(node="layer").drop_vars("layer", errors="ignore")
    )


def deviation(values: xr.DataArray, weights: xr.DataArray) -> xr.DataArray:
    """Return the standard deviation along p, weighted by the steps ``weights``."""
    mean = (weights * values).sum("layer", skipna=False)
    spread: xr.DataArray = (weights * (values - mean) ** 2).sum("layer", skipna=False)
    return spread**0.5


def mean_and_error(values: xr.DataArray) -> tuple[Any, Any]:
    """Return the mean over seeds and its standard error, as numbers or arrays of the other dimensions.

    The error of a single seed is NaN.

    Args:
        values: numbers with a dimension ``seed``.

    Raises:
        TypeError: if ``values`` is not a DataArray.
        ValueError: if it has no dimension ``seed``.

    >>> import xarray as xr
    >>> mean, error = mean_and_error(xr.DataArray([1.0, 2.0, 3.0], dims="seed"))
    >>> float(mean), round(float(error), 4)
    (2.0, 0.5774)
    """
    import xarray as xr

    if not isinstance(values, xr.DataArray):
        raise TypeError(f"values: got {type(values).__name__}, needs a DataArray")
    if "seed" not in values.dims:
        raise ValueError(f"values: has dimensions {values.dims}, needs seed among them")
    return arrays.mean_and_error(values.values, axis=values.dims.index("seed"))


def unconverged(trace: xr.Dataset, limit: float = CONVERGED) -> list[tuple[float, int, float]]:
    """List effective depth, seed and residual of every network that is not at a critical point.

    Args:
        trace: trace, or Dataset that a function of this package returned.
        limit: positive limit of the relative residual. Default: 0.1.

    Raises:
        TypeError, ValueError: for an invalid argument, which the message names.

    >>> from empirics.experiments import leaky_resnet
    >>> config = leaky_resnet.Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=1, adam=20, polishing=2)
    >>> [(depth, seed) for depth, seed, _ in unconverged(leaky_resnet.run(config, progress=False))]
    [(7.0, 0)]
    """
    limit = checks.positive_number("limit", limit)
    residuals = residual(checked(trace, ()))
    return [
        (float(depth), int(seed), float(residuals.sel(depth=depth, seed=seed)))
        for depth, seed in product(residuals.depth.values, residuals.seed.values)
        if not float(residuals.sel(depth=depth, seed=seed)) <= limit  # NaN is not converged
    ]


def inner_rank(trace: xr.Dataset) -> int:
    """Return the teacher's smallest dimension k*; raise ValueError if the trace does not record it."""
    return min(_dimensions(trace))


def outer_rank(trace: xr.Dataset) -> int:
    """Return the largest rank that the weights can have: the smaller of input and output dimension."""
    sizes = _dimensions(trace)
    return min(sizes[0], sizes[-1])


def _dimensions(trace: xr.Dataset) -> list[int]:
    return [int(size) for size in arguments.attribute(trace, "dimensions", list)]


def of_state(state: LeakyResNetState, depth: float) -> xr.Dataset:
    """Turn the result of :func:`empirics.measure.leaky_resnet_state` into a trace of one seed.

    Args:
        state: measured state with momenta and weights.
        depth: effective depth, dimensionless, > 0.

    Raises:
        TypeError, ValueError: for an invalid argument, which the message names.

    >>> import torch
    >>> from empirics.measure import leaky_resnet_state
    >>> model, x = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)), torch.randn(5, 3)
    >>> state = leaky_resnet_state(model, x, layers=["0", "1"], depth=0.5, target=torch.randn(5, 3), decay=0.1)
    >>> of_state(state, depth=0.5).sizes["layer"]
    2
    """
    import xarray as xr

    from empirics.measure.leaky_resnet.state import LeakyResNetState

    if not isinstance(state, LeakyResNetState):
        raise TypeError(f"state: got {type(state).__name__}, needs a LeakyResNetState")
    depth = checks.positive_number("depth", depth)
    if state.momenta is None or state.stationarity is None:
        raise ValueError(
            "state: has no momenta or weights, needs both (measure with target and decay)"
        )
    layers = len(state.position) - 1
    measured = {field.name: getattr(state, field.name) for field in fields(state)}
    variables: dict[str, Any] = {}
    for name, values in measured.items():
        if values is None or name in ("path", "momenta"):
            continue
        array = np.asarray(values)[None, None]
        dimension = (
            {layers + 1: "node", layers: "layer"}.get(array.shape[2]) if array.ndim > 2 else None
        )
        dims = (
            "depth",
            "seed",
            *((dimension,) if dimension else ()),
            *(("rank",) if array.ndim > 3 else ()),
        )
        variables[name] = (dims, array)
    rho = np.diff(state.position)
    weights = np.asarray(measured["weight_values"])
    size = (weights**2).sum(1)
    variables["residual"] = (
        ("depth", "seed"),
        [[math.sqrt((rho * size * state.stationarity**2).sum() / (rho @ size))]],
    )
    return xr.Dataset(variables, {"depth": [float(depth)], "seed": [0]})


def layers_of(trace: Any, columns: tuple[str, ...]) -> xr.Dataset:
    """Return a trace, or the layers of a table as a dataset with dimensions ``depth``, ``seed``, ``node``, ``layer``.

    A table has ``depth``, ``layer`` (from 1 to L), ``position`` (p after the layer, above 0 to 1), further ``columns``
    and, if known, ``seed`` and ``residual`` (of the network). An error says what it lacks.
    """
    data = load(trace)
    table = None
    if not hasattr(data, "data_vars"):
        values = ("position", *columns, "residual")
        table = gridded(data, ("depth", "seed", "layer"), values, defaults=DEFAULTS)
    if table is None:
        return checked(data, (*NODE, *LAYER))
    nodes = table.drop_vars("layer").rename(layer="node")
    at_nodes = {
        name: nodes[name].pad(node=(1, 0), constant_values=0) for name in AFTER if name in nodes
    }
    at_nodes |= {name: nodes[name].pad(node=(0, 1)) for name in BEFORE if name in nodes}
    if not bool((at_nodes["position"].diff("node") > 0).all()):
        raise ValueError(
            "column 'position': needs positive numbers that increase along the layers of every network"
        )
    at_layers = table[[name for name in columns if name not in at_nodes]].drop_vars("layer")
    return at_layers.assign({"residual": single(table, "residual", "layer"), **at_nodes})
