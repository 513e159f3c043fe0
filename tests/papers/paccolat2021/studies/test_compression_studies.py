"""Tests of the compression studies at a scale of seconds: scales, figures, tables, comparisons and doubts."""

from dataclasses import replace

import pytest

from bridge.plots import style
from bridge.results import analyses
from empirics.experiments import STUDIES, compression
from empirics.runs.study import SCALES
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.families import counts_in_words, doubts, fitted

NAMES = ("compression-amplification", "compression-time", "compression-neurons")
TINY = {
    "compression-amplification": {"width": 12, "seeds": 4},
    "compression-time": {"width": 12, "seeds": 3, "points": 300, "dimension": 2},
    "compression-neurons": {
        "width": 20,
        "kept": 20,
        "tracked": 10,
        "points": 200,
        "test_points": 50,
        "shares": (0.1,),
    },
}


@pytest.fixture(scope="module")
def analysed():
    found = {}
    for name in NAMES:
        traces = {}
        for label, config in STUDIES[name].configs("smoke").items():
            # the derived offset of one dimension takes seconds, and is enough
            if label.startswith("d=5"):
                continue
            small = TINY[name] | (
                {"points": config.points // 2} if name == "compression-amplification" else {}
            )
            traces[label] = compression.run(replace(config, **small), progress=False)
        found[name] = analyses.analyse(name, traces)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_scale_has_configurations_of_its_own(name):
    sizes = [STUDIES[name].configs(scale) for scale in SCALES]
    assert all(
        isinstance(config, compression.Config) for table in sizes for config in table.values()
    )
    most = []
    for table in sizes:
        work = [config.points * config.width * config.seeds for config in table.values()]
        most.append(max(work))
    assert most == sorted(most)
    assert len({str(table) for table in sizes}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_says_something(check, analysed, name):
    check(analysed[name], analysed[name].traces)


def drawn(analysed, name, picture):
    return next(each.figure for each in analysed[name].pictures if each.name.startswith(picture))


def test_every_sign_of_the_neurons_has_a_legend(analysed):
    """Markers and dashes of the panels, each at least once in a legend of the figure."""
    figure = drawn(analysed, "compression-neurons", "figure-3")
    looks = {
        (line.get_linestyle(), line.get_marker()) for axis in figure.axes for line in axis.lines
    }
    entries = [line for legend in figure.legends for line in legend.get_lines()]
    entries += [
        line for axis in figure.axes if axis.get_legend() for line in axis.get_legend().get_lines()
    ]
    assert looks <= {(line.get_linestyle(), line.get_marker()) for line in entries}
    assert {text.get_text() for legend in figure.legends for text in legend.get_texts()} >= {
        "attractor"
    }


def test_figure_3a_is_put_into_words(analysed):
    """The sentence gives the ratios of the solid to the dashed lines at their ends."""
    axes = drawn(analysed, "compression-neurons", "figure-3").axes[0]
    ends = [float(line.get_ydata()[-1]) for line in axes.lines[:4]]
    (sentence,) = (
        text for text in analysed["compression-neurons"].findings if "Figure 3a" in text
    )
    assert f" and {ends[0] / ends[1]:.2g} times at t*" in sentence
    assert f" and {ends[2] / ends[3]:.2g} times (p = 200)." in sentence


def test_legends_of_amplification_in_time_hide_no_line(analysed):
    figure = drawn(analysed, "compression-amplification", "figure-5-amplification-in-time")
    with style.context():
        figure.draw_without_rendering()
    for axis in figure.axes:
        assert (axis.get_xscale(), axis.get_yscale()) == ("linear", "log")
        legend = axis.get_legend().get_window_extent()
        assert not legend.overlaps(axis.get_window_extent())


def test_what_is_compared(analysed):
    quantities = {each.quantity for name in NAMES for each in analysed[name].compared}
    assert quantities == {q.ALIGNMENT, q.EXPONENT, q.RATIO, q.SETTLED, q.TIME_SLOPE, q.TIME_OFFSET}


def test_the_exponent_of_the_largest_factor_is_compared_only_where_training_reached_it(
    analysed, numbers
):
    found = numbers(analysed["compression-amplification"])
    assert (q.EXPONENT_END, "stripe, d = 5") in found
    assert all(quantity != q.EXPONENT_MAX for quantity, _ in found)


def test_a_number_of_a_fit_without_an_error_is_left_out():
    assert fitted(q.OFFSET, "stripe", 1.0, float("inf"), 4) is None
    known = fitted(q.EXPONENT, "stripe", 0.4, 0.1, 4, 0.5, 0.06)
    assert known is not None
    assert (known.value, known.error, known.n, known.predicted, known.resolution) == (
        0.4,
        0.1,
        4,
        0.5,
        0.06,
    )


def test_shares_that_were_not_reached_are_doubted():
    trace = compression.run(
        compression.Config(points=150, width=5, seeds=3, dimension=2), progress=False
    )
    cut = trace.assign(time_at=trace["time_at"].where(trace["seed"] > 0))
    assert not any("stopped before" in doubt.text for doubt in doubts({"done": trace}))
    assert [doubt.seeds for doubt in doubts({"cut": cut}) if "stopped before" in doubt.text] == [
        "seed 0"
    ]


def test_numbers_of_realisations_are_put_into_words():
    assert [counts_in_words(counts) for counts in ([6, 4, 10], [9, 9], [])] == [
        "4 to 10",
        "9",
        "0",
    ]
