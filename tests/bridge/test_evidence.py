"""Measurements decide entries: traces to a file beside the ledger, verdicts from it, and none where it is stale."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

import theory
from bridge import analyses, evidence
from bridge.bearing import Bearing, of_all
from bridge.cli import main
from bridge.comparison import compare
from bridge.report import write as write_report
from empirics.experiments import STUDIES
from empirics.experiments.config import content_hash
from theory import ledger_check
from theory.core import Finding, Measurement, Paper

PAPER = Paper("paccolat2021")
STUDY = "two-point-layer"
HASHES = [content_hash(config) for config in STUDIES[STUDY].configs("smoke").values()]
MEASURED = Measurement(
    STUDY, "smoke", 0.5, 0.52, 0.012, 0.05, quantity="exponent", configurations=tuple(HASHES), versions={"numpy": "2"}
)


@pytest.fixture
def package(tmp_path, monkeypatch, planted):
    """A ledger with one OPEN entry, in a package to which measurements can be written."""
    folder = tmp_path / "a_measured_ledger"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from theory.core import Finding, Paper\n"
        "PAPER = Paper('paccolat2021')\n"
        "EQUATIONS = (\n"
        "    PAPER.entry('(1)', '1', 'It scales.', Finding.OPEN, 'A matter of measurement.'),\n"
        "    PAPER.entry('(2)', '1', 'A remark.', Finding.NOTE, 'None.'),\n"
        ")\n"
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
    assert write(dataclasses.replace(MEASURED, measured=measured)) == {package / "measurements.json": ["(1)"]}
    entry = checked()
    assert (entry.verdict, entry.declared, entry.agrees) == (verdict, verdict, True)
    assert entry.measurement["measured"] == measured
    assert theory.equations()[0].measurement.versions == {"numpy": "2"}


def test_the_file_has_what_a_reader_needs(package):
    write(MEASURED)
    (record,) = json.loads((package / "measurements.json").read_text(encoding="utf-8")).values()
    assert record == {
        "study": STUDY, "scale": "smoke", "predicted": 0.5, "measured": 0.52, "error": 0.012, "resolution": 0.05,
        "limit": 2.0, "relation": "=", "quantity": "exponent", "changed": {}, "configurations": HASHES,
        "versions": {"numpy": "2"},
    }  # fmt: skip


def test_a_stale_measurement_decides_nothing_and_says_so(package, capsys):
    write(dataclasses.replace(MEASURED, configurations=("of an earlier version",)))
    entry = checked()
    assert (entry.verdict, entry.agrees) == ("OPEN", False)
    assert f"the configurations of {STUDY} at scale smoke are not those that were measured" in entry.error
    assert main(["check", "--ledger", "(1)"]) == 1
    assert "computed OPEN, declared SUPPORTED" in capsys.readouterr().out
    assert evidence.is_stale({"study": "no-study", "scale": "smoke", "configurations": HASHES})


def test_a_larger_scale_is_kept_unless_it_is_stale(package):
    larger = dataclasses.replace(
        MEASURED,
        scale="laptop",
        measured=0.51,
        configurations=tuple(content_hash(config) for config in STUDIES[STUDY].configs("laptop").values()),
    )
    write(larger)
    assert write(MEASURED) == {}
    assert checked().measurement["scale"] == "laptop"
    write(dataclasses.replace(larger, configurations=("changed",)))
    write(MEASURED)
    assert checked().measurement["scale"] == "smoke"


@pytest.mark.parametrize("label", ["(2)", "(3)"])
def test_only_an_open_entry_is_decided(package, label):
    with pytest.raises(ValueError, match="has no OPEN entry"):
        write(MEASURED, label)


def test_a_record_without_an_entry_is_an_error(package):
    write(MEASURED)
    path = package / "measurements.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"(1)"', '"(1a)"'))
    with pytest.raises(ValueError, match=r"no OPEN entry has the label '\(1a\)'"):
        checked()


def test_what_has_no_error_is_left_out_of_a_report_with_the_reason(monkeypatch):
    def says(analysis):
        yield Bearing("paccolat2021", "(1)", "known", compare(1.0, [1.0, 1.1]))
        yield Bearing("paccolat2021", "(2)", "identical", compare(1.0, [1.0, 1.0]))

    monkeypatch.setattr(analyses, "EVIDENCE", {STUDY: says})
    measured, reason = evidence.of_report(STUDY, "smoke", None)
    assert list(measured) == [("paccolat2021", "(1)")]
    assert [repetitions for _, repetitions in measured.values()] == [2]
    assert "identical repetitions do not determine an error" in reason
    with pytest.raises(ValueError, match="identical repetitions"):
        evidence.of_analysis(STUDY, "smoke", None)


def test_one_measurement_decides_an_entry(monkeypatch):
    twice = [Bearing("paccolat2021", "(1)", name, compare(1.0, [1.0, 1.1])) for name in ("one", "another")]
    monkeypatch.setattr(analyses, "EVIDENCE", {STUDY: lambda analysis: twice})
    with pytest.raises(ValueError, match=r"several measurements for paccolat2021 \(1\)"):
        evidence.of_analysis(STUDY, "smoke", None)


def test_an_analysis_without_errors_becomes_an_overview(monkeypatch):
    monkeypatch.setattr(analyses, "ANALYSES", {STUDY: lambda traces: compare(1.0, [1.0, 1.0])})
    traces = {"one": xr.Dataset({"loss": (("seed", "step"), np.ones((2, 3)))}, attrs={"experiment": "two_point"})}
    analysis = write_report._analysis(STUDY, traces)
    assert [table.name for table in analysis.tables] == ["overview"]
    assert "identical repetitions do not determine an error" in analysis.doubts[0].text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "reason"), [(["--depth", "2"], "no two layers"), (["--seeds", "1"], "one repetition has no scatter")]
)
def test_the_report_of_a_changed_study_says_what_is_left_out(tmp_path, monkeypatch, options, reason):
    monkeypatch.setattr("bridge.report.write.theory_of", lambda made: ())  # its derivations have tests of their own
    runs = tmp_path / "runs"
    assert main(["run", STUDY, "--scale", "smoke", "--epochs", "60", *options, "--out", str(runs)]) == 0
    assert main(["report", str(runs)]) == 0
    assert reason in (runs / "report.html").read_text(encoding="utf-8")


def test_a_bound_is_on_one_side():
    above = dataclasses.replace(MEASURED, relation=">")
    findings = [dataclasses.replace(above, measured=value).finding for value in (0.6, 0.51, 0.4)]
    assert findings == [Finding.SUPPORTED, Finding.UNRESOLVED, Finding.CONTRADICTED]
    below = dataclasses.replace(above, relation="<", measured=0.6)
    assert below.finding is Finding.CONTRADICTED
    with pytest.raises(ValueError, match="relation: got '≤'"):
        dataclasses.replace(MEASURED, relation="≤")


def test_from_traces_to_the_file_in_one_command(package, tmp_path, monkeypatch, capsys, trained):
    """The study as it is; what it says is replaced, so that it speaks of the entry above."""
    runs = tmp_path / "runs"
    trained(STUDIES["two-point-adam"].configs("smoke").values(), runs / "traces")
    assert main(["run", "two-point-adam", "--scale", "smoke", "--out", str(runs)]) == 0
    shown = []

    def says(analysis):
        shown.append(analysis)
        yield Bearing("paccolat2021", "(1)", "a number", compare(0.5, 1 / 3, error=0.01, resolution=0.1))

    monkeypatch.setattr(analyses, "EVIDENCE", {"two-point-adam": says})
    capsys.readouterr()
    assert main(["evidence", str(runs)]) == 0
    out = capsys.readouterr().out
    assert "paccolat2021 (1)  CONTRADICTED" in out
    assert "predicted 0.5, measured 0.3333 ± 0.01" in out
    assert checked().measurement["measured"] == 0.333333
    assert "torch" in checked().measurement["versions"]
    assert shown[0].pictures
    assert main(["run", "two-point-adam", "--scale", "smoke", "--out", str(runs), "--width", "20"]) == 0
    assert main(["evidence", str(runs)]) == 2
    assert "without further options" in capsys.readouterr().err


def test_a_folder_that_says_nothing_is_an_error(package, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(evidence, "of_study", lambda *arguments: {})
    assert main(["evidence", str(tmp_path)]) == 2
    assert "no traces" in capsys.readouterr().err


@pytest.mark.parametrize("study", analyses.EVIDENCE)
def test_every_study_that_is_evidence_exists(study):
    assert study in STUDIES
    assert callable(analyses.EVIDENCE[study])


def fitted(label, *shares, losses=(), tau_h=(), tau_y=()):
    seeds = [
        SimpleNamespace(r_squared=share, mean=SimpleNamespace(r_squared=share), loss=loss, tau_h=h, tau_y=y)
        for share, loss, h, y in zip(shares, losses or shares, tau_h or shares, tau_y or shares, strict=True)
    ]
    return SimpleNamespace(label=label, fit=SimpleNamespace(per_seed=seeds))


def finding(bearing):
    return bearing.measurement("a-study", "smoke").finding


def test_what_the_two_point_studies_say():
    from bridge.two_point import evidence as two_point

    good, bad = fitted("one", 0.99, 0.98, 0.985), fitted("two", -1.0, -1.5, -2.0)
    for networks, expected in (((good, good), Finding.SUPPORTED), ((good, bad), Finding.CONTRADICTED)):
        found = list(two_point.of_architectures(SimpleNamespace(fitted=networks)))
        assert [each.label for each in found] == ["3.1 and Figure 2", "C.2 and Figure 12"]
        assert [finding(each) for each in found] == [expected] * 2
    for study in (two_point.of_adam, two_point.of_initial_weights):
        assert finding(next(study(SimpleNamespace(fitted=(bad,))))) is Finding.SUPPORTED
        assert finding(next(study(SimpleNamespace(fitted=(good,))))) is Finding.CONTRADICTED


def test_what_the_layers_say():
    from bridge.two_point import evidence as two_point

    def layer(number, loss, tau_h, tau_y):
        noise = np.roll([0.98, 1.0, 1.03], number)
        lists = {"losses": loss * noise, "tau_h": tau_h * noise, "tau_y": tau_y / noise}
        return fitted("one", 0.9, 0.9, 0.9, **{name: list(values) for name, values in lists.items()})

    # the second half fits better by the factor 2.25 / 1, and its rates change by 9 / 3 and 2 / 1: logarithms below 1
    values = ((2.5, 20, 0.5), (2.0, 15, 0.7), (1.0, 9, 1), (0.9, 5, 1.5), (1.1, 3, 2))
    layers = [layer(number, *each) for number, each in enumerate(values)]
    accurate, rates = map(finding, two_point.of_layers(SimpleNamespace(fitted=layers)))
    assert (accurate, rates) == (Finding.SUPPORTED, Finding.SUPPORTED)
    accurate, rates = map(finding, two_point.of_layers(SimpleNamespace(fitted=layers[::-1])))
    assert (accurate, rates) == (Finding.CONTRADICTED, Finding.CONTRADICTED)


def test_the_comparison_that_deviates_most_is_the_one_that_counts():
    from bridge.compression.evidence import of_amplification
    from bridge.geometry.evidence import of_random_networks

    def row(label, measured, quantity="exponent of Λ*"):
        comparison = compare(0.5, measured, error=0.01, resolution=0.06)
        return SimpleNamespace(label=label, quantity=quantity, comparison=comparison)

    analysis = SimpleNamespace(compared=(row("near", 0.5), row("far", 0.45), row("other", 0.1, "something else")))
    (found,) = of_amplification(analysis)
    assert (found.comparison.measured, found.among, finding(found)) == (0.45, 2, Finding.CONTRADICTED)
    (found,) = of_random_networks(analysis)
    assert (found.comparison.measured, found.among) == (0.1, 3)
    assert list(of_amplification(SimpleNamespace(compared=(row("near", 0.5),)))) == []


def test_families_that_are_not_asymptotic_do_not_count():
    """A family counts if Λ* with its fewest points, which come first, does not differ from its own prediction."""
    from bridge.compression.evidence import of_amplification

    def row(label, quantity, predicted, measured):
        comparison = compare(predicted, measured, error=0.01, resolution=0.06)
        return SimpleNamespace(label=label, quantity=quantity, comparison=comparison)

    ratio = "Λ* over its prediction"
    exponents = [row(f"stripe, d = {d}", "exponent of Λ*", 0.5, value) for d, value in ((1, 0.9), (5, 0.52), (10, 0.7))]
    ratios = [
        row("stripe d=10 p=5", ratio, 1, 0.8),
        row("stripe d=10 p=9", ratio, 1, 1.0),
        row("stripe d=5 p=5", ratio, 1, 1),
    ]
    (found,) = of_amplification(SimpleNamespace(compared=(*exponents[1:], exponents[1], *ratios)))
    assert (found.comparison.measured, found.among) == (0.52, 2)
    (found,) = of_amplification(SimpleNamespace(compared=(*exponents, *ratios)))  # the first has no prediction
    assert (found.comparison.measured, found.among) == (0.9, 2)


def row(measured, *, error=0.01, resolution=0.06):
    comparison = compare(0.5, measured, error=error, resolution=resolution)
    return SimpleNamespace(label="a network", quantity="a number", comparison=comparison)


def test_a_statement_about_many_has_the_joint_limit():
    """Of eight correct numbers, one is beyond two standard errors in a third of the cases."""
    rng = np.random.default_rng(8)
    verdicts = [
        finding(of_all("paper", "(1)", [row(0.5 + error) for error in rng.normal(scale=0.01, size=8)]))
        for _ in range(500)
    ]
    assert verdicts.count(Finding.CONTRADICTED) / len(verdicts) == pytest.approx(0.0455, abs=0.028)


def test_the_least_certain_number_decides_where_none_contradicts():
    assert finding(of_all("paper", "(1)", [row(0.51), row(0.51, error=0.1)])) is Finding.UNRESOLVED
    assert finding(of_all("paper", "(1)", [row(0.51), row(0.5, error=0.001)])) is Finding.SUPPORTED
    assert finding(of_all("paper", "(1)", [row(0.4), row(0.5, error=0.1)])) is Finding.CONTRADICTED


@pytest.mark.parametrize(("relation", "sign"), [("<", 1), (">", -1)])
def test_a_bound_on_many_is_broken_by_the_worst(relation, sign):
    good, bad = row(0.5 - 0.1 * sign), row(0.5 + 0.1 * sign)
    assert finding(of_all("paper", "(1)", [good, good], relation)) is Finding.SUPPORTED
    assert finding(of_all("paper", "(1)", [good, bad], relation)) is Finding.CONTRADICTED


def test_no_record_in_the_repository_is_stale():
    """Whoever changes a study measures again: `closedform run STUDY --out DIR; closedform evidence DIR`."""
    measured = [entry for entry in theory.equations() if entry.measurement is not None]
    assert measured
    stale = [" ".join(entry.key) for entry in measured if evidence.is_stale(dataclasses.asdict(entry.measurement))]
    assert stale == []


def test_whether_a_record_is_stale_is_asked_without_torch():
    """`closedform errata` asks for all of them, and shows its verdicts at once."""
    code = "import sys, bridge.evidence; print([m for m in ('numpy', 'torch', 'xarray') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
