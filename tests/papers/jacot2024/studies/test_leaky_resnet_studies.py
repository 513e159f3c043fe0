"""Tests of the studies of Leaky ResNets: figures, tables, findings and doubts from small runs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bridge.leaky_resnet import conservation
from bridge.results import analyses
from empirics.experiments import leaky_resnet
from empirics.experiments.leaky_resnet import Config, geodesics
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import bottleneck, meshes, networks, propositions, ranks

BASE = Config(
    dimensions=(4, 2, 4), hidden=6, points=20, test_points=10, width=8, layers=5, depths=(2.0, 3.0), adam=40,
    polishing=10, seeds=2,
)  # fmt: skip
NAMES = [
    name
    for name in analyses.ANALYSES
    if name.startswith("leaky-resnet") and name != "leaky-resnet-geodesics"
]


@pytest.fixture(scope="module")
def traces():
    return {
        mesh: leaky_resnet.run(replace(BASE, mesh=mesh), progress=False)
        for mesh in ("equidistant", "adaptive")
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_each_study_draws_and_says(check, name, traces):
    analysis = analyses.analyse(name, traces)
    check(analysis, traces)
    assert analysis.tables
    assert {doubt.label for doubt in analysis.doubts} == set(traces)  # 50 steps: none is critical


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
    each = next(table for table in analysis.tables if table.name == "leaky-resnet-networks")
    assert [row["gap at"] for row in each.rows] == ["3"] * 4
    beyond, rank = analysis.compared[:2]
    assert (beyond.quantity, beyond.value) == (q.DIRECTIONS_BEYOND, 1)
    # of two networks, as if one kept one more
    assert beyond.error == pytest.approx(2**-0.5 / 2**0.5)
    assert (rank.quantity, rank.predicted) == (q.CRITICAL_RANK, 2)


def test_the_direction_beyond_the_inner_rank(traces):
    trace = traces["equidistant"].copy(deep=True)
    depth = trace["depth"].values[:, None, None, None]
    trace["weight_values"][...] = depth * np.where(
        np.arange(8) < 2, 1.5, np.where(np.arange(8) == 2, 0.6, 0.01)
    )
    trace["activation_values"][...] = np.where(np.arange(8) < 3, 5.0, 0.01)
    trace["centred_values"][...] = np.where(
        np.arange(8) < 2, 5.0, np.where(np.arange(8) == 2, 3.0, 0.01)
    )
    np.testing.assert_allclose(
        bottleneck.strengths(trace).values[0, 0, :4], [1.5, 1.5, 0.6, 0.01], rtol=1e-12
    )
    np.testing.assert_allclose(bottleneck.constant_share(trace), 1 - 9 / 25, rtol=1e-12)
    (sentence,) = bottleneck.constant({"": trace})
    assert "(2 networks), the constant makes 64 to 64 % (median 64 %)" in sentence
    trace["weight_values"][..., 2] = 0.01  # now the gap is at k*
    assert bottleneck.constant({"": trace}) == ()


def test_smoothed_residuals_count_before_one_sided_ones(traces):
    trace = traces["equidistant"].assign(
        smoothed_residual=(("depth", "seed"), np.array([[0.01, 0.02], [0.03, 0.5]]))
    )
    analysis = analyses.analyse("leaky-resnet-ranks", {"smoothed": trace})
    (doubt,) = (d for d in analysis.doubts if "critical" in d.text)
    assert (doubt.seeds, "kink" in doubt.text) == ("L̃ = 3, seed 1", False)
    largest = float(trace["residual"].isel(record=-1).max())
    assert any(
        f"on one side of the kinks up to {largest:.2g}" in sentence
        for sentence in analysis.findings
    )


def test_the_hamiltonian_counts_at_the_largest_depth_of_critical_networks(traces):
    trace = traces["equidistant"].copy(deep=True)
    for critical, chosen in (([True, True], 1), ([True, False], 0), ([False, False], 1)):
        trace["residual"][...] = np.where(critical, 0.05, 0.2)[:, None, None]
        (row,) = ranks.against_inner_rank({"": networks.measured(trace)})
        expected = conservation(trace)["rank"].isel(depth=chosen).mean()
        assert row.value == pytest.approx(float(expected), rel=1e-5)


def test_propositions_on_planted_networks(traces):
    """Weights that grow by twice the integral agree, weights that grow by it once do not; so do entries' signs."""
    trace = traces["equidistant"].copy(deep=True)
    fed = np.linspace(0, 3, 5)
    with pytest.raises(ValueError, match="has no attribute 'layers'"):
        propositions.compared({"": propositions.measured(trace)})

    def compared():
        fine = propositions.measured(trace).assign_attrs(layers=100)
        return {one.quantity: one for one in propositions.compared({"": fine}) if one}

    assert q.CRITICAL_GROWTH not in compared()  # none is critical
    trace["residual"][...] = 1e-3
    # five layers are too coarse
    assert propositions.compared({"": networks.measured(trace)})[1] is None
    for factor, verdict in ((2.0, "agrees"), (1.0, "disagrees")):
        noise = 1 + 1e-3 * trace["seed"].values[None, :, None] * np.ones((2, 1, 1))
        norm2 = 7 + factor * fed * noise
        trace["balancedness"] = (("depth", "seed", "layer"), norm2 - 7 - 2 * fed)
        trace["weight_values"][...] = np.where(np.arange(8) < 1, norm2[..., None] ** 0.5, 0)
        growth = compared()[q.CRITICAL_GROWTH]
        assert growth.value == pytest.approx(factor, rel=1e-2)
        assert growth.verdict == verdict
    cost = trace["stable_cost_of_identity"]
    cost[...] = np.array([1.0, 9, 9, 4, 9, 9])  # the input does not count
    trace["negative_share"][...] = np.where(
        np.arange(6) == 3, 0.25 + 0.01 * trace["seed"].values[:, None], 0.7
    )
    assert compared()[q.NEGATIVE_SHARE].value == pytest.approx(0.255)


def test_advantage_of_a_mesh_over_seeds(traces):
    """A mesh with costs that are 10 and 12 % lower has their mean logarithm as its advantage."""
    equidistant, adaptive = (trace.isel(depth=[0]).copy(deep=True) for trace in traces.values())
    equidistant["test_cost"][...] = np.array([2.0, 30.0])
    adaptive["test_cost"][...] = np.array([2.0 / 1.10, 30.0 / 1.12])
    analysis = analyses.analyse(
        "leaky-resnet-meshes", {"equidistant": equidistant, "adaptive": adaptive}
    )
    (advantage,) = analysis.compared
    assert advantage.value == pytest.approx(np.log([1.10, 1.12]).mean(), rel=1e-5)
    assert advantage.error == pytest.approx(np.log(1.12 / 1.10) / 2, rel=1e-5)


def test_growth_of_bounded_quantities(traces):
    """Quantities that are proportional to L̃ have exponent one."""
    trace = traces["equidistant"].copy(deep=True)
    trace["path_length"][...] = trace["depth"].values[:, None] ** np.array([1.0, 1.1])
    analysis = analyses.analyse("leaky-resnet-depths", {"default": trace})
    exponents = {
        one.quantity: one.value for one in analysis.compared if "exponent" in one.quantity
    }
    assert exponents[q.LENGTH_EXPONENT] == pytest.approx(1.05)
    assert len(exponents) == 4


def test_cost_of_a_nonnegative_representation_without_bias():
    """Where A is not negative the cost of identity is that of its singular values, to rounding."""
    trace = leaky_resnet.run(replace(BASE, bias=False), progress=False)
    values, strength = trace.activation_values, trace.gamma
    exact = (values**2 / (values**2 + strength)).sum("rank")
    trace["stable_cost_of_identity"] = exact * (1 + 1e-9 * trace.seed)
    (cost,) = (
        one
        for one in ranks.against_inner_rank({"": networks.measured(trace)})
        if one.quantity == q.COST_BEYOND
    )
    assert cost.value == pytest.approx(0, abs=1e-8)
    least = exact.isel(depth=-1, node=slice(None, -1)).min("node")
    np.testing.assert_allclose(
        networks.measured(trace)["nonnegative_cost"].isel(depth=-1), least, rtol=1e-8
    )


@pytest.mark.slow
def test_geodesics_study(geodesic_trace):
    bent = geodesics.Config(
        targets=(2.0, 0.6),
        points=2,
        layers=(4, 8),
        adam=100,
        polishing=100,
        solving=20,
        seeds=1,
        linear=False,
        gain=0.3,
    )
    runs = {"linear": geodesic_trace, "ReLU": geodesics.run(bent, progress=False)}
    analysis = analyses.analyse("leaky-resnet-geodesics", runs)
    compared = [(each.label, each.quantity) for each in analysis.compared]
    assert compared == [("linear", q.ORDER), ("linear", q.SQUARED_WEIGHTS)]
    assert all(each.verdict == "agrees" for each in analysis.compared)
    assert [row["layers"] for row in analysis.tables[0].rows] == [4, 8, 16, 4, 8]
    assert json.loads(runs["ReLU"].attrs["config"])["linear"] is False
    assert all(axes.lines for axes in analysis.pictures[0].figure.axes)


def test_directions_at_the_position_of_each_seed(traces):
    """The gap counts in the layer nearest to p = 0.3, which the seeds of an adaptive mesh have at different places."""
    trace = traces["adaptive"].isel(depth=[0]).copy(deep=True)
    layers, rank = trace.sizes["layer"], np.arange(1, trace.sizes["rank"] + 1)
    ends = np.linspace(0, 1, layers + 1)
    trace["position"][...] = np.stack([ends, ends**2])  # nearest: the second and the third layer
    # in layer l the gap lies behind the l-th singular value
    kept = np.arange(1, layers + 1)[:, None]
    trace["weight_values"][...] = np.where(rank <= kept, 5.0, 1.0)
    (count,) = meshes.early_dimensions({"adaptive": trace})
    assert (count.value, count.error, count.predicted) == ((2 + 3) / 2, 0.5, 2)
