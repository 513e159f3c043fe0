"""Tests of the accumulators: any split, order and batches; and bad input."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

from empirics import measure
from empirics.measure import CollapseMeans, CollapseScatter
from empirics.measure.collapse.neural_collapse import freeze

SPLIT = 1e-13
NUMBERS = (
    "nc1",
    "nc2_norm",
    "nc2_angle",
    "nc3",
    "nc4",
    "within",
    "between",
    "nearest_centre_error",
)


@pytest.fixture
def sample(rng):
    """Imbalanced, offset, with a classifier."""
    labels = rng.choice(5, 400, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    features = 30 + 0.5 * rng.normal(size=(5, 64))[labels] + rng.normal(size=(400, 64))
    return features, labels, rng.normal(size=(5, 64)), rng.normal(size=5)


def streamed(sample, parts, order, batch=37, dtype=np.float64):
    """Each part in its own accumulator, sent through pickle, merged in the given order."""
    features, labels, weights, biases = sample
    features = features.astype(dtype)
    pieces = [np.arange(part, len(labels), parts) for part in range(parts)]

    def gathered(make):
        workers = []
        for rows in pieces:
            worker = make()
            for start in range(0, len(rows), batch):
                chosen = rows[start : start + batch]
                worker.update(torch.from_numpy(features[chosen]), labels[chosen])
            workers.append(pickle.loads(pickle.dumps(worker)))
        whole = make()
        for index in order:
            whole.merge(workers[index])
        return whole

    basis = freeze(gathered(lambda: CollapseMeans(5)))
    return gathered(lambda: CollapseScatter(basis, weights, biases)).result()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("parts", [1, 2, 3, 7, 16])
def test_any_split_in_any_order(sample, parts, dtype, rng):
    features, labels, weights, biases = sample
    whole = measure.neural_collapse(features.astype(dtype), labels, weights=weights, biases=biases)
    got = streamed(sample, parts, rng.permutation(parts), dtype=dtype)
    for name in NUMBERS:
        assert getattr(got, name) == pytest.approx(getattr(whole, name), rel=SPLIT)
    assert (got.counts, got.rank) == (whole.counts, whole.rank)


def test_the_input_is_left_alone(sample):
    features, labels, weights, biases = sample
    tensor = torch.from_numpy(features.copy())
    measure.neural_collapse(tensor, labels, weights=weights, biases=biases)
    np.testing.assert_array_equal(tensor.numpy(), features)


def test_means_of_a_network_that_has_moved_are_noticed(sample):
    features, labels, *_ = sample
    basis = freeze(CollapseMeans(5).update(features, labels))
    with pytest.raises(
        ValueError, match="class means of the second pass are not those of the first"
    ):
        CollapseScatter(basis).update(features * 1.05, labels).result()
    with pytest.raises(ValueError, match="both need the same samples"):
        CollapseScatter(basis).update(features[1:], labels[1:]).result()


def test_float32_noise_between_the_passes_is_not_movement(sample, rng):
    features, labels, *_ = sample
    features = features.astype(np.float32)
    basis = freeze(CollapseMeans(5).update(features, labels))
    jittered = (features * (1 + 1e-7 * rng.normal(size=features.shape))).astype(np.float32)
    CollapseScatter(basis).update(jittered, labels).result()


def test_what_does_not_fit_together(sample):
    features, labels, *_ = sample
    means = CollapseMeans(5).update(features, labels)
    with pytest.raises(ValueError, match="other: got 4 classes, needs 5"):
        means.merge(CollapseMeans(4))
    with pytest.raises(ValueError, match="other: got D = 3, needs 64"):
        means.merge(CollapseMeans(5).update(np.ones((2, 3)), [0, 1]))
    with pytest.raises(TypeError, match="other: got int"):
        means.merge(3)
    with pytest.raises(ValueError, match="got D = 63, needs 64 as before"):
        means.update(features[:, 1:], labels)
    with pytest.raises(ValueError, match="none were given in the first pass"):
        freeze(CollapseMeans(5))
    other = freeze(CollapseMeans(5).update(features[:300], labels[:300]))
    with pytest.raises(ValueError, match="other: has another basis"):
        CollapseScatter(freeze(means)).merge(CollapseScatter(other))


def test_a_refused_batch_leaves_no_trace(sample):
    features, labels, *_ = sample
    means = CollapseMeans(5).update(features, labels)
    before = [means.counts.clone(), means.sums.clone(), means.squares]
    bad = features.copy()
    bad[3, 5] = np.nan
    with pytest.raises(ValueError, match="features: got values that are not finite"):
        means.update(bad, labels)
    assert torch.equal(means.counts, before[0])
    assert torch.equal(means.sums, before[1])
    assert means.squares == before[2]


@pytest.mark.gpu
def test_on_cuda(sample):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    features, labels, weights, biases = sample
    here = measure.neural_collapse(features, labels, weights=weights, biases=biases)
    device = torch.from_numpy(features).cuda()
    there = measure.neural_collapse(
        device, torch.from_numpy(labels).cuda(), weights=weights, biases=biases
    )
    for name in NUMBERS:
        assert getattr(there, name) == pytest.approx(getattr(here, name), rel=SPLIT)
    half = (
        CollapseMeans(5)
        .update(features[:200], labels[:200])
        .merge(CollapseMeans(5).update(device[200:], labels[200:]))
    )
    assert freeze(half).rank == 4
