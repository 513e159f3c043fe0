"""NC1 of resampled data: the same number as the exact measure, the closed-form floor, and errors as of new data."""

import numpy as np
import pytest
import torch

import theory
from empirics import measure
from empirics.measure.collapse.resampling import nc1


def classes(rng, points, dimension, separation, count=4):
    labels = np.repeat(np.arange(count), points)
    means = separation * rng.standard_normal((count, dimension))
    spread = np.exp(rng.standard_normal(dimension))
    return lambda: (means[labels] + spread * rng.standard_normal((len(labels), dimension)), labels)


@pytest.mark.parametrize("dimension", [2, 6, 300])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_value_is_that_of_the_exact_measure(rng, dimension, dtype):
    features, labels = classes(rng, 12, dimension, 1.0)()
    x = torch.as_tensor(100 + features).to(dtype)
    exact = measure.neural_collapse(x, labels).nc1
    assert measure.resampled_nc1(x, labels, count=2).value == pytest.approx(exact, rel=1e-9)
    assert nc1(x.double().numpy(), labels, 4) == pytest.approx(exact, rel=1e-9)


def test_shuffled_isotropic_features_have_the_floor_of_the_closed_form(rng):
    """Over 40 draws of the features; the mean of ten shuffles each."""
    form = theory.catalogue()["collapse.noise_floor"]
    labels = np.repeat(np.arange(3), 20)
    means = [
        measure.resampled_nc1(rng.standard_normal((60, 10)), labels, count=10).shuffled.mean()
        for _ in range(40)
    ]
    error = np.std(means, ddof=1) / 40**0.5
    assert abs(np.mean(means) - form(samples=60, classes=3, dimension=10)) < 4 * error


def test_anisotropic_features_have_a_higher_floor_than_isotropic_ones(rng):
    features = rng.standard_normal((200, 50)) * np.geomspace(1, 1e-2, 50)
    floor = theory.catalogue()["collapse.noise_floor"](samples=200, classes=4, dimension=50)
    assert (
        measure.resampled_nc1(features, np.arange(200) % 4, count=20).shuffled.min() > 1.5 * floor
    )


@pytest.mark.slow
def test_redrawn_points_scatter_as_new_data_do(rng):
    """The standard deviation of log NC1 over draws of the points, within 20 %."""
    draw = classes(rng, 40, 12, 0.7)
    fresh = np.std([np.log(measure.resampled_nc1(*draw(), count=1).value) for _ in range(300)])
    redrawn = np.mean(
        [np.log(measure.resampled_nc1(*draw(), count=60).redrawn).std(ddof=1) for _ in range(30)]
    )
    assert redrawn == pytest.approx(fresh, rel=0.2)


def test_undefined_values_are_nan():
    assert np.isnan(measure.resampled_nc1(np.ones((6, 3)), [0, 0, 0, 0, 0, 0], count=1).value)
    assert np.isnan(measure.resampled_nc1(np.ones((6, 3)), [0, 0, 0, 1, 1, 1], count=1).value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"features": np.ones(3)}, "features"),
        ({"labels": [0, 1]}, "labels"),
        ({"count": 0}, "count"),
    ],
)
def test_bad_input(change, said):
    with pytest.raises(ValueError, match=said):
        measure.resampled_nc1(
            **{"features": np.eye(4), "labels": [0, 0, 1, 1], "count": 2} | change
        )


def test_leaving_out_one_class_is_nc1_of_the_others(rng):
    x, labels = (
        rng.standard_normal((60, 5)) + 3 * rng.standard_normal((4, 5))[np.arange(60) % 4],
        np.arange(60) % 4,
    )
    labels[labels == 2] = 5  # classes 2 and 4 have no points
    found = measure.resampled_nc1(x, labels, count=1).without_class
    assert len(found) == 4
    for value, left_out in zip(found, (0, 1, 3, 5), strict=True):
        some = labels != left_out
        others = np.unique(labels[some], return_inverse=True)[1]
        assert value == pytest.approx(
            float(measure.neural_collapse(x[some], others).nc1), rel=1e-9
        )
    assert measure.resampled_nc1(x[:4], [0, 0, 1, 1], count=1).without_class.size == 0


def test_the_interval_covers_the_value_and_is_said():
    rng = np.random.default_rng(3)
    labels = np.arange(200) % 4
    result = measure.resampled_nc1(
        rng.standard_normal((200, 5)) + 3 * np.eye(5)[labels], labels, count=40
    )
    for low, high in (result.interval, result.interval_over_classes):
        assert low * high == pytest.approx(result.value**2)
        assert low < result.value < high < result.interval_shuffled[0]
    logs = np.log(result.redrawn)
    assert np.log(result.interval[1] / result.value) == pytest.approx(1.96 * logs.std(ddof=1))
    assert repr(result).startswith(
        f"NC1 {result.value:.3g}\n95 % interval over points {result.interval[0]:.3g} to "
    )
    assert len(repr(result).splitlines()) == 3


def test_an_undefined_interval_is_called_unknown():
    result = measure.resampled_nc1(np.ones((6, 3)), [0, 0, 0, 1, 1, 1], count=2)
    assert np.isnan(
        [*result.interval, *result.interval_over_classes, *result.interval_shuffled]
    ).all()
    assert repr(result).count("unknown") == 3


def test_labels_are_names_of_classes():
    """Classes without points, and how large the labels are, make no difference."""
    features = np.random.default_rng(0).normal(size=(9, 2))
    few, many = np.repeat([0, 1, 2], 3), np.repeat([0, 7, 10**15], 3)
    one, other = (measure.resampled_nc1(features, labels, count=3) for labels in (few, many))
    assert one.value == other.value
    for name in ("shuffled", "redrawn", "without_class"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
