"""Separation of the classes with depth: NC1 of every layer, and its value without class information."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bridge.analysis import Analysis, Column, Doubt, Picture, Table
from bridge.dossier.network import Network
from bridge.figures import style
from bridge.ranking import is_constant

READING = {
    "NC1": "tr(Σ_W Σ_B⁺): spread within classes in units of that between them; zero where every class is a point.",
    "Noise floor": "the NC1 that isotropic features of this size without any class information have on average.",
}
CROWDED = 6  # layers whose names do not fit side by side


def collapse(network: Network) -> Analysis:
    """Analyse the neural collapse of the network's layers."""
    import theory
    from empirics import measure

    by_layer = measure.layerwise_collapse(network.model, network.layers, network.batches(), network.classes)
    rows, doubts = [], []
    for layer, measured in by_layer.items():
        dimension = _dimension(network, layer)
        floor = _floor(theory.catalogue(), len(network.inputs), network.classes, dimension)
        rows.append({"layer": layer, "features": dimension, "rank": int(measured.rank), "nc1": _plain(measured.nc1),
                     "floor": floor, "nc2_norm": _plain(measured.nc2_norm), "nc2_angle": _plain(measured.nc2_angle),
                     "nc4": _plain(measured.nc4)})  # fmt: skip
        if measured.note:
            doubts.append(Doubt(layer, "", str(measured.note)))
    columns = (
        Column("layer", "layer"), Column("features", "features"), Column("rank", r"rank of $\Sigma_B$"),
        Column("nc1", "NC1"), Column("floor", "noise floor"), Column("nc2_norm", "NC2, norms"),
        Column("nc2_angle", "NC2, angles"), Column("nc4", "NC4"),
    )  # fmt: skip
    caption = f"{len(network.inputs)} points, {network.classes} classes, frozen weights; float64 accumulation."
    return Analysis(
        traces={},
        pictures=(_picture(rows),),
        tables=(Table("collapse", "Neural collapse, layer by layer", caption, columns, tuple(rows)),),
        findings=_findings(rows),
        doubts=tuple(doubts),
        theory=("collapse.noise_floor",),
        reading=READING,
    )


def _findings(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    from theory import collapse as law

    values = np.array([row["nc1"] if row["nc1"] is not None else np.nan for row in rows])
    if len(values) < 3 or not (np.isfinite(values).all() and (values > 0).all()) or is_constant(np.log(values)):
        return ()
    fit = law.equiseparation(values)
    return (
        f"NC1 goes from {values[0]:.3g} to {values[-1]:.3g} over {len(values)} layers; log NC1 against depth has r = "
        f"{float(fit.r):.3f}, which profiles without a trend reach with probability {float(fit.chance):.2g}.",
    )


def _dimension(network: Network, layer: str) -> int:
    from bridge.dossier.network import features_of

    with features_of(network, layer) as features:
        return int(features(network.inputs[:1].clone()).shape[1])


def _floor(catalogue: Any, samples: int, classes: int, dimension: int) -> float | None:
    """Return the expected NC1 without class information; None where it is infinite."""
    if dimension > classes:
        name = "collapse.noise_floor"
    elif dimension < classes - 2:
        name = "collapse.noise_floor_few_dimensions"
    else:
        return None
    return float(catalogue[name](samples=samples, classes=classes, dimension=dimension))


def _plain(value: Any) -> float | None:
    number = float(value) if value is not None else math.nan
    return number if math.isfinite(number) else None


def _picture(rows: list[dict[str, Any]]) -> Picture:
    with style.context():
        figure, axes = style.grid(1, 1, size=(4.2, 2.8))
        panel = axes[0, 0]
        depth = np.arange(1, len(rows) + 1)
        measured, floor = ([math.nan if row[key] is None else row[key] for row in rows] for key in ("nc1", "floor"))
        panel.plot(depth, measured, marker="o", markersize=4, color=style.BLUE, label="measured")
        panel.plot(depth, floor, linestyle="--", color=style.INK, label="noise floor")
        panel.set_yscale("log")
        slanted = {"rotation": 45, "ha": "right"} if len(rows) > CROWDED else {}
        panel.set_xticks(depth, [row["layer"] for row in rows], **slanted)
        panel.set_ylabel("NC1")
        panel.legend()
    return Picture("dossier-collapse", "Neural collapse against depth, with the value of features that know nothing of "
                   "the class.", figure)  # fmt: skip
