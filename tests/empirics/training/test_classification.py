"""Tests of the training of a classifier: reproducibility, stopping criterion, and measurement without side effects."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from empirics import networks
from empirics.experiments import two_point
from empirics.training import Optimisation, Partition, evaluate, train, train_classifier
from tests.fuzz.hostile import Unshowable

CLASSES = 3


@pytest.fixture
def sample(rng):
    y = torch.from_numpy(rng.integers(0, CLASSES, 90))
    return torch.from_numpy(rng.normal(size=(90, 4)).astype(np.float32)) + 2 * y[:, None], y


def trained(sample, seed=0, dropout=0.0, **options):
    def build():
        return nn.Sequential(
            nn.Linear(4, 16), nn.ReLU(), nn.Dropout(dropout), nn.Linear(16, CLASSES)
        )

    net = networks.initialised(build, seed)
    settings = {
        "optimisation": Optimisation(epochs=5, batch_size=20),
        "progress": False,
        "seed": seed,
    } | options
    return net, train_classifier(net, Partition(*sample, 20), **settings)


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_a_seed_gives_the_same_weights_to_the_last_bit(sample, dropout):
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first, records = trained(sample, dropout=dropout)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    again, same = trained(sample, dropout=dropout)
    assert all(
        torch.equal(p, q) for p, q in zip(first.parameters(), again.parameters(), strict=True)
    )
    assert records == same
    other, _ = trained(sample, seed=1, dropout=dropout)
    assert not torch.equal(first[0].weight, other[0].weight)


def test_is_plain_adamw(sample):
    """Two full-batch steps written out with torch alone."""
    net, _ = trained(sample, optimisation=Optimisation(epochs=2, batch_size=90))
    reference, _ = trained(sample, optimisation=Optimisation(epochs=0))
    optimiser = torch.optim.AdamW(reference.parameters(), lr=2e-3)
    for _ in range(2):
        optimiser.zero_grad()
        nn.functional.cross_entropy(reference(sample[0]), sample[1]).backward()
        optimiser.step()
    torch.testing.assert_close(net[0].weight, reference[0].weight, rtol=1e-4, atol=1e-6)


def test_stops_at_the_loss(sample):
    how = Optimisation(epochs=200, batch_size=20, learning_rate=0.02, stop_loss=0.5)
    _, records = trained(sample, optimisation=how)
    assert records[-1].train.loss <= 0.5 < records[-2].train.loss
    assert records[-1].number == len(records) - 1


def test_records_are_of_the_network_at_rest(sample):
    x, y = sample
    seen = []
    test = Partition(x[:30], y[:30])
    net, records = trained(
        sample, dropout=0.5, test=test, after_epoch=lambda record: seen.append(record)
    )
    assert seen == records
    assert [r.number for r in records] == list(range(6))
    with torch.no_grad():
        logits = net.eval()(x)
    assert records[-1].train.loss == pytest.approx(
        float(nn.functional.cross_entropy(logits, y)), rel=1e-5
    )
    assert records[-1].train.accuracy == pytest.approx(
        float((logits.argmax(1) == y).double().mean())
    )
    assert records[-1].test == evaluate(net, test)
    assert records[-1].train.loss < records[0].train.loss


def test_evaluating_restores_the_mode(sample):
    net = nn.Sequential(nn.Linear(4, CLASSES), nn.Dropout()).train()
    net[1].eval()
    evaluate(net, Partition(*sample))
    assert net.training
    assert not net[1].training


def test_partition(sample):
    x, y = sample
    batches = Partition(x, y, 20, seed=3)
    once, twice = list(batches), list(batches)
    assert [len(b) for _, b in once] == [18] * 5 == [18] * len(batches)
    assert all(torch.equal(a[0], b[0]) for a, b in zip(once, twice, strict=True))
    joined = torch.cat([b for b, _ in once])
    assert sorted(joined.tolist()) == sorted(x.tolist())
    assert not torch.equal(joined, x)
    assert not torch.equal(once[0][0], next(iter(Partition(x, y, 20, seed=4)))[0])
    stream = torch.Generator().manual_seed(0)
    assert not torch.equal(next(batches.epoch(stream))[0], next(batches.epoch(stream))[0])


def test_divergence(sample):
    with pytest.raises(ArithmeticError, match="training diverged in epoch"):
        trained(sample, optimisation=Optimisation(optimiser="sgd", learning_rate=1e30, epochs=5))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"optimiser": "lion"}, "optimiser: got 'lion'"),
        ({"learning_rate": 0.0}, "learning_rate: got 0.0"),
        ({"batch_size": 0}, "batch_size: got 0"),
        ({"epochs": -1}, "epochs: got -1"),
    ],
)
def test_bad_settings(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        Optimisation(**options)


def test_bad_partition(sample):
    with pytest.raises(
        ValueError, match=r"labels: got shape \[89\], needs one for each of the inputs \[90, 4\]"
    ):
        Partition(sample[0], sample[1][1:])
    with pytest.raises(ValueError, match="batch_size: got 0"):
        Partition(*sample, 0)


def test_objects_of_the_wrong_type_are_refused(sample):
    net, data = nn.Linear(4, CLASSES), Partition(*sample)
    for name, call in {
        "model": lambda: evaluate([net], data),
        "train": lambda: train_classifier(net, list(data)),
        "test": lambda: train_classifier(net, data, "test"),
        "optimisation": lambda: train_classifier(net, data, optimisation=""),
        "trainer": lambda: train(net, 1, [1]),
        "architecture": lambda: networks.single(net, []),
        "parameters": lambda: networks.single(two_point.Config().network(), [1.0]),
    }.items():
        with pytest.raises(TypeError, match=f"^{name}: got .*, needs an? "):
            call()
    with pytest.raises(TypeError, match=r"^parameters: got .*, needs a sequence"):
        Optimisation().over(Unshowable())
