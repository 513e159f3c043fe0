"""Tests that records hold what the analysis found, that figures are judged by records alone, and that they go stale."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bridge import analyses, printed, recorded, recording
from bridge.cli import main
from bridge.recorded import Number
from bridge.verdicts import BLUNT
from empirics.experiments import FIGURES, STUDIES
from empirics.experiments.printed_figure import PrintedFigure

STUDY = "leaky-resnet-bottleneck"
LABEL = "default"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the traces of one study, shortened."""
    out = tmp_path_factory.mktemp("runs")
    assert main(["run", STUDY, "--scale", "smoke", "--adam", "20", "--polishing", "20", "--out", str(out)]) == 0
    return out


@pytest.fixture
def home(runs, tmp_path, monkeypatch):
    """Records of this folder, made by the command, in the place of those of the package."""
    monkeypatch.setattr(recorded.write, "__defaults__", (tmp_path / "results",))
    monkeypatch.setattr(recorded.load, "__defaults__", (tmp_path / "results",))
    monkeypatch.setattr(recording.draw, "__defaults__", (tmp_path / "docs",))
    assert main(["record", str(runs)]) == 0
    return tmp_path


def test_a_record_is_what_the_analysis_found(home, runs):
    from bridge.report import folder

    (listed,) = folder.studies(runs)
    traces, _ = folder.load(runs, listed)
    analysis = analyses.analyse(STUDY, traces)
    result = recorded.load(STUDY)["smoke"]
    assert result.is_current
    assert result.changed == {"adam": 20, "polishing": 20}
    assert result.missing == ()
    assert result.findings == analysis.findings
    assert len(result.doubts) == len(analysis.doubts)
    assert result.versions == json.loads(next(iter(traces.values())).attrs["versions"])
    assert {path.stem for path in home.glob(f"docs/{STUDY}-smoke/*.webp")} == set(result.pictures)
    (row,) = (row for table in analysis.tables for row in table.rows if "rank_error" in row)
    (number,) = (number for number in result.numbers if number.quantity == "rank")
    assert number.ours == pytest.approx(row["rank"], rel=1e-5)
    assert number.error == pytest.approx(row["rank_error"], rel=1e-5)


def test_pictures_replace_those_of_smaller_scales(tmp_path):
    from bridge.analysis import Analysis

    kept, *replaced = (tmp_path / f"{STUDY}-{scale}" / "old.webp" for scale in ("paper", "laptop", "smoke"))
    for path in (kept, *replaced):
        path.parent.mkdir()
        path.touch()
    result = recorded.Recorded(STUDY, "laptop", {}, {}, (), {}, "cpu", 1.0, (), (), (), {})
    assert recording.draw(result, Analysis({}, ()), tmp_path) == []
    assert list(tmp_path.rglob("*.webp")) == [kept]


def test_a_record_is_stale_when_the_study_changes(home, monkeypatch):
    result = recorded.load(STUDY)["smoke"]
    (digits,) = result.configurations.values()
    assert not replace(result, changed={"adam": 20, "polishing": 21}).is_current
    assert not replace(result, changed={}).is_current
    assert not replace(result, changed={"no_such_option": 1}).is_current
    assert not replace(result, configurations={"another label": digits}).is_current
    assert not replace(result, study="no-such-study").is_current
    figure = PrintedFigure("1b", "", quantity="rank")
    assert printed.row("jacot2024", figure)["scales"] == ["smoke"]
    monkeypatch.setattr(recorded.Recorded, "is_current", False)
    assert printed.row("jacot2024", figure)["verdict"] == printed.STALE


def test_traces_of_other_configurations_are_refused(runs):
    from bridge.report import folder

    (listed,) = folder.studies(runs)
    traces, _ = folder.load(runs, listed)
    analysis = analyses.analyse(STUDY, traces)
    with pytest.raises(ValueError, match=f"traces of {STUDY}: got {LABEL} with other configurations"):
        recording.of_study(replace(listed, changed={}), traces, analysis)


NUMBERS = (
    Number("stripe d=5", "exponent of Λ*", 0.49, 0.01, 0.5, 40, 0.05, "agrees"),
    Number("stripe d=10", "exponent of Λ*", 0.60, 0.01, 0.5, 40, 0.05, "disagrees"),
    Number("cylinder d=3", "exponent of Λ*", 0.50, 0.01, 0.5, 40, 0.05, "agrees"),
    Number("f₊ on CIFAR-10", "test_accuracy", 0.70, 0.01, repetitions=3),
    Number("f₊ on CIFAR-10", "loss", 0.02, 0.0),
    Number("logistic", "length", 3.0, 0.123457, 2.0, 40, 0.05, "disagrees", prediction_error=0.1234574),
)


@pytest.mark.parametrize(
    ("figure", "ours", "verdict"),
    [
        (PrintedFigure("5", "", quantity="exponent", configurations="cylinder"), 0.5, "agrees"),
        (PrintedFigure("5", "", quantity="exponent", configurations="stripe"), [0.49, 0.6],
         "agrees: 1 of 2; disagrees: 1 of 2"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.753), 0.7, "disagrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.71), 0.7, "agrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.753, reason="less data"), 0.7, "disagrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.65, relation=">"), 0.7, "agrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.69, relation=">"), 0.7, "too blunt to say"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.65, relation="<"), 0.7, "disagrees"),
        (PrintedFigure("5", "", quantity="loss", value=0.01, relation=">"), 0.02, printed.UNKNOWN),
        (PrintedFigure("5", "", quantity="test_acc"), 0.7, printed.UNKNOWN),
        (PrintedFigure("5", "", quantity="loss", value=0.02), 0.02, "agrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.0, resolution=0.1), 0.7, "disagrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.72, resolution=0.2), 0.7, "agrees"),
        (PrintedFigure("5", "", quantity="test_acc", value=0.72, resolution=0.01), 0.7, "too blunt to say"),
        (PrintedFigure("5", "", quantity="exponent", configurations=("cylinder", "stripe d=5")), [0.49, 0.5], "agrees"),
        (PrintedFigure("5", "", quantity="loss", value=0.03), 0.02, printed.UNKNOWN),
        (PrintedFigure("5", "", quantity="test_acc", relation=">"), 0.7, printed.UNKNOWN),
        (PrintedFigure("5", "", quantity="loss", value=0.03, relation="<"), 0.02, printed.UNKNOWN),
        (PrintedFigure("5", "", quantity="exponent", configurations="stripe d=10", relation=">"), 0.6, "agrees"),
        (PrintedFigure("5", "", quantity="length"), 3.0, "disagrees"),
        (PrintedFigure("5", "", quantity="length", relation="<"), 3.0, "disagrees"),
        (PrintedFigure("5", "", quantity="nothing"), None, printed.DRAWN),
        (PrintedFigure("5", ""), None, printed.DRAWN),
        (PrintedFigure("99", "", reason="why"), None, printed.NO_COMMAND),
        (PrintedFigure("11", ""), None, printed.NOT_RUN),
    ],
)  # fmt: skip
def test_verdicts_follow_from_records(monkeypatch, figure, ours, verdict):
    study = "compression-amplification"
    result = recorded.Recorded(study, "laptop", {}, {}, (), {}, "cpu", 1.0, NUMBERS, (), (), {})
    monkeypatch.setattr(printed, "load", lambda name: {"laptop": result} if name == study else {})
    row = printed.row("paccolat2021", figure)
    assert row["ours"] == ours
    assert row["verdict"] == verdict
    assert row["reason"] == figure.reason


def test_an_undecided_row_says_what_would_decide_it(monkeypatch):
    study = "compression-amplification"
    numbers = (
        Number("one", "exponent", 0.55, 0.02, 0.5, 4, 0.05, "too blunt to say"),
        Number("one", "side", 0.55, 0.02, 0.5, 4, 0.01, "too blunt to say", relation=">"),
        Number("one", "far", 0.55, 0.05, 0.5, 4, 0.06, "too blunt to say", prediction_error=0.04),
        Number("two", "far", 0.51, 0.05, 0.5, 40, 0.06, "too blunt to say", prediction_error=0.04),
    )
    result = recorded.Recorded(study, "laptop", {}, {}, (), {}, "cpu", 1.0, numbers, (), (), {})
    monkeypatch.setattr(printed, "load", lambda name: {"laptop": result} if name == study else {})
    for quantity in ("exponent", "side"):  # the limits times the errors: 0.051 for five, 0.043 for six
        (deciding,) = printed.row("paccolat2021", PrintedFigure("5", "", quantity=quantity))["undecided"]
        assert (deciding["of"], deciding["repetitions"], deciding["needed"]) == ("one", 4, 6)
    row = printed.row("paccolat2021", PrintedFigure("5", "", quantity="far"))
    assert [one["needed"] for one in row["undecided"]] == [None, None]
    assert all("a smaller error of the prediction" in one["needs"] for one in row["undecided"])
    assert printed.row("paccolat2021", PrintedFigure("5", "", quantity="test_acc"))["undecided"] == []


def test_a_record_keeps_the_error_of_the_prediction_and_its_side(runs):
    from bridge.analysis import Analysis, Compared
    from bridge.comparison import compare

    one = compare(1.0, 1.5, error=0.3, repetitions=4, prediction_error=0.4)
    analysis = Analysis({}, (), compared=(Compared("a", "b", one, ">"),))
    (number,) = recording._compared(analysis)
    assert (number.error, number.prediction_error, number.relation) == (0.5, 0.4, ">")


@pytest.mark.parametrize("count", ["seeds", "realisations", "networks"])
def test_a_number_of_a_table_keeps_how_often_it_was_measured(count):
    from bridge.analysis import Analysis, Column, Table

    row = {"configuration": "a", count: 5, "ratio": 0.5, "ratio_error": 0.1}
    table = Table("t", "", "", (Column("configuration", ""), Column("ratio", "")), (row,))
    (number,) = recording._tabled(Analysis({}, (), (table,)))
    assert (number.label, number.repetitions) == ("a", 5.0)


@pytest.mark.parametrize(("scale", "shown"), [("laptop", "less data; slower"), ("paper", "slower")])
def test_a_cause_is_shown_at_every_scale_and_a_reason_below_the_paper_s(monkeypatch, scale, shown):
    study = "compression-amplification"
    result = recorded.Recorded(study, scale, {}, {}, (), {}, "cpu", 1.0, NUMBERS, (), (), {})
    monkeypatch.setattr(printed, "load", lambda name: {scale: result} if name == study else {})
    why = {"reason": "less data", "cause": "slower"}
    assert printed.row("paccolat2021", PrintedFigure("5", "", "", "test_acc", "", 0.753, **why))["reason"] == shown
    assert printed.row("paccolat2021", PrintedFigure("5", "", "", "test_acc", "", 0.71, **why))["reason"] == ""


def test_a_quantity_does_not_take_those_whose_names_go_on(monkeypatch):
    study = "compression-amplification"
    rise = replace(NUMBERS[0], quantity="loss_rise", verdict="")
    result = recorded.Recorded(study, "laptop", {}, {}, (), {}, "cpu", 1.0, (*NUMBERS, rise), (), (), {})
    assert {number.quantity for number in printed.selected(result, PrintedFigure("5", "", quantity="loss"))} == {"loss"}
    assert printed.selected(result, PrintedFigure("5", "", quantity="loss_")) == [rise]


@pytest.mark.parametrize("figure", [figure for figure in FIGURES["cheong2025"] if ", loss of " in figure.label])
def test_the_loss_of_the_thesis_is_not_compared_with_its_rise(figure):
    result = printed.result_for("cheong2025", figure)
    assert [number.quantity for number in printed.selected(result, figure)] == ["test_loss"]


def test_a_stated_number_is_not_compared_with_the_smallest_scale(monkeypatch):
    study = "compression-amplification"
    result = recorded.Recorded(study, "smoke", {}, {}, (), {}, "cpu", 1.0, NUMBERS, (), (), {})
    monkeypatch.setattr(printed, "load", lambda name: {"smoke": result} if name == study else {})
    stated = PrintedFigure("5", "", quantity="test_acc", value=0.753)
    assert printed.row("paccolat2021", stated)["verdict"] == printed.DRAWN
    of_theory = PrintedFigure("5", "", quantity="exponent", configurations="cylinder")
    assert printed.row("paccolat2021", of_theory)["verdict"] == "agrees"


def test_the_command_lists_every_figure(capsys):
    assert main(["figures", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["paper"], row["figure"]) for row in rows] == [(p, f.label) for p in FIGURES for f in FIGURES[p]]
    assert {"paper", "figure", "command", "scales", "stated", "ours", "error", "verdict"} <= set(rows[0])
    for row in rows:
        assert row["verdict"]
        assert (row["ours"] is None) == (row["error"] is None) == (row["of"] == [])
        counts = {verdict: count for verdict, _, count in (part.partition(": ") for part in row["verdict"].split("; "))}
        blunt = int(counts[BLUNT].partition(" ")[0] or len(row["of"])) if BLUNT in counts else 0
        assert len(row["undecided"]) == blunt
        assert all(one["of"] in row["of"] and one["needs"] for one in row["undecided"])
    assert main(["figures", "jacot2024"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "leaky-resnet-depths" in shown
    is_open = any(row["undecided"] for row in rows if row["paper"] == "jacot2024")
    assert ("would be decided, if mean and scatter stay, by" in shown) == is_open
    assert main(["figures", "jacot"]) == 2
    assert "did you mean jacot2024" in capsys.readouterr().err


def test_every_record_of_the_package_is_of_a_study():
    for path in recorded.HOME.glob("*.json"):
        study, _, scale = path.stem.rpartition("-")
        assert study in STUDIES
        assert recorded.load(study)[scale].study == study
