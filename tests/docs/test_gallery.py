"""Tests that the gallery has a page for every subject, shows recorded results alone, and says what is not recorded."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from bridge.results import figure_table, record
from bridge.results.analyses import FIGURES
from bridge.validity import recorded
from closedform.subjects import Subject, subjects
from empirics.experiments import STUDIES
from empirics.experiments.registry import FLOOR
from empirics.sweep import store

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"
MOST_BYTES = 10_000_000  # of all pictures of results together
STUDY = SimpleNamespace(name="two-point-layer", question="Does it fall?")
RESULT = record.Record(
    "two-point-layer", "smoke", {}, record.present("two-point-layer", "smoke", {}), (), {"torch": "2"}, "cpu", 1.0,
    (), ("It falls.",), ("seed 3: a doubt",), {"a-picture": "A caption"},
)  # fmt: skip


@pytest.fixture
def figures(monkeypatch):
    """docs/_extensions/figures.py, which is in no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("figures")


@pytest.mark.slow
def test_every_subject_has_a_page_and_every_study_a_section(figures, monkeypatch):
    monkeypatch.setattr(store, "run_or_load", None)  # nothing is run
    pages = figures.gallery()
    assert set(pages) == {
        "gallery",
        "gallery/rows",
        *(f"gallery/{subject.name}" for subject in subjects(FLOOR)),
    }
    sections = [line for lines in pages.values() for line in lines if line in STUDIES]
    assert sections == list(STUDIES)
    assert pages["gallery/two_point"][0] == "Two points"
    for paper in FIGURES:
        assert sum(f"Figures of {paper}" in lines for lines in pages.values()) == 1


@pytest.mark.slow
def test_a_guest_has_a_page(figures, monkeypatch):
    theirs = ModuleType("theirs.empirics", "Their subject: what does it do?\n\nMore.")
    theirs.STUDIES = dict.fromkeys(["two-point-layer"])
    monkeypatch.setattr(
        figures, "subjects", lambda floor: [Subject("theirs", theirs, "a test", "theirs")]
    )
    monkeypatch.setattr(figures, "section", lambda study, *_: [study.name])
    pages = figures.gallery()
    assert pages["gallery/theirs"][0] == "Their subject"
    assert pages["gallery/theirs"][-1] == "two-point-layer"


def test_a_record_is_shown_with_its_origin(figures, monkeypatch, tmp_path):
    picture = tmp_path / "docs" / "results" / "two-point-layer-smoke" / "a-picture.webp"
    picture.parent.mkdir(parents=True)
    picture.touch()
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    shown_in_part = replace(RESULT, changed={}, share="2 of 3 seeds")
    page = "\n".join(figures.section(STUDY, [shown_in_part]))
    for shown in (".. figure:: /results/two-point-layer-smoke/a-picture.webp", "A caption", "It falls.", "a doubt",
                  "Drawn: 2 of 3 seeds.",
                  "Scale smoke", "torch 2", "closedform run two-point-layer --scale smoke"):  # fmt: skip
        assert shown in page


def test_what_is_not_recorded_or_stale_is_named(figures):
    assert "*Not drawn here:* nothing is recorded." in figures.section(STUDY, [])
    stale = replace(RESULT, configurations={"default": "0" * 16})
    page = "\n".join(figures.section(STUDY, [stale]))
    assert "its configurations have changed" in page
    assert "It falls." not in page


def test_a_card_has_sentence_numbers_verdict_plan_and_command(figures):
    page = "\n".join(figures.overview("vanrossem2024"))
    for shown in ("Despite only needing to fit two constants", "a drawing, which has no measured numbers", "agrees",
                  "``closedform run two-point-architectures --scale laptop --seeds 10``", "02-architectures.webp",
                  ".. rubric:: Figure 5", "card-vanrossem2024-figure-5"):  # fmt: skip
        assert shown in page
    assert figure_table.plan.of_study("two-point-adam")["15"] in page
    assert "(structure, Eq. (50), as released; laptop, n = " in page  # a label with brackets
    assert "seeds from 2000: 0.5098 ± 0.055, too blunt to say" in page  # an earlier run


@pytest.mark.parametrize(
    ("settings", "picture", "shown"),
    [(["the weights"], "theirs", "theirs"), ([], "theirs", "ours"), (["the weights"], None, "ours")],
)  # fmt: skip
def test_a_card_shows_the_picture_of_the_run_that_decides(figures, settings, picture, shown):
    rows = [
        {"figure": "3 (lines)", "settings": settings, "picture": "ours"},
        {"figure": "3 (lines, released)", "settings": [], "picture": picture},
    ]
    assert figures.picture_of(rows)["picture"] == shown


def test_the_pictures_take_little_space_and_are_those_that_records_name():
    pictures = list((EXTENSIONS.parent / "results").glob("*/*"))
    assert sum(path.stat().st_size for path in pictures) <= MOST_BYTES
    assert {path.suffix for path in pictures} == {".webp"}
    named = {
        (run.name, picture)
        for study in STUDIES
        for run in record.every(study)
        for picture in run.pictures
    }
    named |= {("maps", name) for name in recorded.recorded()}
    assert {(path.parent.name, path.stem) for path in pictures} == named


def test_a_small_picture_is_the_first_panel_with_its_own_labels(figures):
    """Two rows of two panels: a legend above, numbers at the first panel, and a name that begins above the row."""
    image = pytest.importorskip("PIL.Image")
    draw = importlib.import_module("PIL.ImageDraw")
    picture = image.new("RGB", (1000, 800), "white")
    parts = {
        "legend": (100, 10, 900, 30),
        "numbers": (60, 100, 80, 380),
        "below": (100, 410, 440, 420),
    }
    panels = [(x, y, x + 340, y + 300) for x in (100, 560) for y in (100, 480)]
    name = [(20, 85, 30, 96), (20, 110, 30, 380)]
    for box in [*parts.values(), *panels, *name]:
        draw.Draw(picture).rectangle(box, fill="black")
    found = importlib.import_module("thumbnails").first_panel(picture)
    left, top, right, bottom = 60, 100, 440, 420  # without the legend and the name
    assert found.size == (right - left + 13, bottom - top + 13)


def test_small_pictures_lead_to_their_studies_and_are_drawn_once(figures, monkeypatch, tmp_path):
    image = pytest.importorskip("PIL.Image")
    thumbnails = importlib.import_module("thumbnails")
    monkeypatch.setattr(thumbnails, "STUDIES", ["two-point-layer"])
    monkeypatch.setattr(record, "load", lambda _, fresh=False: {} if fresh else {"smoke": RESULT})
    source = tmp_path / "results" / "two-point-layer-smoke" / "a-picture.webp"
    source.parent.mkdir(parents=True)
    image.new("RGB", (1200, 600), "red").save(source)
    thumbnails.draw_thumbnails(tmp_path / "results", tmp_path / "small")
    small = tmp_path / "small" / "two-point-layer-smoke.png"
    with image.open(small) as drawn:
        assert drawn.size == (480, 240)
    time = small.stat().st_mtime_ns
    thumbnails.draw_thumbnails(tmp_path / "results", tmp_path / "small")
    assert small.stat().st_mtime_ns == time
    lines = figures.thumbnail(STUDY, [RESULT], "gallery/two_point.html")
    assert ".. figure:: thumbnails/two-point-layer-smoke.png" in lines
    assert "   :target: gallery/two_point.html#study-two-point-layer" in lines
    assert ".. _study-two-point-layer:" in figures.section(STUDY, [RESULT])
    assert figures.thumbnail(STUDY, [], "gallery/two_point.html") == []
