"""Tests of the two-point studies: fits, figures, tables and findings."""

import numpy as np
import pytest

from bridge.results import analyses
from papers.vanrossem2024.studies import panels
from papers.vanrossem2024.studies.fitted import fit_one
from tests.marks import slow


@pytest.fixture(scope="module")
def traces(trace_maker):
    return {"fast": trace_maker(tau_h=20.0), "slow": trace_maker(tau_h=60.0)}


def drawn(figure):
    return [axes for axes in figure.axes if axes.get_visible()]


# Figure 11 with the alternatives is below
OF_TWO_POINTS = ("architectures", "initial-weights", "layer", "adam")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("study", ["two-point", *(f"two-point-{name}" for name in OF_TWO_POINTS)])
def test_each_study_fits_and_draws(check, study, traces):
    analysis = analyses.analyse(study, traces)
    check(analysis, traces)
    assert {each.label for each in analysis.results} == set(traces)
    assert ("forecasts" in {table.name for table in analysis.tables}) == (study == "two-point")


def test_figure_2_and_12_have_a_panel_for_every_configuration(traces):
    dynamics, losses = analyses.analyse("two-point-architectures", traces).pictures
    assert [axes.get_title().split("\n")[0] for axes in drawn(dynamics.figure)] == ["fast", "slow"]
    for axes in drawn(dynamics.figure):
        # measurement and theory of three curves of three seeds
        assert len(axes.lines) == 2 * 3 * 3
    for axes in drawn(losses.figure):
        assert len(axes.lines) == 2 * 3


def test_theory_and_measurement_coincide_where_the_theory_is_exact(traces):
    dynamics, losses = analyses.analyse("two-point-architectures", traces).pictures
    for axes in (*drawn(dynamics.figure), *drawn(losses.figure)):
        half = len(axes.lines) // 2
        measured = [line for line in axes.lines if line.get_linestyle() == "-"]
        theory = [line for line in axes.lines if line.get_linestyle() != "-"]
        assert len(measured) == len(theory) == half
        for line in theory:
            gaps = [np.abs(line.get_ydata() - other.get_ydata()).max() for other in measured]
            assert min(gaps) < 1e-4


def test_figure_10_finds_the_layers_and_their_constants(trace_maker):
    trace = trace_maker(layers=(1, 2, 3, 4))
    factor = np.array([4.0, 2.0, 1.0, 0.5])
    # dh2 scaled by c is the theory with tau_h / c and tau_y * c
    trace["dh2"] = trace["dh2"] * factor
    analysis = analyses.analyse("two-point-layer", {"default": trace})
    assert [each.layer for each in analysis.results] == [1, 2, 3, 4]
    np.testing.assert_allclose(
        [each.fit.tau_h for each in analysis.results], 40 / factor, rtol=1e-3
    )
    np.testing.assert_allclose(
        [each.fit.tau_y for each in analysis.results], 25 * factor, rtol=1e-3
    )
    losses, rates = drawn(analysis.pictures[0].figure)
    assert losses.get_yscale() == rates.get_yscale() == "log"
    assert (
        f"is lowest in layer {1 + int(np.argmin([each.fit.loss for each in analysis.results]))}"
        in analysis.findings[0]
    )


@pytest.mark.slow
def test_figure_11_the_theory_beats_the_altered_dynamics_where_it_is_exact(check, trace_maker):
    exact = {"default": trace_maker(seeds=(0, 1))}
    analysis = analyses.analyse("two-point-alternatives", exact)
    check(analysis, exact)
    theory, *altered = analysis.results
    assert theory.law == "effective"
    assert len(altered) == 5
    assert all(theory.fit.loss < 0.01 * each.fit.loss for each in altered)
    assert (
        "beats the altered dynamics in 2, 2, 2, 2, 2 networks, all of them in 2 of 2"
        in analysis.findings[0]
    )


def test_an_unknown_study_and_none_are_refused(traces):
    with pytest.raises(ValueError, match="no study 'three-point'; did you mean two-point"):
        analyses.analyse("three-point", traces)
    with pytest.raises(ValueError, match="run it first"):
        analyses.analyse("two-point", {})


def test_a_trace_that_cannot_be_fitted_is_named(trace_maker):
    trace = trace_maker()
    trace["dh2"][...] = 0.0
    with pytest.raises(ValueError, match="configuration 'broken', layer 3"):
        analyses.analyse("two-point", {"broken": trace})


def test_what_is_drawn_ends_when_everything_has_settled(trace_maker):
    fitted = fit_one("long", trace_maker(epochs=2000))
    end = panels.settled(fitted)
    assert end < 1200
    left = np.abs(fitted.trace["dh2"] - fitted.trace["dh2"].isel(step=-1)).isel(
        step=slice(end, None)
    )
    assert float(left.max()) < panels.NEAR * float(np.ptp(fitted.trace["dh2"].values))


@pytest.mark.parametrize("count", [1, 2, 10, 1000, 6001])
def test_thinning_keeps_first_and_last(count):
    kept = panels.thin(count)
    assert kept[0] == 0
    assert kept[-1] == count - 1
    assert len(kept) == len(set(kept)) == min(count, panels.POINTS)


@pytest.mark.parametrize("count", [1, *slow(2, 5)])
def test_no_legend_is_wider_than_its_figure(trace, count):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from bridge.plots import style
    from papers.vanrossem2024.studies import single

    figure = single.draw((fit_one("a", trace),) * count)
    with style.context():
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
    box = figure.legends[0].get_window_extent(canvas.get_renderer())
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
