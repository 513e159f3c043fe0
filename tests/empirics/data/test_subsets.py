"""Tests that subsets and random labels are reproducible, nested, balanced and unbiased."""

from __future__ import annotations

import pytest
import torch

from empirics import data
from empirics.data import Dataset

SIZE, CLASSES = 2000, 10
SIGMAS = 5  # a fair draw exceeds this once in two million


@pytest.fixture
def dataset(torch_generator):
    labels = torch.randint(CLASSES, (SIZE,), generator=torch_generator)
    return Dataset(
        torch.arange(SIZE, dtype=torch.float32).reshape(SIZE, 1), labels, CLASSES, "numbers"
    )


@pytest.mark.parametrize("balanced", [False, True])
def test_subset(dataset, balanced):
    small, large = dataset.subset(100, 3, balanced), dataset.subset(500, 3, balanced)
    drawn = small.images.flatten().long()
    assert len(drawn.unique()) == 100
    assert torch.equal(small.labels, dataset.labels[drawn])
    assert set(drawn.tolist()) <= set(large.images.flatten().long().tolist())  # nested
    assert torch.equal(small.images, dataset.subset(100, 3, balanced).images)  # reproducible
    assert not torch.equal(small.images, dataset.subset(100, 4, balanced).images)
    assert small.origin == "numbers, 100 of them"
    if balanced:
        assert small.class_sizes.tolist() == [10] * CLASSES
        assert len(small.labels[:20].unique()) > 3  # not sorted by class


def test_a_seed_means_the_same_images_for_good(dataset):
    """Written down here: a change of generator would silently change every experiment."""
    assert dataset.subset(5, 0).images.flatten().long().tolist() == PINNED


PINNED = [1345, 413, 206, 1159, 1615]


def test_too_few_of_one_class(dataset):
    scarce = Dataset(
        dataset.images, torch.where(dataset.labels == 4, 5, dataset.labels), CLASSES, "no fours"
    )
    with pytest.raises(ValueError, match="needs 1 images of each class; class 4 has 0"):
        scarce.subset(10, balanced=True)


@pytest.mark.parametrize("fraction", [0.0, 0.25, 1.0])
def test_random_labels(dataset, fraction):
    noisy = data.random_labels(dataset, fraction, seed=1)
    changed = float((noisy.labels != dataset.labels).double().mean())
    expected = fraction * (1 - 1 / CLASSES)
    spread = (fraction * (1 - 1 / CLASSES) / CLASSES / SIZE) ** 0.5
    assert abs(changed - expected) <= SIGMAS * spread
    assert noisy.images is dataset.images
    assert torch.equal(noisy.labels, data.random_labels(dataset, fraction, seed=1).labels)
    assert "random" in noisy.origin


def test_random_labels_nest_and_leave_the_original_alone(dataset):
    before = dataset.labels.clone()
    some, all_ = (data.random_labels(dataset, f, seed=2).labels for f in (0.3, 1.0))
    replaced = some != before
    assert torch.equal(some[replaced], all_[replaced])
    assert torch.equal(dataset.labels, before)


def test_random_labels_of_the_same_sizes(dataset):
    noisy = data.random_labels(dataset, 0.5, keep_class_sizes=True)
    assert torch.equal(noisy.class_sizes, dataset.class_sizes)
    assert not torch.equal(noisy.labels, dataset.labels)


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_bad_fraction(dataset, fraction):
    with pytest.raises(ValueError, match="fraction: got"):
        data.random_labels(dataset, fraction)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"images": torch.zeros(3)}, r"images: got shape \[3\]"),
        ({"labels": torch.zeros(2, dtype=torch.int64)}, r"labels: got shape \[2\]"),
        ({"labels": torch.zeros(3)}, "of torch.float32"),
        ({"labels": torch.tensor([0, 1, 2])}, "labels: got values outside 0 ... classes - 1 = 1"),
        (
            {"images": torch.zeros(0, 2), "labels": torch.zeros(0, dtype=torch.int64)},
            "images: got none",
        ),
    ],
)
def test_bad_dataset(change, complaint):
    good = {
        "images": torch.zeros(3, 2),
        "labels": torch.tensor([0, 1, 1]),
        "classes": 2,
        "origin": "made up",
    }
    with pytest.raises(ValueError, match=complaint):
        Dataset(**(good | change))


def test_what_is_no_dataset_or_no_number(dataset):
    with pytest.raises(TypeError, match="images: got list"):
        Dataset([[1.0]], torch.tensor([0]), 2, "made up")
    with pytest.raises(TypeError, match="labels: got list"):
        Dataset(torch.zeros(1, 2), [0], 2, "made up")
    with pytest.raises(TypeError, match="dataset: got int"):
        data.random_labels(3)
    with pytest.raises(TypeError, match="fraction: got 'half'"):
        data.random_labels(dataset, "half")
