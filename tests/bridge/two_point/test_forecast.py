"""Forecasts of the rest of a training run: exact where the theory is, honest where it is not, and scored."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bridge import two_point
from bridge.two_point import forecast as bands
from tests.bridge.two_point import forecasts
from tests.bridge.two_point.conftest import draw_case


def seen_part(case, share):
    count = int(share * case.clean.shape[1])
    return {name: values[:count] for name, values in case.columns.items()}


def test_where_the_theory_is_exact_the_forecast_is_too(rng):
    case = draw_case(rng, noise=0.0)
    forecast = two_point.fit(seen_part(case, 0.3), **case.data).forecast(case.columns["t"])
    scale = np.abs(case.clean).max()
    np.testing.assert_allclose(forecast.curves[0], case.clean, atol=1e-5 * scale)
    assert (forecast.high - forecast.low).max() < 1e-3 * scale
    assert ((forecast.low <= forecast.curves) & (forecast.curves <= forecast.high)).all()
    assert (forecast.low[:, :2] >= 0).all()


def test_a_wrong_theory_widens_the_bands_which_its_residuals_do_not(rng):
    """The rest of a trace whose clock slows down is outside the bands of the residuals alone."""
    case = draw_case(rng, noise=0.0)
    t = case.columns["t"]
    slow = {**case.columns, "t": t + 0.3 * t**2 / t[-1]}
    part = {name: values[:120] for name, values in slow.items()}
    fit = two_point.fit(part, **case.data)
    drifting = np.linalg.norm(bands.deviations([fit])[0])
    assert drifting > 3 * np.sqrt(np.trace(fit.estimate.covariance[:2, :2]))


def test_the_score_is_the_share_of_later_points_inside(rng):
    case = draw_case(rng, noise=0.02)
    part = seen_part(case, 0.4)
    count = len(part["t"])
    forecast = two_point.fit(part, **case.data).forecast(case.columns["t"], 0.8)
    score = forecast.score(case.columns)
    later = np.stack([case.columns[name][count:] for name in ("dh2", "dy2", "w")])
    inside = (forecast.low[0][:, count:] <= later) & (later <= forecast.high[0][:, count:])
    np.testing.assert_allclose(score.inside[0], inside.mean(axis=1))
    assert score.held == (bool(inside.all()),)
    far = {**case.columns, "dh2": np.concatenate([part["dh2"], 50 * case.columns["dh2"][count:]])}
    assert forecast.score(far).inside[0, 0] == 0
    assert not forecast.score(far).held[0]
    assert len(score.to_dataframe()) == 3
    assert len(forecast.to_dataframe()) == 3 * len(case.columns["t"])
    assert "0 of 1 seeds" in forecast.score(far).summary()
    assert ", 1 seed\n" in forecast.summary()
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert forecast.plot(axes) is axes


def test_the_command_forecasts_what_it_has_not_seen(rng, tmp_path):
    import pandas as pd

    from bridge.two_point.command import fit

    case = draw_case(rng, noise=0.0)
    pd.DataFrame(case.columns).to_csv(tmp_path / "mine.csv", index=False)
    seen = float(case.columns["t"][119])
    found = fit(
        str(tmp_path / "mine.csv"),
        **case.data,
        seen=seen,
        initial=",".join(map(str, case.initial)),
    )
    assert found.fit.trace.t[-1] == seen
    assert found.fit.initial == "given"
    assert found.fit.tau_h == pytest.approx(case.tau_h, rel=1e-5)
    assert "1 of 1 seeds is inside" in found.summary()
    assert max(map(len, found.summary().splitlines())) <= 100
    assert found.plot().lines
    with pytest.raises(ValueError, match="--initial: got '1,x'"):
        fit(str(tmp_path / "mine.csv"), **case.data, initial="1,x")
    pd.DataFrame(case.columns).rename(columns={"t": "hour"}).to_csv(
        tmp_path / "hours.csv", index=False
    )
    with pytest.raises(ValueError, match="needs a time column, one of 't'"):
        fit(str(tmp_path / "hours.csv"), **case.data, seen=seen)


def test_bad_arguments_name_what_they_need(rng):
    case = draw_case(rng)
    fit = two_point.fit(case.columns, **case.data)
    for arguments, message in [
        (([-1.0],), "before the first point"),
        (([],), "t: got shape"),
        (([1.0], 0.99), "level: got 0.99, needs a number from 0.5 to 0.95"),
        (([1.0], 0.1), "level: got 0.1"),
    ]:
        with pytest.raises(ValueError, match=message):
            fit.forecast(*arguments)
    forecast = fit.forecast(case.columns["t"][-1:])
    with pytest.raises(ValueError, match="needs times after"):
        forecast.score(case.columns)
    with pytest.raises(ValueError, match="needs those of the fit"):
        forecast.score({**case.columns, "seed": np.zeros(300, int)})


def test_factors_rise_with_the_level_and_with_what_is_left():
    table = np.array(bands.FACTORS)
    assert (np.diff(table, axis=1) >= 0).all()
    assert (np.diff(table, axis=0) >= 0).all()


@pytest.mark.slow
def test_the_coverage_on_fifty_other_networks_is_as_stated():
    pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")
    shares = forecasts.held(forecasts.OTHERS).mean(axis=0)  # [seen, level]
    stated = [
        [0.50, 0.74, 0.80, 0.96, 0.96],
        [0.74, 0.78, 0.88, 0.90, 0.92],
        [0.78, 0.78, 0.88, 0.88, 0.94],
    ]
    # two networks of fifty: last bits differ between machines
    np.testing.assert_allclose(shares, stated, atol=0.041)
    assert (shares >= np.array(forecasts.LEVELS) - 0.08).all()


def test_the_times_of_a_trace_or_table_are_taken(clean_case):
    fit = two_point.fit(clean_case.columns, **clean_case.data)
    times = clean_case.columns["t"]
    frame = pd.DataFrame(clean_case.columns)
    for data in (
        clean_case.columns,
        pd.concat([frame, frame]),
        frame.rename(columns={"t": "step"}),
    ):
        np.testing.assert_array_equal(fit.forecast(data).t, times)
    with pytest.raises(ValueError, match="t: the table has no times; needs one of 't', 'step'"):
        fit.forecast(frame[["dh2"]])


@pytest.mark.parametrize(
    "seeds", [(1, 16), pytest.param(range(24), marks=pytest.mark.slow)], ids=["few", "all"]
)
def test_bands_of_higher_levels_contain_those_of_lower_ones(seeds):
    """The curves of constants inside the ellipse may be farther from the centre than those on its border."""
    for seed in seeds:
        case = draw_case(np.random.default_rng(seed), noise=(0.0, 0.005, 0.02)[seed % 3])
        t = case.columns["t"]
        # the clock of the odd ones slows down
        columns = {**case.columns, "t": t + 0.3 * (seed % 2) * t**2 / t[-1]}
        part = {name: values[: 60 + 30 * (seed // 8)] for name, values in columns.items()}
        forecast = two_point.fit(part, **case.data).forecast(columns["t"])
        fit, (root,) = forecast.fit, forecast.roots
        ends = [
            bands.envelope(fit, forecast.t, root=root, level=level)
            for level in (0.5, 0.6, 0.68, 0.8, 0.9, 0.95)
        ]
        assert (np.diff([low for _, low, _ in ends], axis=0) <= 0).all(), seed
        assert (np.diff([high for _, _, high in ends], axis=0) >= 0).all(), seed
