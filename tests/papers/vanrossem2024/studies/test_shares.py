"""Tests of the comparisons that state a bound, a sign or an order, with planted numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import grid, layers, linearity, xor
from papers.vanrossem2024.studies.fitted import unexplained


def fitted(label, r_squared, losses=(1.0, 1.0), of_loss=None):
    """A configuration whose networks have these R² and fit losses."""
    means = (
        [None] * len(r_squared)
        if of_loss is None
        else [SimpleNamespace(r_squared=value) for value in of_loss]
    )
    networks = [
        SimpleNamespace(r_squared=value, loss=loss, mean=mean)
        for value, loss, mean in zip(r_squared, losses, means, strict=True)
    ]
    return SimpleNamespace(label=label, fit=SimpleNamespace(per_seed=networks))


def test_unexplained_shares_are_compared_with_a_tenth():
    good, bad = fitted("good", (0.99, 0.98)), fitted("bad", (0.5, -1.0))
    compared = {one.label: one for one in unexplained(q.UNEXPLAINED_CURVES, [good, bad])}
    assert compared["good"].value == pytest.approx(np.log([0.01, 0.02]).mean(), rel=1e-5)
    assert compared["bad"].value == pytest.approx(np.log([0.5, 2.0]).mean(), rel=1e-5)
    assert compared["bad"].predicted == pytest.approx(np.log(0.1), rel=1e-5)
    assert unexplained(q.UNEXPLAINED_LOSS, [good]) == ()  # there is no loss to fit
    (loss,) = unexplained(q.UNEXPLAINED_LOSS, [fitted("loss", (0.9, 0.9), of_loss=(0.99, 0.999))])
    assert loss.value == pytest.approx(np.log([0.01, 0.001]).mean(), rel=1e-5)
    assert unexplained(q.UNEXPLAINED_CURVES, [fitted("alone", (0.9,), (1.0,))]) == ()


def test_a_curve_that_is_missed_counts_although_the_others_hide_it():
    """Also where the fit takes what is missed for noise that is itself correlated, as of dropout."""
    networks = [
        SimpleNamespace(
            systematic={"dh2": 0.01, "dy2": 0.001, "w": missed},
            unexplained={"dh2": 0.0, "dy2": 0.0, "w": 0.0},
        )
        for missed in (0.2, 0.22)
    ]
    tanh = SimpleNamespace(label="tanh", fit=SimpleNamespace(per_seed=networks))
    (one,) = unexplained(q.UNEXPLAINED_WORST, [tanh])
    assert one.value == pytest.approx(np.log([0.2, 0.22]).mean(), rel=1e-5)
    assert one.verdict == "disagrees"


def test_the_second_half_of_the_layers_is_compared_with_the_first():
    group = tuple(
        fitted("default", (0.9, 0.9), losses)
        for losses in ((8.0, 9.0), (8.0, 9.0), (2.0, 3.0), (2.0, 3.0))
    )
    (one,) = layers.halves(group)
    assert one.value == pytest.approx(np.log([2 / 8, 3 / 9]).mean(), rel=1e-5)


def test_nearby_pairs_are_compared_with_far_ones():
    ratio = np.array([[[1.0, 1.0], [1.0, 1.0]], [[6.0, 2.0], [8.0, 2.0]]])  # [epoch, seed, bin]
    parity = linearity.Parity("planted", (0, 1), ratio, {"encoder": ratio, "decoder": 1 / ratio})
    encoder, decoder = linearity.trends([parity])
    assert encoder.value == pytest.approx(np.log([3, 4]).mean(), rel=1e-5)
    assert decoder.value == pytest.approx(-np.log([3, 4]).mean(), rel=1e-5)


def test_a_trend_at_the_first_record_has_a_row_of_its_own():
    # [epoch, seed, bin]
    ratio = np.array([np.ones((2, 2)), [[1.0, 2.0], [1.0, 3.0]], [[6.0, 2.0], [8.0, 2.0]]])
    rows = linearity.trends(
        [linearity.Parity("planted", (0, 1, 60), ratio, dict.fromkeys(linearity.MAPS, ratio))]
    )
    assert [row.label for row in rows] == [
        f"planted, epoch {epoch}, {which}" for epoch in (60, 1) for which in linearity.MAPS
    ]
    assert rows[2].value == pytest.approx(-np.log([2, 3]).mean(), rel=1e-5)
    assert rows[0].value == pytest.approx(np.log([3, 4]).mean(), rel=1e-5)


def test_a_trend_over_the_grid_is_seen_where_the_mean_ratio_is_one():
    dx, dy = (
        np.tile(cells, 3)
        for cells in (np.repeat([0.5, 1.0, 2.0], 4), np.tile([0.0, 1.0, 1.5, 2.0], 3))
    )
    seed, scatter = np.repeat([0, 1, 2], 12), np.exp(0.01 * np.array([0, 1, -2, 1] * 9))
    exponents = -np.array([0.49, 0.5, 0.51])[seed]
    planted = grid.Grid("planted", seed, dx, dy, np.ones(36), dx**exponents * scatter, 0, 0.0)
    trend = planted.trend
    assert abs(planted.ratio.value) < 1e-12
    assert trend.value == pytest.approx(-0.5, rel=1e-5)
    assert trend.verdict == "disagrees"
    # the scatter of the three grids
    assert (trend.n, trend.error) == (3, pytest.approx(0.01 / 3**0.5, rel=1e-5))


def test_one_grid_has_no_error():
    dx, dy = np.repeat([0.5, 1.0, 2.0], 2), np.ones(6)
    one = grid.Grid("planted", np.zeros(6), dx, dy, np.ones(6), dx**-0.5, 0, 0.1)
    assert one.ratio.error is one.trend.error is None


def test_distances_of_xor_that_are_half_of_the_predicted_ones_are_no_match():
    same = np.array([False, False, True, True, False, False])
    predicted = np.where(same, 1e-6, 0.36) * np.ones((3, 6))
    measured = predicted / 4 * np.array([[0.9], [1.0], [1.1]])
    one = xor.Learned("low weights (Adam)", measured, predicted, same, 0)
    merged, apart = xor.merged_pairs(one), xor.targets_apart(one)
    assert (merged.label, merged.value, merged.predicted) == ("low weights, Adam", 2.0, 2.0)
    assert apart.value == pytest.approx(-np.log(2) + np.log([0.9, 1.0, 1.1]).mean() / 2, rel=1e-5)
    assert apart.verdict == "disagrees"
