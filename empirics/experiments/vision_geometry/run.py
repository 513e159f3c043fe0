"""One run: networks of several seeds, one after the other, each looked at while it learns."""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any, Literal, Protocol

import numpy as np
import torch
import xarray as xr
from tqdm.auto import tqdm

from empirics.experiments import config as check
from empirics.experiments.device import find
from empirics.experiments.vision_geometry.config import VisionConfig
from empirics.experiments.vision_geometry.geometry import Geometry, Places
from empirics.experiments.vision_geometry.images import Images, Statistics, read
from empirics.experiments.vision_geometry.normalisation import settle
from empirics.experiments.vision_geometry.record import trace_of
from empirics.networks.resnet import ResNet
from empirics.networks.staged import initialised
from empirics.training.checkpoint import Checkpoint
from empirics.training.classification import evaluate
from empirics.training.loop import SILENT_SECONDS, DivergedError
from empirics.training.partition import Partition

NEVER = -1


class Learner(Protocol):
    """How one seed's network learns."""

    @property
    def statistics(self) -> Statistics:
        """Of the normalisation."""
        ...

    def epochs(self, model: ResNet, images: Images, seed: int) -> Iterator[float]:
        """Train for ever, one epoch for every mean training loss that is asked for."""
        ...

    def ready(self, model: ResNet, images: Images) -> None:
        """Called before each look: gives the network the readout that it is to be looked at with."""
        ...


def run(
    config: VisionConfig,
    learner: Learner,
    *,
    progress: bool = True,
    on_divergence: Literal["raise", "mark"] = "raise",
    checkpoint: Checkpoint | None = None,
) -> xr.Dataset:
    """Train the networks of ``config`` as ``learner`` does and return what they did to volumes.

    See :func:`empirics.experiments.vision_geometry.resnet.run`.
    """
    check.one_of("on_divergence", on_divergence, ("raise", "mark"))
    state: dict[str, Any] = (checkpoint.load() if checkpoint is not None else None) or {"seeds": [], "seconds": 0.0}
    started = time.perf_counter() - state["seconds"]  # of the seeds done before, if the run goes on
    for seed in config.seed_numbers[len(state["seeds"]) :]:
        found, origin = one_seed(config, learner, seed, progress)
        if (diverged := int(found["diverged_at"])) != NEVER:
            if on_divergence == "raise":
                raise DivergedError({seed: diverged})
            warnings.warn(f"training diverged for seed {seed} in epoch {diverged}", RuntimeWarning, stacklevel=2)
        state["seeds"].append({name: torch.as_tensor(values) for name, values in found.items()})
        state |= {"origin": json.dumps(origin, ensure_ascii=False), "seconds": time.perf_counter() - started}
        if checkpoint is not None and checkpoint.due():
            checkpoint.save(state)
    return trace_of(config, state["seeds"], state["origin"], time.perf_counter() - started)


def one_seed(
    config: VisionConfig, learner: Learner, seed: int, progress: bool
) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    """Train and measure one network.

    Returns:
        Variable to values, without the seed's dimension (NaN where the training diverged before), and where the images
        come from.
    """
    device = find(config.device)
    images = read(config, seed, device, learner.statistics)
    places = Places(config, images)
    geometry = Geometry(config, images, places)
    model = initialised(config.build, seed).to(device)
    assert isinstance(model, ResNet)
    parts = [
        Partition(images.normalised(inputs), labels, config.batch_size)
        for inputs, labels in ((images.train, images.train_labels), (images.test, images.test_labels))
    ]
    losses = np.full(config.epochs + 1, math.nan)
    accuracy = np.full((len(config.measured_at), len(parts)), math.nan)
    looks: list[dict[str, Any]] = []
    diverged = NEVER

    def look() -> None:
        learner.ready(model, images)
        accuracy[len(looks)] = [evaluate(model, part).accuracy for part in parts]
        looks.append(geometry.measure(model))

    silent = {} if progress else {"disable": True}  # left out otherwise: the environment may ask for silence, too
    bar = tqdm(
        total=config.epochs, desc=f"seed {seed}", unit="epoch", file=sys.stderr, leave=False, delay=SILENT_SECONDS,
        **silent,
    )  # fmt: skip
    with bar:
        settle(model, parts[0].inputs, config.batch_size)
        look()
        for epoch, loss in zip(range(1, config.epochs + 1), learner.epochs(model, images, seed), strict=False):
            losses[epoch] = loss
            if not math.isfinite(loss):
                diverged = epoch
                break
            if epoch in config.measured_at:
                look()
            bar.update()
            bar.set_postfix(loss=f"{loss:.3g}")
    blank = {name: np.full_like(values, math.nan) for name, values in looks[0].items()}
    looks += [blank] * (len(config.measured_at) - len(looks))
    pixels = {
        "line_images": images.test[places.ends.to(device)], "plane_images": images.test[places.planes.to(device)]
    }  # fmt: skip
    values = {name: np.stack([each[name] for each in looks]) for name in blank}
    values |= {"training_loss": losses, "accuracy": accuracy, "diverged_at": np.array(diverged)}
    values |= {name: (255 * each).round().to(torch.uint8).cpu().numpy() for name, each in pixels.items()}
    values |= {
        "line_labels": images.test_labels.cpu()[places.ends].numpy(),
        "plane_labels": images.test_labels.cpu()[places.planes].numpy(),
    }
    return values, images.origin
