"""Tests of the comparisons that state a bound, a sign or an order, with planted numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from bridge.two_point.studies import layers, linearity, shares


def fitted(label, r_squared, losses=(1.0, 1.0), of_loss=None):
    """A configuration whose networks have these R² and fit losses."""
    means = [None] * len(r_squared) if of_loss is None else [SimpleNamespace(r_squared=value) for value in of_loss]
    networks = [
        SimpleNamespace(r_squared=value, loss=loss, mean=mean)
        for value, loss, mean in zip(r_squared, losses, means, strict=True)
    ]
    return SimpleNamespace(label=label, fit=SimpleNamespace(per_seed=networks))


def test_unexplained_shares_are_compared_with_a_tenth():
    good, bad = fitted("good", (0.99, 0.98)), fitted("bad", (0.5, -1.0))
    compared = {one.label: one.comparison for one in shares.of_curves([good, bad])}
    assert compared["good"].measured == pytest.approx(np.log([0.01, 0.02]).mean())
    assert compared["bad"].measured == pytest.approx(np.log([0.5, 2.0]).mean())
    assert compared["bad"].predicted == pytest.approx(np.log(0.1))
    assert shares.of_losses([good]) == ()  # there is no loss to fit
    (loss,) = shares.of_losses([fitted("loss", (0.9, 0.9), of_loss=(0.99, 0.999))])
    assert loss.comparison.measured == pytest.approx(np.log([0.01, 0.001]).mean())
    assert shares.of_curves([fitted("alone", (0.9,), (1.0,))]) == ()


def test_the_second_half_of_the_layers_is_compared_with_the_first():
    group = tuple(fitted("default", (0.9, 0.9), losses) for losses in ((8.0, 9.0), (8.0, 9.0), (2.0, 3.0), (2.0, 3.0)))
    (one,) = layers.halves(group)
    assert one.comparison.measured == pytest.approx(np.log([2 / 8, 3 / 9]).mean())


def test_nearby_pairs_are_compared_with_far_ones():
    ratio = np.array([[[1.0, 1.0], [1.0, 1.0]], [[6.0, 2.0], [8.0, 2.0]]])  # [epoch, seed, bin]
    parity = linearity.Parity("planted", (0, 1), ratio, {"encoder": ratio, "decoder": 1 / ratio})
    encoder, decoder = (one.comparison for one in linearity.compared([parity]))
    assert encoder.measured == pytest.approx(np.log([3, 4]).mean())
    assert decoder.measured == pytest.approx(-np.log([3, 4]).mean())
