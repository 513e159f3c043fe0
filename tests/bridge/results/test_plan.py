"""Tests that every row and measured entry has a whole plan, and of what a plan that changes does to its verdict."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

import theory
from bridge.cli import main
from bridge.results import evidence, figure_table, judging, plan, record, recording
from bridge.results.analyses import FIGURES
from bridge.results.folder import StudyRuns
from bridge.results.printed_figure import PrintedFigure
from bridge.results.quantity import Quantity, in_units
from bridge.results.record import Planned, Record
from bridge.results.runs import TOGETHER, in_words
from closedform.decisive import HOLDS
from closedform.measured import Measured

TEXTS = Path(__file__).resolve().parents[4] / "shared" / "papers"
FILES = {"paccolat2021": "000_*.txt", "cheong2025": "001_*.txt", "zavatoneveth2023": "002_*.txt",
         "jacot2024": "003_*.txt", "vanrossem2024": "004_*.clean.txt"}  # fmt: skip
STUDY = "compression-time"
ROW = PrintedFigure(
    "5", "", STUDY, "It scales.", "c.exponent", "stripe", 0.5, resolution=0.05, origin="its own"
)
NUMBER = Measured("c.exponent", "stripe", 0.49, 0.01, 40)


@pytest.mark.parametrize("paper", FIGURES)
def test_every_row_has_a_whole_plan(paper):
    for figure in (figure for figure in FIGURES[paper] if figure.quantity):
        assert figure.sentence, figure.label
        assert figure.study, figure.label
        assert figure.holds in HOLDS
        has_resolution = (
            figure.resolution is not None if figure.relation == "=" else bool(figure.value)
        )
        numbers = (
            {f"{figure.value:g}", f"{100 * figure.value:g}%"}
            if figure.value is not None
            else set()
        )
        is_printed = any(number in figure.sentence for number in numbers)
        assert figure.origin or is_printed or not has_resolution, (
            f"{figure.label}: where does its number come from?"
        )
        shown = plan.described(paper, figure)
        optional = {"counter", "within", "unsaid", "entry", "revised", "settings", "as theirs"}
        assert [name for name, value in shown.items() if not value and name not in optional] == []


@pytest.mark.parametrize("paper", FIGURES)
def test_every_sentence_is_of_the_paper(paper):
    if not (found := list(TEXTS.glob(FILES[paper]))):
        pytest.skip("the text is not at hand")
    text = " ".join(found[0].read_text(encoding="utf-8").split())
    for figure in FIGURES[paper]:
        for sentence in (figure.sentence, figure.counter):
            pattern = ".*?".join(
                re.escape(" ".join(piece.split())) for piece in sentence.split("...")
            )
            assert re.search(pattern, text), f"{figure.label}: {sentence}"


def test_every_measured_entry_has_a_plan():
    measured = [entry for entry in theory.equations() if entry.measurement is not None]
    figures = evidence.figures_by_entry()
    assert measured
    for entry in measured:
        assert entry.measurement.plan
        assert entry.measurement.kind in plan.KINDS
        assert plan.named(entry.label)
        is_superseded = evidence.is_superseded(entry.key, entry.measurement.as_json())
        assert is_superseded == (entry.measurement.plan != evidence.plan_of(figures[entry.key]))


def test_no_number_has_two_verdicts(recorded_rows):
    verdicts = defaultdict(set)
    for row in recorded_rows:
        for one in row["measured"]:
            if one["verdict"]:
                where = (row["paper"], row["command"], one["quantity"], one["label"])
                verdicts[where].add(one["verdict"])
    assert {where: found for where, found in verdicts.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    "changed",
    [{"sentence": "It grows."}, {"value": 0.6}, {"relation": ">"}, {"resolution": 0.06}, {"origin": "the paper"},
     {"configurations": "cylinder"}, {"holds": "most"}, {"quantity": "c.slope"}],
)  # fmt: skip
def test_the_hash_is_of_the_comparison(changed):
    assert plan.digest(replace(ROW, **changed)) != plan.digest(ROW)


def test_the_hash_is_not_of_comments(monkeypatch):
    assert plan.digest(
        replace(ROW, shows="a line", reason="small", cause="slow", revised="why")
    ) == plan.digest(ROW)
    before = plan.digest(ROW)
    monkeypatch.setattr(plan, "version", lambda name: 2)
    assert plan.digest(ROW) != before


@pytest.fixture
def rows(monkeypatch):
    """Return a function of records on the first and on fresh seeds, that returns the row."""

    def of(first: Record | None, fresh: Record | None = None, figure: PrintedFigure = ROW):
        def load(name, fresh_ones=fresh, *, fresh=False):
            found = fresh_ones if fresh else first
            return {found.scale: found} if name == STUDY and found else {}

        monkeypatch.setattr(record, "load", load)
        return figure_table.row("paccolat2021", figure)

    return of


def recorded(
    verdict="agrees", digest=None, *, value=0.49, scale="laptop", kind=plan.EXPLORATORY, **changed
):
    plans = {"5": Planned(digest or plan.digest(ROW), kind, verdict)}
    measured = (replace(NUMBER, value=value),)
    return Record(STUDY, scale, changed, {}, (), {}, "cpu", 1.0, measured, (), (), {}, plans=plans)


def test_a_plan_that_changes_supersedes_its_verdict(rows):
    assert rows(recorded())["verdict"] == "agrees"
    row = rows(recorded(digest="another"), figure=replace(ROW, revised="it was another number"))
    before = "agrees (by another plan)"
    assert (row["verdict"], row["before"], row["reason"]) == (
        "superseded",
        before,
        "it was another number",
    )


@pytest.mark.parametrize(("value", "what"), [(0.49, "kept"), (0.9, "reversed")])
def test_fresh_seeds_confirm_it(rows, value, what):
    fresh = recorded(value=value, kind=plan.CONFIRMATORY, first_seed=1000)
    for first, before in (
        (recorded(), "agrees"),
        (recorded("disagrees", "another"), "disagrees (by another plan)"),
    ):
        row = rows(first, fresh)
        assert (row["replicated"], row["kind"], row["before"]) == (what, plan.CONFIRMATORY, before)


@pytest.mark.parametrize(
    ("kind", "digest", "changed", "n"),
    [
        (plan.PLANNED, None, {}, 80),
        (plan.PLANNED, None, {"seeds": 6}, 80),
        (plan.PLANNED, None, {"width": 9}, 40),  # of other networks
        (plan.PLANNED, "another", {}, 40),
        (
            plan.EXPLORATORY,
            None,
            {},
            40,
        ),  # its numbers may have been seen before the plan was written
    ],
)
def test_planned_runs_join_those_on_fresh_seeds_while_plan_and_networks_are_the_same(
    rows, kind, digest, changed, n
):
    fresh = recorded(value=0.53, kind=plan.CONFIRMATORY, first_seed=1000)
    row = rows(recorded(digest=digest, kind=kind, **changed), fresh)
    assert row["deciding"]["n"] == n
    assert row["deciding"]["value"] == pytest.approx(0.51 if n == 80 else 0.53)


def test_every_run_of_a_row_is_listed_and_both_together(rows):
    fresh = recorded(value=0.9, kind=plan.CONFIRMATORY, first_seed=1000)
    own, second, both = rows(recorded(), fresh)["runs"]
    assert (own["first_seed"], own["verdict"], own["kind"]) == (0, "agrees", plan.EXPLORATORY)
    assert (second["first_seed"], second["verdict"]) == (1000, "disagrees")
    assert (both["first_seed"], both["n"], both["scale"]) == (TOGETHER, 80, "laptop")
    assert in_words([own, second]).startswith(
        "laptop, seeds from 0: 0.49 ± 0.01, agrees; laptop, se"
    )
    alone = rows(recorded(digest="another"), fresh)["runs"]
    assert [run["first_seed"] for run in alone] == [0, 1000]  # of two plans, which do not join


def test_fresh_seeds_at_a_larger_size_decide_unless_runs_are_missing(rows):
    fresh = recorded(value=0.9, scale="paper", kind=plan.CONFIRMATORY, first_seed=1000)
    row = rows(recorded(), fresh)
    assert (row["scale"], row["verdict"], row["replicated"]) == ("paper", "disagrees", "reversed")
    named = replace(ROW, configurations=(NUMBER.label, "another"))
    row = rows(recorded(digest=plan.digest(named)), replace(fresh, missing=("another",)), named)
    assert (row["scale"], row["verdict"], row["replicated"]) == ("laptop", "agrees", "")


@pytest.mark.parametrize(("unsaid", "scale"), [("", "laptop"), ("another quantity", "paper")])
def test_fresh_seeds_at_a_smaller_size_decide_a_superseded_row_that_has_a_verdict(
    rows, unsaid, scale
):
    fresh = recorded(kind=plan.CONFIRMATORY, first_seed=1000)
    row = rows(recorded(digest="another", scale="paper"), fresh, replace(ROW, unsaid=unsaid))
    assert row["scale"] == scale


def test_a_row_has_no_verdict_while_some_of_its_networks_were_not_run(rows):
    both = replace(ROW, configurations=(NUMBER.label, "another"))
    run = replace(recorded(digest=plan.digest(both)), missing=("another",))
    assert rows(run, figure=both)["verdict"] == judging.PARTIAL
    assert rows(replace(run, missing=()), figure=both)["verdict"] == "agrees"


def test_a_run_on_fresh_seeds_alone_counts(rows):
    row = rows(None, recorded(kind=plan.CONFIRMATORY, first_seed=1000))
    assert (row["verdict"], row["kind"], row["before"], row["replicated"]) == (
        "agrees",
        plan.CONFIRMATORY,
        "",
        "",
    )


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [("agrees", "differs by less than matters", "kept"), ("agrees", "too blunt to say", "lost"),
     ("disagrees", "agrees", "reversed"), ("too blunt to say", "agrees", "decided"),
     ("disagrees", "smaller than the paper's", "lost"), ("smaller than the paper's", "disagrees", "decided"),
     ("smaller than the paper's", "smaller than the paper's", "kept"), ("drawn, no number to compare", "agrees", "")],
)  # fmt: skip
def test_a_replication_keeps_loses_or_reverses(first, second, what):
    assert figure_table.replicated(first, second) == what


def test_a_run_confirms_what_was_planned_before_it_on_fresh_seeds():
    planned = {"5": plan.digest(ROW)}
    assert plan.kind(planned, ROW, 1000) == plan.CONFIRMATORY
    assert plan.kind(planned, ROW, 999) == plan.PLANNED
    assert plan.kind({}, ROW, 999) == plan.kind({}, ROW, 1000) == plan.EXPLORATORY
    assert plan.kind(planned, replace(ROW, value=0.6), 1000) == plan.EXPLORATORY


def test_a_record_keeps_the_plans_of_its_run(monkeypatch):
    monkeypatch.setattr(recording, "figures_of", lambda study: (ROW,))
    runs = StudyRuns(STUDY, "", "laptop", {}, {"first_seed": 1000}, {"5": plan.digest(ROW)})
    kept = recording.planned(recorded(first_seed=1000), runs)
    assert kept == {"5": Planned(plan.digest(ROW), plan.CONFIRMATORY, "agrees")}


def test_a_deviation_that_grows_with_the_size_is_no_size_effect(rows, monkeypatch):
    small = replace(ROW, reason="fewer points", value=None)
    values = {"smoke": 0.40, "laptop": 0.30}
    numbers = {s: recorded(value=v, scale=s) for s, v in values.items()}
    for scale, one in numbers.items():
        numbers[scale] = replace(
            one, measured=(one.measured[0].against(0.5, resolution=0.05),), plans={}
        )
    monkeypatch.setattr(
        record, "load", lambda name, fresh=False: {} if fresh or name != STUDY else numbers
    )
    assert figure_table.row("paccolat2021", small)["verdict"] == "disagrees"
    numbers["smoke"] = replace(numbers["smoke"], measured=(NUMBER.against(0.5, resolution=0.05),))
    numbers["smoke"], numbers["laptop"] = numbers["laptop"], numbers["smoke"]
    swapped = {
        "smoke": replace(numbers["smoke"], scale="smoke"),
        "laptop": replace(numbers["laptop"], scale="laptop"),
    }
    swapped["laptop"] = replace(
        swapped["laptop"], measured=(replace(NUMBER, value=0.4, predicted=0.5),)
    )
    monkeypatch.setattr(
        record, "load", lambda name, fresh=False: {} if fresh or name != STUDY else swapped
    )
    row = figure_table.row("paccolat2021", small)
    assert row["verdict"] == "smaller than the paper's"
    assert row["trend"] == "smoke 0.3 ± 0.01, laptop 0.4 ± 0.01; the paper has 0.5"


def test_a_record_says_which_statistics_it_lacks(monkeypatch):
    figures = (ROW, replace(ROW, quantity="c.slope"))
    assert figure_table.lacking(recorded(), figures) == ["c.slope"]
    monkeypatch.setattr(figure_table, "version", lambda name: 2)
    assert figure_table.lacking(recorded(), figures) == ["c.exponent", "c.slope"]
    assert figure_table.lacking(replace(recorded(), statistics={"c.exponent": 2}), figures) == [
        "c.slope"
    ]


def test_logarithms_are_shown_as_what_the_paper_states():
    loss = Measured(
        Quantity("c.loss", "logarithm of the loss", base=10.0), "x", 2.0, 0.30103, 3, 1.0, ">"
    )
    assert in_units(loss) == "100 ×/÷ 2"
    assert in_units(loss, predicted=True) == "> 10"
    assert in_units(NUMBER) == "0.49 ± 0.01"


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [("=", 0.6, "0.6"), ("<", 0.0, "0"), ("=", None, "what the theory predicts"), ("<", None, plan.OF_CODE)],
)  # fmt: skip
def test_a_plan_says_whose_the_number_is_with_which_it_compares(relation, value, text):
    assert plan.expected(replace(ROW, relation=relation, value=value)) == text


def test_the_command_prints_plans(capsys):
    assert main(["plan", "5 (mean)"]) == 0
    out = capsys.readouterr().out
    assert "we can extrapolate to predictions" in " ".join(out.split())
    assert plan.of_study("two-point-final-distances")["5 (mean)"] in out
    assert main(["plan", "no such figure"]) == 2
    assert "no paper, figure or entry 'no such figure'" in capsys.readouterr().err
