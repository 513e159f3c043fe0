"""The gap in the singular values of a layer, which gives the number of directions that the bottleneck keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge import arguments
from bridge.leaky_resnet.trace import checked, inner_rank, outer_rank, residual

if TYPE_CHECKING:
    import xarray as xr

ROUNDING = 1e-14  # computed value of a zero singular value of a few hundred rows, relative to the largest one
SPECTRA = ("weight_values", "activation_values", "centred_values")


def spectral_gap(trace: xr.Dataset, *, of: str = "weight_values", layer: int | None = None) -> xr.Dataset:
    r"""Find the largest ratio of neighbouring singular values, in one layer of every network.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet``.
        of: "weight_values", "activation_values" or "centred_values" (representations without their mean). Default:
            "weight_values".
        layer: number of the layer, counted from 1; a representation is that after the layer. Default: the middle one.

    Returns:
        Dataset ``[depth, seed]``: ``gap`` (number of singular values above the largest ratio), ``ratio`` (that ratio),
        ``rival`` (the second largest ratio), ``excess`` (gap minus k*, the teacher's smallest dimension), ``residual``;
        attributes ``layer``, ``inner_rank``. Of equal ratios the first counts. Only ratios up to the
        smaller of input and output dimension count; singular values beyond it are left over from the initialisation.

    Raises:
        TypeError, ValueError: for an invalid argument, which the message names, or a trace without the teacher's
            dimensions.

    Source: Figure 1b; the control over k* is not in the paper.
    """
    import xarray as xr

    arguments.one_of("of", of, SPECTRA)
    trace = checked(trace, (of,))
    kept, smallest = outer_rank(trace), inner_rank(trace)
    layers = trace.sizes["node"] - 1 if "node" in trace.sizes else trace.sizes["layer"]
    chosen = layers // 2 + 1 if layer is None else arguments.whole_number("layer", layer, 1, layers)
    place = {"layer": chosen - 1} if "layer" in trace[of].dims else {"node": chosen}
    values = trace[of].isel(place).transpose("depth", "seed", "rank").values[..., :kept]
    if values.shape[-1] < 3:
        raise ValueError(f"trace: has {values.shape[-1]} singular values, needs at least three for a gap and a rival")
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
