"""Separation of the classes with depth: NC1 of every layer, and its value without class information."""

import math
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import CHANCE, Expectation, called, counted, interval_text, numeral
from bridge.dossier.network import MeasuredNetwork
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, table_of
from bridge.statistics.rank_correlation import is_constant
from bridge.validity.placed import placed
from empirics import measure
from empirics.measure.collapse.resampling import resampled_nc1
from empirics.measure.models.memory import CALL, NUMBERS, OPERATIONS, bytes_of, work_of
from empirics.measure.models.model_on_data import MOST
from empirics.training.progress import bar

RESAMPLINGS = 100
PASSES = 30  # over the features, in which sums are kept to twice the precision

READING = {
    "NC1": "tr(Σ_W Σ_B⁺): spread within classes in units of that between them; zero where every class is a point. Its "
    "95 % interval over points comes from points drawn anew within each class: the network and the classes are fixed. "
    "The interval over classes says how far another set of as many classes of the same kind could be, points included; "
    "it comes from leaving out one class at a time (jackknife, Student’s t), and is wide where classes are few.",
    "Shuffled labels": "the NC1 of the very same features with the labels in random order, mean and 95 % interval over "
    "orders. It assumes nothing of the features, and is what a layer shows that knows nothing of the classes.",
    "Isotropic floor": "the NC1 of isotropic Gaussian features of this size without class information, in closed form. "
    "It assumes that all directions have equal variance; features of real networks do not, so that it is too low.",
}
ABSENT = "do not occur and are left out"  # classes, which the table of the network tells
CROWDED = 6  # layers whose names do not fit side by side


def collapse(
    network: MeasuredNetwork, memory: str, seed: int, budget: Budget, progress: bool
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the neural collapse of the network's layers."""
    from theory.collapse.class_blind import floor_at

    if network.labels is None or network.classes < 2:
        raise ValueError(
            "needs class indices: labels= with one for each point, or for each position of the outputs"
        )
    whole, network = network, in_memory(network, memory, seed)
    fitting = len(network.inputs)
    count, needed, least = in_budget(network, memory, budget)
    if count < FEWEST:
        raise ValueError(budget.said("collapse", 0, len(whole.inputs), needed, least))
    network = network.some(count, seed)
    rows: list[dict[str, Any]] = []
    doubts: list[Doubt] = []
    notes: dict[str, list[str]] = {}
    decision = network.decisions().classes if network.task.classes else None
    with bar("collapse", len(network.layers), "layer", progress=progress) as shown:
        for layer, features in network.features(memory):
            shown.update()
            points = network.as_points(features, decision, seed)
            if points is None:
                doubts.append(
                    Doubt(called(layer.name), "its positions are not those of the labels")
                )
                continue
            x, labels, predictions = points.features, points.labels, points.decisions
            measured = measure.neural_collapse(
                x, labels, classes=points.classes, predictions=predictions
            )
            resampled = resampled_nc1(x, labels, count=RESAMPLINGS, seed=seed)
            low, high = map(_plain, resampled.interval)
            classes_low, classes_high = map(_plain, resampled.interval_over_classes)
            shuffled_low, shuffled_high = map(_plain, resampled.interval_shuffled)
            sizes = np.unique(labels.tolist(), return_counts=True)[1]
            rows.append({
                "layer": layer.name, "points": len(labels), "classes": len(sizes), "ratio": sizes.max() / sizes.min(),
                "features": x.shape[1], "rank": int(measured.rank),
                "nc1": _plain(measured.nc1), "low": low, "high": high, "classes_low": classes_low,
                "classes_high": classes_high, "shuffled": _mean(resampled.shuffled),
                "shuffled_low": shuffled_low, "shuffled_high": shuffled_high,
                "isotropic": _plain(floor_at(len(labels), len(sizes), np.array(x.shape[1]))),
                "nc2_norm": _plain(measured.nc2_norm), "nc2_angle": _plain(measured.nc2_angle),
                "nc4": None if predictions is None else _plain(measured.nc4),
            })  # fmt: skip
            note = "; ".join(
                text for text in measured.note.split("; ") if not text.endswith(ABSENT)
            )
            if note:
                notes.setdefault(note, []).append(called(layer.name))
    doubts += [
        Doubt(where[0] if len(where) == 1 else "collapse", note) for note, where in notes.items()
    ]
    if not rows:
        raise ValueError("no layer has the positions of the labels; name one by layers=")
    if count < fitting:
        doubts.append(Doubt("points", budget.said("collapse", count, fitting, needed)))
    if fitting < len(whole.inputs):
        doubts.append(Doubt("points", f"{fitting} of {len(whole.inputs)} points, drawn at random: "
                                    f"the features of the widest layer must fit into {memory}"))  # fmt: skip
    columns = (
        ("layer", itemgetter("layer")), ("features", itemgetter("features")),
        (r"rank of $\Sigma_B$", itemgetter("rank")), ("NC1", itemgetter("nc1")), ("95 % over points", _interval),
        ("95 % over classes", partial(_interval, over="classes_")), ("labels shuffled", itemgetter("shuffled")),
        ("95 % over orders", partial(_interval, over="shuffled_")), ("isotropic floor", itemgetter("isotropic")),
        ("NC2, norms", itemgetter("nc2_norm")), ("NC2, angles", itemgetter("nc2_angle")), ("NC4", itemgetter("nc4")),
    )  # fmt: skip
    unit = "points" if network.groups is not None else f"positions of {len(network.inputs)} points"
    caption = f"{rows[-1]['points']} {unit}, {network.classes} classes, frozen weights; float64 accumulation."
    analysis = Analysis(
        traces={},
        pictures=(_picture(rows),),
        tables=(table_of("collapse", "Neural collapse, layer by layer", caption, rows, columns),),
        findings=(*_findings(rows, len(whole.inputs), len(network.inputs)), *_placed(rows[-1])),
        doubts=tuple(doubts),
        theory=("collapse.noise_floor",),
        reading=READING,
    )
    return analysis, _expectations(rows)


def _findings(rows: list[dict[str, Any]], points: int, used: int) -> tuple[str, ...]:
    """Return the NC1 of the last layer and its course with depth, of the ``used`` ones among the points."""
    from theory import collapse as law

    values = np.array([row["nc1"] if row["nc1"] is not None else np.nan for row in rows])
    last = rows[-1]
    of_last: tuple[str, ...] = ()
    if last["nc1"] is not None and last["low"] is not None:
        ends = f"95 % interval {_interval(last)} over points, {_interval(last, 'classes_')} over classes"
        of_last = (
            f"NC1 of {called(last['layer'])} is {numeral(last['nc1'])} at {counted(used, points)} ({ends}; with the "
            f"labels in random order {_shuffled(last)}).",
        )
    if (
        len(values) < 3
        or not (np.isfinite(values).all() and (values > 0).all())
        or is_constant(np.log(values))
    ):
        return of_last
    fit = law.equiseparation(values)
    return (
        *of_last,
        f"NC1 goes from {numeral(values[0])} to {numeral(values[-1])} over {len(values)} layers; log NC1 against depth "
        f"has r = {numeral(float(fit.r))}, which profiles without a trend reach with probability "
        f"{numeral(float(fit.chance), 2)}.",
    )


def _placed(row: dict[str, Any]) -> tuple[str, ...]:
    """Return where the size of the last layer lies in the recorded map of noise floors."""
    values = {
        "samples": row["points"],
        "dimension": row["features"],
        "ratio": row["ratio"],
        "classes": row["classes"],
    }
    return tuple(
        f"Noise floor of {called(row['layer'])}: {sentence}"
        for sentence in placed("blind features", values)
    )


def _expectations(rows: list[dict[str, Any]]) -> tuple[Expectation, ...]:
    """Return whether the last layer separates the classes, with the labels in random order as the comparison."""
    last = rows[-1]
    if last["nc1"] is None or last["low"] is None or last["shuffled_low"] is None:
        return ()
    separated, worse = last["high"] < last["shuffled_low"], last["low"] > last["shuffled_high"]
    return (
        Expectation(
            f"Classes lie apart in {called(last['layer'])}, beyond chance", f"NC1 {numeral(last['nc1'])}",
            f"{_interval(last)} over points; {_interval(last, 'classes_')} over classes",
            f"labels shuffled: {_shuffled(last)}",
            "yes" if separated else "no" if worse else CHANCE,
        ),
    )  # fmt: skip


def _interval(row: dict[str, Any], over: str = "") -> str:
    return interval_text(row[f"{over}low"], row[f"{over}high"])


def _shuffled(row: dict[str, Any]) -> str:
    return (
        "–"
        if row["shuffled"] is None
        else f"{numeral(row['shuffled'])} ({_interval(row, 'shuffled_')})"
    )


def _mean(values: Any) -> float | None:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else None


def _plain(value: Any) -> float | None:
    number = float(value) if value is not None else math.nan
    return number if math.isfinite(number) else None


def _picture(rows: list[dict[str, Any]]) -> Picture:
    def column(key: str) -> list[float]:
        return [math.nan if row[key] is None else row[key] for row in rows]

    crowded = len(rows) > CROWDED
    with layout.drawing(y="NC1", size=(5.4, 3.4) if crowded else (4.6, 2.8)) as (figure, axes):
        panel = axes[0, 0]
        depth = np.arange(1, len(rows) + 1)
        style.band(panel, depth, column("shuffled_low"), column("shuffled_high"), style.ORANGE)
        style.band(panel, depth, column("low"), column("high"), style.BLUE)
        panel.plot(
            depth,
            column("shuffled"),
            marker="s",
            markersize=3,
            color=style.ORANGE,
            label="labels shuffled",
        )
        panel.plot(depth, column("isotropic"), label="isotropic floor", **style.THEORY)
        panel.plot(
            depth, column("nc1"), marker="o", markersize=4, color=style.BLUE, label="measured"
        )
        panel.set_yscale("log")
        panel.set_xticks(depth, [row["layer"] for row in rows], rotation=90 if crowded else 0)
        style.legend(figure)
    return Picture("dossier-collapse", "Neural collapse against depth. Bands or bars: 95 % over points of each class, "
                   "and over orders of the labels.", figure)  # fmt: skip


def in_memory(network: MeasuredNetwork, memory: str, seed: int) -> MeasuredNetwork:
    """Return the network with as many of its points as the widest layer allows."""
    size, widest = bytes_of(memory), max(layer.features for layer in network.layers)
    points = size // (3 * widest * network.example.element_size())
    if widest > points:
        points = min(points, math.isqrt(size // 32))  # four matrices of products, in float64
    return network.some(max(int(points), 2), seed)


def in_budget(network: MeasuredNetwork, memory: str, budget: Budget) -> tuple[int, float, float]:
    """Return how many of the points the budget allows, and the work for all of them and for the fewest."""
    last, two = network.layers[-1].name, network.inputs[:2]
    forward = budget.paid(work_of(lambda: network.outputs_at(two, [last]))) / 2
    groups = len([*network.groups_of_layers(memory)]) + 1
    positions = network.labels[0].numel() if network.labels is not None else 1

    def work(points: int) -> float:
        total = groups * points * forward
        n = min(points * positions, max(points, MOST))
        for layer in network.layers:
            size = max(1, layer.features // positions)
            k, classes = min(n, size), min(network.present, n)
            of_sample = (
                6 * n * k * classes + 10 * classes * k * min(classes, k)
            ) / OPERATIONS + 30 * CALL
            total += (
                (2 * RESAMPLINGS + classes) * of_sample
                + 2 * n * size * k / OPERATIONS
                + PASSES * n * size / NUMBERS
            )
        return total

    points = len(network.inputs)
    count = points
    while count >= FEWEST and work(count) > budget.seconds:
        count = int(0.9 * count)
    return count, work(points), work(FEWEST)
