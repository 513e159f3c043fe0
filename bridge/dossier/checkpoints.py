"""How the quantities of a dossier move in training, from checkpoints of one network."""

import warnings
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import numpy as np
import torch

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import interval_text, numeral
from bridge.dossier.kernel import KernelPlan, gram_of, planned, shares
from bridge.dossier.network import MeasuredNetwork, noted
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, table_of
from empirics import measure
from empirics.measure.models.layer_outputs import part_up_to
from empirics.training.progress import bar

READING = {
    "Distance of the tangent kernel": "1 − ⟨Θ, Θ₀⟩ / (‖Θ‖ ‖Θ₀‖) from the first checkpoint: zero for a network whose "
    "tangent kernel only changes in size, as in the lazy regime.",
}
RESAMPLINGS = 40
MARGIN = 0.3  # left of step 0, in units of the first step after it


def checkpoints(
    networks: Mapping[float, MeasuredNetwork],
    points: int,
    memory: str,
    seed: int,
    budget: Budget,
    progress: bool,
) -> Analysis:
    """Measure accuracy, collapse of the last layer, volume and tangent kernel of ``networks`` by step."""
    rows: list[dict[str, Any]] = []
    grams: list[Any] = []
    last_one = networks[max(networks)].some(points, seed)
    # a third each: volume, kernel, the rest
    plan = planned(last_one, memory, budget.part(1 / (3 * len(networks))))
    if plan.points < FEWEST:
        raise ValueError(plan.said)
    with bar("checkpoints", len(networks), "checkpoint", progress=progress) as shown:
        for step, network in networks.items():
            gram, row = _at(network, plan, memory, seed)
            grams.append(gram)
            similar = (gram * grams[0]).sum() / np.linalg.norm(gram) / np.linalg.norm(grams[0])
            rows.append(
                {
                    "step": f"{step:g}",
                    "number": float(step),
                    **row,
                    "distance": max(0.0, 1 - float(similar)),
                }
            )
            shown.update()
    layer = next(iter(networks.values())).layers[-1].name if rows[0]["nc1"] is not None else ""
    columns = (
        ("step", itemgetter("step")), ("accuracy", itemgetter("accuracy")), ("cross-entropy", itemgetter("loss")),
        ("NC1", itemgetter("nc1")), ("95 % of NC1", itemgetter("nc1 interval")),
        ("mean log stretching", itemgetter("volume")), ("labels in the kernel", itemgetter("share")),
        ("95 % of these", itemgetter("share interval")), ("distance of the kernel", itemgetter("distance")),
    )  # fmt: skip
    count = len(next(iter(networks.values())).inputs)
    caption = (
        f"Accuracy, cross-entropy and NC1 of {layer or 'no layer'} on {count} points. Mean log stretching (median over "
        "points) and the share of the labels in as many leading eigenvectors of the tangent kernel as there are "
        f"classes on {len(grams[0])}."
    )
    first, last = rows[0], rows[-1]
    finding = f"From step {first['step']} to {last['step']}, "
    if first["accuracy"] is not None:
        finding += f"accuracy goes from {first['accuracy']:.1%} to {last['accuracy']:.1%}, and "
    finding += f"the tangent kernel moves by {numeral(last['distance'], 2)}."
    return Analysis(
        traces={},
        pictures=_pictures(rows),
        tables=(table_of("training", "Checkpoints", caption, rows, columns),),
        findings=(finding,),
        reading=READING,
    )


def _at(
    whole: MeasuredNetwork, plan: KernelPlan, memory: str, seed: int
) -> tuple[Any, dict[str, Any]]:
    """Return the tangent kernel and the other numbers of one checkpoint."""
    some = whole.some(plan.points, seed)
    row: dict[str, Any] = dict.fromkeys(
        ("accuracy", "loss", "nc1", "nc1 low", "nc1 high", "nc1 interval", "shuffled", "volume", "share", "share low",
         "share high", "share shuffled", "share interval")
    )  # fmt: skip
    if whole.task.classes and whole.labels is not None:
        decisions = whole.decisions()
        row |= {"accuracy": decisions.accuracy, "loss": float(decisions.losses.nanmean())}
    if whole.layers:
        row |= {} if whole.groups is None else _collapse(whole, seed)
        if not plan.projections and whole.inputs.is_floating_point():
            features = part_up_to(some.model, some.layers[-1].name)
            with noted() as sentences:
                volume = measure.nonsingular_volume(features, some.inputs, memory=memory)
            for sentence in sentences:
                warnings.warn(f"checkpoints: {sentence}", RuntimeWarning, stacklevel=2)
            row["volume"] = float(np.nanmedian(volume.mean_log_stretch.cpu().numpy()))
    gram, targets = gram_of(some, plan, memory, seed).gram.cpu().numpy(), some.targets()
    if targets is None:
        return gram, row
    found_shares = shares(gram, targets, seed)
    index = min(some.present or targets.shape[1], len(gram)) - 1
    low, high = found_shares.interval(index)
    row |= {
        "share": float(found_shares.labels[index]), "share low": low, "share high": high,
        "share shuffled": float(found_shares.shuffled[index]), "share interval": interval_text(low, high, 2),
    }  # fmt: skip
    return gram, row


def _collapse(network: MeasuredNetwork, seed: int) -> dict[str, Any]:
    """Return NC1 of the last layer with its interval, and with shuffled labels."""
    name = network.layers[-1].name
    features = torch.cat([network.outputs_at(x, [name])[name] for x in network.batches()]).flatten(
        1
    )
    resampled = measure.resampled_nc1(features, network.labels, count=RESAMPLINGS, seed=seed)
    low, high = resampled.interval
    if not np.isfinite(high):
        return {}
    return {"nc1": resampled.value, "nc1 low": low, "nc1 high": high, "nc1 interval": interval_text(low, high),
            "shuffled": float(np.nanmean(resampled.shuffled))}  # fmt: skip


def _pictures(rows: list[dict[str, Any]]) -> tuple[Picture, ...]:
    step = [row["number"] for row in rows]

    def column(key: str) -> list[float]:
        return [np.nan if row[key] is None else row[key] for row in rows]

    drawn = []
    for name, caption, label, value, floor, low, high in (
        ("nc1", "NC1 of the last layer against the step. Band: 95 % over points of each class.", "NC1", "nc1",
         "shuffled", "nc1 low", "nc1 high"),
        ("kernel-share", "Share of the labels in the leading eigenvectors of the tangent kernel, as many as there are "
         "classes. Band: 95 % over points.", "share of the labels", "share", "share shuffled", "share low",
         "share high"),
    ):  # fmt: skip
        if not np.isfinite(column(value)).any():
            continue
        with layout.drawing(x="step", y=label, size=(4.2, 2.6)) as (figure, axes):
            panel = axes[0, 0]
            style.band(panel, step, column(low), column(high), style.BLUE)
            panel.plot(
                step, column(value), marker="o", markersize=4, color=style.BLUE, label="measured"
            )
            panel.plot(
                step,
                column(floor),
                marker="s",
                markersize=3,
                color=style.ORANGE,
                label="labels shuffled",
            )
            if value == "nc1":
                panel.set_yscale("log")
            first_update = min([s for s in step if s > 0] or [1.0])
            panel.set_xscale("symlog", linthresh=first_update)
            if min(step) == 0:
                panel.set_xlim(left=-MARGIN * first_update)  # no tick at a negative step
            style.legend(figure)
        drawn.append(Picture(f"dossier-{name}-training", caption, figure))
    return tuple(drawn)
