"""Learning curves from tables of any origin: the fit is that of the same numbers, and what is missing is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bridge import compression

SIZES, SEEDS = (100, 200, 400, 800), 4
OPTIONS = {"dimension": 5, "informative": 1}


@pytest.fixture
def table(rng):
    rows = [
        (n, seed, 2.0 * n**-0.4 * np.exp(0.05 * rng.normal()))
        for n in SIZES
        for seed in range(SEEDS)
    ]
    return pd.DataFrame(rows, columns=["size", "seed", "error"]).sample(frac=1, random_state=0)


def test_a_frame_a_mapping_and_a_file_give_the_same_curve(table, tmp_path):
    table.to_csv(tmp_path / "mine.csv", index=False)
    forms = (table, {name: table[name].to_numpy() for name in table}, tmp_path / "mine.csv")
    (curve,), *others = (compression.learning_curves(form, **OPTIONS) for form in forms)
    assert curve.regime == "feature"
    assert curve.beta == pytest.approx(0.4, abs=0.08)
    ordered = table.sort_values(["size", "seed"])["error"].to_numpy().reshape(len(SIZES), SEEDS)
    np.testing.assert_array_equal(curve.errors, ordered)
    assert all(other[0].beta == pytest.approx(curve.beta) for other in others)
    two = pd.concat([table.assign(regime="lazy"), table.assign(regime="feature")])
    lazy, feature = sorted(
        compression.learning_curves(two, **OPTIONS), key=lambda one: one.regime != "lazy"
    )
    assert lazy.predicted < feature.predicted


def test_what_is_wrong_with_a_table_is_named(table):
    for wrong, options, message in [
        (table, {}, "dimension, informative: are not in the data"),
        (table.drop(columns="error"), OPTIONS, "without 'error', needs"),
        (table.assign(regime="hot"), OPTIONS, "column 'regime': got 'hot'"),
        (table.iloc[1:], OPTIONS, "got a table with gaps"),
        (pd.concat([table, table]), OPTIONS, "several rows with the same"),
        (table.assign(error=np.nan), OPTIONS, "column 'error'"),
        (table, {"dimension": 2, "informative": 3}, "informative: got 3"),
    ]:
        with pytest.raises(ValueError, match=message):
            compression.learning_curves(wrong, **options)


def test_a_curve_says_its_exponent_and_the_verdict_of_its_theory():
    rng = np.random.default_rng(0)
    rows = [
        (p, s, p**-0.5 * np.exp(0.01 * rng.normal()))
        for p in (100, 200, 400, 800)
        for s in range(5)
    ]
    size, seed, error = map(np.array, zip(*rows, strict=True))
    table = {"size": size, "seed": seed, "error": error, "regime": ["lazy"] * len(rows)}
    (curve,) = compression.learning_curves(table, dimension=2, informative=1)
    assert "4 sizes from 100 to 800, 5 realisations" in repr(curve)
    assert f"beta = {curve.beta:.4g}, 95% interval " in repr(curve)
    assert "nan" not in repr(curve)
    assert curve.comparison.verdict in repr(curve)
    assert max(map(len, curve.summary().splitlines())) <= 100
