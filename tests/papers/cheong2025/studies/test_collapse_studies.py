"""Tests of the collapse studies: figures, tables and findings for traces with known answers."""

import dataclasses
import json

import numpy as np
import pytest

from bridge.collapse import information_plane
from bridge.results import analyses
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import information, layers, panels, separations, statements
from tests.marks import slow
from tests.oracles.collapse_traces import make_trace


@pytest.fixture(scope="module")
def traces():
    return {
        "a": make_trace(informed=True, sampled=False),
        "b": make_trace(steps=(-0.4, -1.2), seed=1, informed=True, sampled=False),
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "study", [name for name in analyses.ANALYSES if name.startswith("collapse")]
)
@pytest.mark.parametrize("count", [*slow(1), 2])
def test_every_panel_shows_something(check, study, traces, count):
    some = dict(list(traces.items())[:count])
    check(analyses.analyse(study, some), some)


def test_the_dots_of_the_noise_floor_have_a_legend(traces):
    (legend,) = layers.draw_collapse(traces).legends
    (dots,) = (line for line in legend.get_lines() if line.get_marker() == ".")
    assert dots.get_label() == "noise floor"


def test_equal_steps_are_told_from_unequal_ones(traces):
    analysis = analyses.analyse("collapse-layers", traces)
    verdicts = {
        one.label: one.verdict for one in analysis.compared if one.quantity == q.LATER_STEP
    }
    assert verdicts["b, train, step 2"] == "disagrees"
    assert verdicts["a, train, step 2"] != "disagrees"


def test_a_subset_is_named_in_the_figure(traces):
    trace = traces["a"].copy()
    trace.attrs["origin"] = json.dumps(
        {"train": "CIFAR-10, training split, a subset: 10,000 of 50,000 images, 10,000 of them",
         "test": "CIFAR-10, test split, a subset: 2,000 of 10,000 images"}
    )  # fmt: skip
    analysis = analyses.analyse("collapse-layers", {"f on CIFAR-10": trace})
    titles = [axes.get_title() for picture in analysis.pictures for axes in picture.figure.axes]
    assert sum("12,000-image subset" in title for title in titles) >= 4
    assert any("12,000-image subset" in doubt.text for doubt in analysis.doubts)
    assert panels.title("a", traces["a"]) == "a"


def test_unlike_sizes_and_single_seeds_are_doubted(traces):
    trace = traces["a"].isel(seed=[0]).copy()
    trace.attrs["test_size"] = 300
    analysis = analyses.analyse("collapse-layers", {"a": trace})
    texts = " ".join(doubt.text for doubt in analysis.doubts)
    assert "not comparable" in texts
    assert "One seed" in texts
    assert not analysis.compared


def test_unfinished_decoders_are_doubted(traces):
    trace = traces["a"].copy(deep=True)
    trace["sufficiency_converged"][:, :, 1] = np.where(
        np.isnan(trace["sufficiency"][:, :, 1]), np.nan, 0.0
    )
    (doubt,) = analyses.analyse("collapse-information", {"a": trace}).doubts
    assert doubt.text.startswith("50% of the estimates")


def test_information_below_zero_and_images_that_are_not_memorised_are_doubted(traces):
    trace = traces["a"].copy(deep=True)
    trace["minimality"][:, :, :, -1] = np.where(
        np.isnan(trace["minimality"][:, :, :, -1]), np.nan, -0.25
    )
    trace["sufficiency"][:, :, 0, 0] = np.where(
        np.isnan(trace["sufficiency"][:, :, 0, 0]), np.nan, 0.3
    )
    texts = [doubt.text for doubt in analyses.analyse("collapse-information", {"a": trace}).doubts]
    assert any(
        text.startswith("Minimality is below zero at") and "down to -0.25 bits" in text
        for text in texts
    )
    assert any(
        text.startswith("Sufficiency of the images themselves is 0.30 bits where")
        for text in texts
    )


def test_later_changes_and_leads_on_known_minimality(traces, numbers):
    planes = {label: information_plane(trace) for label, trace in traces.items()}
    one = next(iter(planes.values()))
    shape = (3, 3, 2, len(one.cut))
    flat = dataclasses.replace(
        one, epoch=np.array([0, 2, 9]), minimality=np.zeros(shape), sufficiency=np.ones(shape)
    )
    seeds = np.arange(3)
    fallen = flat.minimality.copy()
    fallen[:, 0] = 1.0  # before the fit, which does not count
    fallen[:, 2, 0] = -0.5 - 0.01 * seeds[:, None]
    table = information.phase_table(
        {"flat": flat, "fallen": dataclasses.replace(flat, minimality=fallen)}
    )
    found = numbers(table)
    for cut in one.cut[1:]:
        assert found[q.LATER_CHANGE, f"flat, layer {cut}"].value == pytest.approx(0.0)
        assert found[q.LATER_CHANGE, f"fallen, layer {cut}"].value == pytest.approx(-0.51)
        assert found[q.MINIMALITY_LEAD, f"flat over fallen, layer {cut}"].value == pytest.approx(
            0.51
        )


def test_the_drop_of_minimality_leads_where_it_is_steepest(traces, numbers):
    plane = information_plane(next(iter(traces.values())))
    minimality = np.zeros((3, 2, 2, 4))
    minimality[:, 0] = [[9.0, 0.0, 0.0, 0.0]]  # before the end, which does not count
    minimality[:, 1, 1] = [9.0, 9.0, 9.0, 0.0]  # test images, which do not either
    minimality[:, 1, 0] = [2.0, 1.9, 1.0, 0.8] + np.arange(3)[:, None]
    made = dataclasses.replace(
        plane,
        epoch=np.array([0, 9]),
        cut=np.arange(4),
        minimality=minimality,
        sufficiency=np.ones((3, 2, 2, 4)),
    )
    found = numbers(information.phase_table({"f": made}))
    # 0.9 after it, 0.2 after the next
    assert found[q.DROP_LEAD, "f, layer 1"].value == pytest.approx(0.7)
    assert found[q.DROP_LEAD, "f, layer 2"].value == pytest.approx(-0.7)
    assert (q.DROP_LEAD, "f, layer 3") not in found  # no layer comes after it


def test_gaps_are_those_of_training_and_test_images_at_the_end(traces, numbers):
    plane = information_plane(next(iter(traces.values())))
    shape = (3, 3, 2, len(plane.cut))
    sufficiency, minimality = np.zeros(shape), np.zeros(shape)
    sufficiency[:, -1, 0] = 0.7
    minimality[:, -1, 1] = 0.2
    known = dataclasses.replace(
        plane, epoch=np.array([0, 2, 9]), sufficiency=sufficiency, minimality=minimality
    )
    found = numbers(information.phase_table({"network": known}))
    for cut in plane.cut[1:]:
        assert found[q.SUFFICIENCY_GAP, f"network, layer {cut}"].value == pytest.approx(0.7)
        assert found[q.MINIMALITY_GAP, f"network, layer {cut}"].value == pytest.approx(-0.2)


def test_rises_of_the_test_loss_and_of_the_range_are_those_of_the_traces(numbers):
    first, second = (make_trace(epochs=12, sampled=False) for _ in range(2))
    for trace, rise in ((first, [0.3, 0.4, 0.5]), (second, [0.1, 0.2, 0.3])):
        trace["loss"][:, :, 1] = 1.0
        trace["loss"][:, -1, 1] = 1.0 + np.array(rise)
    first["nc1"][:, 0, 0], first["nc1"][:, -1, 0] = (
        np.exp([1.0, 1.2, 1.5]),
        np.exp([2.0, 3.0, -1.0]),
    )
    found = numbers(statements.table({"f₋ on X": first, "f₋ on Y": second}))
    assert found[q.TEST_LOSS_RISE, "f₋ on X"].value == pytest.approx(0.4)
    assert found[q.RANGE_RISE, "f₋ on X"].value == pytest.approx(4.0 - 0.5)
    assert found[q.TEST_LOSS_RISE, "f₋ on X over f₋ on Y"].value == pytest.approx(0.2)
    for epochs in (9, 10):
        assert np.isnan(statements.test_loss_rise(make_trace(epochs=epochs, sampled=False))).all()


def test_more_layers_than_colours():
    tints = panels.colours(7)
    assert len({tuple(tint) for tint in tints}) == 7


def test_profiles_that_go_up_and_down_have_no_chance_to_go_one_way():
    trace = make_trace(steps=(0.5, -0.9), sampled=False)
    after = next(
        row for row in separations.table({"a": trace}).rows if row["when"] == "after training"
    )
    assert after["chance, one way"] is None
    assert after["p of equal steps"] < 0.05


def test_a_lead_over_a_network_that_has_not_learnt_is_doubted(traces):
    strong, weak = (traces[label].copy(deep=True) for label in "ab")
    strong["accuracy"][:, -1] = [1.0, 0.7]
    weak["accuracy"][:, -1] = [0.65, 0.5]
    analysis = analyses.analyse("collapse-channels", {"f₊ on X": strong, "f₋ on X": weak})
    assert "f₊ over f₋ on X: 20.0 ± " in analysis.findings[0]
    assert [
        doubt.label for doubt in analysis.doubts if "Training accuracy is 65%" in doubt.text
    ] == ["f₋ on X"]
    assert not any(
        doubt.label == "f₊ on X" and "Training accuracy" in doubt.text for doubt in analysis.doubts
    )


def test_the_sizes_of_the_layers_are_those_of_the_traces(traces):
    analysis = analyses.analyse("collapse-channels", {"f₊ on X": traces["a"]})
    sizes = {
        one.label: one.value for one in analysis.numbers if one.quantity == "collapse.dimension"
    }
    assert sizes == {
        f"f₊ on X, layer {layer}": size for layer, size in ((1, 60), (2, 50), (3, 40))
    }


def test_leads_and_gaps_are_those_of_the_traces(traces, numbers):
    strong, weak = (traces[label].copy(deep=True) for label in "ab")
    strong["accuracy"][:, -1, 1] = [0.7, 0.8, 0.9]
    weak["accuracy"][:, -1, 1] = [0.6, 0.6, 0.6]
    named = {"f₊ on X": strong, "f₋ on X": weak}
    found = numbers(statements.table(named))
    ahead = found[q.LEAD, "f₊ over f₋ on X"]
    assert (ahead.value, ahead.error, ahead.n) == pytest.approx(
        (0.2, 0.1 / np.sqrt(3), 3), rel=1e-5
    )
    assert "f₊ over f₋ on X: 20.0 ± 5.8 points" in statements.leads_in_words(named)[0]
    strong["accuracy"][2, -1, 1] = np.nan  # it diverged: two differences are behind the error
    ahead = numbers(statements.table(named))[q.LEAD, "f₊ over f₋ on X"]
    assert (ahead.value, ahead.n) == pytest.approx((0.15, 2))
    gap = np.log(weak["nc1"][:, -1, 1] / weak["nc1"][:, -1, 0]).mean("seed")
    ratio = np.log(weak["within"][:, -1, 0] / weak["between"][:, -1, 0]).mean("seed")
    for values, quantity in (
        (gap, q.LOG_NC1_GAP),
        (ratio, q.LOG_TRACE_RATIO),
        (weak["features"], q.DIMENSION),
    ):
        shown = [
            found[quantity, f"f₋ on X, layer {layer}"].value for layer in weak["layer"].values
        ]
        assert shown == pytest.approx(list(values.values), rel=1e-4)
