"""One run: networks of several seeds, one after the other, measured layer by layer while they learn."""

from __future__ import annotations

import json
import time
import warnings
from typing import Any, Literal

import numpy as np
import torch
import xarray as xr

from empirics import trace
from empirics.experiments import config as check
from empirics.experiments.collapse.config import CLASSES, Config
from empirics.experiments.collapse.records import INFORMATION, MOMENTS, SPLITS, Recorder
from empirics.experiments.device import find
from empirics.training.checkpoint import Checkpoint
from empirics.training.loop import DivergedError

NEVER = -1
CURVE, LAYER, CUT = ("seed", "epoch", "split"), ("seed", "epoch", "split", "layer"), ("seed", "epoch", "split", "cut")
VARIABLES = {
    "loss": (CURVE, "mean cross-entropy (nats)"),
    "accuracy": (CURVE, "share of images in their class"),
    "nc1": (LAYER, "tr(Sigma_W Sigma_B^+)"),
    "nc2_norm": (LAYER, "spread of the lengths of class means"),
    "nc2_angle": (LAYER, "mean |cos + 1/(C-1)| of class means"),
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


def run(
    config: Config,
    *,
    progress: bool = True,
    on_divergence: Literal["raise", "mark"] = "raise",
    checkpoint: Checkpoint | None = None,
) -> xr.Dataset:
    """Train the networks of ``config`` and return what their layers did.

    On a CPU the values are the same bit for bit each time (same versions, same number of threads).

    Args:
        config: which run.
        progress: whether to show bars on stderr for what takes more than two seconds.
        on_divergence: ``"raise"``, or ``"mark"`` a seed whose loss stops being finite in ``diverged_at`` (and warn).
        checkpoint: where to keep the finished seeds of an unfinished run; see :func:`empirics.store.run_or_load`.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (0 is before any update), ``split`` (train, test), ``layer``
        (1 ... L - 1), ``moment`` (initial, final) and, where usable information was asked for, ``cut`` (0: the input).
        NaN where nothing was measured, and after ``last_epoch[seed]``. Losses are in nats, information and
        entropies in bits.

    Raises:
        training.DivergedError: if a loss is not finite and ``on_divergence`` is ``"raise"``.
        ValueError: if the device is not there, or the data are not (no directory named, not so many images).
        FileNotFoundError: if the data files are not in the directory.
        ModuleNotFoundError: if the digits are asked for without scikit-learn.
    """
    if not isinstance(config, Config):
        raise TypeError(f"config: got {type(config).__name__}, needs a collapse.Config")
    check.one_of("on_divergence", on_divergence, ("raise", "mark"))
    state = (checkpoint.load() if checkpoint is not None else None) or {"seeds": [], "origin": {}, "seconds": 0.0}
    started = time.perf_counter() - state["seconds"]  # of the seeds done before, if the run goes on
    for seed in config.seed_numbers[len(state["seeds"]) :]:
        recorder = Recorder(config, seed)
        values, diverged = recorder.values, NEVER
        try:
            recorder.train(progress)
        except ArithmeticError:
            diverged = 0 if np.isnan(values["loss"][0, 0]) else int(values["last_epoch"]) + 1
            if on_divergence == "raise":
                raise DivergedError({seed: diverged}) from None
            warnings.warn(f"training diverged for seed {seed} in epoch {diverged}", RuntimeWarning, stacklevel=2)
        found = {name: torch.from_numpy(np.asarray(array)) for name, array in values.items()}
        state["seeds"].append(found | {"diverged_at": torch.tensor(diverged)})
        state |= {"origin": recorder.origin, "test_size": recorder.test_size}
        state["seconds"] = time.perf_counter() - started
        if checkpoint is not None and checkpoint.due():
            checkpoint.save(state)
    return _trace(config, state, time.perf_counter() - started)


def _trace(config: Config, state: dict[str, Any], seconds: float) -> xr.Dataset:
    seeds = state["seeds"]
    described = dict(VARIABLES)
    if config.information_at:
        for name in INFORMATION:
            what = name.replace("_", " ")
            described[name] = (CUT, f"usable information: {what} (bits)")
            described[f"{name}_entropy"] = (CUT, f"entropy of the labels of {what} (bits)")
            described[f"{name}_converged"] = (CUT, f"1 where the decoders of {what} had finished")
    variables = {
        name: (dims, np.stack([each[name].numpy() for each in seeds]) if "seed" in dims else seeds[0][name], meaning)
        for name, (dims, meaning) in described.items()
    }
    at = np.array([int(each["diverged_at"]) for each in seeds])
    variables["diverged_at"] = (("seed",), at, f"first epoch whose loss is not finite; {NEVER}: none")
    layers = np.arange(1, len(config.channels) + 1)
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "seed": (np.asarray(config.seed_numbers), {}),
        "epoch": (np.arange(config.epochs + 1), {"long_name": "epochs of training"}),
        "split": (np.asarray(SPLITS, dtype=str), {}),
        "layer": (layers, {"long_name": "layer, counted from 1"}),
        "moment": (np.asarray(MOMENTS, dtype=str), {}),
    }
    if config.information_at:
        coordinates["cut"] = (np.arange(len(layers) + 1), {"long_name": "layers before the cut; 0 is the input"})
    attributes = trace.provenance(
        config.experiment, config.to_json(), find(config.device), torch.float32, seconds
    ) | {
        "classes": CLASSES,
        "train_size": config.train_size,
        "test_size": state["test_size"],
        "origin": json.dumps(state["origin"], ensure_ascii=False),
    }  # fmt: skip
    return trace.dataset(variables, coordinates, attributes)
