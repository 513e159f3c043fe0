"""Common parts of the studies of Leaky ResNets: tables of networks and of means over seeds, doubts, closed forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.leaky_resnet import CONVERGED, conservation, mean_and_error, rank_bounds, spectral_gap, unconverged
from bridge.leaky_resnet.studies import propositions
from bridge.leaky_resnet.trace import inner_rank
from bridge.results.analysis import Analysis, Column, Compared, Doubt, Picture, Table, seeds_named

if TYPE_CHECKING:
    import xarray as xr

BLUNT = 1.0  # slack of Theorem 4 above which it does not distinguish consecutive ranks
THEORY = (
    "leaky_resnet.nonnegative_cost", "leaky_resnet.depth_of_mean", "leaky_resnet.mode_hamiltonian",
    "leaky_resnet.mode_weight_norm",
)  # fmt: skip
RESIDUAL = (
    "size of the gradient by the weights in units of the regulariser's share of it, so 0 at a critical point. Only "
    "there is H conserved; the minima of ReLU networks often lie on kinks, where the gradient on one side does not "
    "vanish however long one trains. Networks that were trained with a smoothed ReLU are measured with it, at a width "
    "of a thousandth of each layer’s representations."
)
READING = {
    "Relative gradient": RESIDUAL,
    "−2H/L̃": "median over layers; in the limit of infinite effective depth the number of dimensions that a bottleneck "
    "keeps. Its variation is its standard deviation along p, the parts are kinetic energy and cost of identity (both "
    "with K + γ) in the same units.",
    "Gap": "how many singular values of the weights in the middle layer lie above the largest ratio of two neighbours; "
    "the rival is the second largest ratio.",
    "Slack": "γ‖B‖², the largest over layers: how many dimensions Theorem 4 leaves open.",
}


def measured(trace: xr.Dataset) -> xr.Dataset:
    """Measure conservation, bounds and gap of every network, in one Dataset ``[depth, seed]``."""
    result, bounds, gap = conservation(trace), rank_bounds(trace), spectral_gap(trace)
    chain = bounds[["lower", "upper", "slack", "minimal_cost", "chain_holds", "speed_holds"]]
    whole = result.merge(chain.assign(difference=bounds["gap"])).merge(gap[["gap", "ratio", "rival", "excess"]].rename(
        ratio="gap_ratio", rival="gap_rival"
    ))  # fmt: skip
    whole["at_kink"] = trace["at_kink"]
    if "smoothed_residual" in trace:
        whole["one_sided"] = trace["residual"].isel(record=-1, drop=True)
    whole["nonnegative_cost"] = _nonnegative_cost(trace)
    whole = whole.merge(propositions.measured(trace)[["growth_factor", "negative_share"]])
    whole.attrs["inner_rank"] = inner_rank(trace)
    whole.attrs["layers"] = trace.sizes["layer"]
    whole.attrs["bias"] = int(arguments.attribute(trace, "config")["bias"])
    return whole


def _nonnegative_cost(trace: xr.Dataset) -> xr.DataArray:
    r"""Return the smallest stable cost of identity for nonnegative representations without bias, ``[depth, seed]``.

    In this case :math:`\sigma(A) = A`, and the stable cost of identity is :math:`\sum_i s_i^2/(s_i^2 + \gamma)`, which
    is at most the rank.
    """
    before = {"node": slice(None, -1)}
    cost = trace["stable_cost_of_identity"].isel(before)
    squared = trace["activation_values"].isel(before) ** 2
    spectral = (squared / (squared + trace["gamma"].isel(before))).sum("rank", skipna=False)
    return spectral.where(cost == cost.min("node"), -np.inf).max("node")


def analysis(
    traces: Mapping[str, xr.Dataset],
    by_label: Mapping[str, xr.Dataset],
    pictures: Iterable[Picture],
    findings: Iterable[str],
    *,
    further_tables: Iterable[Table] = (),
    compared: tuple[Compared, ...] = (),
    how_compared: str = "",
) -> Analysis:
    """Return the analysis of a study from its own parts and the common ones.

    Args:
        traces: configuration label -> trace.
        by_label: configuration label -> result of :func:`measured`.
        pictures: figures of the study.
        findings: findings of the study, in addition to those on conservation and Theorem 4.
        further_tables: tables of the study, in addition to those of :func:`tables`. Default: none.
        compared: comparisons of the study. Default: none.
        how_compared: description of the comparisons. Default: empty.
    """
    return Analysis(
        traces=traces,
        pictures=tuple(pictures),
        tables=(*tables(by_label), *further_tables),
        compared=compared,
        how_compared=how_compared,
        findings=(*findings, conserved(by_label), bounded(by_label)),
        doubts=doubts(by_label),
        theory=THEORY,
        reading=READING,
    )


def tables(by_label: Mapping[str, xr.Dataset]) -> tuple[Table, ...]:
    """Return the table of means over seeds, and that of every network."""
    return (_over_seeds(by_label), _by_network(by_label))


def _over_seeds(by_label: Mapping[str, xr.Dataset]) -> Table:
    names = ("rank", "variation", "stable_variation", "minimal_cost", "ratio", "slack", "residual", "negative_share",
             "growth_factor")  # fmt: skip
    rows = []
    for label, data in by_label.items():
        for depth in data["depth"].values:
            at_depth = data.sel(depth=depth)
            row: dict[str, Any] = {"configuration": label, "depth": float(depth), "seeds": at_depth.sizes["seed"]}
            for name in names:
                row[name], row[f"{name}_error"] = mean_and_error(at_depth[name])
            gaps = [int(value) for value in at_depth["gap"].values if np.isfinite(value)]
            row |= {"inner_rank": data.attrs["inner_rank"], "gaps": ", ".join(map(str, sorted(gaps)))}
            rows.append(row)
    columns = (
        Column("configuration", "configuration"),
        Column("depth", r"$\tilde{L}$"),
        Column("seeds", "seeds"),
        Column("inner_rank", "$k^*$"),
        Column("gaps", "gap at"),
        Column("rank", r"$-2H/\tilde{L}$"),
        Column("variation", "its variation"),
        Column("ratio", "that of its parts, times"),
        Column("minimal_cost", "least cost of identity"),
        Column("slack", r"slack"),
        Column("negative_share", "negative share"),
        Column("growth_factor", "growth of weights"),
        Column("residual", "relative gradient"),
    )
    caption = (
        "Means over seeds with their standard errors, dimensionless; gap at: of each seed, sorted. Negative share: "
        "norm of the negative entries of the representation with the least cost of identity, over its norm. Growth of "
        "weights: that of their squared norm over L̃ times the integral of the squared bias, 2 by balancedness."
    )
    return Table("leaky-resnet-seeds", "Hamiltonian and rank", caption, columns, tuple(rows))


def _by_network(by_label: Mapping[str, xr.Dataset]) -> Table:
    rows = []
    for label, data in by_label.items():
        for depth in data["depth"].values:
            for seed in data["seed"].values:
                network = data.sel(depth=depth, seed=seed)
                values = {str(name): float(network[name]) for name in network.data_vars}
                values["gap"] = int(values["gap"]) if np.isfinite(values["gap"]) else float("nan")
                holds = "holds" if values["chain_holds"] == 1 else "broken"
                rows.append(
                    {"configuration": label, "depth": float(depth), "seed": int(seed)} | values | {"theorem": holds}
                )
    columns = (
        Column("configuration", "configuration"),
        Column("depth", r"$\tilde{L}$"),
        Column("seed", "seed"),
        Column("gap", "gap at"),
        Column("gap_ratio", "its ratio", 3),
        Column("gap_rival", "rival", 3),
        Column("rank", r"$-2H/\tilde{L}$", 3),
        Column("minimal_cost", "least cost of identity", 3),
        Column("lower", "lower bound", 3),
        Column("difference", "difference", 3),
        Column("upper", "upper bound", 3),
        Column("theorem", "Theorem 4"),
        Column("residual", "relative gradient", 2),
    )
    caption = (
        "Each network. Difference: the largest over layers of −2H/L̃ minus the stable cost of identity there, between "
        "the bounds of Theorem 4."
    )
    return Table("leaky-resnet-networks", "Every network", caption, columns, tuple(rows))


def doubts(by_label: Mapping[str, xr.Dataset]) -> tuple[Doubt, ...]:
    """Return the networks that are not critical or lie on kinks, and the cases in which Theorem 4 is weak."""
    listed = []
    for label, data in by_label.items():
        if unfinished := unconverged(data):
            sizes = [size for _, _, size in unfinished]
            worst = f"{min(sizes):.2g} to {max(sizes):.2g}" if len(sizes) > 1 else f"{sizes[0]:.2g}"
            kink = 0.0 if "one_sided" in data else float(data["at_kink"].max())
            on = f"; up to {100 * kink:.2g} % of the entries of A lie on a kink, where it cannot vanish" if kink else ""
            listed.append(
                Doubt(
                    label,
                    _seeds(unfinished, data),
                    f"not at a critical point: relative gradient {worst} (converged: below {CONVERGED:g}){on}. H need "
                    "not be conserved there.",
                )
            )
        slack = data["slack"].values
        if np.nanmax(slack) > BLUNT:
            listed.append(
                Doubt(
                    label,
                    "",
                    f"Theorem 4 is blunt: its slack γ‖B‖² is {np.nanmin(slack):.2g} to {np.nanmax(slack):.2g} "
                    "dimensions, so it cannot tell one rank from the next.",
                )
            )
    return tuple(listed)


def _seeds(unfinished: list[tuple[float, int, float]], data: xr.Dataset) -> str:
    if len(unfinished) == data.sizes["depth"] * data.sizes["seed"]:
        return ""
    if data.sizes["depth"] > 1:
        return "; ".join(f"L̃ = {depth:g}, seed {seed}" for depth, seed, _ in unfinished)
    return seeds_named(seed for _, seed, _ in unfinished)


def conserved(by_label: Mapping[str, xr.Dataset]) -> str:
    """Return a sentence on the variation of H compared with that of its parts, over all networks."""
    ratio = np.concatenate([data["ratio"].values.ravel() for data in by_label.values()])
    residuals = np.concatenate([data["residual"].values.ravel() for data in by_label.values()])
    ratio = ratio[np.isfinite(ratio)]
    sides = [data["one_sided"].values.ravel() for data in by_label.values() if "one_sided" in data]
    kinks = f", on one side of the kinks up to {np.nanmax(np.concatenate(sides)):.2g}" if sides else ""
    return (
        f"Along the layers −2H/L̃ varies {ratio.min():.3g} to {ratio.max():.3g} times less than its parts (median "
        f"{np.median(ratio):.3g}; {ratio.size} networks, relative gradients {np.nanmin(residuals):.2g} to "
        f"{np.nanmax(residuals):.2g}{kinks})."
    )


def bounded(by_label: Mapping[str, xr.Dataset]) -> str:
    """Return a sentence on whether Theorem 4 holds, and on how sharp it is."""
    chain = np.concatenate([data["chain_holds"].values.ravel() for data in by_label.values()])
    speed = np.concatenate([data["speed_holds"].values.ravel() for data in by_label.values()])
    slack = np.concatenate([data["slack"].values.ravel() for data in by_label.values()])
    is_known = np.isfinite(chain)
    return (
        f"Theorem 4 in the form that holds: the chain for H in {int(chain[is_known].sum())} of {int(is_known.sum())} "
        f"networks, the chain for the speed in {100 * speed[is_known].mean():.4g} % of their layers (they may "
        f"leave them only where the network is not critical); its slack is "
        f"{slack[is_known].min():.2g} to {slack[is_known].max():.2g} dimensions."
    )
