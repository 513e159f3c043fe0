"""Common parts of the studies of Leaky ResNets: tables of networks and of means over seeds, doubts, closed forms."""

from collections.abc import Iterable, Iterator

import numpy as np
import xarray as xr

from bridge import arguments
from bridge.leaky_resnet import CONVERGED, conservation, rank_bounds, spectral_gap, unconverged
from bridge.leaky_resnet.trace import inner_rank
from bridge.results.analysis import (
    Analysis,
    Doubt,
    Picture,
    Table,
    Traces,
    seeds_named,
    table_of,
    with_verdict,
)
from closedform.measured import Measured
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import propositions
from papers.jacot2024.studies.rows import Row, columns, rows

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
    "−2H/L̃": "in the limit of infinite effective depth the number of dimensions that a bottleneck keeps; its parts are "
    "kinetic energy and cost of identity (both with K + γ) in the same units.",
    "Gap": "how many singular values of the weights in the middle layer lie above the largest ratio of two neighbours; "
    "the rival is the second largest ratio.",
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
    r"""Return the smallest stable cost :math:`\sum_i s_i^2/(s_i^2 + \gamma)` without bias, where A = σ(A)."""
    before = {"node": slice(None, -1)}
    cost = trace["stable_cost_of_identity"].isel(before)
    squared = trace["activation_values"].isel(before) ** 2
    spectral = (squared / (squared + trace["gamma"].isel(before))).sum("rank", skipna=False)
    return spectral.where(cost == cost.min("node"), -np.inf).max("node")


def analysis(
    traces: Traces,
    by_label: Traces,
    pictures: Iterable[Picture],
    findings: Iterable[str],
    *,
    further_tables: Iterable[Table] = (),
    compared: Iterable[Measured | None] = (),
    how_compared: str = "",
) -> Analysis:
    """Return the analysis of a study from its own parts and the common ones, from results of :func:`measured`."""
    return Analysis(
        traces=traces,
        pictures=tuple(pictures),
        tables=(_over_seeds(by_label), _by_network(by_label), *further_tables),
        measured=with_verdict(compared),
        how_compared=how_compared,
        findings=(*findings, conserved(by_label), bounded(by_label)),
        doubts=tuple(doubts(by_label)),
        theory=THEORY,
        reading=READING,
    )


def _over_seeds(by_label: Traces) -> Table:
    caption = (
        "Means over seeds with their standard errors, dimensionless; gap at: of each seed, sorted."
    )
    measured = columns(
        q.RANK, q.STABLE_RANK, q.VARIATION, q.RATIO, q.MINIMAL_COST, q.SLACK, q.NEGATIVE_SHARE, q.GROWTH_FACTOR,
        q.RESIDUAL, rank=r"$-2H/\tilde{L}$", stable_rank=r"$-2H_\gamma/\tilde{L}$", variation="its variation",
        ratio="that of its parts, times", minimal_cost="least cost of identity", growth_factor="growth of weights",
        residual="relative gradient",
    )  # fmt: skip
    gaps = (("$k^*$", lambda row: row.data.attrs["inner_rank"]), ("gap at", _gaps))
    return table_of(
        "leaky-resnet-seeds",
        "Hamiltonian and rank",
        caption,
        rows(by_label, "depth"),
        (*measured, *gaps),
    )


def _by_network(by_label: Traces) -> Table:
    caption = (
        "Each network. Difference: the largest over layers of −2H/L̃ minus the stable cost of identity there, between "
        "the bounds of Theorem 4."
    )
    numbers = columns(
        "seed", "gap_ratio", "gap_rival", "rank", "minimal_cost", "lower", "difference", "upper", "residual",
        rank=r"$-2H/\tilde{L}$", minimal_cost="least cost of identity", lower="lower bound", upper="upper bound",
        residual="relative gradient",
    )  # fmt: skip
    holds = ("Theorem 4", lambda row: "holds" if row.number("chain_holds") == 1 else "broken")
    networks = rows(by_label, "depth", "seed")
    return table_of(
        "leaky-resnet-networks",
        "Every network",
        caption,
        networks,
        (*numbers, ("gap at", _gaps), holds),
    )


def _gaps(row: Row) -> str:
    """Return the number of directions that each network of a row keeps, sorted, as text."""
    gaps = np.sort(row.data["gap"].values, axis=None)
    return ", ".join(f"{gap:g}" for gap in gaps[np.isfinite(gaps)])


def doubts(by_label: Traces) -> Iterator[Doubt]:
    """Yield the networks that are not critical or lie on kinks, and the cases in which Theorem 4 is weak."""
    for label, data in by_label.items():
        unfinished = unconverged(data)
        if unfinished:
            sizes = [size for _, _, size in unfinished]
            worst = (
                f"{min(sizes):.2g} to {max(sizes):.2g}" if len(sizes) > 1 else f"{sizes[0]:.2g}"
            )
            kink = 0.0 if "one_sided" in data else float(data["at_kink"].max())
            on = (
                f"; up to {100 * kink:.2g} % of the entries of A lie on a kink, where it cannot vanish"
                if kink
                else ""
            )
            text = f"not at a critical point: relative gradient {worst} (converged: below {CONVERGED:g}){on}. H need "
            yield Doubt(label, f"{text}not be conserved there.", _seeds(unfinished, data))
        slack = data["slack"].values
        if np.nanmax(slack) > BLUNT:
            text = (
                f"its slack γ‖B‖² is {np.nanmin(slack):.2g} to {np.nanmax(slack):.2g} dimensions"
            )
            yield Doubt(
                label, f"Theorem 4 is blunt: {text}, so it cannot tell one rank from the next."
            )


def _seeds(unfinished: list[tuple[float, int, float]], data: xr.Dataset) -> str:
    if len(unfinished) == data.sizes["depth"] * data.sizes["seed"]:
        return ""
    if data.sizes["depth"] > 1:
        return "; ".join(f"L̃ = {depth:g}, seed {seed}" for depth, seed, _ in unfinished)
    return seeds_named(seed for _, seed, _ in unfinished)


def conserved(by_label: Traces) -> str:
    """Return a sentence on the variation of H compared with that of its parts, over all networks."""
    ratio = np.concatenate([data["ratio"].values.ravel() for data in by_label.values()])
    residuals = np.concatenate([data["residual"].values.ravel() for data in by_label.values()])
    ratio = ratio[np.isfinite(ratio)]
    sides = [data["one_sided"].values.ravel() for data in by_label.values() if "one_sided" in data]
    kinks = (
        f", on one side of the kinks up to {np.nanmax(np.concatenate(sides)):.2g}" if sides else ""
    )
    return (
        f"Along the layers −2H/L̃ varies {ratio.min():.3g} to {ratio.max():.3g} times less than its parts (median "
        f"{np.median(ratio):.3g}; {ratio.size} networks, relative gradients {np.nanmin(residuals):.2g} to "
        f"{np.nanmax(residuals):.2g}{kinks})."
    )


def bounded(by_label: Traces) -> str:
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
