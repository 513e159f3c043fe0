"""Tests of usable information with known values (none, all, logistic regression), and of joint decoders."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from torch import nn

from empirics import measure, networks
from empirics.training import Optimisation, Partition

BITS = 0.03  # training stops within 0.01 nats, 0.014 bits, of standing still
FAST = Optimisation(learning_rate=0.05, epochs=60, batch_size=50, stop_loss=None)


def linear(inputs, classes):
    return lambda: nn.Sequential(nn.Flatten(), nn.Linear(inputs, classes))


def run(h, y, classes=None, **options):
    h, y = torch.as_tensor(h, dtype=torch.float32), torch.as_tensor(y)
    number = classes or int(y.max()) + 1
    settings = {"optimisation": FAST, "progress": False, "minimality": "none"} | options
    return measure.usable_information(
        None, linear(h[0].numel(), number), (h, y), classes=classes, **settings
    )


def test_nothing_to_see_with_uneven_classes():
    """A constant representation: the best decoder knows the class sizes, whose entropy is not log2 C."""
    y = np.repeat([0, 1, 2], [300, 60, 40])
    got = run(np.zeros((400, 2)), y).sufficiency
    p = np.array([300, 60, 40]) / 400
    assert got.entropy == pytest.approx(-(p * np.log2(p)).sum(), rel=1e-12)
    assert got.information == pytest.approx(0, abs=BITS)
    assert got.converged
    assert got.information == got.entropy - got.cross_entropy


def test_a_decoder_that_is_worse_than_the_class_frequencies_has_not_converged(rng):
    y = np.repeat([0, 1], [380, 20])
    slow = Optimisation(learning_rate=1e-6, epochs=60, batch_size=50, stop_loss=None)
    got = run(rng.normal(size=(400, 2)), y, optimisation=slow).sufficiency
    assert got.information < -0.1
    assert not got.converged


def test_everything_to_see():
    y = np.arange(400) % 4
    got = run(
        20 * np.eye(4)[y], y, optimisation=Optimisation(learning_rate=0.05, epochs=60)
    ).sufficiency
    assert got.information == pytest.approx(2, abs=BITS)
    assert got.converged
    assert got.history[-1] <= 0.02 / math.log(2)  # training ends at 0.02 nats


def test_is_the_best_logistic_regression(rng):
    y = rng.integers(0, 2, 1000)
    h = rng.normal(size=(1000, 2)) + np.outer(y, [1.0, 0.5])

    def loss(w):
        return np.logaddexp(0, -(2 * y - 1) * (h @ w[:2] + w[2])).mean()

    got = run(h, y, tolerance=1e-4).sufficiency
    best = minimize(loss, np.zeros(3)).fun / math.log(2)
    assert got.cross_entropy == pytest.approx(best, abs=3e-3)
    assert got.cross_entropy >= best - 1e-6  # a lower bound on the information


def relabelled(size_per_class, classes):
    y = np.repeat(np.arange(classes), size_per_class)
    return y, measure.relabelling_digits(torch.from_numpy(y), classes).numpy()


def test_minimality_of_a_representation_that_has_forgotten_and_of_one_that_has_not():
    y, digits = relabelled(64, 2)
    forgotten = run(np.eye(2)[y], y, minimality="both")
    kept = run(6.0 * (2 * digits - 1), y, minimality="both")
    for got in (forgotten.minimality, forgotten.minimality_per_class):
        assert got.entropy == pytest.approx(1, rel=1e-6)  # 64 = 2^6: every digit is balanced
        assert got.information == pytest.approx(0, abs=BITS)
    assert len(forgotten.minimality.by_decoder) == 6
    assert len(forgotten.minimality_per_class.by_decoder) == 12
    for got in (kept.minimality, kept.minimality_per_class):
        assert got.information == pytest.approx(1, abs=0.07)


def test_one_decoder_for_all_classes_sees_less():
    """Digits written with a class-dependent sign: no linear decoder reads them for both classes at once."""
    y, digits = relabelled(64, 2)
    h = 6.0 * (2 * digits - 1) * (2 * y - 1)[:, None]
    got = run(h, y, minimality="both")
    assert got.minimality.information == pytest.approx(0, abs=BITS)
    assert got.minimality_per_class.information == pytest.approx(1, abs=0.07)


def test_epochs_that_run_out_are_reported(rng):
    y = rng.integers(0, 2, 200)
    h = rng.normal(size=(200, 2)) + 3 * y[:, None]
    got = run(h, y, optimisation=Optimisation(learning_rate=1e-3, epochs=3)).sufficiency
    assert not got.converged
    assert len(got.history) == 4


def test_the_best_epoch_counts(rng):
    """At a learning rate so large that the loss jumps about."""
    y = rng.integers(0, 2, 300)
    h = rng.normal(size=(300, 2)) + y[:, None]
    rough = Optimisation(learning_rate=2.0, epochs=15, batch_size=20, stop_loss=None)
    got = run(h, y, optimisation=rough).sufficiency
    assert got.cross_entropy == min(got.history) < got.history[-1]


def test_noise_of_a_decoder_is_for_training_only(rng):
    y = torch.from_numpy(rng.integers(0, 2, 100))
    h = torch.from_numpy(rng.normal(size=(100, 8)).astype(np.float32))

    def build():
        return nn.Sequential(nn.Dropout(0.5), nn.Linear(8, 2))

    got = measure.usable_information(
        None, build, (h, y), minimality="none", optimisation=Optimisation(epochs=0), progress=False
    ).sufficiency
    with torch.no_grad():
        expected = nn.functional.cross_entropy(networks.initialised(build, 0).eval()(h), y)
    assert got.cross_entropy == pytest.approx(float(expected) / math.log(2), rel=1e-6)
    assert not got.converged


def test_same_seed_same_numbers_and_torch_left_alone(rng):
    y = rng.integers(0, 3, 60)
    h = rng.normal(size=(60, 5)) + y[:, None]
    torch.manual_seed(5)
    state = torch.get_rng_state()
    first, second, other = (run(h, y, minimality="joint", seed=s) for s in (0, 0, 1))
    assert first == second
    assert first != other
    assert torch.equal(torch.get_rng_state(), state)


def test_a_cut_network(rng):
    """Encoder of a convolutional network with batch statistics, decoders of its own architecture."""
    y = torch.from_numpy(np.arange(60) % 3)
    x = (
        torch.from_numpy(rng.normal(size=(60, 1, 28, 28)).astype(np.float32))
        + y[:, None, None, None]
    )

    def build():
        return networks.plain_cnn(1, 28, 3, depths=(4, 4, 4))

    net = networks.initialised(build, 0).train()
    weights = [p.clone() for p in net.parameters()]
    got = measure.usable_information(
        net.encoder(2),
        lambda: build().decoder(2),
        Partition(x, y, 30),
        optimisation=Optimisation(learning_rate=0.02, epochs=40),
        progress=False,
    )
    assert 0.4 < got.sufficiency.information <= math.log2(3)
    assert got.minimality_per_class is None
    assert net.training
    assert all(torch.equal(p, w) for p, w in zip(net.parameters(), weights, strict=True))


@pytest.mark.parametrize(
    ("sizes", "classes", "digits"),
    [([8, 8], 2, 3), ([9, 1], 2, 4), ([125] * 5, 5, 3), ([1000] * 10, 10, 3), ([2], 7, 1)],
)
def test_relabelling(sizes, classes, digits, rng):
    """Powers of C exactly, where a float logarithm is off by one; and every sample of a class gets its own digits."""
    labels = torch.from_numpy(rng.permutation(np.repeat(np.arange(len(sizes)), sizes)))
    got = measure.relabelling_digits(labels, classes)
    assert got.shape == (len(labels), digits)
    value = (got * classes ** torch.arange(digits)).sum(1)
    for c, size in enumerate(sizes):
        assert value[labels == c].tolist() == list(range(size))


def test_nothing_to_relabel():
    with pytest.raises(ValueError, match="no class has two samples"):
        measure.relabelling_digits(torch.tensor([0, 1]), 2)
    with pytest.raises(ValueError, match="classes: got 1"):
        measure.relabelling_digits(torch.tensor([0, 0]), 1)


X = torch.randn(40, 6, generator=torch.Generator().manual_seed(0))
Y_40 = torch.arange(40) % 2


def decoder():
    return nn.Linear(6, 2)


def information(**changes):
    given = {"encoder": None, "decoder_factory": decoder, "data": (X, Y_40), "minimality": "none"}
    optimisation = Optimisation(epochs=2)
    found = measure.usable_information(
        **given | changes, optimisation=optimisation, progress=False
    )
    return found.sufficiency.information


def test_arrays_and_other_precisions_are_taken_in_that_of_the_decoders():
    expected = information()
    assert information(data=(X.numpy(), Y_40.numpy().astype(np.int32))) == expected
    assert information(data=(X.double(), Y_40)) == expected
    assert information(data=(X.half(), Y_40)) == pytest.approx(expected, abs=1e-3)
    assert information(encoder=lambda x: x.double()) == expected
    exact = information(encoder=lambda x: x.double(), decoder_factory=lambda: decoder().double())
    assert exact == pytest.approx(expected, abs=1e-6)


def test_without_gradients_decoders_train_all_the_same():
    expected = information()
    with torch.no_grad():
        assert information() == expected
        assert not torch.is_grad_enabled()
    with torch.inference_mode(), pytest.raises(RuntimeError, match=r"inference_mode\(\).*no_grad"):
        information()


class TooLarge(nn.Linear):
    """A decoder that does not fit into memory."""

    def forward(self, h):
        raise torch.OutOfMemoryError("CUDA out of memory")


H, Y = torch.ones(4, 2), torch.tensor([0, 0, 1, 1])
SHARED = nn.Linear(6, 2)
GOOD = {"encoder": None, "decoder_factory": linear(2, 2), "data": (H, Y), "progress": False}
BAD = [
    ({"encoder": 3}, TypeError, "encoder: got int"),
    ({"encoder": lambda x: x * math.nan}, ValueError, "encoder: gives values that are not finite"),
    ({"decoder_factory": nn.Identity}, ValueError, r"gives shape \[4, 2\]|needs|got an empty"),
    ({"decoder_factory": 3}, TypeError, "decoder_factory: got int"),
    (
        {"decoder_factory": nn.Linear(2, 2)},
        TypeError,
        "decoder_factory: got one Linear, needs a function",
    ),
    (
        {"decoder_factory": linear(3, 2)},
        ValueError,
        r"decoder_factory: .* representations \[batch, 2\]",
    ),
    (
        {"decoder_factory": linear(2, 3)},
        ValueError,
        r"its decoder gives shape \[4, 3\], needs \[batch, 2\]",
    ),
    ({"decoder_factory": lambda: TooLarge(2, 2)}, torch.OutOfMemoryError, "^CUDA out of memory"),
    (
        {"data": (H, Y[:3])},
        ValueError,
        r"labels: got shape \[3\], needs one for each of the inputs \[4, 2\]",
    ),
    ({"data": (H, Y * 0)}, ValueError, "labels: need at least two classes"),
    ({"minimality": "all"}, ValueError, "minimality: got 'all'"),
    ({"patience": 0}, ValueError, "patience: got 0"),
    ({"patience": 2.5}, TypeError, "patience: got 2.5"),
    ({"tolerance": "small"}, TypeError, "tolerance: got 'small'"),
    ({"classes": "two"}, TypeError, "classes: got 'two'"),
    ({"data": (H, Y.double())}, TypeError, "labels: got torch.float64, needs integers"),
    ({"data": H}, TypeError, "data: got Tensor"),
    ({"data": None}, TypeError, "data: got NoneType"),
    ({"encoder": lambda x: (x, x)}, TypeError, "encoder: gives tuple"),
    ({"decoder_factory": lambda: 3}, TypeError, "decoder_factory: gives int"),
    (
        {"data": (X, Y_40), "decoder_factory": lambda: SHARED, "minimality": "joint"},
        ValueError,
        "the same module",
    ),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
def test_bad_input(change, error, complaint):
    with pytest.raises(error, match=complaint):
        measure.usable_information(**(GOOD | change))
