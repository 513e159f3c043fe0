"""Tests of the predicted final distances of two-point studies."""

import numpy as np
import pytest

from bridge.two_point.trace import read
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import predictions, single
from papers.vanrossem2024.studies.fitted import fit_one, until_half_way


def test_where_the_theory_is_exact_even_the_forecast_is_right(trace_maker):
    fitted = fit_one("exact", trace_maker(seeds=(0, 1, 2, 3), epochs=1500))
    measured = fitted.trace["dh2"].isel(step=-1, layer=0).values
    for fits in (fitted.fit.per_seed, predictions.forecasts(fitted)):
        predicted = predictions.predicted_distances(fits, 1.0, 0.5)
        # 1500 epochs leave less than that of the way to go
        np.testing.assert_allclose(predicted, measured, rtol=1e-5)


def test_a_forecast_has_not_seen_the_later_half(trace_maker):
    (trace,) = read(trace_maker(seeds=(0,)))
    beginning = until_half_way(trace)
    assert 8 < beginning.t.size < trace.t.size
    dy = np.sqrt(beginning.state[1])
    assert dy[-1] >= np.sqrt(0.5) / 2 > dy[-2]


def test_networks_that_slow_down_half_way_disagree_with_the_forecast(trace_maker):
    """Slowing both maps down leaves the path and its end as they are; ending elsewhere is what must be noticed."""
    trace = trace_maker(seeds=(0, 1, 2, 3))
    late = trace["dy2"].values > 0.5 / 4
    moved = trace.copy(deep=True)
    extra = 1 + 0.3 * np.clip(np.sqrt(trace["dy2"].values / 0.5) * 2 - 1, 0, 1)
    moved["dh2"] = trace["dh2"] * np.where(late, extra, 1.0)[..., None]
    rows = {each.quantity: each for each in predictions.final_distances((fit_one("bent", moved),))}
    forecast = rows[q.DISTANCE_FORECAST]
    assert forecast.verdict == "disagrees"
    assert forecast.value > 1.2 * forecast.predicted


def test_one_seed_is_no_comparison(trace_maker):
    assert predictions.final_distances((fit_one("one", trace_maker(seeds=(0,))),)) == ()


def test_other_laws_make_no_such_prediction(trace_maker):
    fitted = fit_one("altered", trace_maker(seeds=(0, 1)), law="factor_two")
    assert predictions.final_distances((fitted,)) == ()


def test_seeds_are_compared_in_pairs(trace_maker):
    """Seeds end far apart; if they were not paired, their spread would hide any disagreement."""
    fitted = fit_one("exact", trace_maker(seeds=(0, 1, 2, 3), epochs=1500))
    (row, _) = predictions.final_distances((fitted,))
    measured = fitted.trace["dh2"].isel(step=-1, layer=0).values
    assert row.error < 0.01 * measured.std()
    assert row.value == pytest.approx(measured.mean(), rel=1e-5)


def test_half_way_fits_are_made_once(trace_maker, monkeypatch):
    from bridge.two_point import estimate

    calls, fit = [], estimate._result
    monkeypatch.setattr(
        estimate, "_result", lambda *given: calls.append(given[2].t.size) or fit(*given)
    )
    fitted = (fit_one("one", trace_maker(seeds=(0, 1))),)
    assert predictions.final_distances(fitted)
    assert predictions.scored(fitted)
    assert len(calls) == 4  # each seed whole and half way; drift needs no fit of the noise


def test_of_many_configurations_the_worst_and_some_others_are_drawn(trace_maker):
    fit = fit_one("one", trace_maker(seeds=(0,)))
    good, bad = 3 * single.MOST, single.MOST // 2
    worse = [
        type("Fitted", (), {"fit": type("Fit", (), {"r_squared": -number})})
        for number in range(bad)
    ]
    shown = single.drawn((fit,) * good + tuple(worse))
    assert len(shown) == single.MOST
    assert shown[-bad:] == tuple(worse)
    assert single.drawn((fit,) * 5) == (fit,) * 5
