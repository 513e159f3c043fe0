"""Measurements decide entries: traces to a file next to the ledger, verdicts from it, and none where it is stale."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

import theory
from bridge.cli import main
from bridge.report import write as write_report
from bridge.results import analyses, evidence, plan, record
from bridge.results.printed_figure import PrintedFigure
from bridge.results.record import Planned, Record
from bridge.statistics.compare import compare
from closedform.measured import Measured
from empirics.experiments import STUDIES
from empirics.runs.config import content_hash
from theory import ledger_check
from theory.core import Measurement, Ruling

STUDY = "two-point-layer"
HASHES = [content_hash(config) for config in STUDIES[STUDY].configs("smoke").values()]
NUMBER = Measured("a.number", "a network", 0.52, 0.012, predicted=0.5, resolution=0.05)
MEASURED = Measurement(
    STUDY, "smoke", NUMBER, "an exponent", configurations=tuple(HASHES), versions={"numpy": "2"}
)


@pytest.fixture
def package(tmp_path, monkeypatch, planted):
    """A ledger with one OPEN entry, in a package to which measurements can be written."""
    folder = tmp_path / "a_measured_ledger"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from theory.core import read_ledger\nEQUATIONS = read_ledger(__name__, 'paccolat2021', {})\n"
    )
    (folder / "ledger.txt").write_text(
        "1 > Part\n[(1)] OPEN It scales.\n  evidence A matter of measurement.\n[(2)] NOTE A remark.\n  evidence None.\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, folder.name, raising=False)
    planted(module=folder.name)
    yield folder
    sys.modules.pop(folder.name, None)


def write(measurement, label="(1)"):
    ledger_check._entries.cache_clear()
    return evidence.write({("paccolat2021", label): measurement})


def checked():
    ledger_check._entries.cache_clear()
    return evidence.current(theory.check_ledger())[0]


@pytest.mark.parametrize(
    ("measured", "verdict"), [(0.52, "SUPPORTED"), (0.6, "CONTRADICTED")]
)  # fmt: skip
def test_an_open_entry_takes_the_verdict_of_its_measurement(package, measured, verdict):
    assert checked().verdict == "OPEN"
    assert write(
        dataclasses.replace(MEASURED, measured=dataclasses.replace(NUMBER, value=measured))
    ) == {package / "measurements.json": ["(1)"]}
    entry = checked()
    assert (entry.verdict, entry.declared, entry.agrees) == (verdict, verdict, True)
    assert entry.measurement["measured"]["value"] == measured
    assert theory.equations()[0].measurement.versions == {"numpy": "2"}


def test_the_file_has_what_a_reader_needs(package):
    write(MEASURED)
    (record,) = json.loads((package / "measurements.json").read_text(encoding="utf-8")).values()
    assert record == {
        "study": STUDY, "scale": "smoke", "meaning": "an exponent", "changed": {}, "configurations": HASHES,
        "versions": {"numpy": "2"}, "plan": "", "kind": "", "measured": {
            "quantity": "a.number", "label": "a network", "value": 0.52, "error": 0.012, "predicted": 0.5,
            "resolution": 0.05,
        },
    }  # fmt: skip


def test_a_stale_measurement_decides_nothing_and_says_so(package, capsys):
    write(dataclasses.replace(MEASURED, configurations=("of an earlier version",)))
    entry = checked()
    assert (entry.verdict, entry.agrees) == ("OPEN", False)
    assert (
        f"the configurations of {STUDY} at scale smoke are not those that were measured"
        in entry.error
    )
    assert main(["check", "--ledger", "(1)"]) == 1
    assert "computed OPEN, declared SUPPORTED" in capsys.readouterr().out
    assert evidence.is_stale(
        ("paccolat2021", "(1)"), {"study": "no-study", "scale": "smoke", "configurations": HASHES}
    )


def test_a_measurement_of_another_plan_decides_nothing_and_says_so(package):
    write(MEASURED)
    path = package / "measurements.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"plan": ""', '"plan": "another plan"')
    )
    assert checked().verdict == "OPEN"
    assert checked().error.startswith(
        f"the plans of {STUDY} at scale smoke are not those that were measured"
    )
    assert evidence.write({("paccolat2021", "(1)"): MEASURED})
    assert json.loads(path.read_text(encoding="utf-8"))["(1)"]["plan"] == ""


def test_a_larger_scale_is_kept_unless_it_is_stale(package):
    larger = dataclasses.replace(
        MEASURED,
        scale="laptop",
        measured=dataclasses.replace(NUMBER, value=0.51),
        configurations=tuple(
            content_hash(config) for config in STUDIES[STUDY].configs("laptop").values()
        ),
    )
    write(larger)
    assert write(MEASURED) == {}
    assert checked().measurement["scale"] == "laptop"
    write(dataclasses.replace(larger, configurations=("changed",)))
    write(MEASURED)
    assert checked().measurement["scale"] == "smoke"


@pytest.mark.parametrize("label", ["(2)", "(3)"])
def test_only_an_open_entry_is_decided(package, label):
    with pytest.raises(ValueError, match="needs one that is OPEN"):
        write(MEASURED, label)


def test_a_record_without_an_entry_is_an_error(package):
    write(MEASURED)
    path = package / "measurements.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"(1)"', '"(1a)"'))
    with pytest.raises(ValueError, match=r"no OPEN entry has the label '\(1a\)'"):
        checked()


def test_an_analysis_without_errors_becomes_an_overview(monkeypatch):
    monkeypatch.setattr(analyses, "ANALYSES", {STUDY: lambda traces: compare(1.0, [1.0, 1.0])})
    traces = {
        "one": xr.Dataset(
            {"loss": (("seed", "step"), np.ones((2, 3)))}, attrs={"experiment": "two_point"}
        )
    }
    analysis = write_report._analysis(STUDY, traces)
    assert [table.name for table in analysis.tables] == ["overview"]
    assert "identical repetitions, which determine no error" in analysis.doubts[0].text


def test_the_report_of_a_changed_study_says_what_is_left_out(tmp_path, monkeypatch):
    # its derivations have tests of their own
    monkeypatch.setattr("bridge.report.write.theory_of", lambda made: ())
    monkeypatch.setattr(
        "bridge.plots.style._save", lambda figure, **options: b'<svg viewBox="0 0 1 1"></svg>'
    )
    runs = tmp_path / "runs"
    command = f"run {STUDY} --scale smoke --epochs 60 --seeds 1 --out {runs}"
    assert main(command.split()) == 0
    assert main(["report", str(runs)]) == 0
    assert (
        "no number with an error to compare with 10, 10 (encoder), 10 (decoder), Section 5.1, Section 5.2 of the paper"
        in (runs / "report.html").read_text(encoding="utf-8")
    )


LEAD = {"quantity": "c.lead", "value": 0.0, "relation": ">"}
RECORD = Record(
    study=STUDY, scale="laptop", changed={"seeds": 9}, configurations={}, missing=(), versions={"numpy": "2"},
    device="cpu", seconds=1.0, findings=(), doubts=(), pictures={},
    measured=(
        Measured("c.exponent", "stripe", 0.49, 0.01, 40, 0.5, resolution=0.05),
        Measured("c.exponent", "cylinder", 0.60, 0.01, 40, 0.5, resolution=0.05),
        Measured("c.lead", "stripe", 0.2, 0.01, 9),
        Measured("c.lead", "cylinder", 0.2, None, 9),
    ),
)  # fmt: skip


def figure(label="5", configurations="stripe", *, quantity="c.exponent", study=STUDY, **fields):
    return PrintedFigure(
        label, "", study, quantity=quantity, configurations=configurations, entry="(1)", **fields
    )


@pytest.fixture
def decided(monkeypatch):
    """Return a function of figures and of records by scale, that returns the one measurement."""

    def of(*figures, **records):
        records = records or {"laptop": RECORD}
        monkeypatch.setattr(record, "load", lambda _, fresh=False: {} if fresh else records)
        monkeypatch.setattr(evidence, "FIGURES", {"paccolat2021": figures})
        return evidence.measurements().get(("paccolat2021", "(1)"))

    return of


@pytest.mark.parametrize(
    ("configurations", "fields", "ruling"),
    [
        ("stripe", {}, Ruling.SUPPORTED),
        ("cylinder", {}, Ruling.CONTRADICTED),
        ("", {}, Ruling.CONTRADICTED),
        ("stripe", LEAD, Ruling.SUPPORTED),
        ("stripe", LEAD | {"relation": "<"}, Ruling.CONTRADICTED),
        ("stripe", LEAD | {"value": 0.19}, Ruling.UNRESOLVED),
    ],
)
def test_the_numbers_of_a_figure_decide_its_entry(decided, configurations, fields, ruling):
    measurement = decided(figure(configurations=configurations, **fields))
    assert measurement.ruling is ruling
    assert (measurement.study, measurement.scale, measurement.changed) == (
        STUDY,
        "laptop",
        {"seeds": 9},
    )
    assert measurement.versions == {"numpy": "2"}


def test_a_record_of_another_plan_decides_nothing(decided):
    row = figure()
    for hashed, decides in ((plan.digest(row), True), ("another plan", False)):
        planned = {row.label: Planned(hashed, "exploratory", "agrees")}
        measurement = decided(row, laptop=dataclasses.replace(RECORD, plans=planned))
        assert (measurement is not None) is decides


def test_figures_decide_an_entry_together(decided):
    assert decided(figure("5"), figure("7", "cylinder")).ruling is Ruling.CONTRADICTED


def test_what_cannot_decide_is_left_out(decided):
    assert decided(figure(configurations="cylinder", **LEAD)) is None
    assert decided(figure(configurations="", **LEAD)) is None
    assert decided(figure(), laptop=dataclasses.replace(RECORD, missing=("stripe d=10",))) is None
    assert decided(figure(), smoke=dataclasses.replace(RECORD, scale="smoke")) is None
    assert decided(dataclasses.replace(figure(), entry="")) is None
    assert decided(figure(configurations="cylinder", reason="fewer points")) is None


def test_a_record_that_lacks_something_leaves_the_decision_to_a_smaller_one(decided):
    larger = dataclasses.replace(RECORD, scale="paper", measured=RECORD.measured[1:])
    without_all = dataclasses.replace(larger, missing=("cylinder",))
    assert (
        decided(figure("5"), figure("7", "cylinder"), laptop=RECORD, paper=larger).scale
        == "laptop"
    )
    assert decided(figure("7", "cylinder"), laptop=RECORD, paper=without_all).scale == "laptop"
    assert decided(figure("7", "cylinder"), laptop=RECORD, paper=larger).scale == "paper"
    assert decided(figure("5"), figure("7", "cylinder"), paper=larger) is None


def test_figures_of_different_studies_do_not_decide_one_entry(decided):
    with pytest.raises(ValueError, match="'\\(1\\)': got figures of different studies"):
        decided(figure(), figure("6", study="two-point-xor"))


def test_the_ledger_has_what_the_records_say():
    """Whoever records a study writes its evidence, too: `closedform record DIR --evidence`."""
    entries = {
        entry.key: entry.measurement
        for entry in theory.equations()
        if entry.measurement is not None
    }
    superseded = {
        key for key, one in entries.items() if evidence.is_superseded(key, one.as_json())
    }
    assert {
        key: one for key, one in entries.items() if key not in superseded
    } == evidence.measurements()


def test_no_record_in_the_repository_is_stale():
    """Whoever changes a study measures again: `closedform run STUDY --out DIR`, then `record DIR` and `evidence`."""
    measured = [entry for entry in theory.equations() if entry.measurement is not None]
    assert measured
    as_json = {entry.key: entry.measurement.as_json() for entry in measured}
    planned = {key: one for key, one in as_json.items() if not evidence.is_superseded(key, one)}
    assert [key for key, one in planned.items() if evidence.is_stale(key, one)] == []


def test_whether_a_record_is_stale_is_asked_without_torch():
    """`closedform errata` asks for all of them, and shows its verdicts at once."""
    code = "import sys, bridge.results.evidence; print([m for m in ('scipy', 'torch', 'xarray') if m in sys.modules])"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )
