"""Tests that a sentence has one verdict, by rule from its rows, and that each row was read against its sentence."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import mpmath
import pytest

from bridge.results import evidence, figure_table, judging, sentences
from bridge.results.analyses import FIGURES
from bridge.results.printed_figure import OURS, PrintedFigure
from bridge.results.record import Record
from closedform.measured import Measured
from closedform.verdicts import (
    AGREES,
    BEYOND,
    BLUNT,
    DISAGREES,
    IN_PART,
    LESS,
    RESERVED,
    SET_UP,
    SMALLER,
)

READINGS = Path(__file__).resolve().parents[3] / "docs" / "results" / "readings.csv"
ROW = PrintedFigure(
    "5", "", "compression-time", "It scales.", "c.exponent", "stripe", 0.5, resolution=0.05
)
NUMBER = Measured("c.exponent", "stripe", 0.49, 0.01, 40)


def judged(figure: PrintedFigure, value: float) -> str:
    number = replace(NUMBER, value=value)
    record = Record("compression-time", "paper", {}, {}, (), {}, "cpu", 1.0, (number,), (), (), {})
    return judging.judged(figure, record)


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [((AGREES, AGREES), AGREES), ((AGREES, LESS), LESS), ((AGREES, BLUNT), BLUNT), ((AGREES, DISAGREES), IN_PART),
     ((DISAGREES, SET_UP), DISAGREES), ((AGREES, SET_UP), SET_UP), ((BEYOND, SMALLER, AGREES), BEYOND),
     ((RESERVED, AGREES), RESERVED), ((RESERVED, BLUNT), RESERVED), ((AGREES, judging.UNSAID), AGREES),
     ((judging.UNSAID, figure_table.SUPERSEDED), sentences.UNTESTED), ((), sentences.UNTESTED)],
)  # fmt: skip
def test_the_verdict_on_a_sentence_follows_from_its_rows(parts, verdict):
    assert sentences.joint(parts) == sentences.joint(reversed(parts)) == verdict


def test_every_sentence_of_the_papers_has_one_verdict(recorded_rows):
    listed = sentences.sentences(recorded_rows)
    assert len({(sentence.paper, sentence.text) for sentence in listed}) == len(listed)
    assert sum(len(sentence.parts) for sentence in listed) == sum(
        bool(row["plan"]) for row in recorded_rows
    )
    for sentence in listed:
        assert sentence.verdict == sentences.joint(sentence.parts.values())


@pytest.mark.parametrize(
    ("settings", "theirs", "verdict"),
    [(["batch"], AGREES, AGREES), (["batch"], BLUNT, BLUNT), (["batch"], judging.PARTIAL, SET_UP),
     ([], AGREES, SET_UP)],
)  # fmt: skip
def test_a_row_with_the_authors_settings_takes_the_place_of_ours(settings, theirs, verdict):
    row = {
        "paper": "p",
        "sentence": "It is so.",
        "plan": "a",
        "figure": "5 (high)",
        "verdict": SET_UP,
    }
    rows = [row | {"settings": settings},
            row | {"figure": "5 (high, released)", "verdict": theirs, "settings": []}]  # fmt: skip
    assert [sentence.verdict for sentence in sentences.sentences(rows)] == [verdict]


def test_what_a_sentence_does_not_say_has_no_verdict():
    assert judged(ROW, 0.49) == AGREES
    assert judged(ROW, 0.9) == DISAGREES
    beside = replace(ROW, unsaid="a theorem of others")
    assert judged(beside, 0.49) == judged(beside, 0.9) == judging.UNSAID


def test_a_reservation_covers_as_much_as_it_names():
    assert judged(replace(ROW, counter="Some do not."), 0.9) == RESERVED
    assert judged(replace(ROW, counter="By 0.3 at most.", within=0.3), 0.9) == DISAGREES
    assert judged(replace(ROW, counter="By 0.5 at most.", within=0.5), 0.9) == RESERVED
    assert judged(replace(ROW, counter="Some do not."), 0.49) == AGREES


def test_a_bound_of_ours_accuses_nobody():
    assert judged(replace(ROW, origin="ours: a twentieth"), 0.9) == BEYOND
    assert judged(replace(ROW, origin="the paper's own"), 0.9) == DISAGREES
    side = replace(ROW, value=None, relation="<", resolution=None)
    of_code = replace(NUMBER, predicted=0.1, relation="<")
    record = Record(ROW.study, "paper", {}, {}, (), {}, "cpu", 1.0, (of_code,), (), (), {})
    assert judging.judged(side, record) == BEYOND
    of_sign = replace(record, measured=(replace(of_code, predicted=0.0),))
    assert judging.judged(side, of_sign) == DISAGREES


def test_no_such_number_decides_an_entry_of_a_ledger():
    named = evidence.figures_by_entry()
    for figure in (figure for group in named.values() for figure in group):
        assert not figure.unsaid
    for measurement in evidence.measurements().values():
        assert (
            measurement.measured.verdict != DISAGREES or measurement.ruling.name == "CONTRADICTED"
        )


@pytest.mark.parametrize(
    ("figure", "number", "kind"),
    [(ROW, NUMBER.against(0.5), sentences.EQUALITY), (ROW, NUMBER.against(0.0, ">"), sentences.SIDE),
     (replace(ROW, value=0.3), NUMBER.against(0.3, ">"), sentences.PRINTED_BOUND), (ROW, None, ""),
     (replace(ROW, value=None), NUMBER.against(0.3, ">"), sentences.OWN_BOUND),
     (replace(ROW, origin="ours"), NUMBER.against(0.3, ">"), sentences.OWN_BOUND),
     (ROW, Measured("c.exponent", "stripe", 3.0).against(3.0), sentences.COUNTED)],
)  # fmt: skip
def test_kinds_of_tests(figure, number, kind):
    assert sentences.kind_of_test(figure, number) == kind


def test_every_row_was_read_and_objections_have_an_answer(recorded_rows):
    with READINGS.open(encoding="utf-8", newline="") as file:
        readings = {(one["paper"], one["figure"]): one for one in csv.DictReader(file)}
    read = {key: reading["decision"] for key, reading in readings.items()}
    listed = {(paper, figure.label): figure for paper in FIGURES for figure in FIGURES[paper]}
    for row in recorded_rows:
        figure = listed[row["paper"], row["figure"]]
        is_against = row["verdict"] in (DISAGREES, *judging.NO_FAULT)
        is_ours = figure.origin.startswith(OURS) or row["test"] == sentences.OWN_BOUND
        if is_against or is_ours or figure.unsaid:
            assert read.get((row["paper"], row["figure"])), row["figure"]
    for key, decision in read.items():
        assert (decision == "no verdict") == bool(listed[key].unsaid), key
    for key, figure in listed.items():
        if figure.quantity and figure.sentence:
            reading = readings[key]  # by somebody who saw neither a number nor a verdict
            objects = reading["states"] not in ("yes", "fair") or reading["side"] != "right"
            assert not objects or reading["why"], key


def test_false_discovery_rates_are_those_of_their_definition(recorded_rows):
    """Of m chances in order, the k-th is multiplied by m/k, and no q is larger than a later one."""
    rows = [row for row in recorded_rows if row["paper"] == "paccolat2021"]
    numbers = figure_table.equalities(rows)
    assert len(numbers) >= 20

    def chance(number):
        size = mpmath.mpf(abs(number["z"]))
        if number["n"] is None:
            return min(1.0, float(mpmath.erfc(size / mpmath.sqrt(2))) * number["among"])
        degrees = mpmath.mpf(number["n"] - 1)
        below = degrees / (degrees + size**2)
        tails = mpmath.betainc(degrees / 2, 0.5, 0, below, regularized=True)
        return min(1.0, float(tails) * number["among"])

    ordered = sorted(numbers, key=chance)
    q = 1.0
    for k, number in reversed(list(enumerate(ordered, 1))):
        q = min(q, chance(number) * len(ordered) / k)
        assert number["q"] == pytest.approx(q, rel=1e-6, abs=1e-30)
