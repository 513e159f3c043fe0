"""The numbers of a figure decide the entry of the ledger that it names, and the ledger has what the records say."""

from __future__ import annotations

from dataclasses import replace

import pytest

import theory
from bridge import printed, printed_evidence
from bridge.analyses import EVIDENCE
from bridge.recorded import Number, Recorded
from empirics import experiments
from empirics.experiments.printed_figure import PrintedFigure
from theory.core import Finding

STUDY, PAPER = "compression-amplification", "paccolat2021"
RECORDED = Recorded(
    study=STUDY, scale="laptop", changed={"seeds": 9}, configurations={}, missing=(), versions={"numpy": "2"},
    device="cpu", seconds=1.0, findings=(), doubts=(), pictures={},
    numbers=(
        Number("stripe", "exponent", 0.49, 0.01, 0.5, 40, 0.05, "agrees"),
        Number("cylinder", "exponent", 0.60, 0.01, 0.5, 40, 0.05, "disagrees"),
        Number("stripe", "lead", 0.2, 0.01, repetitions=9),
        Number("cylinder", "lead", 0.2, 0.0, repetitions=9),
    ),
)  # fmt: skip
LEAD = {"quantity": "lead", "value": 0.0, "relation": ">"}


class Figures(dict):
    """Figures by paper, as a registry has them."""

    def each(self, look):
        return ((paper, look(paper)) for paper in self)


def figure(label="5", configurations="stripe", *, quantity="exponent", study=STUDY, **fields):
    return PrintedFigure(
        label, "", quantity=quantity, configurations=configurations, study=study, entry="(1)", **fields
    )


@pytest.fixture
def decided(monkeypatch):
    """Return a function of figures and of changes of the recorded results that returns the one measurement."""

    def of(*figures, **changes):
        monkeypatch.setattr(printed, "load", lambda _: {"laptop": replace(RECORDED, **changes)})
        monkeypatch.setattr(experiments, "FIGURES", Figures({PAPER: figures}))
        return printed_evidence.of_figures().get((PAPER, "(1)"))

    return of


@pytest.mark.parametrize(
    ("configurations", "fields", "finding"),
    [
        ("stripe", {}, Finding.SUPPORTED),
        ("cylinder", {}, Finding.CONTRADICTED),
        ("", {}, Finding.CONTRADICTED),
        ("stripe", LEAD, Finding.SUPPORTED),
        ("stripe", LEAD | {"relation": "<"}, Finding.CONTRADICTED),
        ("stripe", LEAD | {"value": 0.19}, Finding.UNRESOLVED),
    ],
)
def test_the_numbers_of_a_figure_decide_its_entry(decided, configurations, fields, finding):
    measurement = decided(figure(configurations=configurations, **fields))
    assert measurement.finding is finding
    assert (measurement.study, measurement.scale, measurement.changed) == (STUDY, "laptop", {"seeds": 9})
    assert measurement.versions == {"numpy": "2"}


def test_figures_decide_an_entry_together(decided):
    assert decided(figure("5"), figure("7", "cylinder")).finding is Finding.CONTRADICTED


def test_what_cannot_decide_is_left_out(decided):
    assert decided(figure(configurations="cylinder", **LEAD)) is None
    assert decided(figure(configurations="", **LEAD)) is None
    assert decided(figure(), missing=("stripe d=10",)) is None
    assert decided(figure(), scale="smoke") is None
    assert decided(replace(figure(), entry="")) is None


def test_a_result_that_lacks_configurations_leaves_the_decision_to_a_smaller_one(decided, monkeypatch):
    measurement = decided(figure())
    larger = replace(RECORDED, scale="paper", missing=("cylinder",), numbers=RECORDED.numbers[1:])
    monkeypatch.setattr(printed, "load", lambda _: {"laptop": RECORDED, "paper": larger})
    assert printed_evidence.of_figures()[PAPER, "(1)"] == measurement
    monkeypatch.setattr(printed, "load", lambda _: {"laptop": RECORDED, "paper": replace(larger, missing=())})
    monkeypatch.setattr(experiments, "FIGURES", Figures({PAPER: [figure(configurations="cylinder")]}))
    assert printed_evidence.of_figures()[PAPER, "(1)"].scale == "paper"


def test_figures_of_one_entry_are_decided_at_a_scale_that_has_numbers_for_all(decided, monkeypatch):
    measurement = decided(figure("5"), figure("7", "cylinder"))
    larger = replace(RECORDED, scale="paper", numbers=RECORDED.numbers[:1])
    monkeypatch.setattr(printed, "load", lambda _: {"laptop": RECORDED, "paper": larger})
    assert printed_evidence.of_figures()[PAPER, "(1)"] == measurement
    monkeypatch.setattr(printed, "load", lambda _: {"paper": larger})
    assert not printed_evidence.of_figures()


def test_figures_that_do_not_belong_together_are_refused(decided):
    with pytest.raises(ValueError, match="'\\(1\\)': got figures with different studies or relations"):
        decided(figure(), figure("6", **LEAD))


def test_the_ledger_has_what_the_records_say():
    """Whoever records a study writes its evidence, too: `closedform record DIR; closedform evidence`."""
    entries = {entry.key: entry for entry in theory.equations()}
    decided = printed_evidence.of_figures()
    for key, measurement in decided.items():
        assert entries[key].measurement == measurement, key
    left = {key: e.measurement for key, e in entries.items() if e.measurement is not None and key not in decided}
    assert {measurement.study for measurement in left.values()} <= set(EVIDENCE), "an entry that no figure names"
