"""Tests of the result of a fit: predictions, table and figure."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy import stats

import bridge
from bridge.plots import style
from bridge.two_point import curves
from tests.bridge.two_point.conftest import draw_case


@pytest.fixture(scope="module")
def several():
    """The fit of three seeds of one case with noise."""
    rng = np.random.default_rng(2)
    case = draw_case(rng, noise=0.0)
    frames = []
    for seed in range(3):
        noisy = {
            name: column + 0.01 * (name != "t") * rng.normal(size=300)
            for name, column in case.columns.items()
        }
        frames.append(pd.DataFrame(noisy).assign(seed=seed))
    return bridge.two_point.fit(pd.concat(frames), **case.data)


def test_prediction(clean_case):
    fit = bridge.two_point.fit(clean_case.columns, **clean_case.data)
    assert fit.predict([0.0])[:, 0] == pytest.approx(clean_case.initial)
    assert fit.predict(clean_case.columns["t"]) == pytest.approx(clean_case.clean, abs=1e-7)
    assert fit.per_seed == (fit,)


def test_prediction_of_several_leaves_from_their_mean_state(several):
    states = np.array([each.initial_state for each in several.per_seed])
    assert several.predict([0.0])[:, 0] == pytest.approx(states.mean(axis=0))
    assert several.residuals.shape == (3, 3, 300)


def test_summary_fits_100_columns_and_says_what_matters(several, clean_case):
    single = bridge.two_point.fit(
        {name: column[:300] for name, column in clean_case.columns.items()}, **clean_case.data
    )
    for fit in (several, single):
        text = fit.summary()
        assert max(map(len, text.splitlines())) <= 100
        for word in (
            "tau_h",
            "tau_y",
            "R^2",
            "fit loss (Eq. 49)",
            f"{fit.tau_h:.6g}",
            "a recorded map",
        ):
            assert word in text
    assert "from the seeds" in several.summary()
    assert "from the residuals" not in several.summary()
    for seed in several.per_seed:
        assert f"{seed.tau_h:12.6g}{seed.tau_y:12.6g}" in several.summary()
    assert (
        f"correlation of tau_h and tau_y from the residuals: {single.correlation:+.2f}"
        in single.summary()
    )
    assert "warning: training has not converged" in single.summary()


def test_intervals_are_students_over_seeds_and_normal_otherwise(several, clean_case):
    logs = np.log([each.tau_h for each in several.per_seed])
    low, high = several.interval("tau_h", 0.95)
    assert np.log([low, high]) == pytest.approx(
        stats.t.interval(0.95, 2, logs.mean(), stats.sem(logs))
    )
    assert several.repetitions == 3
    one = several.per_seed[0]
    low, high = one.interval("tau_y", 0.95)
    assert np.log(high / low) == pytest.approx(2 * 1.959964 * one.errors["tau_y"] / one.tau_y)
    assert one.repetitions == np.inf
    with pytest.raises(ValueError, match="name: got 'tau_mean'"):
        one.interval("tau_mean")
    with pytest.raises(ValueError, match="level: got 2"):
        one.interval(level=2)


def test_figure_has_every_seed_and_the_theory(several):
    axes = several.plot()
    thin = [line for line in axes.lines if line.get_linewidth() == 0.8]
    # as in the reports
    assert [line.get_color() for line in thin] == [style.BLUE, style.ORANGE, style.PURPLE] * 3
    theory = several.predict(np.linspace(*axes.get_xlim(), 1500))
    assert any(
        len(line.get_ydata()) == 1500 and np.allclose(line.get_ydata(), theory[0])
        for line in axes.lines
    )
    assert any(line.get_color() == style.INK for line in axes.lines)
    assert axes.title.get_color() == axes.xaxis.label.get_color() == style.INK
    assert several.plot(axes) is axes


def test_the_loss_is_in_the_legend_where_it_is_drawn():
    entries = []
    for loss in (False, True):
        figure = Figure()
        curves.legend(figure, loss=loss)
        entries.append([text.get_text() for text in figure.legends[0].get_texts()])
    without, with_loss = entries
    assert len(with_loss) == len(without) + 1
    assert curves.loss_handle().get_label() in set(with_loss) - set(without)


def test_drawing_is_imported_only_to_draw():
    import subprocess
    import sys

    code = "import sys, bridge; bridge.two_point, bridge.scaling; bridge.compare; print('matplotlib' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
