"""Training a classifier on labelled inputs: cross-entropy, mini-batches, one record an epoch.

The settings of the thesis (section 2.3) are the defaults: AdamW with a constant learning rate of 2e-3 and otherwise
torch's defaults, until the training loss reaches 0.02 or for 50 epochs. It does not print the batch size; 100 is ours.
On one CPU with one instruction set and one number of threads, a seed gives the same weights to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from empirics import check
from empirics.seeding import generator
from empirics.training.partition import Batch, Partition
from empirics.training.progress import SILENT_SECONDS as SILENT_SECONDS
from empirics.training.progress import bar

OPTIMISERS: dict[str, type[torch.optim.Optimizer]] = {
    "adamw": torch.optim.AdamW,
    "adam": torch.optim.Adam,
    "sgd": torch.optim.SGD,
}


@dataclass(frozen=True)
class Optimisation:
    """How to train.

    Attributes:
        optimiser: ``"adamw"``, ``"adam"`` or ``"sgd"``; what is not named here is torch's default.
        learning_rate: constant.
        batch_size: samples in a batch, at most.
        epochs: at most so many.
        stop_loss: end after the first epoch whose training loss, in nats, is at most this; never where None.
    """

    optimiser: str = "adamw"
    learning_rate: float = 2e-3
    batch_size: int = 100
    epochs: int = 50
    stop_loss: float | None = 0.02

    def __post_init__(self) -> None:
        check.one_of("optimiser", self.optimiser, OPTIMISERS)
        check.real("learning_rate", self.learning_rate, positive=True)
        check.whole("batch_size", self.batch_size)
        check.whole("epochs", self.epochs, 0)

    def over(self, parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
        """The optimiser of these parameters."""
        make: Callable[..., torch.optim.Optimizer] = OPTIMISERS[self.optimiser]
        return make(parameters, lr=self.learning_rate)


@dataclass(frozen=True)
class Scores:
    """What a frozen network makes of some samples.

    Attributes:
        loss: mean cross-entropy, nats.
        accuracy: share of samples whose largest logit is that of their label.
    """

    loss: float
    accuracy: float


@dataclass(frozen=True)
class Epoch:
    """One record; epoch 0 is the network before any update.

    Attributes:
        number: updates have gone through the data this many times.
        train: of the frozen network on the training data, after the epoch.
        test: likewise on the test data; None without.
    """

    number: int
    train: Scores
    test: Scores | None


def train_classifier(
    model: nn.Module,
    train: Partition,
    test: Partition | None = None,
    optimisation: Optimisation | None = None,
    *,
    seed: int = 0,
    after_epoch: Callable[[Epoch], None] | None = None,
    progress: bool = True,
    label: str = "training",
) -> list[Epoch]:
    """Train ``model`` in place.

    Args:
        model: ``[batch, ...] -> logits [batch, C]``, on the device of the data.
        train: the training data; its own fixed batches are those that it is evaluated in.
        test: other data to evaluate on.
        optimisation: see there; the thesis' settings where None.
        seed: of the order of the samples and of noise in the network; non-negative integer, dimensionless.
        after_epoch: called with each record, epoch 0 included, while the weights stand still.
        progress: whether to show a bar on stderr when the run takes more than two seconds.
        label: text before the bar.

    Returns:
        One record for epoch 0 and each epoch of training.

    Raises:
        ArithmeticError: if the training loss is no longer finite.
    """
    how = optimisation or Optimisation()
    records: list[Epoch] = []
    optimiser = how.over(model.parameters())
    order, noise = generator(seed, "batches"), generator(seed, "dropout")
    batches = Partition(train.inputs, train.labels, how.batch_size)
    shown = bar(label, how.epochs, "epoch", progress=progress)
    with shown, _own_randomness(noise, train.inputs.device):
        for number in range(how.epochs + 1):
            if number:
                run_epoch(model, optimiser, batches.epoch(order))
                shown.update()
            record = Epoch(number, evaluate(model, train), None if test is None else evaluate(model, test))
            if not record.train.loss < float("inf"):
                raise ArithmeticError(f"training diverged in epoch {number}; a smaller learning_rate helps")
            records.append(record)
            shown.set_postfix(loss=f"{record.train.loss:.3g}")
            if after_epoch is not None:
                after_epoch(record)
            if how.stop_loss is not None and record.train.loss <= how.stop_loss:
                break
    return records


def run_epoch(model: nn.Module, optimiser: torch.optim.Optimizer, batches: Iterable[Batch]) -> None:
    """One update of ``model``, in training mode, for each batch."""
    model.train()
    for inputs, labels in batches:
        optimiser.zero_grad()
        loss: Tensor = cross_entropy(model(inputs), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def evaluate(model: nn.Module, batches: Iterable[Batch]) -> Scores:
    """Mean loss and accuracy of ``model`` in evaluation mode; the mode it was in is restored."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    loss, right, size = 0.0, 0, 0
    try:
        with torch.no_grad():
            for inputs, labels in batches:
                logits = model(inputs)
                loss += float(cross_entropy(logits, labels, reduction="sum"))
                right += int((logits.argmax(1) == labels).sum())
                size += len(labels)
    finally:
        for module, training in modes.items():
            module.training = training
    return Scores(loss / size, right / size)


@contextmanager
def _own_randomness(noise: torch.Generator, device: torch.device) -> Iterator[None]:
    """Torch's global random state, which dropout uses, from this run's seed; what it was is restored."""
    cuda = device.type == "cuda"
    with torch.random.fork_rng(devices=[device] if cuda else []):
        torch.manual_seed(noise.initial_seed())
        yield
