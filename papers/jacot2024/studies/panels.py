"""Panels of the figures of Leaky ResNets: spectra along p, and the Hamiltonian with its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.leaky_resnet.trace import mean_and_error, outer_rank
from bridge.plots import layout, style

HAMILTONIAN, COST, KINETIC, STABLE = style.TEAL, style.ORANGE, style.BLUE, style.PURPLE
MESHES = {"equidistant": style.BLUE, "irregular": style.ORANGE, "adaptive": style.TEAL}
FLOOR = 1e-4  # smallest singular value drawn, relative to the largest one
P, DEPTH = "position $p$", r"effective depth $\tilde{L}$"
NEXT = {"color": style.INK, "linestyle": ":", "linewidth": 1.1}  # of k* + 1, and of other limits


def spectrum(axes: Any, network: xr.Dataset, name: str, kept: int, *, steps: bool = False) -> None:
    """Draw singular values along p of one network, the first ``kept`` coloured, and the nodes if ``steps``."""
    position = network["position"].values
    at = position if "node" in network[name].dims else (position[:-1] + position[1:]) / 2
    values = network[name].values[:, : outer_rank(network)]
    top = float(values.max())
    for rank in range(values.shape[1] - 1, -1, -1):
        strong = rank < kept
        axes.plot(
            at, np.maximum(values[:, rank], FLOOR * top / 10), color=style.BLUE if strong else style.INK,
            linewidth=1.4 if strong else 0.7, alpha=0.95 if strong else 0.45,
        )  # fmt: skip
    for node in position if steps else ():
        axes.axvline(node, color=style.INK, linewidth=0.5, alpha=0.3, zorder=0)
    axes.set(
        yscale="log", ylim=(max(FLOOR * top, 0.5 * float(values.min())), 1.6 * top), xlim=(0, 1)
    )


def energies(axes: Any, trace: xr.Dataset) -> None:
    """Draw -2H/L̃, the kinetic part and the cost of identity along p, for all seeds of a trace of one depth."""
    depth = float(trace["depth"])
    for seed in range(trace.sizes["seed"]):
        network = trace.isel(seed=seed)
        position = network["position"].values
        middle = (position[:-1] + position[1:]) / 2
        first = seed == 0
        lines = (
            (position, network["stable_cost_of_identity"], COST, "cost of identity"),
            (
                middle,
                2 / depth * network["stable_kinetic_energy"],
                KINETIC,
                r"kinetic, $\|\partial_p A\|^2/\tilde{L}^2$",
            ),
            (
                middle,
                -2 / depth * network["stable_hamiltonian"],
                STABLE,
                r"$-2H_\gamma/\tilde{L}$",
            ),
            (middle, -2 / depth * network["hamiltonian"], HAMILTONIAN, r"$-2H/\tilde{L}$"),
        )
        for x, y, colour, label in lines:
            axes.plot(
                x, y.values, color=colour, linewidth=1.3, alpha=0.8, label=label if first else None
            )
    layout.symmetric_logarithmic(axes, 1)
    axes.set_xlim(0, 1)


def against_depth(axes: Any, values: xr.DataArray, **look: Any) -> None:
    """Draw mean and standard error over seeds of ``values [depth, seed]`` against the effective depth."""
    mean, error = mean_and_error(values.transpose("depth", "seed"))
    style.with_errors(axes, values["depth"].values, mean, error, **look)


def chosen(
    trace: xr.Dataset, gap: xr.Dataset, seed: int | None = None
) -> tuple[xr.Dataset, int, int]:
    """Return a network at the largest depth, by default the most critical one, the directions kept, and its seed."""
    depth = trace["depth"].values.max()
    residual = gap["residual"].sel(depth=depth)
    if seed is None:
        seed = int(residual["seed"].values[int(np.nanargmin(residual.values))])
    return trace.sel(depth=depth, seed=seed), int(gap["gap"].sel(depth=depth, seed=seed)), seed


def draw_rank(measured: xr.Dataset) -> Figure:
    """Draw Figure 1a of one trace that :func:`papers.jacot2024.studies.networks.measured` measured."""
    depth, rank = measured["depth"].values, measured.attrs["inner_rank"]
    names: layout.Look = {"x": DEPTH, "y": ("dimensions", "relative gradient")}
    with layout.drawing(1, 2, **names, size=(4.2, 2.8), gridspec_kw={"width_ratios": (2, 1)}) as (
        figure,
        axes,
    ):
        left, right = axes[0]
        low, high = (mean_and_error(measured[name])[0] for name in ("rank_low", "rank_high"))
        look: dict[str, Any] = {"color": HAMILTONIAN, "alpha": 0.15, "label": "over the layers"}
        if len(depth) > 1:
            left.fill_between(depth, low, high, linewidth=0, **look)
        else:
            left.vlines(depth, low, high, linewidth=8, **look)
        for name, colour, text, marker in (
            ("minimal_cost", COST, "least cost of identity", "s"),
            ("rank", HAMILTONIAN, r"$-2H/\tilde{L}$", "o"),
            ("stable_rank", STABLE, r"$-2H_\gamma/\tilde{L}$", "^"),
        ):
            against_depth(left, measured[name], color=colour, label=text, marker=marker)
        left.axhline(rank, **style.THEORY, label="$k^*$")
        left.axhline(rank + 1, **NEXT, label="$k^* + 1$")
        layout.symmetric_logarithmic(left, 2 * (rank + 1))
        style.legend(figure)
        right.plot(
            depth,
            measured["residual"].transpose("depth", "seed").values,
            "o",
            color=style.INK,
            markersize=3,
        )
        layout.logarithmic(right)
        for axis in (left, right):
            axis.set_xticks(ticks(depth))
    return figure


def ticks(depth: Any) -> Any:
    """Return effective depths at which there are ticks, ten at most."""
    return depth if len(depth) <= 10 else depth[::2]
