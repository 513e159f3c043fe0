"""Tests of the studies of final distances and of larger data sets, on traces with planted answers."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

import theory
from bridge.results import analyses
from bridge.two_point import pairs
from empirics import networks
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.figures import FIGURES
from papers.vanrossem2024.studies import (
    blobs,
    grid,
    linearity,
    mnist_pairs,
    mnist_structure,
)
from papers.vanrossem2024.studies.alternatives import AS_PRINTED, at_fixed_ratio
from papers.vanrossem2024.studies.fitted import default_layer, over_seeds, per_seed
from papers.vanrossem2024.studies.layers import depth, fit_layers

TAU_H, TAU_Y = 40.0, 25.0  # of the traces of the fixture trace_maker


def many(points, target, *, seeds=2, labels=None, first=None, epochs=(0, 5), **variables):
    """A trace of many points whose representations ``[seed, point, unit]`` at the end are ``points``."""
    a, b = np.triu_indices(len(target), k=1)

    def squared(x):
        return ((x[..., a, :] - x[..., b, :]) ** 2).sum(axis=-1)

    end = np.asarray(points, dtype=float) * np.ones((seeds, 1, 1))
    begin = (
        1e-4 * end if first is None else np.asarray(first, dtype=float) * np.ones((seeds, 1, 1))
    )
    path = np.stack([begin, end], axis=1)
    target = np.asarray(target, dtype=float)
    outputs = np.stack([0 * target, target]) * np.ones((seeds, 1, 1, 1))
    return xr.Dataset(
        {
            "distance2": (("seed", "epoch", "pair"), squared(path)),
            "outputs": (("seed", "epoch", "point", "output"), outputs),
            "loss": (("seed", "epoch"), np.array([0.1, 1e-9]) * np.ones((seeds, 1))),
            "target": (("point", "output"), target),
            "input_distance2": (("pair",), np.ones(len(a))),
            **{
                f"point_{name}": (("point",), np.asarray(value, dtype=float))
                for name, value in (labels or {}).items()
            },
            **variables,
        },
        {"seed": np.arange(seeds), "epoch": np.asarray(epochs)},
        {"config": json.dumps({}), "versions": "{}"},
    )


# --- the grid of final distances


def grid_trace(factor=1.0, loss=1e-9):
    dx, dy = np.array([0.5, 1.0, 1.5]), np.array([0.0, 0.5, 1.0])
    shape = (1, 3, 3)
    begin = np.full(shape, 0.01)
    end = theory.catalogue()["two_point.final_distance"](
        begin, 0.1 * begin, TAU_H, TAU_Y, dx[None, :, None] ** 2, dy[None, None, :] ** 2
    )
    cell = ("seed", "input_distance", "target_distance")
    values = {
        "dh2_0": begin,
        "dy2_0": 0.1 * begin,
        "dh2": factor * end,
        "loss": np.full(shape, loss),
    }
    return xr.Dataset(
        {name: (cell, value) for name, value in values.items()},
        {"input_distance": dx, "target_distance": dy},
    )


def test_the_grid_is_predicted_from_the_fit_at_other_data_and_a_factor_shows(trace_maker):
    traces = {"right": trace_maker(), "right, grid": grid_trace()}
    traces |= {"double": trace_maker(), "double, grid": grid_trace(2.0)}
    _, (right, double) = grid.predict(traces)
    assert right.r_squared > 1 - 1e-6
    assert np.abs(right.log_ratio).max() < 1e-3
    np.testing.assert_allclose(double.log_ratio, np.log(2), atol=1e-3)
    assert len(right.log_ratio) == 6  # the targets of three cells are identical
    assert right.left_out == 0


def test_networks_that_have_not_converged_are_left_out(trace_maker):
    cells = grid_trace()
    cells["loss"][0, 1, 2] = 1e-3
    cells["loss"][0, 0, 1] = np.nan
    _, (one,) = grid.predict({"a": trace_maker(), "a, grid": cells})
    assert (one.left_out, len(one.measured)) == (2, 7)
    cells.attrs["left_out_above"] = 2e-3  # of networks that stop at a loss
    _, (one,) = grid.predict({"a": trace_maker(), "a, grid": cells})
    assert (one.left_out, len(one.measured)) == (1, 8)
    with pytest.raises(ValueError, match="grid of 'a': no network has converged"):
        analyses.analyse(
            "two-point-final-distances", {"a": trace_maker(), "a, grid": grid_trace(loss=1.0)}
        )
    with pytest.raises(ValueError, match="needs NAME and 'NAME, grid'"):
        analyses.analyse("two-point-final-distances", {"a": trace_maker()})


# --- XOR


def test_merged_pairs_of_xor_are_counted(trace_maker):
    target = [[0], [1], [1], [0]]
    places = {"both": [0, 1, 1, 0], "one": [0, 1, 1, -1], "none": [0, 1, 2, -1]}
    points = np.array(list(places.values()), dtype=float)[..., None]
    begin = 1e-3 * np.array([[[0.0], [1.0], [3.0], [7.0]]])
    traces = {
        "low weights": many(points, target, seeds=3, first=begin),
        "default, two points": trace_maker(),
    }
    analysis = analyses.analyse("two-point-xor", traces)
    (one,) = analysis.results
    assert one.merged(one.measured).tolist() == [2, 1, 0]
    assert one.merged(one.predicted).tolist() == [2, 2, 2]  # from weights of 1e-4
    alike = {**traces, "low weights": many(points[[0, 0, 0]], target, seeds=3, first=begin)}
    # distances without a scatter have no error
    assert len(analyses.analyse("two-point-xor", alike).compared) == 1
    same = np.array([True, False, False, False, False, True])
    # of 1 and of 1.5; merged below 5 %
    shares = np.array([[0.04, 1, 1, 1, 1, 0.06], [0.06, 1, 2, 2, 1, 0.09]])
    assert replace(one, same=same).merged(shares).tolist() == [1, 1]
    assert [
        analysis.tables[0].rows[0][head] for head in ("no pair merged", "one pair", "both pairs")
    ] == [1, 1, 1]
    assert analysis.findings[0].startswith(
        "Number of merged pairs with the same target: 0 of 1 as predicted; 1 too blunt to say"
    )
    traces["low weights"].loss[:, -1] = [1e-9, 0.125, 1e-9]
    (one,) = analyses.analyse("two-point-xor", traces).results
    assert (one.left_out, one.merged(one.measured).tolist()) == (1, [2, 0])
    with pytest.raises(ValueError, match="needs 'default, two points'"):
        analyses.analyse("two-point-xor", {"low weights": traces["low weights"]})


def test_the_prediction_of_a_pair_is_that_of_two_points(trace_maker):
    trace = many([[[0.0], [1.0], [2.0]]], [[0.0], [0.5], [2.0]], first=[[[0.0], [0.3], [0.7]]])
    value = pairs.predicted(trace, TAU_H, TAU_Y)
    form = theory.catalogue()["two_point.final_distance"]
    assert value[0, 2] == pytest.approx(
        float(form((0.7 - 0.3) ** 2, 0.0, TAU_H, TAU_Y, 1.0, 1.5**2))
    )
    np.testing.assert_array_equal(
        pairs.matrix(np.array([1.0, 2.0, 3.0])), [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    )


# --- blobs


def test_extents_of_blobs_are_those_that_were_planted():
    places = list(itertools.product((0, 1), (-1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)))
    context, one, other = np.array(places).T
    relevant, irrelevant = np.where(context == 0, one, other), np.where(context == 0, other, one)
    across = (0.2, 0.3)
    points = np.array(
        [np.stack([relevant, extent * irrelevant, 3 * context], axis=1) for extent in across]
    )
    labels = {"context": context, "first": one, "second": other}
    trace = many(points, relevant[:, None], labels=labels)
    extents = blobs.measure("low weights", trace)
    np.testing.assert_allclose(extents.log_ratio, 2 * np.log(across))
    # contexts at the same target: 9 from the context, and the irrelevant feature of both
    gaps = [(i, j) for i, j in itertools.combinations(range(18), 2) if context[i] != context[j]]
    apart = [(irrelevant[i] - irrelevant[j]) ** 2 for i, j in gaps if relevant[i] == relevant[j]]
    np.testing.assert_allclose(extents.contexts, 9 + np.mean(apart) * np.square(across))


# --- MNIST


def test_the_weighting_is_the_double_sum_of_eq_50(rng):
    d = pairs.matrix(rng.uniform(0.1, 2.0, size=15))
    expected = np.zeros((6, 6))
    for i, j, k, l in np.ndindex(6, 6, 6, 6):
        expected[i, j] += np.exp(-d[i, k]) * np.exp(-d[l, j]) * d[k, l]
    np.testing.assert_allclose(mnist_structure.weighted(d), expected, rtol=1e-12)


def test_far_classes_are_the_limit_of_the_weighting(rng):
    member = np.array([0, 0, 1, 1, 1, 2])
    d = pairs.matrix(rng.uniform(500.0, 900.0, size=15))
    d[member[:, None] == member] = 0.0
    count = np.bincount(member).astype(float)
    mean = np.empty((3, 3))
    for a, b in np.ndindex(3, 3):
        mean[a, b] = d[member == a][:, member == b].mean()
    expected = mnist_structure.weighted(d)
    np.testing.assert_allclose(
        mnist_structure.weighted_far(mean, count, member), expected, rtol=1e-12, atol=1e-200
    )


def mnist_like(rng, seeds=3):
    digit = np.repeat([0, 1, 3, 8], 4)
    points = np.eye(4)[np.repeat(range(4), 4)] * 5 + 0.3 * rng.normal(size=(seeds, 16, 4))
    class_distance = np.zeros((10, 10))
    class_distance[np.ix_([0, 1, 3, 8], [0, 1, 3, 8])] = 1 + np.arange(16).reshape(4, 4)
    random = {f"{m}_{p}": (("seed", "epoch", "random_pair"), np.ones((seeds, 2, 40))) for m in ("encoder", "decoder")
              for p in ("odd", "even")}  # fmt: skip
    return many(
        points, np.eye(10)[digit], seeds=seeds, labels={"digit": digit},
        accuracy=(("seed", "epoch"), np.ones((seeds, 2))),
        class_distance=(("digit", "other_digit"), class_distance + class_distance.T),
        class_count=(("digit",), np.full(10, 4.0)), **random,
    )  # fmt: skip


def test_the_structure_on_mnist_is_correlated_over_all_entries_and_off_the_blocks(rng):
    trace = mnist_like(rng)
    one = mnist_structure.measure("structure", trace)
    mean = pairs.matrix(trace.distance2[:, -1].mean("seed").values)
    kind = "Eq. (50), as released"
    digit = trace.point_digit.values
    of_classes = trace.class_distance.values.copy()
    np.fill_diagonal(of_classes, 0)
    full = of_classes[np.ix_(digit.astype(int), digit.astype(int))].T
    every, different = one.correlation(kind, "all"), one.correlation(kind, "different")
    assert every.value == pytest.approx(np.corrcoef(mean.ravel(), full.ravel())[0, 1], rel=1e-5)
    apart = digit[:, None] != digit
    assert different.value == pytest.approx(np.corrcoef(mean[apart], full[apart])[0, 1], rel=1e-5)
    assert 0 < every.error < 0.2


def test_pairs_of_digits_follow_the_theory_where_they_do(rng):
    trace = mnist_like(rng, seeds=2)
    t = np.linspace(0, 200, 30)
    state = (0.02, 0.0004, 0.0004 - 0.02 * np.sqrt(2))
    dh2, dy2, w = theory.two_point.trajectory(t, *state, TAU_H, TAU_Y, 1.0, 2.0)
    grown = trace.isel(epoch=np.zeros(len(t), dtype=int)).assign_coords(epoch=t)
    along = (dy2 - w) / 2  # dy = along (target difference), |target difference|^2 = 2
    grown["distance2"] = (
        ("seed", "epoch", "pair"),
        dh2[None, :, None] * np.ones((2, 1, trace.sizes["pair"])),
    )
    grown["outputs"] = (
        ("seed", "epoch", "point", "output"), along[None, :, None, None] * trace.target.values * np.ones((2, 1, 1, 1))
    )  # fmt: skip
    followed = mnist_pairs.follow("trajectories", grown)
    assert len(followed) == 2 * 2 * 6
    for pair in followed:
        np.testing.assert_allclose(pair.columns["w"], w, atol=1e-12)
        assert [pair.fit.tau_h, pair.fit.tau_y] == pytest.approx([TAU_H, TAU_Y], rel=1e-3)
        assert pair.fit.r_squared > 1 - 1e-6
    table = mnist_pairs._table(followed)
    assert [one.label for one in table.measured] == ["0 and 1", "0 and 1", "3 and 8", "3 and 8"]
    assert table.measured[0].value == pytest.approx(TAU_H, rel=1e-3)


def test_the_ratio_of_odd_and_even_parts_is_sorted_by_distance(rng):
    odd = rng.uniform(0.1, 10.0, size=(2, 3, 200))
    trace = xr.Dataset(
        {name: (("seed", "epoch", "random_pair"), value) for name, value in (
            ("encoder_odd", odd), ("encoder_even", odd**2), ("decoder_odd", odd), ("decoder_even", 0.5 * odd),
        )},
        {"epoch": [0, 1, 4]},
    )  # fmt: skip
    one = linearity.parity("a", trace)
    assert one.epochs == (0, 1, 4)
    assert (np.diff(one.distance, axis=-1) > 0).all()
    assert (one.trend("encoder") > np.log(10)).all()  # the ratio is 1/odd
    np.testing.assert_allclose(one.ratio["decoder"], 2.0)
    np.testing.assert_allclose(one.trend("decoder"), 0.0, atol=1e-12)
    with pytest.raises(ValueError, match="needs pairs > 0"):
        linearity.parity("a", trace.drop_vars("encoder_odd"))


# --- layers and losses


@pytest.mark.slow
def test_section_5_counts_parameters_and_finds_a_planted_gain(trace_maker):
    config = {"architecture": "fully_connected", "width": 7, "inputs": 1, "outputs": 1, "depth": 6, "gain": 1.1,
              "activation": "leaky_relu(1/2)"}  # fmt: skip
    layers = tuple(range(1, 7))
    trace = trace_maker(layers=layers, config=config)
    trace["dh2"] = (
        trace["dh2"] * (np.array([0.6, 0.61, 0.59])[:, None] ** np.array(layers))[:, None]
    )
    one = depth(fit_layers({"a": trace}))
    np.testing.assert_allclose(np.exp(one.log_gain), [0.6, 0.61, 0.59], rtol=1e-6)
    assert one.expected == pytest.approx(1.1**2 * (1 + 0.25) / 2)
    assert one.second_half.tolist() == [False] * 3 + [True] * 3
    shapes = networks.build("fully_connected", inputs=1, outputs=1, width=7, depth=6).shapes()
    sizes = [(shape.inputs + 1) * shape.outputs for shape in shapes]
    assert one.parameters["encoder"].tolist() == [sum(sizes[:n]) for n in layers]
    assert one.parameters["decoder"].tolist() == [sum(sizes[n:]) for n in layers]
    analysis = analyses.analyse("two-point-layer", {"a": trace, "b": trace.isel(seed=[0])})
    assert [picture.name for picture in analysis.pictures][-2:] == [
        "section-5-depth",
        "section-5-depth-2",
    ]
    assert "is lowest in layer" in analysis.findings[0]
    assert depth(fit_layers({"a": trace_maker(layers=layers)})) is None  # an unknown architecture


def test_losses_are_described_by_median_and_range(trace_maker):
    fit = fit_layers({"a": trace_maker(slowed=0.5)})[0].fit
    median, least, largest = over_seeds(fit)
    assert sorted(per_seed(fit)) == [least, median, largest]
    assert f"median {median:.4g}, {least:.4g} to {largest:.4g}" in fit.summary()
    assert default_layer(trace_maker(layers=tuple(range(1, 21)))) == 11


def test_a_fixed_ratio_loses_what_its_ratio_misses(trace_maker):
    from bridge import two_point

    trace = trace_maker(seeds=(0,), scale=0.02, epochs=1500)
    own = two_point.fit(trace)
    # from small weights the theory ends where it says
    assert at_fixed_ratio(own) == pytest.approx(0.0, abs=1e-2)
    other = two_point.fit(trace, law="factor_two_dh2")
    assert at_fixed_ratio(other)[0] > 2 * other.loss


# --- numbers that decide entries of the ledger


@pytest.mark.slow
def test_fit_losses_beside_the_printed_ones_and_their_smallest_increase(trace_maker):
    analysis = analyses.analyse(
        "two-point-alternatives", {"default": trace_maker(seeds=(0, 1, 2), slowed=0.6)}
    )
    own, *altered = (one for one in analysis.measured if one.quantity == q.FIT_LOSS)
    (increase,) = (one for one in analysis.measured if one.quantity == q.FIT_LOSS_INCREASE)
    (deciding,) = (figure for figure in FIGURES if figure.entry == "C.1 altered fit losses")
    assert [one.label for one in altered] == list(deciding.configurations)
    theory_losses = per_seed(analysis.results[0].fit)
    assert own.value == pytest.approx(np.log(theory_losses).mean(), rel=1e-5)
    assert own.predicted == pytest.approx(np.log(0.92), rel=1e-5)
    printed = [per_seed(entry.fit) for entry in analysis.results if entry.law in AS_PRINTED]
    assert increase.value == pytest.approx(
        np.log(np.min(printed, axis=0) / theory_losses).mean(), rel=1e-5
    )
    assert increase.relation == ">"


def test_the_grid_over_architectures():
    grids = [
        SimpleNamespace(r_squared=share, log_ratio=np.array([bias, bias]))
        for share, bias in ((0.9, 0.1), (0.8, 0.2))
    ]
    left_over, bias = grid.over_grids(grids)
    assert left_over.value == pytest.approx(np.log([0.1, 0.2]).mean(), rel=1e-5)
    assert bias.value == pytest.approx(0.15)
    assert left_over.label == bias.label == "2 architectures"


def test_the_side_of_a_tenth_on_which_an_extent_should_lie():
    extents = {
        label: blobs.Extents(
            label, np.ones(3), np.array([0.01, 0.011, 0.012]), np.ones(3), np.zeros(3)
        ).extent
        for label in ("low weights", "high weights", "low weights (Adam)")
    }
    assert [one.verdict for one in extents.values()] == ["agrees", "disagrees", "agrees"]
    assert extents["low weights (Adam)"].label == "low weights, Adam"
