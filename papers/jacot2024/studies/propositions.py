r"""Propositions 2 and 5 (no negative entries in the bottleneck) and 9 (balancedness) on trained networks.

Proposition 9 prints :math:`\|W_p\|^2 = \|W_0\|^2 + \tilde L \int_0^p \|b\|^2`. The derivation gives twice the integral,
so that the slope of the growth of :math:`\|W_p\|^2` against :math:`\tilde L \int_0^p \|b\|^2` distinguishes 2 from 1.
Both need critical networks. Integrals are sums over layers, which are off by :math:`O(\tilde L/L)`: critical networks
of 20 layers have slopes of 1.6 to 1.9 at an effective depth of 1.
"""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.leaky_resnet.trace import CONVERGED, after, residual, steps
from bridge.plots import layout, style
from bridge.results.analysis import Picture, Traces
from closedform.measured import Measured
from papers.jacot2024.quantities import CRITICAL_GROWTH, NEGATIVE_SHARE
from papers.jacot2024.studies import panels
from papers.jacot2024.studies.rows import Row

NEGATIVE = 0.1  # share of negative entries below which a representation counts as non-negative
ROUNDING = 1e-9
# effective depth of a layer above which sums over layers no longer stand for integrals
COARSE = 0.1
FACTOR, PRINTED = 2.0, 1.0  # of the integral in Proposition 9: derived, and as printed
DASHES = ("-", "-.", ":")  # of configurations of one colour
HOW = (
    "Propositions 2 and 5: no negative entries at the largest effective depth (a tenth matters). Proposition 9: the "
    "derived factor is 2, the paper prints 1; only where L̃/L, of whose order the error of the integral over layers is, "
    "is at most a tenth."
)


def growth(trace: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    r"""Return :math:`\tilde L \int_0^p \|b\|^2` and the growth of the squared weight norm, ``[depth, seed, layer]``."""
    norm2 = (trace["weight_values"] ** 2).sum("rank", skipna=False)
    grown = norm2 - norm2.isel(layer=0, drop=True)
    return (grown - trace["balancedness"]) / FACTOR, grown


def measured(trace: xr.Dataset) -> xr.Dataset:
    """Return growth factor (NaN without bias), negative share and residual, ``[depth, seed]``, of each network."""
    fed, grown = growth(trace)
    rho = steps(trace)
    square = (rho * fed**2).sum("layer", skipna=False)
    has_bias = square > ROUNDING**2 * (rho * grown**2).sum("layer", skipna=False)
    factor = (rho * fed * grown).sum("layer", skipna=False) / square.where(has_bias)
    share = factor * np.nan
    if "negative_share" in trace:
        cost = after(trace["stable_cost_of_identity"])
        share = after(trace["negative_share"]).where(cost == cost.min("layer")).min("layer")
    return xr.Dataset(
        {"growth_factor": factor, "negative_share": share, "residual": residual(trace)}
    )


def compared(by_label: Traces) -> list[Measured | None]:
    """Compare results of :func:`measured` with both propositions, at the largest and the smallest effective depth."""
    listed: list[Measured | None] = []
    for label, data in by_label.items():
        if "layers" not in data.attrs:
            raise ValueError(
                f"by_label[{label!r}]: has no attribute 'layers', needs the number of layers"
            )
        deep, shallow = (
            data.sel(depth=extreme(data["depth"].values)) for extreme in (np.max, np.min)
        )
        is_fine = float(shallow["depth"]) <= COARSE * data.attrs["layers"]
        factor = shallow["growth_factor"].where((residual(shallow) <= CONVERGED) & is_fine)
        listed.append(Row(label, deep).mean(NEGATIVE_SHARE, 0.0, NEGATIVE))
        listed.append(Measured.mean(CRITICAL_GROWTH, label, factor, FACTOR))
    return listed


def picture(traces: Traces) -> Picture:
    """Return the picture of both propositions along the layers of every network at the largest effective depth."""
    return Picture(
        "propositions-along-the-layers",
        "Left: norm of the negative entries of the representations over their norm (Propositions 2 and 5: none in the "
        "bottleneck); dotted: a tenth. Right, networks with bias: growth of the squared weight norm against L̃ times "
        "the integral of the squared bias; dashed: the derived factor 2, dotted: once, as Proposition 9 prints it. "
        "Every network.",
        draw(traces),
    )


def draw(traces: Traces) -> Figure:
    """Draw the share of negative entries along the layers, and the growth of the weights of networks with bias."""
    x = (panels.P, r"$\tilde{L} \int_0^p \|b\|^2$")
    y = ("share of negative entries", r"$\|W_p\|^2 - \|W_0\|^2$")
    with layout.drawing(1, 2, x=x, y=y, size=(3.6, 2.9)) as (figure, axes):
        left, right = axes[0]
        most = 0.0
        for number, (label, trace) in enumerate(traces.items()):
            last = trace.sel(depth=trace["depth"].values.max())
            dashes, colour = divmod(number, len(style.COLOURS))
            look = {
                "color": style.COLOURS[colour],
                "linestyle": DASHES[dashes % len(DASHES)],
                "linewidth": 1.1,
            }
            look["alpha"] = 0.8
            if "negative_share" in last:
                at, share = (
                    last[name].transpose("node", "seed").values
                    for name in ("position", "negative_share")
                )
                lines = left.plot(at, share, **look)
                lines[0].set_label(label)
            fed, grown = (
                values.sel(depth=last["depth"]).transpose("layer", "seed").values
                for values in growth(trace)
            )
            # without bias only rounding is left
            if np.nanmax(fed) > ROUNDING * np.nanmax(np.abs(grown)):
                right.plot(fed, grown, **look)
                most = max(most, float(np.nanmax(fed)))
        left.axhline(NEGATIVE, **panels.NEXT)
        left.set(xlim=(0, 1), ylim=(0, None))
        right.plot([0, most], [0, FACTOR * most], **style.THEORY, label="twice, derived")
        right.plot([0, most], [0, PRINTED * most], **panels.NEXT, label="once, printed")
        right.legend()
        style.legend(figure, left.get_legend_handles_labels()[0])
    return figure
