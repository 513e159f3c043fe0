"""Tables of any origin give what the same numbers of a trace or an array give, and what is missing is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from bridge import collapse, compression, geometry
from bridge.tables.grid import gridded
from bridge.tables.reader import table
from empirics.experiments.geometry import random_networks

NC1 = np.array([[3.0, 1.1, 0.4, 0.2], [2.5, 1.3, 0.5, 0.15]])
SIZES = (100, 200, 400, 800)


def long(values, **keys):
    """Return a frame, in random order, with a row for each entry of an array and a column for each of its axes."""
    index = pd.MultiIndex.from_product(keys.values(), names=list(keys))
    frame = pd.DataFrame({"value": np.asarray(values).ravel()}, index=index).reset_index()
    return frame.sample(frac=1, random_state=0)


@pytest.mark.parametrize(("size", "columns"), [(300, 4), (10, 10_001)])
def test_a_dataset_of_which_no_table_can_be_made(size, columns):
    dataset = xr.Dataset({name: (name, np.arange(float(size))) for name in "abcd"})
    dataset = dataset.assign({f"value {n}": 0.0 for n in range(columns - 4)})
    for read in (table, lambda data: gridded(data, ["a"], ["b"])):
        with pytest.raises(
            ValueError, match=rf"{columns:,} columns, needs at most 100,000,000 cells"
        ):
            read(dataset)


def test_nc1_by_layer():
    frame = long(NC1, seed=(0, 1), layer=(1, 2, 3, 4)).rename(columns={"value": "nc1"})
    expected = collapse.equiseparation(NC1)
    for form in (frame, dict(frame.items()), frame.set_index(["seed", "layer"]).to_xarray()):
        np.testing.assert_array_equal(
            collapse.equiseparation(form).log_ratios, expected.log_ratios
        )
    one = collapse.equiseparation({"layer": [2, 1, 3], "nc1": [1.0, 2.0, 0.4]})
    assert one.r == pytest.approx(collapse.equiseparation([2.0, 1.0, 0.4]).r)


def test_amplification_by_size(rng):
    star = np.sqrt(SIZES)[:, None] * np.exp(0.05 * rng.normal(size=(4, 3)))
    frame = long(star, size=SIZES, seed=range(3)).rename(columns={"value": "amplification"})
    found = compression.amplification_scaling(frame)
    assert found.fit.exponent == pytest.approx(0.5, abs=0.1)
    np.testing.assert_array_equal(found.at_t_star, star)
    assert found.fit_largest is None
    both = compression.amplification_scaling(
        frame.assign(amplification_max=2 * frame["amplification"])
    )
    assert both.fit_largest.exponent == pytest.approx(found.fit.exponent)


@pytest.mark.slow
def test_random_networks_by_width():
    config = random_networks.Config(
        activation="monomial_2", widths=(4, 8, 16), realisations=3, directions=2, zeta=0.5
    )
    trace = random_networks.run(config, progress=False)
    volume = trace["volume_element"].mean("direction").transpose("width", "realisation", "input")
    frame = long(volume.values, width=(4, 8, 16), seed=range(3), norm=trace["input"].values)
    frame = frame.rename(columns={"value": "volume_element"})
    mine = {
        "activation": "monomial_2",
        "dimension": config.dimension,
        "sigma": config.sigma,
        "zeta": config.zeta,
    }
    own, expected = geometry.convergence(frame, **mine), geometry.convergence(trace)
    np.testing.assert_array_equal(own.samples, expected.samples)
    np.testing.assert_array_equal(own.expected, expected.expected)
    assert "extrapolations and closed form agree" in own.summary()
    assert f"{own.limits[0].limit:.5g}" in own.summary()
    with pytest.raises(ValueError, match="activation, dimension: are not in the data"):
        geometry.convergence(frame)


def test_what_is_wrong_is_named():
    frame = long(NC1, seed=(0, 1), layer=(1, 2, 3, 4)).rename(columns={"value": "nc1"})
    for wrong, message in [
        (
            frame.drop(columns="nc1"),
            "data: got columns 'seed', 'layer' without 'nc1', needs 'layer', 'nc1'",
        ),
        (
            frame.iloc[:0],
            "data: got a table without rows, needs one row for every combination of 'seed', 'layer'",
        ),
        (
            frame.iloc[1:],
            "got a table with gaps, needs a row for every combination of 'seed', 'layer'",
        ),
        (frame.drop(columns="seed"), "got several rows with the same 'seed', 'layer'"),
        (frame.assign(nc1="much"), "column 'nc1'"),
        (
            frame.assign(seed=np.nan),
            "column 'seed': got NaN or nothing in 8 of 8 entries, needs a value in each",
        ),
        (
            {"depth": [1, 2, 3], "value": [4.0, 2.0, 1.0]},
            "data: got columns 'depth', 'value' without 'layer', 'nc1', needs ",
        ),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            collapse.equiseparation(wrong)
    with pytest.raises(
        TypeError, match="column 'amplification_max': got 'high', needs real numbers"
    ):
        compression.amplification_scaling(
            {"size": [1], "seed": [0], "amplification": [2.0], "amplification_max": ["high"]}
        )
    assert gridded([1.0, 2.0], ("layer",), ("nc1",)) is None
    assert gridded({"first": 1}, ("layer",), ("nc1",)) is None
