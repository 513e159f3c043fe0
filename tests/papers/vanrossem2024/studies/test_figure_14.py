"""Figure 14 is judged at the epochs that the paper names, for both readings of its learning rate."""

from __future__ import annotations

import pytest

from bridge.results.analyses import FIGURES
from empirics.experiments import STUDIES
from papers.vanrossem2024.studies.linearity import MAPS

STUDY = "two-point-mnist-linearity"
EPOCHS, RATE, OUTPUTS = 30, 0.003, 10  # caption of Figure 14; Table 2; digits
AVERAGED, SUMMED = "error averaged over outputs", "error summed over outputs"


@pytest.fixture
def rows(recorded_rows):
    """The rows of the paper."""
    return [row for row in recorded_rows if row["paper"] == "vanrossem2024"]


@pytest.mark.parametrize("scale", ["laptop", "paper"])
def test_both_readings_are_trained_for_the_epochs_of_the_caption(scale):
    configs = STUDIES[STUDY].configs(scale)
    assert list(configs) == [AVERAGED, SUMMED]
    assert {config.epochs for config in configs.values()} == {EPOCHS}
    images = 60_000  # as many smaller steps as an epoch of the paper has
    rates = {
        label: config.learning_rate * config.images / images for label, config in configs.items()
    }
    assert rates == {AVERAGED: pytest.approx(RATE / OUTPUTS), SUMMED: pytest.approx(RATE)}


@pytest.mark.parametrize(
    ("label", "epoch", "reading"),
    [("14", EPOCHS, AVERAGED), ("14 (Eq. 1)", EPOCHS, SUMMED), ("14 (first epoch)", 1, AVERAGED),
     ("14 (first epoch, Eq. 1)", 1, SUMMED)],
)  # fmt: skip
def test_rows_are_held_at_their_epoch_and_reading(label, epoch, reading, rows):
    (row,) = (row for row in rows if row["figure"] == label)
    assert row["command"].startswith(f"closedform run {STUDY} --scale ")
    assert [one["label"] for one in row["measured"]] == [
        f"{reading}, epoch {epoch}, {which}" for which in MAPS
    ]


def test_the_row_says_that_its_epoch_was_another_one():
    revised = {figure.label: figure.revised for figure in FIGURES["vanrossem2024"]}
    assert "after 200 epochs before; the paper has 30" in revised["14"]
    assert "decides nothing" in revised["14 (200 epochs)"]
