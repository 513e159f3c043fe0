"""Losses, probe and augmentations of self-supervised learning against naive twins: loops, the standard library."""

from __future__ import annotations

import colorsys
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")

from empirics.experiments.geometry.images import augmentation, colour, losses  # noqa: E402
from empirics.experiments.geometry.images.probe import logistic_regression  # noqa: E402
from empirics.experiments.geometry.images.views import two_views  # noqa: E402

EXACT = 1e-12  # float64, a few hundred additions in another order


def embeddings(batch=7, features=4, seed=0):
    stream = torch.Generator().manual_seed(seed)
    first = torch.randn(batch, features, generator=stream, dtype=torch.float64)
    return first, first + 0.5 * torch.randn(batch, features, generator=stream, dtype=torch.float64)


def naive_barlow_twins(first, second, off_diagonal):
    """Entry by entry, as Eq. 1 of the Barlow Twins paper has it."""
    n, p = first.shape

    def standard(z, i):
        column = [z[k][i] for k in range(n)]
        mean = sum(column) / n
        variance = sum((v - mean) ** 2 for v in column) / n
        return [(v - mean) / math.sqrt(variance + losses.EPSILON) for v in column]

    total = 0.0
    for i in range(p):
        for j in range(p):
            c = sum(a * b for a, b in zip(standard(first, i), standard(second, j), strict=True)) / n
            total += (1 - c) ** 2 if i == j else off_diagonal * c**2
    return total


def naive_simclr(first, second, temperature):
    """Every embedding against all others, as Eq. 1 of the SimCLR paper has it."""
    z = [*first, *second]
    n = len(first)

    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)

    total = 0.0
    for i in range(2 * n):
        partner = (i + n) % (2 * n)
        others = sum(math.exp(cosine(z[i], z[k]) / temperature) for k in range(2 * n) if k != i)
        total -= math.log(math.exp(cosine(z[i], z[partner]) / temperature) / others)
    return total / (2 * n)


@pytest.mark.parametrize("seed", range(3))
def test_barlow_twins_is_the_sum_over_entries(seed):
    first, second = embeddings(seed=seed)
    expected = naive_barlow_twins(first.numpy(), second.numpy(), 0.02)
    assert float(losses.barlow_twins(first, second, 0.02)) == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize("seed", range(3))
def test_simclr_is_the_sum_over_pairs(seed):
    first, second = embeddings(seed=seed)
    expected = naive_simclr(first.tolist(), second.tolist(), 0.3)
    assert float(losses.simclr(first, second, 0.3)) == pytest.approx(expected, rel=EXACT)


def test_losses_know_what_they_ought_not_to_see():
    first, second = embeddings()
    scaled = second * 3 + 1  # each feature's scale and offset mean nothing to Barlow Twins
    plain = float(losses.barlow_twins(first, second))
    assert float(losses.barlow_twins(first, scaled)) == pytest.approx(plain, rel=1e-4)  # but for EPSILON
    lengths = torch.rand(len(second), 1, dtype=torch.float64) + 0.5  # lengths mean nothing to SimCLR
    plain = float(losses.simclr(first, second))
    assert float(losses.simclr(first, second * lengths)) == pytest.approx(plain, rel=EXACT)
    assert float(losses.simclr(first, first)) < float(losses.simclr(first, second.flip(0)))


@pytest.mark.parametrize("loss", [losses.barlow_twins, losses.simclr])
def test_losses_refuse_what_cannot_be(loss):
    first, second = embeddings()
    with pytest.raises(ValueError, match="second: got shape"):
        loss(first, second[1:])
    with pytest.raises(ValueError, match="needs at least two"):
        loss(first[:1], second[:1])
    with pytest.raises(ValueError, match="got -1"):
        loss(first, second, -1.0)


def test_probe_is_scikit_learns():
    linear_model = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    stream = np.random.default_rng(0)
    labels = stream.integers(0, 4, 120)
    features = stream.normal(size=(120, 5)) * [1, 1, 30, 1e-3, 1] + labels[:, None] * 0.4 + 7
    theirs = linear_model.LogisticRegression(C=1 / 0.7, tol=1e-10, max_iter=20_000).fit(features, labels)
    weight, bias = logistic_regression(torch.from_numpy(features), torch.from_numpy(labels), 4, penalty=0.7)
    logits = torch.from_numpy(features) @ weight.T + bias
    np.testing.assert_allclose(logits.softmax(1), theirs.predict_proba(features), atol=1e-5)  # where scikit-learn stops


def test_probe_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="labels: got shape"):
        logistic_regression(torch.zeros(3, 2), torch.zeros(4, dtype=torch.int64), 2)
    with pytest.raises(ValueError, match="not finite"):
        logistic_regression(torch.full((3, 2), math.nan), torch.zeros(3, dtype=torch.int64), 2)
    with pytest.raises(ValueError, match="penalty: got 0"):
        logistic_regression(torch.zeros(3, 2), torch.zeros(3, dtype=torch.int64), 2, 0)


@pytest.fixture
def images():
    return torch.rand(6, 3, 12, 12, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


@pytest.fixture
def stream():
    return torch.Generator().manual_seed(5)


def test_hue_turns_as_the_standard_library_does(images):
    angle = torch.linspace(-0.5, 0.5, 6, dtype=torch.float64)[:, None, None, None]
    images[0, :, 0, 0] = 0.3  # grey
    turned = colour.turned(images, angle)
    for i in range(6):
        for row, column in ((0, 0), (3, 4), (11, 2)):
            h, s, v = colorsys.rgb_to_hsv(*images[i, :, row, column].tolist())
            expected = colorsys.hsv_to_rgb((h + float(angle[i])) % 1, s, v)
            np.testing.assert_allclose(turned[i, :, row, column], expected, atol=EXACT)


def test_the_whole_box_gives_the_image_back(images):
    whole = torch.tensor([[0.5, 0.5, 1.0, 1.0]], dtype=torch.float64).repeat(6, 1)
    np.testing.assert_allclose(augmentation.cut(images, whole), images, atol=EXACT)
    # half the width from the left: columns are sampled twice as densely
    half = torch.tensor([[0.25, 0.5, 0.5, 1.0]], dtype=torch.float64).repeat(6, 1)
    middle = augmentation.cut(images, half)[..., 1:3].mean(-1)
    expected = (images[..., 0] * 0.75 + images[..., 1] * 0.25 + images[..., 0] * 0.25 + images[..., 1] * 0.75) / 2
    np.testing.assert_allclose(middle, expected, atol=EXACT)


def test_boxes_lie_inside_and_seldom_hit_the_border(stream):
    x, y, width, height = augmentation.crop_boxes(20_000, stream).T
    for centre, size in ((x, width), (y, height)):
        assert float((centre - size / 2).min()) >= -EXACT
        assert float((centre + size / 2).max()) <= 1 + EXACT
    shortened = float(((width >= 1) | (height >= 1)).double().mean())
    assert 0.05 < shortened < 0.2


def test_shifted_crops_are_windows_of_the_padded_image(images, stream):
    out = augmentation.shifted_crop(images, stream, 2)
    padded = torch.nn.functional.pad(images, (2,) * 4)
    for image, made in zip(padded, out, strict=True):
        windows = [image[:, i : i + 12, j : j + 12] for i in range(5) for j in range(5)]
        assert sum(torch.equal(made, window) for window in windows) == 1


def test_blur_keeps_constants_and_total_light(stream):
    spot = torch.zeros(4, 1, 31, 31, dtype=torch.float64)
    spot[:, :, 15, 15] = 1
    blurred = colour.blur_some(spot, stream, 1.0)
    np.testing.assert_allclose(blurred.sum(dim=(1, 2, 3)), 1, atol=EXACT)
    assert float(blurred.amax(dim=(1, 2, 3)).max()) <= 1
    np.testing.assert_allclose(blurred, blurred.transpose(2, 3), atol=EXACT)
    flat = torch.full((2, 3, 8, 8), 0.4, dtype=torch.float64)
    np.testing.assert_allclose(colour.blur_some(flat, stream, 1.0), flat, atol=EXACT)


def test_probabilities_of_none_and_all(images, stream):
    assert torch.equal(augmentation.flip(images, stream, 0.0), images)
    assert torch.equal(augmentation.flip(images, stream, 1.0), images.flip(-1))
    assert torch.equal(colour.grey_some(images, stream, 0.0), images)
    assert float(colour.grey_some(images, stream, 1.0).std(dim=1).max()) < EXACT
    inverted = colour.solarise_some(images, stream, 1.0)
    assert float(inverted.max()) <= 0.5
    assert torch.equal(torch.minimum(images, 1 - images), inverted)
    assert torch.equal(colour.jitter(images, stream, probability=0.0), images)


@pytest.mark.parametrize("channels", [1, 3])
def test_views_are_images_differ_and_repeat(channels):
    images = torch.rand(8, channels, 16, 16, generator=torch.Generator().manual_seed(0))
    first, second = two_views(images, torch.Generator().manual_seed(1))
    again, _ = two_views(images, torch.Generator().manual_seed(1))
    assert torch.equal(first, again)
    assert first.shape == second.shape == images.shape
    assert not torch.equal(first, second)
    for view in (first, second):
        assert float(view.min()) >= 0
        assert float(view.max()) <= 1 + 1e-6
