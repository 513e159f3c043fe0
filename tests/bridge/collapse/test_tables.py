"""A table made from a trace gives what the trace gives, and what is wrong with a table is named."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from bridge import collapse
from tests.oracles.collapse_traces import CLASSES, SAMPLES, make_trace

SIZES = {"samples": SAMPLES, "classes": CLASSES}


def rows(trace, *names, **chosen):
    """Return a frame, in random order, with a row for each combination of the keys."""
    frame = trace[list(names)].sel(chosen).to_dataframe().reset_index()
    return frame.drop(columns=list(chosen)).sample(frac=1, random_state=0)


def assert_same(first, second):
    for field in fields(first):
        np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name))


def assert_faults_are_named(function, frame, column):
    """Check the messages for a missing column, a NaN, a row that occurs twice and a row that is missing."""
    for wrong, message in [
        (
            frame.drop(columns=column),
            f"data: got columns '{frame.columns[0]}'.* without '{column}', needs",
        ),
        (
            frame.assign(**{column: frame[column].where(frame.index != 1)}),
            f"column '{column}': got NaN or infinity in 1 ",
        ),
        (pd.concat([frame, frame.iloc[:1]]), "several rows with the same 'seed', "),
        (frame.iloc[1:], "needs a row for every combination of 'seed', "),
    ]:
        with pytest.raises(ValueError, match=message):
            function(wrong)


@pytest.fixture(scope="module")
def trace():
    return make_trace(sampled=False, informed=True, epochs=2)


def test_r_through_training(trace, tmp_path):
    frame = rows(trace, "nc1", split="test")
    frame.to_csv(tmp_path / "mine.csv", index=False)
    epochs, expected = collapse.through_training(trace, "test")
    for form in (frame, dict(frame.items()), tmp_path / "mine.csv"):
        found = collapse.through_training(form)
        np.testing.assert_array_equal(found[0], epochs)
        np.testing.assert_allclose(found[1], expected, rtol=1e-12)
    assert_faults_are_named(collapse.through_training, frame, "nc1")
    with pytest.raises(ValueError, match=r"column 'nc1': got -.*, needs positive numbers"):
        collapse.through_training(frame.assign(nc1=-frame["nc1"]))


def test_gaps(trace):
    frame = rows(trace, "loss", "nc1")
    assert_same(collapse.gaps(frame, same_size=True), collapse.gaps(trace))
    assert_faults_are_named(lambda table: collapse.gaps(table, same_size=True), frame, "loss")
    for wrong, options, message in [
        (frame, {}, "same_size: got None, needs True or False"),
        (
            frame[frame["split"] == "test"],
            {"same_size": True},
            "column 'split': has 'test', needs 'train', 'test'",
        ),
        (
            frame.assign(epoch=frame["epoch"] + 0.5),
            {"same_size": True},
            "column 'epoch': got 0.5, needs whole numbers",
        ),
        (
            frame.assign(loss=frame["layer"]),
            {"same_size": True},
            "column 'loss': got different values for .* 'layer'",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            collapse.gaps(wrong, **options)


def test_the_information_plane(trace):
    names = [
        f"{kind}{end}"
        for kind in ("sufficiency", "minimality")
        for end in ("", "_entropy", "_converged")
    ]
    trace = trace.copy(deep=True)
    trace["sufficiency"].loc[{"split": "test"}] *= 0.9
    frame = rows(trace.sel(epoch=[0, 2]), *names)
    assert_same(collapse.information_plane(frame), collapse.information_plane(trace))
    bare = collapse.information_plane(frame[["seed", "epoch", "split", "cut", "sufficiency"]])
    assert np.isnan(bare.minimality).all()
    assert np.isnan(bare.most_sufficiency).all()
    assert_faults_are_named(collapse.information_plane, frame, "sufficiency")


def test_networks_that_stop_at_different_epochs_end_together(trace):
    trace, whole = trace.copy(deep=True), collapse.information_plane(trace)
    assert whole.epoch.tolist() == [0, 2]
    for kind in ("sufficiency", "minimality"):
        for end in ("", "_entropy", "_converged"):
            values = trace[f"{kind}{end}"]
            values.loc[{"seed": 1, "epoch": 1}] = values.sel(seed=1, epoch=2)
            values.loc[{"seed": 1, "epoch": 2}] = np.nan
    # 1 and 2 have the mean 1.5, which rounds to 2
    assert_same(collapse.information_plane(trace), whole)


def test_the_profile_over_layers(trace):
    frame = rows(trace, "features", "nc1", "within", "between", split="train", epoch=2)
    shuffled = rows(trace, "shuffled_nc1", split="train", moment="final")
    whole = frame.merge(shuffled, on=["seed", "layer"])
    expected = collapse.layer_profile(trace)
    assert_same(collapse.layer_profile(whole, **SIZES), expected)
    np.testing.assert_array_equal(
        collapse.layer_profile(frame, **SIZES).isotropic, expected.isotropic
    )
    assert_faults_are_named(lambda table: collapse.layer_profile(table, **SIZES), frame, "within")
    for wrong, options, message in [
        (frame, {"classes": CLASSES}, "samples, classes: are not in the data"),
        (
            frame,
            {"samples": 10, "classes": 10},
            "samples: got 10, needs an integer of at least 11",
        ),
        (frame.assign(nc1=-frame["nc1"]), SIZES, "column 'nc1': got -.*, needs positive numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            collapse.layer_profile(wrong, **options)
