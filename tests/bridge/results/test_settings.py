"""Tests of the tables of settings, and of the rule that a verdict on our set-up is not one on the paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.report import settings_table
from bridge.results import figure_table, plan, settings
from bridge.results.analyses import FIGURES
from bridge.results.printed_figure import PrintedFigure
from bridge.results.settings import SETTINGS, Setting, attributed
from closedform.verdicts import AGREES, BLUNT, DISAGREES, LESS, SET_UP, SMALLER
from empirics.experiments import STUDIES

STUDY = "compression-time"
ROW = PrintedFigure("5", "", STUDY, "It scales.", "c.exponent")
BATCH = Setting("batch", (STUDY,), "", "400", "100", "neither", "chosen before", rows=("5",),
                options={"batch_size": 400})  # fmt: skip


@pytest.fixture
def listed(monkeypatch):
    """Return a function that lets these settings be all that are known."""

    def of(*known: Setting) -> None:
        monkeypatch.setattr(settings, "SETTINGS", {"paccolat2021": known})

    return of


@pytest.mark.parametrize("paper", SETTINGS)
def test_a_table_names_rows_and_options_that_are_there(paper):
    studies = {figure.label: figure.study for figure in FIGURES[paper]}
    for setting in SETTINGS[paper]:
        touched = (*setting.rows, *setting.turns)
        assert {studies[label] for label in touched} <= set(setting.studies), setting.name
        assert len(set(touched)) == len(touched), setting.name
        assert setting.differs == bool(setting.reason), setting.name
        assert setting.differs or not touched, setting.name
        assert setting.effect or not setting.turns, f"{setting.name}: turned by what?"
        if setting.follows == "neither":
            assert setting.printed or setting.released, f"{setting.name}: differs from what?"
        for study in setting.studies:
            configs = STUDIES[study].configs("paper").values()
            for name in setting.options:
                assert all(hasattr(config, name) for config in configs), (setting.name, name)


@pytest.mark.parametrize("paper", FIGURES)
def test_every_paper_has_a_table(paper):
    assert any(setting.differs for setting in SETTINGS[paper])


@pytest.mark.parametrize(
    ("verdict", "of_rows", "of_turns"),
    [(DISAGREES, SET_UP, SET_UP), (AGREES, AGREES, SET_UP), (LESS, LESS, SET_UP), (BLUNT, BLUNT, BLUNT),
     (SMALLER, SMALLER, SMALLER)],
)  # fmt: skip
def test_a_verdict_that_can_hang_on_our_set_up_is_one_on_it(listed, verdict, of_rows, of_turns):
    listed(BATCH)
    assert attributed(verdict, ROW, {}) == of_rows
    assert attributed(verdict, replace(ROW, label="6"), {}) == verdict
    assert attributed(verdict, replace(ROW, study="compression-crossover"), {}) == verdict
    listed(replace(BATCH, rows=(), turns=("5",)))
    assert attributed(verdict, ROW, {}) == of_turns


def test_a_run_with_the_authors_value_hangs_on_it_no_longer(listed):
    listed(BATCH)
    assert attributed(DISAGREES, ROW, {"batch_size": 400}) == DISAGREES
    assert attributed(DISAGREES, ROW, {"batch_size": 200}) == SET_UP
    precision = replace(BATCH, name="precision", options={})
    listed(BATCH, precision)
    assert attributed(DISAGREES, ROW, {"batch_size": 400}) == SET_UP


@pytest.mark.parametrize("follows", ["both", "printed", "released"])
def test_a_printed_or_released_setting_excuses_nothing(listed, follows):
    listed(replace(BATCH, follows=follows))
    assert attributed(DISAGREES, ROW, {}) == DISAGREES


def test_plan_card_and_report_show_the_settings_of_a_row():
    cut_off = "3.7 (cut-off layer, Fashion-MNIST)"
    (planned,) = plan.named(cut_off)
    assert any(
        text.startswith("batch size (printed: –; released: 400") for text in planned["settings"]
    )
    assert "--batch-size 400" in planned["as theirs"]
    assert "--decoder-epochs 50" in planned["as theirs"]
    row = figure_table.row(
        "cheong2025", next(f for f in FIGURES["cheong2025"] if f.label == cut_off)
    )
    assert (row["verdict"], len(row["settings"])) == (SET_UP, 3)
    assert {number["verdict"] for number in row["measured"]} == {SET_UP}
    table = settings_table.table("collapse-information")
    assert {"setting", "printed", "released", "ours", "why ours differs"} <= set(table.heads)
    assert settings_table.table("a study of nobody") is None
