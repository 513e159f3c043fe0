"""Tests of imbalanced classes: their sizes, the run on them, and NC1 with classes of equal weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

pytest.importorskip("sklearn", reason="scikit-learn is not installed: no data that need no files")

from bridge.results import analyses
from closedform.measured import DIGITS
from empirics import data, measure
from empirics.experiments.collapse import imbalanced
from papers.cheong2025.studies import controls

SMALL = imbalanced.Config(
    dataset="digits", network="mlp", depths=(24, 16, 12), train_size=200, test_size=80, epochs=3, collapse_at=(0,),
    seeds=2, learning_rate=0.03, batch_size=20, ratio=8.0,
)  # fmt: skip
KEPT = 10.0 ** (1 - DIGITS)  # measured numbers are rounded to these digits


@pytest.fixture(scope="module")
def traces():
    return {
        f"classes {ratio:g} : 1": imbalanced.run(replace(SMALL, ratio=ratio), progress=False)
        for ratio in (1.0, 8.0)
    }


def test_sizes_fall_geometrically():
    digits = data.load("digits")
    drawn = data.imbalanced(digits, 300, 8.0, seed=3)
    sizes = drawn.class_sizes.numpy()
    assert sizes.sum() == 300
    assert sizes[0] / sizes[-1] == pytest.approx(8, rel=0.1)
    np.testing.assert_allclose(sizes / sizes[0], 8.0 ** (-np.arange(10) / 9), atol=1.5 / sizes[0])
    assert (data.imbalanced(digits, 300, 1.0).class_sizes == 30).all()
    assert not torch.equal(drawn.images, data.imbalanced(digits, 300, 8.0, seed=4).images)
    assert "300 of them, class sizes from" in drawn.origin
    with pytest.raises(ValueError, match="count: got 1200, needs at most 1"):
        data.imbalanced(digits, 1200, 8.0)
    with pytest.raises(ValueError, match="every class has an image at ratio 1e\\+06"):
        data.imbalanced(digits, 20, 1e6)


def test_images_of_training_alone_are_imbalanced():
    origin = imbalanced.ImbalancedRecorder(SMALL, seed=0).origin
    assert "class sizes" in origin["train"]
    assert "class sizes" not in origin["test"]


@pytest.mark.slow
def test_weights_of_classes_matter_where_they_differ_only(traces):
    balanced, unequal = traces.values()
    train = {"split": "train", "epoch": 0}
    np.testing.assert_allclose(
        balanced["nc1_equal"].sel(train), balanced["nc1"].sel(train), rtol=1e-9
    )
    assert (np.abs(unequal["nc1_equal"] / unequal["nc1"] - 1).sel(train) > 0.01).all()


def test_equal_weights_are_those_of_the_measure():
    rng = np.random.default_rng(0)
    labels = torch.tensor([0] * 30 + [1] * 20 + [2] * 5)
    x = torch.tensor(rng.normal(size=(55, 4))) + labels[:, None]
    model = torch.nn.Sequential(torch.nn.Identity(), torch.nn.Linear(4, 3, dtype=torch.float64))
    found = measure.layerwise_collapse(model, ["0"], [(x, labels)], 3, class_weights="equal")[
        "0"
    ].nc1
    assert found == pytest.approx(measure.neural_collapse(x, labels, class_weights="equal").nc1)
    assert found != pytest.approx(measure.neural_collapse(x, labels).nc1)


@pytest.mark.slow
def test_the_analysis_says_what_the_traces_hold(traces):
    analysis = analyses.analyse("collapse-controls", traces)
    picture, _ = analysis.pictures
    assert [axes.get_title() for axes in picture.figure.axes] == list(controls.METRICS.values())
    balanced, unequal = traces.values()
    row = analysis.tables[1].rows[-1]
    last = {"epoch": -1, "split": 1, "layer": -1}
    expected = np.log(unequal["nc1"].isel(last) / balanced["nc1"].isel(last)).mean()
    assert row["configuration"] == "classes 8 : 1 over classes 1 : 1"
    assert row["log nc1 rise"].value == pytest.approx(float(expected), rel=KEPT)
    ratios = [
        trace["within"].isel(last) / trace["between"].isel(last) for trace in (unequal, balanced)
    ]
    assert row["log trace ratio rise"].value == pytest.approx(
        float(np.log(ratios[0] / ratios[1]).mean()), rel=KEPT
    )
    assert len(analysis.findings) == 3
