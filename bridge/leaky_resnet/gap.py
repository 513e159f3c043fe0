"""The gap in the singular values of a layer, which gives the number of directions that the bottleneck keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.leaky_resnet.trace import checked, inner_rank, outer_rank, residual
from bridge.tables.grid import gridded, single
from bridge.tables.reader import load
from closedform import checks
from closedform.checks import arrays

if TYPE_CHECKING:
    import xarray as xr

ROUNDING = 1e-14  # computed value of a zero singular value of a few hundred rows, relative to the largest one
SPECTRA = ("weight_values", "activation_values", "centred_values")
DEFAULTS = {"seed": 0, "layer": 1, "residual": np.nan}


def spectral_gap(
    trace: Any,
    *,
    of: str = "weight_values",
    layer: int | None = None,
    dimensions: Sequence[int] | None = None,
) -> xr.Dataset:
    r"""Find the largest ratio of neighbouring singular values, in one layer of every network.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet``, or a table (DataFrame, mapping of columns, CSV file) with
            the columns ``depth``, ``rank`` (from 1, the largest singular value), that named by ``of`` and, if they are
            known, ``seed``, ``layer`` (all from 1; not needed for one layer) and ``residual`` (of the network).
        of: "weight_values", "activation_values" or "centred_values" (representations without their mean). Default:
            "weight_values".
        layer: number of the layer, counted from 1; a representation is that after the layer. Default: the middle one.
        dimensions: dimensions of the teacher, from input to output. For a table only.

    Returns:
        Dataset ``[depth, seed]``: ``gap`` (number of singular values above the largest ratio), ``ratio`` (that ratio),
        ``rival`` (the second largest ratio), ``excess`` (gap minus k*, the teacher's smallest dimension), ``residual``;
        attributes ``layer``, ``inner_rank``. Of equal ratios the first counts. Only ratios up to the
        smaller of input and output dimension count; singular values beyond it remain from the initialisation.

    Raises:
        TypeError, ValueError: for an invalid argument, which the message names, an incomplete table, no dimensions of
            the teacher, or singular values that increase with the rank.

    Source: Figure 1b; the control over k* is not in the paper.

    >>> table = {"depth": [3.0] * 4, "rank": [1, 2, 3, 4], "weight_values": [5.0, 4.0, 0.1, 0.05]}
    >>> found = spectral_gap(table, dimensions=(4, 2, 4))
    >>> found["gap"].values.tolist(), found["excess"].values.tolist()
    ([[2.0]], [[0.0]])
    """
    import xarray as xr

    checks.one_of("of", of, SPECTRA)
    data = load(trace)
    trace = checked(data if hasattr(data, "data_vars") else _of_table(data, of, dimensions), (of,))
    kept, smallest = outer_rank(trace), inner_rank(trace)
    layers = trace.sizes["node"] - 1 if "node" in trace.sizes else trace.sizes["layer"]
    chosen = layers // 2 + 1 if layer is None else checks.integer("layer", layer, 1, layers)
    selected = {"layer": chosen - 1} if "layer" in trace[of].dims else {"node": chosen}
    values = trace[of].isel(selected).transpose("depth", "seed", "rank").values[..., :kept]
    if values.shape[-1] < 3:
        raise ValueError(
            f"trace: has {values.shape[-1]} singular values, needs at least three for a gap and a rival"
        )
    # Values below the rounding of the largest one are rounding errors, between which there is no gap.
    values = np.maximum(values, ROUNDING * values[..., :1])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(values[..., :-1] > 0, values[..., :-1] / values[..., 1:], 1.0)
    order = np.sort(ratios, axis=-1)
    gap = np.where(np.isnan(values[..., 0]), np.nan, ratios.argmax(-1) + 1)
    dims = ("depth", "seed")
    return xr.Dataset(
        {
            "gap": (dims, gap),
            "ratio": (dims, order[..., -1]),
            "rival": (dims, order[..., -2]),
            "excess": (dims, gap - smallest),
            "residual": residual(trace),
        },
        {"depth": trace["depth"], "seed": trace["seed"]},
        {"layer": chosen, "inner_rank": smallest, "of": of},
    )


def _of_table(data: Any, of: str, dimensions: Sequence[int] | None) -> Any:
    """Return the singular values of a table as a dataset with the names of a trace; other data as they are."""
    table = gridded(data, ("depth", "seed", "layer", "rank"), (of, "residual"), defaults=DEFAULTS)
    if table is None:
        return data
    listed = () if dimensions is None else dimensions
    sizes = [
        checks.integer(f"dimensions[{number}]", size, 1) for number, size in enumerate(listed)
    ]
    if not sizes:
        raise ValueError(
            "dimensions: are not in the data; give those of the teacher, from input to output"
        )
    if table["layer"].values.tolist() != list(range(1, table.sizes["layer"] + 1)):
        raise ValueError(
            "column 'layer': needs all numbers from 1; leave it out for a table of one layer"
        )
    arrays.positive_array(f"column {of!r}", table[of].values, or_zero=True)
    if bool((table[of].diff("rank") > 0).any()):
        raise ValueError(
            f"column {of!r}: increases with 'rank', needs singular values from the largest to the smallest"
        )
    known = single(table.assign(residual=single(table, "residual", "rank")), "residual", "layer")
    return table.assign(residual=known).assign_attrs(dimensions=json.dumps(sizes))
