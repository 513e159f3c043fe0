"""Tests that a training that is killed within a seed goes on from its last epoch, and ends bit for bit the same."""

from __future__ import annotations

import copy

import pytest
import torch

pytest.importorskip("sklearn", reason="scikit-learn is not installed: no digits")

from torch.optim.optimizer import register_optimizer_step_post_hook

from empirics import experiments
from empirics.experiments import collapse
from empirics.experiments.geometry import mnist, trained
from empirics.experiments.geometry.images import resnet, self_supervised
from empirics.training import Checkpoint, Optimisation, Partition, train_classifier

DIGITS = {"dataset": "digits", "train_size": 40, "test_size": 40, "batch_size": 10, "seeds": 2}
IMAGES = DIGITS | {
    "image_size": 8, "test_size": 100, "width": 2, "epochs": 3, "lines": 1, "positions": 5, "resolution": 3,
    "classes": (3, 8, 6), "snapshots": (1, 3), "precision": "model",
}  # fmt: skip
EPOCHS = 3
slow = pytest.mark.slow
CONFIGS = [
    pytest.param(
        trained.Config(
            epochs=5, checkpoints=(2, 5), widths=(2,), points=8, batch_size=3, start="gaussian", grid=3, seeds=2
        ),
        marks=slow,
    ),
    pytest.param(
        mnist.Config(
            **DIGITS, epochs=EPOCHS, checkpoints=(0, 2, EPOCHS), widths=(66,), plane=2, images=3, lines=1, steps=3
        ),
        marks=slow,
    ),
    pytest.param(resnet.Config(**IMAGES), marks=slow),
    pytest.param(
        self_supervised.Config(**IMAGES, projection=4, optimiser="adamw", warm_up=0.4, together=3), marks=slow
    ),
    pytest.param(
        collapse.Config(
            **DIGITS, network="mlp", depths=(6, 5, 4), epochs=EPOCHS, collapse_at=(0, 2), information_at=(0, 2),
            decoder_epochs=1,
        ),
        marks=slow,
    ),
]  # fmt: skip


class Killed(Checkpoint):
    """A checkpoint whose process is killed just after it was written a number of times."""

    writes = 0
    most = 0

    def save(self, state):
        super().save(state)
        self.writes += 1
        if self.writes == self.most:
            raise KeyboardInterrupt


def killed_after(path, writes):
    checkpoint = Killed(path, "key", seconds=0.0)
    checkpoint.most = writes
    return checkpoint


def without_times(trace):
    return trace.drop_vars([name for name in trace.data_vars if "seconds" in name]).drop_attrs()


@pytest.fixture
def steps():
    """A list that grows with every step of any optimiser."""
    taken: list[int] = []
    hook = register_optimizer_step_post_hook(lambda *_: taken.append(1))
    yield taken
    hook.remove()


@pytest.mark.filterwarnings("ignore:log_volume_element:RuntimeWarning")  # of such small networks
@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.experiment)
def test_training_that_is_killed_goes_on_from_its_last_epoch(config, tmp_path, steps):
    expected = without_times(experiments.run(config, progress=False))
    undisturbed = len(steps)
    for writes in (1, 1, 3):  # within the first seed, again, and later
        with pytest.raises(KeyboardInterrupt):
            experiments.run(
                config, progress=False, checkpoint=killed_after(tmp_path / "a.checkpoint", writes)
            )
    resumed = experiments.run(
        config, progress=False, checkpoint=Checkpoint(tmp_path / "a.checkpoint", "key")
    )
    assert without_times(resumed).identical(expected)
    if config.experiment != "collapse":  # which measures the information of its input again
        assert len(steps) == 2 * undisturbed


def test_a_classifier_with_dropout_goes_on_to_the_last_bit():
    inputs = torch.randn(30, 4, generator=torch.Generator().manual_seed(0))
    data = Partition(inputs, (inputs[:, 0] > 0).long(), 10)

    def trained_for(epochs, parts, evaluated=None):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            model = torch.nn.Sequential(
                torch.nn.Linear(4, 8), torch.nn.Dropout(), torch.nn.Linear(8, 2)
            )
        settings = Optimisation(epochs=epochs, stop_loss=None)
        records = train_classifier(
            model,
            data,
            optimisation=settings,
            progress=False,
            unfinished=parts,
            evaluated=evaluated,
        )
        return records, model.state_dict()

    class Memory:
        begun = None

        def keep(self, state):
            self.begun = copy.deepcopy(state())

    memory = Memory()
    trained_for(2, memory)
    assert [record[0] for record in memory.begun["records"]] == [0, 1, 2]
    records, weights = trained_for(5, memory)
    expected, same = trained_for(5, None)
    assert records == expected
    assert all(torch.equal(weights[name], same[name]) for name in same)
    some_memory = Memory()
    trained_for(3, some_memory, (0, 2, 5))
    some, weights = trained_for(5, some_memory, (0, 2, 5))
    assert some == [expected[number] for number in (0, 2, 5)]
    assert all(torch.equal(weights[name], same[name]) for name in same)
    with pytest.raises(TypeError, match=r"^unfinished.keep: got NoneType, needs a function"):
        train_classifier(torch.nn.Linear(4, 2), data, unfinished=3)
