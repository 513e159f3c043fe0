"""Tests of the collapse analyses on traces with known answers: Gaussian classes on a simplex."""

import numpy as np
import pytest

from bridge import collapse
from tests.oracles.collapse_traces import CLASSES, DIMENSIONS, SAMPLES, make_trace
from theory.collapse.class_blind import floor_at

# Three seeds of 1000 samples: NC1 and its floor scatter by a few per cent.
SAMPLING = 0.1


@pytest.fixture(scope="module")
def trace():
    return make_trace()


@pytest.fixture(scope="module")
def bent():
    return make_trace(steps=(-0.4, -1.2), seed=1, sampled=False)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("epoch", [0, "last"])
def test_isotropic_classes_are_what_the_closed_form_says(trace, split, epoch):
    profile = collapse.layer_profile(trace, split, epoch)
    np.testing.assert_allclose(profile.isotropic, profile.nc1, rtol=SAMPLING)
    np.testing.assert_array_equal(profile.features, DIMENSIONS)
    assert (profile.samples, profile.classes) == (SAMPLES, CLASSES)


def test_isotropic_value_has_no_bias_of_finite_samples(trace):
    """Against the NC1 that the classes were made with; the bias of the two traces would be 3 %."""
    found = np.concatenate(
        [collapse.layer_profile(trace, split, 0).isotropic for split in ("train", "test")]
    )
    # 18 values, 1.4 % each
    assert (found / (4 * np.exp([0, 0.2, 0.4]))).mean() == pytest.approx(1, abs=0.012)


def test_labels_that_mean_nothing_give_the_floor(trace):
    """Shuffled labels at weak signal: nearly isotropic features, so the closed form is their floor."""
    profile = collapse.layer_profile(trace, "train", 0)
    np.testing.assert_allclose(profile.shuffled.mean(0), profile.floor, rtol=0.35)
    assert (profile.floor[1:] > 1.2 * profile.floor[:-1]).all()
    np.testing.assert_allclose(
        (SAMPLES - CLASSES) * (CLASSES - 1) / (profile.effective_dimension - CLASSES),
        profile.shuffled.mean(0),
    )
    np.testing.assert_allclose(
        profile.margin, np.exp(np.log(profile.shuffled / profile.nc1).mean(0))
    )


def test_floor_by_hand():
    features = np.array([5.0, 8.0, 9.0, 10.0, 20.0])
    found = floor_at(1000, 10, features)
    np.testing.assert_allclose(found, [990 * 5 / 3, np.inf, np.inf, np.inf, 990 * 9 / 10])


def test_no_floor_between_the_ends(trace):
    profile = collapse.layer_profile(trace, "train", 2)
    assert np.isnan(profile.shuffled).all()
    assert np.isfinite(profile.nc1).all()


def test_means_that_chance_explains_have_no_isotropic_value(trace):
    blind = trace.copy(deep=True)
    # below what chance gives in 60 dimensions
    blind["between"] = 0 * trace["between"] + 0.9 * 60 * 9 / SAMPLES
    assert np.isinf(collapse.layer_profile(blind).isotropic[:, 0]).all()


def test_equal_steps_are_found_equal():
    trace = make_trace(sampled=False)
    law = collapse.equiseparation(trace)
    np.testing.assert_allclose(law.steps[0], [-0.9, -0.9], atol=0.1)
    assert law.p_equal > 0.05
    assert (law.r < -0.995).all()
    assert (collapse.equiseparation(trace, "train", 0).r > 0.9).all()


def test_unequal_steps_are_told_although_r_is_large(bent):
    law = collapse.equiseparation(bent)
    assert (np.abs(law.r) > 0.94).all()  # what r alone would pass
    assert law.p_equal < 0.05
    assert law.bend[0] == pytest.approx(-0.8, abs=0.15)
    assert (law.chance_if_falling > 0.1).all()


def test_bare_numbers():
    law = collapse.equiseparation([[8.0, 4.0, 2.0], [9.0, 3.0, 1.5]])
    np.testing.assert_allclose(law.log_ratios, np.log([[0.5, 0.5], [1 / 3, 0.5]]))
    np.testing.assert_allclose(law.bends, [0, np.log(1.5)], atol=1e-15)
    assert "log-ratios" in law.summary()
    one = collapse.equiseparation([8.0, 4.0, 3.0])
    assert np.isnan(one.p_equal)
    assert "±" not in one.summary()


def test_r_through_training(trace):
    trained = trace.copy(deep=True)
    trained["nc1"][:, 1] = np.nan  # not measured
    trained["nc1"][2, 3:] = np.nan  # stopped before
    trained["last_epoch"][2] = 2
    epoch, r = collapse.through_training(trained)
    np.testing.assert_array_equal(epoch, [0, 2, 3, 4])
    assert np.isnan(r).sum() == 2
    assert r[0, 0] > 0.9
    assert r[0, -1] < -0.99
    law = collapse.equiseparation(trained)
    assert law.r[2] == pytest.approx(r[2, 1])


def test_gaps_and_their_correlation(trace):
    gaps = collapse.gaps(trace)
    assert gaps.same_size
    np.testing.assert_array_equal(gaps.used[:, 1:], True)
    np.testing.assert_allclose(gaps.generalisation[0], 0.5 * np.arange(5) / 4, rtol=0.05)
    first = gaps.compression[:, :, 0]
    np.testing.assert_allclose(first[:, -1], 4 * 0.3, rtol=0.6)
    assert (gaps.pearson[:, 0] > 0.7).all()
    assert (np.abs(gaps.spearman) <= 1).all()
    apart = trace.copy()
    apart.attrs["test_size"] = SAMPLES // 2
    assert not collapse.gaps(apart).same_size


def test_information_in_bits():
    plane = collapse.information_plane(make_trace(informed=True, epochs=2, seeds=2))
    np.testing.assert_array_equal(plane.epoch, [0, 2])
    np.testing.assert_allclose(plane.most_sufficiency, np.log2(10))
    np.testing.assert_allclose(plane.most_minimality, 3)
    np.testing.assert_allclose(plane.sufficiency[..., -1], 0.2 * np.log2(10), rtol=0.05)
    assert plane.converged.all()


def test_information_in_another_unit_is_refused():
    trace = make_trace(informed=True, epochs=2, seeds=2)
    trace["sufficiency"].attrs["long_name"] = "usable information: sufficiency (nats)"
    with pytest.raises(
        ValueError, match=r"sufficiency is described as '.* \(nats\)', needs \(bits\)"
    ):
        collapse.information_plane(trace)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda t: collapse.layer_profile(t, "validation"), ValueError, "split: got 'validation'"),
        (
            lambda t: collapse.layer_profile(t, "train", 7),
            ValueError,
            "epoch: got 7, needs 'last' or one of 0, 1, 2",
        ),
        (lambda t: collapse.layer_profile(t.drop_vars("nc1")), ValueError, "without nc1"),
        (lambda t: collapse.layer_profile([1.0]), TypeError, "trace: got list"),
        (lambda t: collapse.information_plane(t), ValueError, "has no usable information"),
        (lambda t: collapse.equiseparation([1.0, 2.0]), ValueError, "at least 3 layers"),
        (lambda t: collapse.equiseparation([1.0, np.nan, 2.0]), ValueError, "nc1"),
        (
            lambda t: collapse.equiseparation(np.ones((2, 2, 3))),
            ValueError,
            "needs \\[seed, layer\\]",
        ),
    ],
)
def test_what_is_refused(trace, call, error, message):
    with pytest.raises(error, match=message):
        call(trace)
