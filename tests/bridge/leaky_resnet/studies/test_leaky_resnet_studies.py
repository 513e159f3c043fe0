"""Tests of the studies of Leaky ResNets: figures, tables, findings and doubts from small runs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bridge import analyses
from empirics.experiments import leaky_resnet
from empirics.experiments.leaky_resnet import Config, geodesics

BASE = Config(
    dimensions=(4, 2, 4), hidden=6, points=20, test_points=10, width=8, layers=5, depths=(2.0, 3.0), adam=40,
    polishing=10, seeds=2,
)  # fmt: skip
NAMES = [name for name in analyses.ANALYSES if name.startswith("leaky-resnet") and name != "leaky-resnet-geodesics"]


@pytest.fixture(scope="module")
def traces():
    return {mesh: leaky_resnet.run(replace(BASE, mesh=mesh), progress=False) for mesh in ("equidistant", "adaptive")}


@pytest.mark.parametrize("name", NAMES)
def test_each_study_draws_and_says(name, traces):
    analysis = analyses.analyse(name, traces)
    assert analysis.pictures
    assert len({picture.name for picture in analysis.pictures}) == len(analysis.pictures)
    for picture in analysis.pictures:
        assert picture.caption
        assert all(axes.lines for axes in picture.figure.axes if axes.get_visible())
    assert analysis.tables
    for table in analysis.tables:
        for column in table.columns:
            assert all(column.key in row for row in table.rows), column.key
    assert analysis.findings
    assert {doubt.label for doubt in analysis.doubts} == set(traces)  # 50 steps: none is critical
    import theory

    assert set(analysis.theory) <= set(theory.catalogue())


def test_one_trace_alone(traces):
    for name in ("leaky-resnet-bottleneck", "leaky-resnet-depths"):
        pictures = analyses.analyse(name, {"default": traces["equidistant"]}).pictures
        assert not any(picture.name[-1].isdigit() for picture in pictures)


def test_networks_at_rest_are_not_doubted(traces):
    trace = traces["equidistant"].copy(deep=True)
    trace["residual"][...] = 1e-9
    trace["momentum_norm"][...] = 1e-9
    assert analyses.analyse("leaky-resnet-ranks", {"at rest": trace}).doubts == ()


def test_gaps_are_counted(traces):
    trace = traces["equidistant"].copy(deep=True)
    trace["weight_values"][...] = np.where(np.arange(8) < 3, 5.0, 0.01)
    analysis = analyses.analyse("leaky-resnet-ranks", {"three": trace})
    assert analysis.findings[0] == "k* = 2: of 4 networks the gap sits for 4 at k* + 1."
    each = next(table for table in analysis.tables if table.name == "leaky-resnet-networks")
    assert [row["gap"] for row in each.rows] == [3] * 4
    (compared,) = analysis.compared
    assert compared.comparison.predicted == 2


def test_cost_of_a_nonnegative_representation_without_bias():
    """Where A is not negative the cost of identity is that of its singular values, to rounding."""
    trace = leaky_resnet.run(replace(BASE, bias=False), progress=False)
    values, strength = trace.activation_values, trace.gamma
    exact = (values**2 / (values**2 + strength)).sum("rank")
    trace["stable_cost_of_identity"] = exact * (1 + 1e-9 * trace.seed)
    cost = analyses.analyse("leaky-resnet-ranks", {"none": trace}).compared[1].comparison
    assert cost.measured == pytest.approx(cost.predicted, rel=1e-8)
    least = exact.isel(depth=-1, node=slice(None, -1)).min("node").mean()
    assert cost.predicted == pytest.approx(float(least), rel=1e-8)


def test_geodesics_study(traces):
    config = geodesics.Config(
        targets=(2.0, 0.6), points=2, layers=(4, 8, 16), adam=300, polishing=300, solving=20, seeds=1
    )
    runs = {
        "linear": geodesics.run(config, progress=False),
        "ReLU": geodesics.run(replace(config, linear=False, gain=0.3, layers=(4, 8)), progress=False),
    }
    analysis = analyses.analyse("leaky-resnet-geodesics", runs)
    quantities = [(each.label, each.quantity) for each in analysis.compared]
    assert quantities == [("linear", "order in 1/L"), ("linear", "squared weights, L → ∞")]
    assert all(each.comparison.verdict == "agrees" for each in analysis.compared)
    assert len(analysis.tables[0].rows) == 5
    assert json.loads(runs["ReLU"].attrs["config"])["linear"] is False
    assert all(axes.lines for axes in analysis.pictures[0].figure.axes)
