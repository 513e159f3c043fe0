r"""The direction beyond k* that the middle layers keep, and how strong it is at each effective depth.

A code of k dimensions needs non-negative units, which its mean provides. Where the mean lies outside the code's
directions it is one more direction, with singular value :math:`\tilde L m / \sqrt{1 + m^2}` of the weights at rest and
cost of identity :math:`m^2 / (1 + m^2)`, m the norm of that part of the mean. Code and mean must shrink and grow again
together, so that m falls only slowly with the effective depth, as in ``leaky_resnet.depth_of_mean``.
"""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.leaky_resnet import spectral_gap
from bridge.leaky_resnet.studies import panels
from bridge.leaky_resnet.trace import inner_rank, outer_rank
from bridge.plots import layout, style
from bridge.results.analysis import Picture, Traces

MORE = 3  # singular values beyond k* in the figure


def strengths(trace: xr.Dataset) -> xr.DataArray:
    """Return the singular values of the middle layer's weights over L̃, ``[depth, seed, rank]``; 1 keeps a direction."""
    layer = spectral_gap(trace).attrs["layer"] - 1
    values = trace["weight_values"].isel(layer=layer, rank=slice(outer_rank(trace)), drop=True)
    return (values / trace["depth"]).transpose("depth", "seed", "rank")


def constant_share(trace: xr.Dataset) -> xr.DataArray:
    """Return the share of the constant in the squared size of the direction beyond k*, ``[depth, seed]``."""
    at = {"node": spectral_gap(trace).attrs["layer"], "rank": inner_rank(trace)}
    whole, centred = (trace[name].isel(at, drop=True) ** 2 for name in ("activation_values", "centred_values"))
    return (1 - centred / whole).transpose("depth", "seed")


def picture(traces: Traces) -> Picture:
    """Return the picture of the singular values against the effective depth."""
    return Picture(
        "figure-1b-beyond",
        "Singular values of the middle layer’s weights over L̃ against the effective depth, mean and standard error "
        "over seeds: blue the first k*, orange the next, grey those after it. Dotted: 1, the value that keeps a "
        "direction as it is. Control of Figure 1b of the paper.",
        draw(traces),
    )


def draw(traces: Traces) -> Figure:
    """Draw the singular values against the effective depth, a panel for every configuration."""
    titles = [*traces] if len(traces) > 1 else ()
    look: layout.Look = {"x": panels.DEPTH, "y": r"singular value of $W_p / \tilde{L}$", "titles": titles}
    with layout.drawing(1, len(traces), **look, size=(4.6, 2.8), sharey=True) as (figure, axes):
        for axis, trace in zip(axes[0], traces.values(), strict=True):
            inner, values = inner_rank(trace), strengths(trace)
            for rank in range(min(inner + 1 + MORE, values.sizes["rank"]) - 1, -1, -1):
                colour = style.BLUE if rank < inner else style.ORANGE if rank == inner else style.INK
                name = {0: "the first $k^*$", inner: "$k^* + 1$", inner + 1: "further"}.get(rank)
                look = {"color": colour, "label": name, "alpha": 1.0 if rank <= inner else 0.4}
                panels.against_depth(axis, values.isel(rank=rank, drop=True), **look)
            axis.axhline(1, **panels.NEXT)
            axis.set_ylim(0, None)
        style.legend(figure, style.labelled(figure)[::-1])
    return figure


def constant(traces: Traces) -> tuple[str, ...]:
    """State for networks with the gap at k* + 1 how much of the direction beyond k* is the constant."""
    shares = []
    for trace in traces.values():
        if "centred_values" in trace:
            is_beyond = (spectral_gap(trace)["excess"] == 1).transpose("depth", "seed")
            shares.append(constant_share(trace).where(is_beyond).sel(depth=trace["depth"].values.max()).values)
    values = np.concatenate(shares) if shares else np.empty(0)
    values = values[np.isfinite(values)]
    if not values.size:
        return ()
    return (
        f"Where the gap sits at k* + 1 ({values.size} networks), the constant makes {100 * values.min():.3g} to "
        f"{100 * values.max():.3g} % (median {100 * np.median(values):.3g} %) of the squared size of the direction "
        "beyond k*.",
    )
