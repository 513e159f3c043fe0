"""The training loop: observe, record, update; once per epoch, all seeds at once.

Epoch 0 is the network before any update, so ``epochs`` updates leave ``epochs + 1`` records. The host looks at the
results once per block of epochs, never within one, and then also looks for divergence, shows progress and writes a
checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from empirics.training.checkpoint import Checkpoint
from empirics.training.progress import bar
from empirics.training.record import Block, Record
from empirics.training.trainer import Trainer

BLOCK = 100  # epochs between two looks of the host: 0.1 to 5 s on a CPU


class DivergedError(ArithmeticError):
    """Training left the finite numbers.

    Attributes:
        epochs: ``{network: first epoch with a value that is not finite}``; a training names a network by its position
            in the batch, an experiment by its seed, as text.
    """

    def __init__(self, epochs: Mapping[Any, int], unit: str = "epoch") -> None:
        self.epochs = dict(epochs)
        names = ((f"network {name}" if isinstance(name, int) else name, epoch) for name, epoch in epochs.items())
        where = ", ".join(f"{name} at {unit} {epoch}" for name, epoch in names)
        super().__init__(f"training diverged: {where}; a smaller learning rate or gain helps")


def train(
    trainer: Trainer,
    epochs: int,
    layers: Sequence[int],
    *,
    checkpoint: Checkpoint | None = None,
    stop_on_divergence: bool = True,
    progress: bool = True,
    label: str = "training",
) -> Record:
    """Train and record.

    Args:
        trainer: the networks and how they learn.
        epochs: number of updates, >= 0.
        layers: 1-based hidden layers of which to record the distance of the two points.
        checkpoint: where to keep the state; a state found there is continued.
        stop_on_divergence: raise as soon as a block holds a value that is not finite.
        progress: whether to show a bar on stderr when the run takes more than two seconds.
        label: text before the bar.

    Returns:
        Everything recorded, epochs 0 ... ``epochs``.

    Raises:
        DivergedError: see ``stop_on_divergence``.
    """
    _, outputs = trainer.observe()
    block = Block(BLOCK, layers, outputs)
    records, epoch = _resume(trainer, checkpoint, outputs.device)
    with bar(label, epochs, "epoch", progress=progress, initial=epoch) as shown:
        while epoch <= epochs:
            end = min(epoch + BLOCK, epochs + 1)
            for now in range(epoch, end):
                block.write(*trainer.observe())
                if now < epochs:
                    trainer.update()
            record = block.take()
            if stop_on_divergence and (diverged := first_bad_epoch(record, start=epoch)):
                raise DivergedError(diverged)
            records.append(record)
            shown.update(min(end, epochs) - epoch)
            epoch = end
            if checkpoint is not None and epoch <= epochs and checkpoint.due():
                checkpoint.save(_state(trainer, records, epoch))
    return _joined(records)


def first_bad_epoch(record: Record, start: int = 0) -> dict[int, int]:
    """``{position in the batch: first epoch}`` at which anything recorded is not finite; empty when all is well."""
    values = np.concatenate([record.dh2, record.outputs.reshape(*record.dh2.shape[:2], -1)], axis=-1)
    with np.errstate(all="ignore"):
        finite: NDArray[np.bool_] = np.isfinite(values.sum(axis=-1))  # [epoch, seed]
    bad = np.flatnonzero(~finite.all(axis=0))
    return {int(index): start + int(np.argmin(finite[:, int(index)])) for index in bad}


def _joined(records: list[Record]) -> Record:
    return Record(np.concatenate([r.dh2 for r in records]), np.concatenate([r.outputs for r in records]))


def _state(trainer: Trainer, records: list[Record], epoch: int) -> dict[str, object]:
    so_far = _joined(records)
    arrays = {"dh2": torch.from_numpy(so_far.dh2), "outputs": torch.from_numpy(so_far.outputs)}
    return {"epoch": epoch, "trainer": trainer.state(), **arrays}


def _resume(trainer: Trainer, checkpoint: Checkpoint | None, device: torch.device) -> tuple[list[Record], int]:
    state = checkpoint.load(device) if checkpoint is not None else None
    if state is None:
        return [], 0
    trainer.load_state(state["trainer"])
    return [Record(state["dh2"].cpu().numpy(), state["outputs"].cpu().numpy())], int(state["epoch"])
