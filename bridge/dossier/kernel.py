"""The tangent kernel of the network on the data, and the projections of the labels on its eigenvectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridge.analysis import Analysis, Column, Picture, Table
from bridge.dossier.network import Network
from bridge.figures import style

READING = {
    "Tangent kernel": "Θ(x, z) = ∂_W f(x) · ∂_W f(z), summed over outputs. Labels that lie in its leading eigenvectors "
    "are learned fast and generalise well by kernel methods. Labels are centred, and so are those drawn at random: an "
    "eigenvector that is nearly constant can hold nothing of either.",
}


def kernel(network: Network, memory: str) -> Analysis:
    """Analyse the tangent kernel of the network on the data."""
    from empirics import measure

    gram = measure.neural_tangent_gram(network.model, network.inputs, memory=memory).cpu().numpy()
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[::-1], vectors[:, ::-1]
    one_hot = np.eye(network.classes)[network.labels.cpu().numpy()]
    centred = one_hot - one_hot.mean(axis=0)
    energy = np.square(vectors.T @ centred).sum(axis=1)
    share = np.cumsum(energy) / energy.sum() if energy.sum() > 0 else np.zeros(len(energy))
    by_chance = np.cumsum(np.square(vectors - vectors.mean(axis=0)).sum(axis=0)) / (len(values) - 1)
    count = min(network.classes, len(values))
    findings: tuple[str, ...] = ()
    if energy.sum() > 0:
        findings = (
            f"The {count} leading eigenvectors of the tangent kernel hold {share[count - 1]:.0%} of the labels "
            f"({by_chance[count - 1]:.0%} of the same labels in random order).",
        )
    rows = tuple(
        {"eigenvectors": k, "of the trace": float(values[:k].sum() / values.sum()),
         "of the labels": float(share[k - 1]), "of random labels": float(by_chance[k - 1])}
        for k in sorted({1, count, min(2 * count, len(values)), max(1, len(values) // 4)})
    )  # fmt: skip
    columns = tuple(Column(key, key) for key in ("eigenvectors", "of the trace", "of the labels", "of random labels"))
    return Analysis(
        traces={},
        pictures=(_picture(share, by_chance),),
        tables=(Table("kernel", "Tangent kernel and labels", f"{len(values)} points.", columns, rows),),
        findings=findings,
        reading=READING,
    )


def _picture(share: Any, by_chance: Any) -> Picture:
    with style.context():
        figure, axes = style.grid(1, 1, size=(4.2, 2.8))
        panel = axes[0, 0]
        count = np.arange(1, len(share) + 1)
        panel.plot(count, share, color=style.BLUE, label="labels")
        panel.plot(count, by_chance, linestyle="--", color=style.INK, label="random labels")
        panel.set_xscale("log")
        panel.set_xlabel("leading eigenvectors of the tangent kernel")
        panel.set_ylabel("share of the labels in them")
        panel.legend()
    return Picture(
        "dossier-kernel", "How much of the labels lies in the leading eigenvectors of the tangent kernel.", figure
    )
