"""Training of a classifier on labelled inputs: cross-entropy, mini-batches, one record per epoch.

The defaults are the settings of the thesis (section 2.3): AdamW with a constant learning rate of 2e-3 and torch's
defaults otherwise, until the training loss reaches 0.02 or for 50 epochs. The thesis does not print the batch size; the
default of 100 is our choice. On one CPU with a fixed instruction set and number of threads, a seed gives the same
weights to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import astuple, dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from closedform import checks
from empirics.seeding import generator
from empirics.training.partition import Batch, Partition
from empirics.training.progress import SILENT_SECONDS as SILENT_SECONDS
from empirics.training.progress import bar
from empirics.training.unfinished import (
    GlobalRandomness,
    State,
    Stateful,
    Unfinished,
    restore,
    state_of,
)

OPTIMISERS: dict[str, type[torch.optim.Optimizer]] = {
    "adamw": torch.optim.AdamW,
    "adam": torch.optim.Adam,
    "sgd": torch.optim.SGD,
}


@dataclass(frozen=True)
class Optimisation:
    """Settings of the training of a classifier.

    Attributes:
        optimiser: ``"adamw"`` (default), ``"adam"`` or ``"sgd"``; its other settings are torch's defaults.
        learning_rate: constant learning rate, positive, default 2e-3.
        batch_size: largest number of samples in a batch, default 100.
        epochs: largest number of epochs, non-negative, default 50.
        stop_loss: training ends after the first epoch with a training loss of at most this, in nats, default 0.02; None
            never ends it early.

    Raises:
        ValueError: if a value is out of range.
        TypeError: if a value is of the wrong kind.

    >>> Optimisation(epochs=5).optimiser
    'adamw'
    """

    optimiser: str = "adamw"
    learning_rate: float = 2e-3
    batch_size: int = 100
    epochs: int = 50
    stop_loss: float | None = 0.02

    def __post_init__(self) -> None:
        checks.one_of("optimiser", self.optimiser, OPTIMISERS)
        rate = checks.real_number(
            "learning_rate", self.learning_rate, above=0, most=checks.LARGEST_REAL
        )
        object.__setattr__(self, "learning_rate", rate)
        object.__setattr__(self, "batch_size", checks.size("batch_size", self.batch_size))
        object.__setattr__(self, "epochs", checks.size("epochs", self.epochs, 0))
        if self.stop_loss is not None:
            object.__setattr__(self, "stop_loss", checks.real_number("stop_loss", self.stop_loss))

    def over(self, parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
        """Return the optimiser of these parameters."""
        if isinstance(parameters, torch.Tensor):
            raise TypeError(
                f"parameters: got {checks.shown(parameters)}, needs a sequence of parameters"
            )
        make: Callable[..., torch.optim.Optimizer] = OPTIMISERS[self.optimiser]
        return make(checks.sequence("parameters", parameters, "parameters"), lr=self.learning_rate)


@dataclass(frozen=True)
class Scores:
    """Performance of a frozen network on some samples.

    Attributes:
        loss: mean cross-entropy, nats.
        accuracy: fraction of samples whose largest logit is that of their label.
    """

    loss: float
    accuracy: float


@dataclass(frozen=True)
class Epoch:
    """The record of one epoch; epoch 0 is the network before any update.

    Attributes:
        number: number of passes through the data.
        train: scores on the training data after the epoch, with frozen weights.
        test: scores on the test data; None if there are none.
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
    unfinished: Unfinished | None = None,
    evaluated: Container[int] | None = None,
) -> list[Epoch]:
    """Train ``model`` in place.

    Args:
        model: maps inputs ``[batch, ...]`` to logits ``[batch, C]``; on the device of the data.
        train: training data; the model is evaluated in its fixed batches.
        test: other data to evaluate on, default none.
        optimisation: settings; None (default) stands for those of the thesis.
        seed: seed of the order of the samples and of noise in the network; non-negative integer, default 0.
        after_epoch: called with each record, epoch 0 included, before the weights change again; default none.
        progress: whether to show a bar on stderr if the run takes more than two seconds, default True.
        label: text before the bar, default "training".
        unfinished: where the state is stored after an epoch, if it is time to, and where that of an earlier attempt is
            found; default nowhere. Its epochs are not given to ``after_epoch`` again.
        evaluated: numbers of the epochs that have a record, and after which training may end or diverge; None
            (default) stands for all. Evaluation takes a third of the time or more.

    Returns:
        One record for epoch 0 and one for each epoch of training, of those that are evaluated.

    Raises:
        ArithmeticError: if the training loss is no longer finite.
        TypeError: if the model, the data or the settings are of the wrong type.

    >>> inputs = torch.tensor([[0.0], [1.0]]).repeat(50, 1)
    >>> data = Partition(inputs, inputs[:, 0].long(), batch_size=10)
    >>> history = train_classifier(torch.nn.Linear(1, 2), data, optimisation=Optimisation(epochs=3), progress=False)
    >>> len(history)
    4
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    checks.instance("train", train, Partition, "a Partition")
    if test is not None:
        checks.instance("test", test, Partition, "a Partition")
    settings = Optimisation() if optimisation is None else optimisation
    checks.instance("optimisation", settings, Optimisation, "an Optimisation")
    if unfinished is not None:
        checks.function(
            "unfinished.keep", getattr(unfinished, "keep", None), "a function that stores a state"
        )
    records: list[Epoch] = []
    optimiser = settings.over(model.parameters())
    order_stream, noise_stream = generator(seed, "batches"), generator(seed, "dropout")
    batches = Partition(train.inputs, train.labels, settings.batch_size)
    device = train.inputs.device
    noise = GlobalRandomness(device)
    changing: dict[str, Stateful] = {
        "model": model,
        "optimiser": optimiser,
        "order": order_stream,
        "noise": noise,
    }

    def state() -> State:
        stored = [astuple(record) for record in records]
        return {**state_of(changing), "records": stored, "epoch": number}

    begun = None if unfinished is None else unfinished.begun
    first = 0
    if begun is not None:
        # a state without its number is older, and has a record of every epoch
        first = begun.get("epoch", len(begun["records"]) - 1) + 1
        records += [
            Epoch(number, Scores(*of_train), None if of_test is None else Scores(*of_test))
            for number, of_train, of_test in begun["records"]
        ]
    progress_bar = bar(
        label, settings.epochs, "epoch", progress=progress, initial=max(first - 1, 0)
    )
    with progress_bar, torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(noise_stream.initial_seed())  # of the global state, which dropout uses
        if begun is not None:
            restore(changing, begun)
        for number in range(first, settings.epochs + 1):
            if number:
                run_epoch(model, optimiser, batches.epoch(order_stream))
                progress_bar.update()
            if evaluated is None or number in evaluated:
                record = Epoch(
                    number, evaluate(model, train), None if test is None else evaluate(model, test)
                )
                if not record.train.loss < float("inf"):
                    raise ArithmeticError(
                        f"training diverged in epoch {number}; a smaller learning_rate helps"
                    )
                records.append(record)
                progress_bar.set_postfix_str(f"loss={record.train.loss:.3g}")
                if after_epoch is not None:
                    after_epoch(record)
                if settings.stop_loss is not None and record.train.loss <= settings.stop_loss:
                    break
            if unfinished is not None:
                unfinished.keep(state)
    return records


def run_epoch(
    model: nn.Module, optimiser: torch.optim.Optimizer, batches: Iterable[Batch]
) -> None:
    """Make one update of ``model``, in training mode, with each batch."""
    model.train()
    for inputs, labels in batches:
        optimiser.zero_grad()
        loss: Tensor = cross_entropy(model(inputs), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def evaluate(model: nn.Module, batches: Iterable[Batch]) -> Scores:
    """Return the mean loss and the accuracy of ``model`` in evaluation mode; its earlier mode is restored.

    Args:
        model: the network, images or vectors -> logits ``[batch, classes]``.
        batches: pairs of inputs ``[batch, ...]`` and labels ``[batch]``.

    Raises:
        TypeError: if ``model`` is not a module, or ``batches`` does not consist of inputs and labels.
        ValueError: if there are no batches.
        RuntimeError: of torch, if the model does not take the inputs.

    >>> model = torch.nn.Linear(2, 2)
    >>> evaluate(model, [(torch.zeros(4, 2), torch.tensor([0, 1, 0, 1]))]).accuracy
    0.5
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    checks.sequence("batches", batches, "(inputs, labels)")
    modes = {module: module.training for module in model.modules()}
    model.eval()
    losses: list[Tensor] = []
    correct: list[Tensor] = []
    size = 0
    try:
        with torch.no_grad():
            for batch in batches:
                inputs, labels = _pair(batch)
                logits = model(inputs)
                losses.append(cross_entropy(logits, labels, reduction="sum"))
                correct.append((logits.argmax(1) == labels).sum())
                size += len(labels)
    finally:
        for module, training in modes.items():
            module.training = training
    checks.require(size > 0, "batches", "none", "at least one sample")
    # The host waits for the device here only, and not in every batch.
    return Scores(
        sum(torch.stack(losses).tolist()) / size, sum(torch.stack(correct).tolist()) / size
    )


def _pair(batch: object) -> Batch:
    if isinstance(batch, tuple | list) and len(batch) == 2:
        inputs, labels = batch
        if isinstance(inputs, Tensor) and isinstance(labels, Tensor):
            return inputs, labels
    raise TypeError(
        f"batches: got a {type(batch).__name__} in it, needs pairs (inputs, labels) of tensors"
    )
