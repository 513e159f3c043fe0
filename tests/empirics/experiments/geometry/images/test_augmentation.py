"""Tests of augmented batches: independent draws per image, reproducible seeds, untouched random state of torch."""

from __future__ import annotations

import pytest
import torch

from empirics.experiments.geometry.images.augmentation import Augmented, shifted, two_views
from tests.optional import needs

pytestmark = needs("torchvision", "images")

N, SIDE = 7, 16


def images(channels=3):
    return torch.rand(N, channels, SIDE, SIDE, generator=torch.Generator().manual_seed(3))


def streams(seed=0):
    return torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed + 1)


def epoch(batches, seed=0):
    """Views [image, ...], stacked over batches, and labels."""
    parts = list(batches.epoch(*streams(seed)))
    views = [torch.cat([part[0][v] for part in parts]) for v in range(len(parts[0][0]))]
    return views, torch.cat([part[1] for part in parts])


def test_shifted_crops_are_windows_of_the_padded_image():
    x = images()
    (out,), labels = epoch(Augmented(x, torch.arange(N), 3, [shifted(SIDE, mirror=False)]))
    assert sorted(labels.tolist()) == list(range(N))
    padded = torch.nn.functional.pad(x, (2,) * 4)
    places = []
    for label, made in zip(labels, out, strict=True):
        windows = {
            (i, j): padded[label][:, i : i + SIDE, j : j + SIDE]
            for i in range(5)
            for j in range(5)
        }
        (place,) = [place for place, window in windows.items() if torch.equal(made, window)]
        places.append(place)
    assert len(set(places)) > 1  # not one draw for the whole batch


def test_images_that_share_a_draw_are_transformed_alike():
    x = images()[:1].expand(6, -1, -1, -1)  # six times the same image
    view = two_views(SIDE, mirror=True)[:1]
    for together, expected in ((1, 6), (2, 3), (4, 2), (6, 1)):
        (out,), _ = epoch(Augmented(x, torch.arange(6), 6, view, together))
        assert len(torch.unique(out, dim=0)) == expected
        assert all(torch.equal(group, group[:1].expand_as(group)) for group in out.split(together))


def test_crops_and_blur_stay_within_their_limits():
    ramp = torch.linspace(0, 1, SIDE).expand(1, 1, SIDE, SIDE)
    # a box of 0.9 of the area has 0.82 of the width or more
    for smallest, least in ((0.08, 0.0), (0.9, 0.75)):
        view, _ = two_views(SIDE, mirror=False, smallest_crop=smallest)
        crop = view.transforms[0]
        torch.manual_seed(0)
        spans = [float(out.amax() - out.amin()) for out in (crop(ramp) for _ in range(200))]
        assert min(spans) > least
        assert smallest == 0.9 or min(spans) < 0.4
    _, _, _, blurred, _ = two_views(SIDE, mirror=False, largest_blur=0.5)[0].transforms
    (blur,) = blurred.transforms
    # 1.5 pixels, rounded up, on either side
    assert (blur.kernel_size, list(blur.sigma)) == ((5, 5), [0.1, 0.5])


def test_mirroring():
    x = images()
    (out,), labels = epoch(Augmented(x, torch.arange(N), N, [shifted(SIDE, mirror=True)]), seed=2)

    def matches(image, other):
        windows = torch.nn.functional.pad(other, (2,) * 4).unfold(1, SIDE, 1).unfold(2, SIDE, 1)
        return bool((windows == image[:, None, None]).flatten(3).all(3).all(0).any())

    mirrored = [matches(made, x[label].flip(-1)) for label, made in zip(labels, out, strict=True)]
    plain = [matches(made, x[label]) for label, made in zip(labels, out, strict=True)]
    assert [a != b for a, b in zip(mirrored, plain, strict=True)] == [True] * N
    assert 0 < sum(mirrored) < N


@pytest.mark.parametrize("channels", [1, 3])
def test_views_are_images_differ_and_repeat(channels):
    batches = Augmented(images(channels), torch.arange(N), 3, two_views(SIDE, mirror=True))
    (first, second), labels = epoch(batches)
    again, same = epoch(batches)
    assert torch.equal(labels, same)
    assert torch.equal(first, again[0])
    assert torch.equal(second, again[1])
    other, _ = epoch(batches, seed=1)
    assert not torch.equal(first, other[0])
    assert not torch.equal(first, second)
    for view in (first, second):
        assert view.shape == (N, channels, SIDE, SIDE)
        assert view.dtype == torch.float32
        assert float(view.min()) >= 0
        assert float(view.max()) <= 1 + 1e-6


def test_small_images_can_be_blurred():
    x = torch.rand(4, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    (first, second), _ = epoch(Augmented(x, torch.arange(4), 4, two_views(8, mirror=False)))
    assert first.shape == second.shape == x.shape
    assert float(first.std()) < float(x.std())


def test_the_global_random_state_is_left_alone():
    torch.manual_seed(11)
    before = torch.get_rng_state()
    epoch(Augmented(images(), torch.arange(N), 3, two_views(SIDE, mirror=True)))
    assert torch.equal(torch.get_rng_state(), before)


def test_worker_processes_give_the_same(monkeypatch):
    batches = Augmented(images(), torch.arange(N), 3, two_views(SIDE, mirror=True))
    alone, _ = epoch(batches)
    monkeypatch.setattr(batches, "_workers", 2)
    together, _ = epoch(batches)
    assert all(torch.equal(a, b) for a, b in zip(alone, together, strict=True))


def test_saturation_and_hue_do_not_touch_grey_images():
    grey = images(1)
    view, _ = two_views(SIDE, mirror=False)
    (jitter,) = [
        step.transforms[0] for step in view.transforms if type(step).__name__ == "RandomApply"
    ][:1]
    torch.manual_seed(0)
    out = jitter(grey[0])
    # brightness and contrast are affine where nothing clips
    factors = (out - out.mean()) / (grey[0] - grey[0].mean())
    inside = (out > 0) & (out < 1)
    assert float(factors[inside].std()) < 1e-4 * float(factors[inside].mean().abs())


def test_views_have_the_strengths_of_the_paper():
    """Appendix G 4 of arXiv 2301.11375; solarisation, whose threshold is not printed, inverts the brighter half."""
    ranges = {
        "brightness": (0.6, 1.4),
        "contrast": (0.6, 1.4),
        "saturation": (0.8, 1.2),
        "hue": (-0.1, 0.1),
    }
    for view, blurred, solarised in zip(
        two_views(SIDE, mirror=True), (1.0, 0.1), (0.0, 0.2), strict=True
    ):
        _, flip, jitter, grey, blur, solarise = view.transforms
        assert (flip.p, jitter.p, grey.p, blur.p, solarise.p) == (
            0.5,
            0.8,
            0.2,
            blurred,
            solarised,
        )
        for name, (least, most) in ranges.items():
            assert tuple(getattr(jitter.transforms[0], name)) == pytest.approx((least, most))
        assert (*blur.transforms[0].sigma, *blur.transforms[0].kernel_size) == (0.1, 2.0, 13, 13)
    solarise.p = 1.0
    values = torch.tensor([[[0.0, 0.4, 0.6, 0.9, 1.0]]])
    torch.testing.assert_close(solarise(values), torch.tensor([[[0.0, 0.4, 0.4, 0.1, 0.0]]]))
