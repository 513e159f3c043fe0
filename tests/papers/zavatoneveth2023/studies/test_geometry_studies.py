"""Tests of the geometry studies on tiny runs: every figure and table is made, with the numbers of the traces."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bridge.results import analyses
from closedform.measured import Measured
from closedform.verdicts import FOR
from empirics import experiments
from empirics.experiments.geometry import (
    bayesian,
    mnist,
    random_networks,
    symmetric_units,
    trained,
)
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies import bayesian as study_of_posteriors
from papers.zavatoneveth2023.studies import random_networks as study_of_random_networks

RANDOM = random_networks.Config(widths=(8, 16, 32, 64), realisations=6, inputs=3, directions=2)
PLANE = trained.Config(
    task="xor", widths=(8,), learning_rate=0.5, epochs=300, checkpoints=(0, 300), grid=9, seeds=3,
)  # fmt: skip
IMAGES = mnist.Config(
    dataset="digits", widths=(70,), train_size=100, test_size=40, batch_size=20, learning_rate=0.01, epochs=5,
    checkpoints=(0, 5), images=6, lines=3, steps=5, triples=(7, 6, 1, 0, 3, 5), plane=4,
    weight_decay=1e-2,
)  # fmt: skip


def test_random_networks(check):
    traces = {"erf": experiments.run(RANDOM, progress=False)}
    analysis = analyses.analyse("geometry-random-networks", traces)
    check(analysis, traces, may_be_empty=("rates",))
    assert analysis.theory == ("geometry.volume_element.erf", "geometry.scalar_curvature.erf")
    assert {one.quantity for one in analysis.compared} == {q.VOLUME_LIMIT, q.CURVATURE_LIMIT}
    assert len(analysis.tables[0].rows) == 2 * RANDOM.inputs


def test_rates_are_listed_where_they_were_fitted():
    rate = SimpleNamespace(exponent=-1.1, error=0.1, interval=(-1.3, -0.9))
    fitted = SimpleNamespace(quantity="volume_element", rate=rate, rate_norm=2.0)
    table = study_of_random_networks._rates({"erf": [fitted, SimpleNamespace(rate=None)]})
    exponent = Measured(q.RATE, "erf, volume element", -1.1, 0.1)
    assert table.cells == (("erf", "volume element", 2.0, exponent, -1.3, -0.9),)


@pytest.mark.slow
@pytest.mark.parametrize("study", ["geometry-xor", "geometry-trained"])
def test_plane(check, study):
    two = dataclasses.replace(PLANE, widths=(2,))
    traces = {
        "eight": experiments.run(PLANE, progress=False),
        "two": experiments.run(two, progress=False),
    }
    analysis = analyses.analyse(study, traces)
    check(analysis, traces)
    maps = {
        picture.name: picture.figure
        for picture in analysis.pictures
        if picture.name.startswith("map")
    }
    images = {
        name: sum(bool(axes.images) for axes in figure.axes) for name, figure in maps.items()
    }
    assert images == {"map-1": 6, "map-2": 4}  # two units have no curvature to show
    assert analysis.tables[0].rows[0]["network"] == "eight"


def test_without_a_boundary_it_is_said():
    trace = experiments.run(
        dataclasses.replace(PLANE, epochs=1, checkpoints=(0, 1), seeds=1), progress=False
    )
    trace["margin"] = 1 + 0 * trace["margin"]
    analysis = analyses.analyse("geometry-xor", {"flat": trace})
    assert not analysis.findings
    assert "no network has a decision boundary" in analysis.doubts[0].text


def test_images(check, numbers):
    pytest.importorskip("sklearn")
    traces = {"shallow": experiments.run(IMAGES, progress=False)}
    analysis = analyses.analyse("geometry-mnist", traces)
    check(analysis, traces)
    assert {picture.name for picture in analysis.pictures} == {
        "interpolation-1", "spectrum-1", "triangle-1-1", "triangle-1-2"
    }  # fmt: skip
    found = numbers(analysis)
    claims = {
        key: one
        for (key, label), one in found.items()
        if label in ("shallow", "shallow, triangle 2")
    }
    for quantity, split in ((q.TRAINING_ACCURACY, "train"), (q.TEST_ACCURACY, "test")):
        accuracy = traces["shallow"][f"{split}_accuracy"].values[0]
        assert claims[quantity].value == pytest.approx(accuracy[-1], rel=1e-5)
        assert accuracy[-1] != accuracy[-2]
    entropies, volumes = (
        traces["shallow"][f"plane_{name}"][0, -1, 1] for name in ("entropy", "log_volume")
    )
    assert claims[q.TRIANGLE].value == pytest.approx(
        stats.spearmanr(entropies, volumes).statistic, rel=1e-5
    )
    assert claims[q.TRIANGLE].error is None  # of one network
    before = stats.spearmanr(entropies, traces["shallow"]["plane_log_volume"][0, 0, 1]).statistic
    assert claims[q.TRIANGLE_GAIN].value == pytest.approx(
        claims[q.TRIANGLE].value - before, abs=1e-5
    )
    drawn = {picture.name: picture for picture in analysis.pictures}["interpolation-1"]
    assert len(drawn.figure.subfigs[1].axes) == 2
    flat = traces["shallow"].assign(line_curvature=np.nan * traces["shallow"]["line_curvature"])
    without = analyses.analyse("geometry-mnist", {"shallow": flat}).pictures[0]
    assert len(without.figure.subfigs[1].axes) == 1  # no empty panel
    assert "volume element between two" in without.caption
    spectrum = next(
        picture.figure for picture in analysis.pictures if picture.name == "spectrum-1"
    )
    varying = 64 - int(traces["shallow"]["constant_pixels"][0])
    for axes in spectrum.axes:
        assert axes.lines[-1].get_xdata() == pytest.approx([varying + 0.5] * 2)
        assert axes.lines[-1].get_label() == f"{varying} varying pixels"
    (first, last) = analysis.tables[0].rows
    values = traces["shallow"]["line_log_volume"].isel(seed=0, epoch=-1).values
    one, two = (row["bulge between images (nats)"].value for row in (first, last))
    assert two == pytest.approx(
        np.mean(values[:, 2] - (values[:, 0] + values[:, 4]) / 2), rel=1e-5
    )
    assert first["epoch"] == 0
    assert (claims[q.FINAL_BULGE].value, claims[q.BULGE_GAIN].value) == pytest.approx(
        (two, two - one), abs=1e-5
    )
    spectra = np.log10(traces["shallow"]["spectrum"].isel(seed=0))
    shift = spectra.isel(epoch=-1).mean() - spectra.isel(epoch=0).mean()
    assert claims[q.EIGENVALUE_SHIFT].value == pytest.approx(float(shift), rel=1e-5)
    lost = traces["shallow"].copy(deep=True)
    lost["line_distance"][{"epoch": 0}] = np.inf  # before training: not counted
    lost["line_distance"][{"epoch": -1}] = 1.0
    lost["image_distance"][:, 0] = np.inf
    lost["image_distance"][:, -1] = 1.0
    lost["line_distance"][{"epoch": -1}][0, 0, :2] = np.inf
    lost["image_distance"][0, -1, :3] = np.inf
    doubts = analyses.analyse("geometry-mnist", {"shallow": lost}).doubts
    assert "near 5 inputs" in " ".join(doubt.text for doubt in doubts)


@pytest.mark.slow
def test_lines_with_the_released_start(check, numbers):
    pytest.importorskip("sklearn")
    config = dataclasses.replace(
        IMAGES, start="gaussian", first_line=(7, 6), plane=0, curved_lines=0, images=3, seeds=3
    )
    traces = {"shallow": experiments.run(config, progress=False)}
    analysis = analyses.analyse("geometry-mnist-released", traces)
    check(analysis, traces)
    assert [picture.name for picture in analysis.pictures] == [
        "figure-3-1", "interpolation-1", "spectrum-1",
    ]  # fmt: skip
    volume = traces["shallow"]["line_log_volume"].transpose("seed", "line", "epoch", "position")
    first = volume.values[:, :, 0]
    peaks = np.array([[line[2] - max(line[0], line[4]) for line in lines] for lines in first])
    found = {key: one for (key, label), one in numbers(analysis).items() if label == "shallow"}
    assert found[q.FIRST_PEAK].value == pytest.approx(peaks.mean(), rel=1e-5)
    assert found[q.FIRST_PEAKED_SHARE].value == pytest.approx((peaks > 0).mean(), abs=1e-6)
    after = [
        [line[2] - max(line[0], line[4]) for line in lines] for lines in volume.values[:, :, 1]
    ]
    assert found[q.FINAL_PEAK].value == pytest.approx(np.mean(after), rel=1e-5)
    assert not np.allclose(peaks, after)
    middle = volume.values[:, :, 1, 2].mean() / np.log(10)
    assert found[q.FINAL_VOLUME].value == pytest.approx(middle, rel=1e-5)
    panels = [axes for axes in analysis.pictures[0].figure.axes if axes.collections]
    curves = [panel.lines[0].get_ydata() for panel in panels]
    drawn = volume.values[:, 0].reshape(6, 5) / np.log(10)
    np.testing.assert_allclose(curves, drawn)  # rows are networks, columns checkpoints
    assert "from a 7 to a 6" in analysis.pictures[0].caption


def test_bayesian_networks(check):
    config = bayesian.Config(widths=(8, 16, 32, 64), realisations=6, draws=60, inputs=3)
    traces = {"four": experiments.run(config, progress=False)}
    analysis = analyses.analyse("geometry-bayesian", traces)
    check(analysis, traces)
    assert [one.quantity for one in analysis.compared] == [q.CHI, q.FIRST_ORDER]
    assert len(analysis.tables[0].rows) == 2 * config.inputs


def test_opposite_signs_count_only_beyond_errors():
    orders = {"overlaps": (0.1, 0.5, 0.9), "z": np.zeros(3), "errors": (0.01, 0.01, 0.01)}
    metric = SimpleNamespace(
        **orders | {"overlaps": np.array(orders["overlaps"])}, measured=(1.0, 1.0, 1.0)
    )
    volume = SimpleNamespace(**orders, measured=(2.0, -2.0, -0.001))
    assert "at overlap 0.50 the two have opposite signs" in study_of_posteriors._finding(
        "a", metric, volume
    )


def test_symmetric_units(check):
    config = symmetric_units.Config(radii=4, angles=6)
    traces = {"three": experiments.run(config, progress=False)}
    analysis = analyses.analyse("geometry-symmetric-units", traces)
    check(analysis, traces)
    # The error is that of rounding: another processor may show more, far below what matters.
    assert all(each.verdict in FOR for each in analysis.compared)
    assert "another sign than 2|b| - |x| at 0 of 72 inputs" in analysis.findings[0]
    moved = traces["three"].assign(curvature=3 * traces["three"]["curvature"])  # as printed
    again = analyses.analyse("geometry-symmetric-units", {"three": moved})
    assert again.compared[0].verdict in FOR
    assert again.compared[1].verdict == "disagrees"


def test_monomials(check):
    config = dataclasses.replace(RANDOM, activation="monomial_2")
    traces = {"quadratic": experiments.run(config, progress=False)}
    analysis = analyses.analyse("geometry-monomials", traces)
    check(analysis, traces, may_be_empty=("rates",))
    assert analysis.pictures[0].name == "figure-c1-monomials"
    assert "0.42" in analysis.findings[0]
