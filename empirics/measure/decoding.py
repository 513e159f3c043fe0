"""Training decoders to the least cross-entropy that they reach, and saying whether they had finished.

Decoders train, and stop, by losses in nats, as everywhere in training; what is reported is in bits.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from tqdm.auto import tqdm

from empirics.seeding import generator
from empirics.training.classification import SILENT_SECONDS, Optimisation
from empirics.training.partition import Partition

BIT = math.log(2.0)  # nats


@dataclass(frozen=True)
class Estimate:
    """Usable information, a lower bound; everything in bits.

    Attributes:
        information: ``entropy - cross_entropy``, not clipped: below zero, the decoder has not even learnt the class
            sizes.
        entropy: empirical entropy of the labels, averaged over the decoders.
        cross_entropy: the least that each decoder had after any epoch, averaged over the decoders.
        by_decoder: information found by each decoder.
        history: mean cross-entropy of the decoders after each epoch, the first before any training. For several
            trainings, that of the longest.
        converged: whether every training ended because its cross-entropy stood still or was low enough, not because
            the epochs ran out.
    """

    information: float
    entropy: float
    cross_entropy: float
    by_decoder: tuple[float, ...]
    history: tuple[float, ...]
    converged: bool


def entropy(labels: Tensor) -> float:
    """Empirical entropy of integer labels ``[N]``, bits."""
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
) -> Estimate:
    """Train one decoder for each column of ``targets``, all on the same batches, and take the best of each.

    Args:
        decoders: an ``nn.ModuleList`` of K decoders ``[batch, ...] -> [batch, C]``; they share nothing.
        representations: ``[N, ...]``.
        targets: ``[N, K]``, int64, 0 ... C - 1.
        classes: C.
        optimisation: how to train.
        patience: stop when the least mean cross-entropy of so many epochs is not below that of as many before.
        tolerance: nats, as losses are; less than that is no improvement.
        seed: of the order of the samples and of noise in the decoders.
        progress: whether to show a bar on stderr.
        label: text before the bar.

    Raises:
        ValueError: if a decoder's output is not ``[batch, C]``.
        ArithmeticError: if a cross-entropy is not finite.
    """
    entropies = [entropy(column) for column in targets.T]
    batches = Partition(representations, targets, optimisation.batch_size, seed)
    optimiser = optimisation.over(decoders.parameters())
    best, history, converged = _scores(decoders, batches, classes), [], False
    history.append(float(best.mean()))
    order = generator(seed, "batches")
    silent = {} if progress else {"disable": True}  # left out otherwise: the environment may ask for silence, too
    bar = tqdm(
        total=optimisation.epochs,
        desc=label,
        unit="epoch",
        file=sys.stderr,
        leave=False,
        delay=SILENT_SECONDS,
        **silent,
    )
    devices = [representations.device] if representations.device.type == "cuda" else []
    with bar, torch.random.fork_rng(devices=devices), torch.enable_grad():
        torch.manual_seed(generator(seed, "dropout").initial_seed())
        for epoch in range(1, optimisation.epochs + 1):
            decoders.train()
            for h, y in batches.epoch(order):
                optimiser.zero_grad()
                _losses(decoders, h, y, classes).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            now = _scores(decoders, batches, classes)
            if not bool(torch.isfinite(now).all()):
                raise ArithmeticError(f"{label}: training diverged in epoch {epoch}; a smaller learning_rate helps")
            best = torch.minimum(best, now)
            history.append(float(now.mean()))
            bar.update()
            low_enough = optimisation.stop_loss is not None and history[-1] <= optimisation.stop_loss
            earlier, lately = history[1:][-2 * patience : -patience], history[-patience:]
            stood = epoch >= 2 * patience and min(earlier) - min(lately) < tolerance
            if low_enough or stood:
                converged = True
                break
    information = [h - float(b) / BIT for h, b in zip(entropies, best, strict=True)]
    return Estimate(
        sum(information) / len(information),
        sum(entropies) / len(information),
        float(best.mean()) / BIT,
        tuple(information),
        tuple(loss / BIT for loss in history),
        converged,
    )


def joined(estimates: Sequence[Estimate]) -> Estimate:
    """Average over separate trainings, with equal weight."""
    size = len(estimates)
    return Estimate(
        information=sum(e.information for e in estimates) / size,
        entropy=sum(e.entropy for e in estimates) / size,
        cross_entropy=sum(e.cross_entropy for e in estimates) / size,
        by_decoder=tuple(information for e in estimates for information in e.by_decoder),
        history=max((e.history for e in estimates), key=len),
        converged=all(e.converged for e in estimates),
    )


def _losses(decoders: nn.Module, h: Tensor, y: Tensor, classes: int, reduction: str = "mean") -> Tensor:
    """Cross-entropy of each decoder, ``[K]``."""
    losses = []
    for k, decoder in enumerate(decoders.children()):
        logits = decoder(h)
        if logits.shape != (len(h), classes):
            raise ValueError(f"decoder_factory: its decoder gives shape {list(logits.shape)}, needs [batch, {classes}]")
        losses.append(cross_entropy(logits, y[:, k], reduction=reduction))
    return torch.stack(losses)


def _scores(decoders: nn.Module, batches: Partition, classes: int) -> Tensor:
    """Mean cross-entropy of each frozen decoder over all samples, ``[K]``, float64 on the CPU."""
    decoders.eval()
    total = torch.zeros(len(list(decoders.children())), dtype=torch.float64)
    with torch.no_grad():
        for h, y in batches:
            total += _losses(decoders, h, y, classes, "sum").double().cpu()
    return total / len(batches.inputs)
