"""The training loop: observe, record and update once per epoch, all seeds at once.

Epoch 0 is the network before any update, so that ``epochs`` updates leave ``epochs + 1`` records. The host reads the
results once per block of epochs; it then also checks for divergence, shows progress and writes a checkpoint.

The record of a run: the distance of the two points in chosen layers, and the outputs, at every epoch.

Values stay on the device until a block of epochs is full, so that the host does not wait for a GPU in every epoch.
Differences are computed in float64, since nearly equal representations would lose their leading digits in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from closedform import checks
from closedform.checks.arrays import Array
from empirics.networks.architecture import Activations, Outputs, Parameters
from empirics.training.backpropagation import Backpropagation
from empirics.training.checkpoint import Checkpoint
from empirics.training.cuda_graph import as_cuda_graph
from empirics.training.progress import bar


@runtime_checkable
class Trainer(Protocol):
    """A batch of networks in training; ``observe`` precedes every ``update``, which may use what it has stored."""

    parameters: Parameters

    def observe(self) -> tuple[list[Activations], Outputs]:
        """Return hidden layers 1 ... depth and the outputs at the current parameters, without noise."""
        ...

    def update(self) -> None:
        """Make one step of gradient descent on each seed's loss ``½ mean_points ‖output - target‖²``, in place."""
        ...

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on, as tensors, numbers, lists and dicts."""
        ...

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        ...


BLOCK = 100  # epochs between two readings by the host: 0.1 to 5 s on a CPU


class DivergedError(ArithmeticError):
    """A value in training is no longer finite.

    Attributes:
        epochs: ``{network: first epoch with a value that is not finite}``. Training names a network by its position in
            the batch (an integer), an experiment by its seed (text).
    """

    def __init__(self, epochs: Mapping[Any, int], unit: str = "epoch") -> None:
        self.epochs = dict(epochs)
        self.unit = unit
        named = (
            (f"network {name}" if isinstance(name, int) else name, epoch)
            for name, epoch in epochs.items()
        )
        places = ", ".join(f"{name} at {unit} {epoch}" for name, epoch in named)
        super().__init__(f"training diverged: {places}; a smaller learning rate or gain helps")

    def __reduce__(self) -> tuple[Any, ...]:  # so that it can travel between processes
        return type(self), (self.epochs, self.unit), self.__dict__


def train(
    trainer: Trainer,
    epochs: int,
    layers: Sequence[int],
    *,
    until: Callable[[TrainingRecord], bool] | None = None,
    checkpoint: Checkpoint | None = None,
    stop_on_divergence: bool = True,
    progress: bool = True,
    label: str = "training",
) -> TrainingRecord:
    """Train and record.

    Args:
        trainer: the networks and their optimiser.
        epochs: number of updates, non-negative.
        layers: 1-based indices of the hidden layers in which to record the distance of the two points.
        until: whether the record of a block of 100 epochs is the last that is needed, after which training ends;
            default none is.
        checkpoint: where to store the state, default nowhere; a state stored there earlier is continued.
        stop_on_divergence: whether to raise as soon as a block contains a value that is not finite, default True.
        progress: whether to show a bar on stderr if the run takes more than two seconds, default True.
        label: text before the bar, default "training".

    Returns:
        The record of epochs 0 ... ``epochs``, or to the end of the last block that is needed.

    Raises:
        DivergedError: if training diverges and ``stop_on_divergence`` is set.
        TypeError: if the trainer or the checkpoint is of the wrong type.

    >>> from empirics.experiments import two_point
    >>> networks = two_point.trainer(two_point.Config(depth=3, width=10, seeds=2))
    >>> train(networks, 10, layers=[1], progress=False).dh2.shape
    (11, 2, 1)
    """
    checks.instance("trainer", trainer, Trainer, "a trainer of empirics.training")  # type: ignore[type-abstract]
    if checkpoint is not None:
        checks.instance("checkpoint", checkpoint, Checkpoint, "a Checkpoint")
    _, outputs = trainer.observe()
    block = EpochBuffers(BLOCK, layers, outputs)
    records, epoch = _resume(trainer, checkpoint, outputs.device)
    step: Callable[[], tuple[list[Activations], Outputs]] = partial(one_epoch, trainer)
    if outputs.is_cuda and isinstance(trainer, Backpropagation):
        step = as_cuda_graph(trainer)
    with bar(label, epochs, "epoch", progress=progress, initial=epoch) as progress_bar:
        while epoch <= epochs:
            end = min(epoch + BLOCK, epochs + 1)
            for current in range(epoch, end):
                block.write(*(step() if current < epochs else trainer.observe()))
            record = block.take()
            diverged = first_bad_epoch(record, start=epoch) if stop_on_divergence else {}
            if diverged:
                raise DivergedError(diverged)
            records.append(record)
            progress_bar.update(min(end, epochs) - epoch)
            epoch = end
            if until is not None and until(record):
                break
            if checkpoint is not None and epoch <= epochs and checkpoint.due():
                checkpoint.save(_state(trainer, records, epoch))
    return _joined(records)


def one_epoch(trainer: Trainer) -> tuple[list[Activations], Outputs]:
    """Observe, then update, and return what was seen."""
    seen = trainer.observe()
    trainer.update()
    return seen


def first_bad_epoch(record: TrainingRecord, start: int = 0) -> dict[int, int]:
    """Return ``{position in the batch: first epoch with a recorded value that is not finite}``, from ``start`` on."""
    values = np.concatenate(
        [record.dh2, record.outputs.reshape(*record.dh2.shape[:2], -1)], axis=-1
    )
    with np.errstate(all="ignore"):
        finite: NDArray[np.bool_] = np.isfinite(values.sum(axis=-1))  # [epoch, seed]
    diverged = np.flatnonzero(~finite.all(axis=0))
    return {int(index): start + int(np.argmin(finite[:, int(index)])) for index in diverged}


def _joined(records: list[TrainingRecord]) -> TrainingRecord:
    return TrainingRecord(
        np.concatenate([r.dh2 for r in records]), np.concatenate([r.outputs for r in records])
    )


def _state(trainer: Trainer, records: list[TrainingRecord], epoch: int) -> dict[str, object]:
    so_far = _joined(records)
    arrays = {"dh2": torch.from_numpy(so_far.dh2), "outputs": torch.from_numpy(so_far.outputs)}
    return {"epoch": epoch, "trainer": trainer.state(), **arrays}


def _resume(
    trainer: Trainer, checkpoint: Checkpoint | None, device: torch.device
) -> tuple[list[TrainingRecord], int]:
    state = checkpoint.load(device) if checkpoint is not None else None
    if state is None:
        return [], 0
    trainer.load_state(state["trainer"])
    return [TrainingRecord(state["dh2"].cpu().numpy(), state["outputs"].cpu().numpy())], int(
        state["epoch"]
    )


@dataclass(frozen=True)
class TrainingRecord:
    """Values recorded during a run.

    Attributes:
        dh2: squared distance of the two representations, ``[epoch, seed, layer]``.
        outputs: outputs of the networks, ``[epoch, seed, point, output]``.
    """

    dh2: Array
    outputs: Array


class EpochBuffers:
    """Buffers for a block of ``epochs`` on the device of the outputs ``like``; ``layers`` are counted from 1."""

    def __init__(self, epochs: int, layers: Sequence[int], like: Tensor) -> None:
        self._layers = [layer - 1 for layer in layers]
        self._dh2 = torch.empty(
            epochs, like.shape[0], len(layers), dtype=torch.float64, device=like.device
        )
        self._outputs = torch.empty((epochs, *like.shape), dtype=torch.float64, device=like.device)
        self._filled = 0

    def write(self, hidden: Sequence[Tensor], outputs: Tensor) -> None:
        """Record one epoch: the representations of all layers, each ``[seed, point, unit]``, and the outputs."""
        row = self._dh2[self._filled]
        for column, layer in enumerate(self._layers):
            h = hidden[layer].double()
            torch.sum((h[:, 1] - h[:, 0]).flatten(1).square_(), dim=-1, out=row[:, column])
        self._outputs[self._filled].copy_(outputs)
        self._filled += 1

    def take(self) -> TrainingRecord:
        """Return the epochs written since the last call, on the host."""
        n, self._filled = self._filled, 0
        return TrainingRecord(
            self._dh2[:n].cpu().numpy().copy(), self._outputs[:n].cpu().numpy().copy()
        )
