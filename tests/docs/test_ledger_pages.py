"""The pages on a ledger and its errata show what was computed, with the witness, and link to what inherits a fault."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import sympy as sp

import theory
from theory.core import Equation, Ruling, Witness, equal, identity
from theory.ledger_records import recorded_errata

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"
LETTERS = {"x": r"\xi"}
x = sp.Symbol("x", positive=True)
a = sp.Function("a", positive=True)(x)


def entry(label, verdict=Ruling.CONFIRMED, right=x**2, **fields):
    fields = {
        "printed": equal(a, right),
        "prove": identity({a: (x + 1) ** 2 - 2 * x - 1}, "definition"),
        **fields,
    }
    fields = {"where": "Section 2.1", "letters": LETTERS, **fields}
    return Equation(
        "paccolat2021", label, "Area of a square.", verdict, "By definition.", **fields
    )


ENTRIES = (
    entry("(1)"),
    entry(
        "(2)",
        Ruling.MISPRINT,
        x**3,
        corrected=equal(a, x**2),
        witness=Witness({"x": 2, "side_length": "two", "alpha": 1}, lambda: 4.0),
        consequence="Areas come out too large.",
        heirs=("(1)",),
    ),
    entry("(3)", right=x**3),  # declared CONFIRMED
)


@pytest.fixture
def pages(monkeypatch, planted, tmp_path):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    planted(*ENTRIES)
    ledgers = {"paccolat2021": theory.check_ledger()}
    errata = {"paccolat2021": [entry for entry in theory.check_ledger() if entry.is_erratum]}
    of_errata = importlib.import_module("errata_pages").pages(tmp_path, errata, ledgers)
    return importlib.import_module("ledger_pages").pages(ledgers) | of_errata


def test_a_page_of_errata(pages, tmp_path):
    lines = pages["errata/paccolat2021"]
    text = "\n".join(lines)
    assert "Of 3 statements in" in text
    assert "1 are confirmed as printed, in general; 1 are listed here" in text
    assert "   * - :ref:`(2) <erratum-paccolat2021-2>`" in lines
    assert lines[lines.index(".. _erratum-paccolat2021-2:") + 2] == "(2)"
    for formula in (r"   a{\left(\xi \right)} = \xi^{3}", r"   a{\left(\xi \right)} = \xi^{2}"):
        assert formula in lines
    point = r":math:`\xi` = 2, side length = two, :math:`\alpha` = 1"
    assert f"*Witness:* at {point}: printed 8, corrected and independent 4." in lines
    assert "*What follows.* Areas come out too large." in lines
    assert "*Inherited by* :ref:`(1) <entry-paccolat2021-1>`." in lines
    assert "closedform check --ledger paccolat2021 LABEL --fresh" in text
    assert [
        each["label"]
        for each in json.loads(
            (tmp_path / "errata" / "paccolat2021.json").read_text(encoding="utf-8")
        )
    ] == ["(2)"]
    assert "paccolat2021" in (tmp_path / "errata" / "paccolat2021.bib").read_text(encoding="utf-8")


def test_a_verdict_that_is_not_reached_is_not_shown(pages):
    text = "\n".join(pages["equations/paccolat2021"])
    assert "(3): OPEN" in text
    assert "(3): CONFIRMED" not in text
    assert "**The ledger declares CONFIRMED; its programs do not reach that.**" in text
    assert "(2): MISPRINT" in text


def test_a_build_without_the_ledgers_has_recorded_errata_and_no_link_to_a_ledger(
    monkeypatch, tmp_path
):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    errata = {"zavatoneveth2023": [e for e in recorded_errata("zavatoneveth2023") if e.is_erratum]}
    made = importlib.import_module("errata_pages").pages(tmp_path, errata, {})
    lines = made["errata/zavatoneveth2023"]
    # below the heading and the title, so that they stand on the first screen
    assert [line[:10] for line in lines[5:8]] == ["#. Eq. (7)", "#. Eq. (E.", "#. A layer"]
    text = "\n".join(lines)
    assert ":ref:`(A.18) <erratum-zavatoneveth2023-a-18>`" in text
    assert "recorded with the paper" in text
    assert r"R = - \frac{3" in text
    assert ":ref:`(7) <erratum-zavatoneveth2023-7>`" in text  # an heir
    targets = set(re.findall(r"<((?:entry|erratum)-[^>]+)>", text))
    assert targets <= set(re.findall(r"\.\. _([^:]+):", text))
    assert "generated/equations/" not in text


def test_the_overviews_count_what_was_computed(pages):
    lines = pages["equations"]
    row = lines.index("   * - open")
    assert lines[row + 1] == "     - 1"
    assert "   errata/paccolat2021" in pages["errata"]
    assert "   * - confirmed" not in pages["errata"]


def test_many_entries_are_on_pages_of_whole_sections(pages, monkeypatch):
    ledger_pages = importlib.import_module("ledger_pages")
    entries = [
        SimpleNamespace(label=f"({i})", where=f"Section {section}", verdict="NOTE", edition="v1")
        for i, section in enumerate(("I", "II.A", "II.B", "III", "A.1", "A.2"))
    ]
    monkeypatch.setattr(ledger_pages, "LARGEST", 3)
    monkeypatch.setattr(ledger_pages, "body", lambda entry, anchors: [f"see {anchors['(0)']}"])
    monkeypatch.setattr(ledger_pages, "steps", lambda entry: [])
    assert ledger_pages.by_sections(entries) == [entries[:3], entries[3:]]
    made = ledger_pages.equation_pages("paccolat2021", entries)
    assert list(made) == [
        "equations/paccolat2021",
        "equations/paccolat2021/0",
        "equations/paccolat2021/3",
    ]
    assert "   paccolat2021/3" in made["equations/paccolat2021"]
    assert made["equations/paccolat2021/0"][0] == "Sections I to II"
    assert ".. _entry-paccolat2021-4:" in made["equations/paccolat2021/3"]
    assert "see entry-paccolat2021-0" in made["equations/paccolat2021/3"]
    monkeypatch.setattr(ledger_pages, "LARGEST", 6)
    (page,) = ledger_pages.equation_pages("paccolat2021", entries).values()
    assert sum(line.startswith(".. _entry-") for line in page) == 6


@pytest.mark.parametrize(
    "paper",
    [
        pytest.param(p, marks=[pytest.mark.slow] * (p == "zavatoneveth2023"))
        for p in theory.ledgers()
    ],
)
def test_every_entry_has_a_link_of_its_own(monkeypatch, paper):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    anchor = importlib.import_module("rst").anchor
    links = [anchor("entry", paper, entry.label) for entry in theory.equations(paper)]
    assert len(set(links)) == len(links)
