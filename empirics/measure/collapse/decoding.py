"""Training of decoders to their lowest cross-entropy, with a verdict on whether the training converged.

Training and its stopping rule use losses in nats, as everywhere in ``empirics.training``; results are in bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from empirics.measure.measurement_result import MeasurementResult
from empirics.seeding import generator
from empirics.training.classification import Optimisation
from empirics.training.partition import Partition
from empirics.training.progress import bar

BIT = math.log(2.0)  # nats


@dataclass(frozen=True, repr=False)
class InformationBound(MeasurementResult):
    """A lower bound of the usable information, in bits.

    Attributes:
        information: ``entropy - cross_entropy``, not clipped; a negative value means that the decoder has not even
            learnt the class frequencies.
        entropy: empirical entropy of the labels, averaged over the decoders.
        cross_entropy: the lowest cross-entropy of each decoder after any epoch, averaged over the decoders.
        by_decoder: information that each decoder extracted.
        history: mean cross-entropy of the decoders after each epoch; the first value precedes training. For several
            trainings, the history of the longest.
        converged: whether every training ended because its cross-entropy stopped improving or was low enough, and not
            because the epochs ran out, and no decoder is worse than the class frequencies by more than the tolerance.
    """

    information: float
    entropy: float
    cross_entropy: float
    by_decoder: tuple[float, ...]
    history: tuple[float, ...]
    converged: bool


def entropy(labels: Tensor) -> float:
    """Return the empirical entropy of integer labels ``[N]``, in bits."""
    counts = torch.bincount(labels).double()
    p = counts[counts > 0] / counts.sum()
    return float(-(p * p.log2()).sum())


def decode(
    decoders: nn.Module,
    representations: Tensor,
    targets: Tensor,
    classes: int,
    optimisation: Optimisation,
    *,
    patience: int,
    tolerance: float,
    seed: int,
    progress: bool = True,
    label: str = "decoders",
) -> InformationBound:
    """Train K decoders ``[N, ...] -> [N, C]`` on targets ``[N, K]`` and equal batches; keep each one's best epoch."""
    entropies = [entropy(column) for column in targets.T]
    batches = Partition(representations, targets, optimisation.batch_size, seed)
    optimiser = optimisation.over(decoders.parameters())
    best, history, converged = _scores(decoders, batches, classes), [], False
    history.append(float(best.mean()))
    order = generator(seed, "batches")
    shown = bar(label, optimisation.epochs, "epoch", progress=progress)
    devices = [representations.device] if representations.device.type == "cuda" else []
    with shown, torch.random.fork_rng(devices=devices), torch.enable_grad():
        torch.manual_seed(generator(seed, "dropout").initial_seed())
        for epoch in range(1, optimisation.epochs + 1):
            decoders.train()
            for h, y in batches.epoch(order):
                optimiser.zero_grad()
                _losses(decoders, h, y, classes).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            scores = _scores(decoders, batches, classes)
            if not bool(torch.isfinite(scores).all()):
                raise ArithmeticError(
                    f"{label}: training diverged in epoch {epoch}; a smaller learning_rate helps"
                )
            best = torch.minimum(best, scores)
            history.append(float(scores.mean()))
            shown.update()
            low_enough = (
                optimisation.stop_loss is not None and history[-1] <= optimisation.stop_loss
            )
            earlier, lately = history[1:][-2 * patience : -patience], history[-patience:]
            stood = epoch >= 2 * patience and min(earlier) - min(lately) < tolerance
            if low_enough or stood:
                converged = True
                break
    information = [h - float(b) / BIT for h, b in zip(entropies, best, strict=True)]
    return InformationBound(
        sum(information) / len(information),
        sum(entropies) / len(information),
        float(best.mean()) / BIT,
        tuple(information),
        tuple(loss / BIT for loss in history),
        converged and min(information) >= -tolerance / BIT,
    )


def joined(estimates: Sequence[InformationBound]) -> InformationBound:
    """Average the estimates of separate trainings with equal weights."""
    size = len(estimates)
    return InformationBound(
        information=sum(e.information for e in estimates) / size,
        entropy=sum(e.entropy for e in estimates) / size,
        cross_entropy=sum(e.cross_entropy for e in estimates) / size,
        by_decoder=tuple(chain.from_iterable(e.by_decoder for e in estimates)),
        history=max((e.history for e in estimates), key=len),
        converged=all(e.converged for e in estimates),
    )


def _losses(
    decoders: nn.Module, h: Tensor, y: Tensor, classes: int, reduction: str = "mean"
) -> Tensor:
    losses = []
    for k, decoder in enumerate(decoders.children()):
        try:
            logits = decoder(h)
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            shape = ", ".join(["batch", *map(str, h.shape[1:])])
            raise ValueError(
                f"decoder_factory: its decoder fails on representations [{shape}] ({error})"
            ) from error
        if logits.shape != (len(h), classes):
            raise ValueError(
                f"decoder_factory: its decoder gives shape {list(logits.shape)}, needs [batch, {classes}]"
            )
        losses.append(cross_entropy(logits, y[:, k], reduction=reduction))
    return torch.stack(losses)


def _scores(decoders: nn.Module, batches: Partition, classes: int) -> Tensor:
    """Return the mean cross-entropy of each decoder in evaluation mode, ``[K]``, float64 on the CPU."""
    decoders.eval()
    total = torch.zeros(len(list(decoders.children())), dtype=torch.float64)
    with torch.no_grad():
        for h, y in batches:
            total += _losses(decoders, h, y, classes, "sum").double().cpu()
    return total / len(batches.inputs)
