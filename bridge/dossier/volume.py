"""Volume element and curvature of the metric that the last layer induces on the inputs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from bridge.analysis import Analysis, Column, Doubt, Picture, Table
from bridge.dossier.network import Network, features_of
from bridge.figures import style
from bridge.rank_correlation import FEWEST, rank_correlation

READING = {
    "Volume element": "factor by which the map from inputs to the features of the last layer looked at magnifies "
    "volume; its natural logarithm is shown, over the non-zero directions where features are fewer than inputs.",
    "Entropy": "of the network’s decision, in bits: high near a decision boundary.",
}
LARGEST_FOR_CURVATURE = 64  # input dimension above which the curvature of a general map takes minutes
MAGNIFIES = (
    "Areas near decision boundaries are magnified: log volume element and entropy of the decision rise together, "
)


def volume(network: Network, memory: str) -> Analysis:
    """Analyse the volume element and the curvature at the inputs."""
    import torch

    from empirics import measure

    layer = network.layers[-1]
    with features_of(network, layer) as features:
        log_volume = measure.log_volume_element(features, network.inputs, memory=memory).cpu().numpy()
        curvature, refusal = _curvature(features, network, memory)
    entropy = torch.special.entr(network.probabilities()).sum(dim=1).cpu().numpy() / np.log(2)
    finite = np.isfinite(log_volume)
    doubts = [Doubt(layer, "", refusal)] if refusal else []
    if not finite.all():
        doubts.append(Doubt(layer, "", f"the metric is singular at {int((~finite).sum())} of {len(finite)} points"))
    if finite.sum() >= FEWEST:
        found = rank_correlation(log_volume[finite], entropy[finite])
        findings = (_finding(found.rho, *found.interval),)
    else:
        findings = (f"The map to {layer} is singular at {int((~finite).sum())} of {len(finite)} points: no volume.",)
    rows = {"log volume element": log_volume[finite], "entropy of the decision, bits": entropy}
    if curvature is not None:
        rows["scalar curvature"] = curvature[np.isfinite(curvature)]
    return Analysis(
        traces={},
        pictures=(_picture(log_volume[finite], entropy[finite], layer),),
        tables=(_table(rows, layer, len(network.inputs)),),
        findings=findings,
        doubts=tuple(doubts),
        reading=READING,
    )


def _curvature(features: Any, network: Network, memory: str) -> tuple[Any, str]:
    """Return the scalar curvature ``[N]``, or None and the reason why there is none."""
    from empirics import measure

    dimension = network.inputs[0].numel()
    if dimension > LARGEST_FOR_CURVATURE:
        return None, f"curvature left out: {dimension} inputs; measure.scalar_curvature takes its time for it"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # singular points are counted below
            return measure.scalar_curvature(features, network.inputs, memory=memory).cpu().numpy(), ""
    except ValueError as refused:
        return None, f"no curvature: {refused}"


def _finding(rho: float, low: float, high: float) -> str:
    interval = f"rank correlation {rho:.2f}, 95 % interval {low:.2f} to {high:.2f} over points."
    if low > 0:
        return MAGNIFIES + interval
    if high < 0:
        return f"Areas near decision boundaries are shrunk, not magnified: {interval}"
    return f"Whether areas near decision boundaries are magnified is too blunt to say: {interval}"


def _table(rows: dict[str, Any], layer: str, points: int) -> Table:
    columns = tuple(Column(key, key) for key in ("quantity", "median", "lowest", "highest"))
    listed = tuple(
        {"quantity": name, "median": float(np.median(v)), "lowest": float(v.min()), "highest": float(v.max())}
        for name, v in rows.items()
        if len(v)
    )
    caption = f"From the inputs to {layer}, at {points} points."
    return Table("geometry", "Volume and curvature", caption, columns, listed)


def _picture(log_volume: Any, entropy: Any, layer: str) -> Picture:
    with style.context():
        figure, axes = style.grid(1, 1, size=(4.2, 2.8))
        panel = axes[0, 0]
        panel.plot(entropy, log_volume, linestyle="", marker="o", markersize=3, alpha=0.6, color=style.BLUE)
        panel.set_xlabel("entropy of the decision (bits)")
        panel.set_ylabel("log volume element")
    return Picture("dossier-volume", f"Every point once: how much {layer} magnifies volume, against how undecided the "
                   "network is there.", figure)  # fmt: skip
