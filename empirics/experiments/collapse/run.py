"""The collapse experiment: networks of several seeds, trained one after another and measured layer by layer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from empirics.data.names import CLASSES
from empirics.experiments.collapse.config import Config
from empirics.experiments.collapse.records import INFORMATION, MOMENTS, SPLITS, CollapseRecorder
from empirics.runs.session import NEVER, RunResult, SeedResult, Session, run_of

CURVE, LAYER, CUT = (
    ("seed", "epoch", "split"),
    ("seed", "epoch", "split", "layer"),
    ("seed", "epoch", "split", "cut"),
)
VARIABLES = {
    "loss": (CURVE, "mean cross-entropy (nats)"),
    "accuracy": (CURVE, "share of images in their class"),
    "nc1": (LAYER, "tr(Sigma_W Sigma_B^+)"),
    "nc2_norm": (LAYER, "spread of the lengths of class means"),
    "nc2_angle": (LAYER, "mean |cos + 1/(C-1)| of class means"),
    "nc2_spread": (LAYER, "standard deviation of the cosines between class means"),
    "simplex_distance": (
        LAYER,
        "distance of the Gram matrix of class means from that of a simplex, both of norm one",
    ),
    "nc3": (LAYER, "squared distance of classifier and class means, both normalised"),
    "nc4": (LAYER, "share of decisions that are not the nearest class mean"),
    "rank": (LAYER, "rank of Sigma_B"),
    "within": (LAYER, "tr Sigma_W (squared feature)"),
    "between": (LAYER, "tr Sigma_B (squared feature)"),
    "nearest_centre_error": (LAYER, "share of images nearer to another class mean"),
    "input_nc1": (("seed", "split"), "NC1 of the images themselves"),
    "shuffled_nc1": (("seed", "moment", "split", "layer"), "NC1 with the labels dealt out afresh"),
    "features": (("layer",), "dimension of the representation"),
    "last_epoch": (("seed",), "epoch at which training ended"),
}


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and return the measurements of their layers.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (0 is before any update), ``split`` (train, test), ``layer``
        (1 ... L - 1), ``moment`` (initial, final) and, if usable information is measured, ``cut`` (0: the input).
        Values are NaN where nothing was measured, and after ``last_epoch[seed]``. Losses are in nats, information and
        entropies in bits.

    >>> config = Config(dataset="digits", network="mlp", train_size=100, test_size=100, epochs=1, seeds=1)
    >>> run(config, progress=False).sizes["epoch"]
    2
    """
    return recorded(config, session)


def recorded(
    config: Config,
    session: Session[Any],
    recorder_of: type[CollapseRecorder] = CollapseRecorder,
    more: Mapping[str, tuple[tuple[str, ...], str]] | None = None,
) -> RunResult:
    """Return the record of a run, by the recorder of one seed, with ``more`` variables than the usual ones."""

    def learn(seed: int) -> SeedResult:
        recorder = recorder_of(config, seed)
        values, diverged = recorder.values, NEVER
        try:
            recorder.train(session.unfinished, session.progress)
        except ArithmeticError:
            diverged = 0 if np.isnan(values["loss"][0, 0]) else int(values["last_epoch"]) + 1
        return SeedResult(
            values, diverged, {"origin": recorder.origin, "test_size": recorder.test_size}
        )

    parts = session.one_by_one(learn)
    described = {**VARIABLES, **(more or {})}
    if config.information_at:
        for name in INFORMATION:
            quantity = name.replace("_", " ")
            described[name] = (CUT, f"usable information: {quantity} (bits)")
            described[f"{name}_entropy"] = (CUT, f"entropy of the labels of {quantity} (bits)")
            described[f"{name}_converged"] = (
                CUT,
                f"1 where the decoders of {quantity} had finished",
            )
    described["diverged_at"] = (("seed",), f"first epoch whose loss is not finite; {NEVER}: none")
    layers = np.arange(1, len(config.channels) + 1)
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.arange(config.epochs + 1), {"long_name": "epochs of training"}),
        "split": (np.asarray(SPLITS, dtype=str), {}),
        "layer": (layers, {"long_name": "layer, counted from 1"}),
        "moment": (np.asarray(MOMENTS, dtype=str), {}),
    }
    if config.information_at:
        coordinates["cut"] = (
            np.arange(len(layers) + 1),
            {"long_name": "layers before the cut; 0 is the input"},
        )
    attributes = {
        "classes": CLASSES,
        "train_size": config.train_size,
        "test_size": parts.state["test_size"],
        "origin": json.dumps(parts.state["origin"], ensure_ascii=False),
    }
    return RunResult(parts.stacked(described), coordinates, attributes)
