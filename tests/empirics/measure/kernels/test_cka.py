"""CKA against its definition as a mean over quadruples, and both metrics of torchmetrics against the measures."""

import copy
import itertools

import numpy as np
import pytest
import torch

from empirics import measure


def oracle(x, y):
    """HSIC as the mean over ordered quadruples of different points, a U-statistic."""
    k, m = x @ x.T, y @ y.T
    n = len(x)

    def hsic(a, b):
        terms = [
            a[i, j] * (b[i, j] + b[q, r] - 2 * b[i, q])
            for i, j, q, r in itertools.permutations(range(n), 4)
        ]
        return np.mean(terms)

    return hsic(k, m) / np.sqrt(hsic(k, k) * hsic(m, m))


def test_it_is_the_ratio_of_means_over_quadruples(rng):
    x, y = rng.normal(size=(7, 3)), rng.normal(size=(7, 5))
    y[:, :2] += x[:, :2]
    assert measure.cka(x, y) == pytest.approx(oracle(x, y), rel=1e-10)


def test_rotation_scale_and_shift_change_nothing_and_noise_has_none(rng):
    x = rng.normal(size=(40, 6))
    rotation = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    assert measure.cka(x, 3 * x @ rotation + 1e6) == pytest.approx(1, abs=1e-9)
    values = [
        measure.cka(rng.normal(size=(10, 50)), rng.normal(size=(10, 50))) for _ in range(200)
    ]
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)


def test_batches_are_averaged_and_accumulators_merge(rng):
    batches = [(rng.normal(size=(8, 4)), rng.normal(size=(8, 3))) for _ in range(4)]
    whole, parts = measure.CKA(), [measure.CKA(), measure.CKA()]
    for number, (x, y) in enumerate(batches):
        whole.update(x, y)
        parts[number % 2].update(x, y)
    assert parts[0].merge(parts[1]).result() == pytest.approx(whole.result(), rel=1e-12)
    assert whole.batches == parts[0].batches == 4


@pytest.mark.parametrize(
    ("x", "y"), [(np.ones((3, 2)), np.ones((3, 2))), (np.ones((5, 2)), np.ones((4, 2)))]
)
def test_too_few_points_are_refused(x, y):
    with pytest.raises(ValueError, match=r"[xy]: got shape"):
        measure.cka(x, y)


def test_a_constant_representation_has_none():
    assert np.isnan(measure.cka(np.ones((6, 2)), np.arange(12.0).reshape(6, 2)))
    assert np.isnan(measure.CKA().result())


@pytest.fixture
def metrics():
    return pytest.importorskip(
        "empirics.torch_metrics", reason="torchmetrics is not installed (extra `metrics`)"
    )


def gathered(parts, names):
    """A metric with the states of all processes, as torchmetrics leaves it after a gathering."""
    metric = copy.deepcopy(parts[0])
    for name in names:
        setattr(metric, name, torch.stack([getattr(part, name) for part in parts]))
    metric._update_count = 1
    return metric


@pytest.mark.parametrize("spread", [1.0, 1e-4])
def test_metrics_of_torchmetrics_are_the_measures(rng, metrics, spread):
    """Also where the classes have collapsed, and a difference of two covariances would lose eight digits."""
    x, y = torch.from_numpy(spread * rng.normal(size=(60, 5)) + 100), torch.arange(60) % 3
    x[:, 0] += y
    exact = float(measure.neural_collapse(x, y).nc1)
    metric, parts = metrics.NC1(3, 5), [metrics.NC1(3, 5), metrics.NC1(3, 5)]
    for start in range(0, 60, 10):
        metric.update(x[start : start + 10], y[start : start + 10])
        parts[start // 10 % 2].update(x[start : start + 10], y[start : start + 10])
    assert float(metric.compute()) == pytest.approx(exact, rel=1e-9)
    assert float(gathered(parts, ("counts", "sums", "within")).compute()) == pytest.approx(
        exact, rel=1e-9
    )
    metric.reset()
    metric.update(x[:30], y[:30])
    assert float(metric.compute()) == pytest.approx(
        float(measure.neural_collapse(x[:30], y[:30]).nc1), rel=1e-9
    )
    cka = metrics.CKA()
    cka.update(x, x**2)
    assert float(cka.compute()) == pytest.approx(measure.cka(x, x**2), rel=1e-12)
