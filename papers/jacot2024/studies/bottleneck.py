r"""Figures 1b and 1c: spectra of representations and weights along the layers, and H with its two parts.

The direction beyond k* that the middle layers keep, and how strong it is at each effective depth.

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
from bridge.leaky_resnet.trace import before, inner_rank, outer_rank, steps
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import networks, panels, propositions
from papers.jacot2024.studies.rows import columns, rows

MORE = 3  # singular values beyond k* in the figure

ROUNDING = 1e-16  # relative; no distance is measured below it
NARROW = 1.0  # dimensions above the least cost of identity up to which a layer counts as one of the bottleneck
COLUMNS = (
    q.KINETIC_BEGINNING, q.KINETIC_END, q.EXTRA_BEGINNING, q.EXTRA_END, q.WEIGHTS_BEGINNING, q.WEIGHTS_END, q.PEAK,
    q.SLOW_SHARE, q.SLOW_GROWTH, q.MOMENTUM_EXPONENT, q.MOMENTUM_RANGE, q.IMAGE_DISTANCE, q.WEIGHT_SEPARATION,
    q.REPRESENTATION_SEPARATION,
)  # fmt: skip
CAPTION = (
    "Means over seeds with their standard errors. The way to the bottleneck may be a part of the middle. Dimensions of "
    "the weights: squared nuclear over squared Frobenius norm. A peak is 0 or below where there is none."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse spectra, energies and bounds of every trace."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    pictures = []
    for number, (label, trace) in enumerate(traces.items(), start=1):
        name = "figure-1bc-bottleneck" if len(traces) == 1 else f"figure-1bc-bottleneck-{number}"
        caption = (
            f"Left and middle: singular values of representations and weights along the layers of the network nearest "
            f"to a critical point ({label}); coloured: those above the gap of the middle layer’s weights. Right: −2H/L̃ "
            "and the two parts that it is the difference of, all seeds, with K + γ; linear below 1, logarithmic above. "
            "As Figures 1b and 1c of the paper."
        )
        pictures.append(Picture(name, caption, draw(trace)))
    return networks.analysis(
        traces, measured, pictures, (), further_tables=(along_table(traces),),
        compared=propositions.compared(measured), how_compared=propositions.HOW,
    )  # fmt: skip


def draw(trace: xr.Dataset) -> Figure:
    """Draw Figures 1b and 1c of one trace, at its largest effective depth."""
    network, kept, _ = panels.chosen(trace, spectral_gap(trace))
    y = ("singular value", "", "dimensions")
    titles = (
        "representations $A_p$",
        "weights $W_p$",
        rf"energies, $\tilde{{L}} = {float(network['depth']):g}$",
    )
    with layout.drawing(1, 3, x=panels.P, y=y, titles=titles, size=(3.1, 2.7)) as (figure, axes):
        left, middle, right = axes[0]
        panels.spectrum(left, network, "activation_values", kept)
        panels.spectrum(middle, network, "weight_values", kept)
        panels.energies(right, trace.sel(depth=float(network["depth"])))
        style.legend(figure)
    return figure


@np.errstate(divide="ignore", invalid="ignore")  # a quantity that a network does not have is NaN
def measured(trace: xr.Dataset) -> xr.Dataset:
    """Return all quantities of this table for every network, ``[depth, seed]``."""
    rho = steps(trace)
    position = before(trace["position"]) + rho / 2
    parts = {"beginning": position < 1 / 4, "end": position > 3 / 4}
    is_middle = (position >= 1 / 4) & (position <= 3 / 4)
    cost, kinetic = (
        before(trace["stable_cost_of_identity"]),
        _plain(trace["stable_kinetic_energy"]),
    )
    extra = cost - cost.min("layer", skipna=False)

    def mean(values: xr.DataArray, is_there: xr.DataArray) -> xr.DataArray:
        return (rho * values).where(is_there, 0.0).sum("layer", skipna=False) / rho.where(
            is_there
        ).sum("layer")

    result: dict[str, xr.DataArray] = {}
    for name, is_end in parts.items():
        for quantity, values in (("kinetic", kinetic), ("extra", extra)):
            typical = (
                values.where(is_middle)
                .median("layer", skipna=True)
                .where(values.notnull().all("layer"))
            )
            result[f"{quantity}_{name}"] = xr.apply_ufunc(np.log, mean(values, is_end) / typical)
        dimension = _dimensions(trace)
        result[f"weights_{name}"] = mean(dimension, is_end) - mean(dimension, is_middle)
    result["peak"] = _peak(kinetic, is_middle)
    result["slow_share"] = _slow_share(trace)
    result["slow_growth"] = result["slow_share"] - result["slow_share"].sel(
        depth=trace["depth"].values.min()
    )
    gamma, momentum = trace["gamma"], trace["momentum_norm"]
    size, strength = xr.apply_ufunc(np.log, gamma**0.5), xr.apply_ufunc(np.log, momentum)
    result["momentum_exponent"] = _slope(size, strength)
    product = 2 * (size + strength) / np.log(10)
    result["momentum_range"] = product.max("node", skipna=False) - product.min(
        "node", skipna=False
    )
    distance = xr.apply_ufunc(np.log10, trace["image_residual"].clip(ROUNDING))
    result["image_distance"] = distance.median("node", skipna=False)
    for name, of in (("weight", "weight_values"), ("representation", "activation_values")):
        result[f"{name}_separation"] = xr.apply_ufunc(np.log, spectral_gap(trace, of=of)["ratio"])
    return xr.Dataset(
        {
            name: values.transpose("depth", "seed").where(np.isfinite(values))
            for name, values in result.items()
        }
    )


def _plain(values: xr.DataArray) -> xr.DataArray:
    return values.drop_vars("layer", errors="ignore")


def _dimensions(trace: xr.Dataset) -> xr.DataArray:
    """Return the squared nuclear over the squared Frobenius norm of the weights of every layer."""
    values = _plain(trace["weight_values"]).isel(rank=slice(outer_rank(trace)))
    return values.sum("rank", skipna=False) ** 2 / (values**2).sum("rank", skipna=False)


def _peak(kinetic: xr.DataArray, is_middle: xr.DataArray) -> xr.DataArray:
    """Return the logarithm of the highest peak of the speed in the middle over the higher low next to it, or -inf."""
    speed = np.log(kinetic.transpose("depth", "seed", "layer").values) / 2
    before_it = np.minimum.accumulate(speed, axis=-1)[..., :-2]
    after_it = np.minimum.accumulate(speed[..., ::-1], axis=-1)[..., ::-1][..., 2:]
    heights = speed[..., 1:-1] - np.maximum(before_it, after_it)
    inner = is_middle.transpose("depth", "seed", "layer").values[..., 1:-1]
    return kinetic.isel(layer=0).copy(
        data=np.where(inner, heights, -np.inf).max(-1, initial=-np.inf)
    )


def _slow_share(trace: xr.Dataset) -> xr.DataArray:
    """Return the share of p with a cost of identity up to ``NARROW`` above the least, linear between the nodes."""
    cost = trace["stable_cost_of_identity"].transpose("depth", "seed", "node")
    above = (cost - cost.min("node", skipna=False) - NARROW).values
    left, right = above[..., :-1], above[..., 1:]
    low, high = np.minimum(left, right), np.maximum(left, right)
    below = np.where(
        high <= 0, 1.0, np.where(low >= 0, 0.0, -low / np.where(high > low, high - low, 1.0))
    )
    share = (steps(trace).transpose("depth", "seed", "layer").values * below).sum(-1)
    return cost.isel(node=0, drop=True).copy(
        data=np.where(np.isfinite(above).all(-1), share, np.nan)
    )


def _slope(x: xr.DataArray, y: xr.DataArray) -> xr.DataArray:
    """Return the slope of the least-squares line of ``y`` against ``x`` along the nodes."""
    x, y = x - x.mean("node", skipna=False), y - y.mean("node", skipna=False)
    return (x * y).sum("node", skipna=False) / (x**2).sum("node", skipna=False)


def along_table(traces: Traces) -> Table:
    """Return the table of these quantities, one row for each configuration and effective depth."""
    of_traces = rows({label: measured(trace) for label, trace in traces.items()}, "depth")
    return table_of(
        "leaky-resnet-along", "Along the layers", CAPTION, of_traces, columns(*COLUMNS)
    )


def strengths(trace: xr.Dataset) -> xr.DataArray:
    """Return the singular values of the middle layer's weights over L̃, ``[depth, seed, rank]``; 1 keeps a direction."""
    layer = spectral_gap(trace).attrs["layer"] - 1
    values = trace["weight_values"].isel(layer=layer, rank=slice(outer_rank(trace)), drop=True)
    return (values / trace["depth"]).transpose("depth", "seed", "rank")


def constant_share(trace: xr.Dataset) -> xr.DataArray:
    """Return the share of the constant in the squared size of the direction beyond k*, ``[depth, seed]``."""
    at = {"node": spectral_gap(trace).attrs["layer"], "rank": inner_rank(trace)}
    whole, centred = (
        trace[name].isel(at, drop=True) ** 2 for name in ("activation_values", "centred_values")
    )
    return (1 - centred / whole).transpose("depth", "seed")


def picture(traces: Traces) -> Picture:
    """Return the picture of the singular values against the effective depth."""
    return Picture(
        "figure-1b-beyond",
        "Singular values of the middle layer’s weights over L̃ against the effective depth, mean and standard error "
        "over seeds: blue the first k*, orange the next, grey those after it. Dotted: 1, the value that keeps a "
        "direction as it is. Control of Figure 1b of the paper.",
        draw_beyond(traces),
    )


def draw_beyond(traces: Traces) -> Figure:
    """Draw the singular values against the effective depth, a panel for every configuration."""
    titles = [*traces] if len(traces) > 1 else ()
    look: layout.Look = {
        "x": panels.DEPTH,
        "y": r"singular value of $W_p / \tilde{L}$",
        "titles": titles,
    }
    with layout.drawing(1, len(traces), **look, size=(4.6, 2.8), sharey=True) as (figure, axes):
        for axis, trace in zip(axes[0], traces.values(), strict=True):
            inner, values = inner_rank(trace), strengths(trace)
            for rank in range(min(inner + 1 + MORE, values.sizes["rank"]) - 1, -1, -1):
                colour = (
                    style.BLUE if rank < inner else style.ORANGE if rank == inner else style.INK
                )
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
            shares.append(
                constant_share(trace)
                .where(is_beyond)
                .sel(depth=trace["depth"].values.max())
                .values
            )
    values = np.concatenate(shares) if shares else np.empty(0)
    values = values[np.isfinite(values)]
    if not values.size:
        return ()
    return (
        f"Where the gap sits at k* + 1 ({values.size} networks), the constant makes {100 * values.min():.3g} to "
        f"{100 * values.max():.3g} % (median {100 * np.median(values):.3g} %) of the squared size of the direction "
        "beyond k*.",
    )
