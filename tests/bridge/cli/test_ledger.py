"""The ledger on the command line: computed verdicts, an exit code that tells, errata that other programs can read."""

from __future__ import annotations

import dataclasses
import json
import re
import sys

import click
import pytest
import sympy as sp

from bridge.cli import ledger as command
from bridge.cli import main
from bridge.cli.ledger import shortened
from theory import ledgers
from theory.core import Check, Claim, Equation, Ruling, Witness, Word, equal, identity
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.ledger.recheck import recheck
from theory.core.ledger.source import Search
from theory.ledger_records import recorded_errata

LETTERS = {"x": r"\xi"}
x = sp.Symbol("x", positive=True)
a = sp.Function("a", positive=True)(x)
PROOF = identity({a: (x + 1) ** 2 - 2 * x - 1}, "definition")


def entry(label, verdict=Ruling.CONFIRMED, right=x**2, statement="A square.", **fields):
    fields = {"printed": equal(a, right), "prove": PROOF, **fields}
    fields = {"where": "Section 1", "letters": LETTERS, **fields}
    return Equation("paccolat2021", label, statement, verdict, "By definition.", **fields)


MISPRINT = entry(
    "(2)",
    Ruling.MISPRINT,
    x**3,
    corrected=equal(a, x**2),
    witness=Witness({"x": 2}, lambda: 4.0),
    consequence="Areas with 50 % of the side come out too large.",
    heirs=("(1)",),
)
CONDITIONAL = entry(
    "(3)",
    Ruling.CONDITIONAL,
    statement="",
    printed=Claim("A root is {size} than its square.", {"size": Word("smaller", ("larger",))}),
    condition=Claim("x is {size} than 1", {"size": Word("larger", ("smaller",))}),
    looked_for=Search(("2.1", "B"), ("For all x.",)),
    prove=lambda claim: (Check("at a point", lambda: type(claim).__name__ == "Conditional"),),
    witness=Witness({"x": 0.25}, lambda x: x**0.5, value=lambda claim, x: x**2),
    consequence="Below one it is the other way round.",
)
DECLARED_WRONGLY = entry("(4)", right=x**3)


def lines(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def test_a_ledger_that_agrees(planted, capsys):
    planted(entry("(1)"), MISPRINT, CONDITIONAL)
    assert main(["check", "--ledger", "--no-cache"]) == 0
    out = lines(capsys.readouterr().out)
    assert out[:2] == ["paccolat", "2021"]
    assert {"CONFIRMED 1", "MISPRINT 1", "CONDITIONAL 1", "entries 3", "differ 0"} <= set(out)
    assert out[-1].startswith("3 of 3 computed verdicts are the declared ones")


def test_a_wrong_declared_verdict_is_named_with_its_failing_step(planted, capsys):
    planted(entry("(1)"), MISPRINT, DECLARED_WRONGLY)
    assert main(["check", "--ledger"]) == 1
    out = capsys.readouterr().out
    assert "paccolat2021 (4): computed OPEN, declared CONFIRMED" in out
    assert re.search(r"FAILS\s+printed: ", out)
    assert "differ 1" in lines(out)
    assert "paccolat2021 (2):" not in out


def test_a_witness_on_the_side_of_the_print_is_named(planted, capsys):
    planted(dataclasses.replace(MISPRINT, witness=Witness({"x": 2}, lambda: 8.0)))
    assert main(["check", "--ledger"]) == 1
    assert (
        "at the witness: at ξ = 2: printed and independent 8, corrected 4"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize("words", [["(2)"], ["paccolat2021", "(2)"], ["(2)", "paccolat2021"]])
def test_one_entry_is_shown(planted, capsys, words):
    planted(entry("(1)"), MISPRINT)
    assert main(["check", "--ledger", *words]) == 0
    out = capsys.readouterr().out
    assert "1 of 1 computed" in out
    assert "a(ξ) = ξ^3" in out


def test_the_errata_are_the_computed_ones(planted, capsys):
    no_misprint = dataclasses.replace(
        MISPRINT, label="(5)", printed=equal(a, x**2), corrected=equal(a, x**3)
    )
    planted(entry("(1)"), MISPRINT, CONDITIONAL, DECLARED_WRONGLY, no_misprint)
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert out[0] == "paccolat2021"
    assert "(2) MISPRINT, Section 1" in out
    assert "(3) CONDITIONAL, Section 1" in out
    # declared a misprint, but right as printed
    assert not any(line.startswith("(5)") for line in out)
    assert "printed a(ξ) = ξ^3" in out
    assert "corrected a(ξ) = ξ^2" in out
    assert "witness at ξ = 2: printed 8, true 4" in out
    assert "witness at ξ = 0.25: printed 0.0625, true 0.5" in out
    assert "if x is larger than 1 (not said in 2.1, B)" in out
    assert "heirs (1)" in out
    assert out[-3].startswith("2 printed statements")
    assert "errata --fresh decides again" in out[-1]


def test_errata_begin_with_findings_and_are_sorted_by_what_they_change(planted, capsys):
    harmless = dataclasses.replace(MISPRINT, label="(3)", heirs=(), effect="none")
    result = dataclasses.replace(MISPRINT, label="(4)", heirs=(), effect="result")
    main_one = dataclasses.replace(
        result, label="(5)", effect="number", finding="Areas are wrong.", priority=1
    )
    remark = entry("(6)", Ruling.REMARK, consequence="The root is another matter.")
    planted(remark, harmless, result, main_one)
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert out[1] == "1. Areas are wrong. [(5)]"
    heads = [line for line in out if line.startswith(("The main", "What", "Without", "True", "("))]
    assert heads == [
        "The main findings (1)", "(5) MISPRINT, Section 1",
        "What changes a result (1)", "(4) MISPRINT, Section 1",
        "Without consequences (1)", "(3) MISPRINT, Section 1",
        "True, and easily misread (1)", "(6) REMARK, Section 1",
    ]  # fmt: skip
    assert "follows The root is another matter." in out


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("paper", ledgers())
def test_the_main_findings_are_on_the_first_screen(monkeypatch, capsys, paper, columns):
    """Of a terminal with 24 lines, whole and in their order."""
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["errata", paper]) == 0
    first_screen = capsys.readouterr().out.splitlines()[:24]
    assert max(map(len, first_screen)) <= columns
    words = " ".join(" ".join(first_screen).split())
    ranked = sorted((e for e in recorded_errata(paper) if e.finding), key=lambda e: e.priority)
    numbered = [f"{number}. {e.finding} [{e.label}]" for number, e in enumerate(ranked, 1)]
    assert len(numbered) == 3
    assert " ".join(numbered) in words


@pytest.mark.parametrize(
    ("is_terminal", "lines", "paged"), [(True, 24, 1), (True, 10_000, 0), (False, 24, 0)]
)
def test_errata_that_are_longer_than_the_terminal_are_read_from_their_beginning(
    monkeypatch, capsys, is_terminal, lines, paged
):
    pages = []
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setattr(click, "echo_via_pager", pages.append)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    assert main(["errata", "zavatoneveth2021"]) == 0
    assert len(pages) == paged
    text = "".join([*pages, capsys.readouterr().out])
    assert text.startswith("zavatoneveth2021, ")
    assert text.endswith("decides again.\n")


SENTENCE = dataclasses.replace(
    MISPRINT,
    label="(7)",
    printed=Claim(
        "So {a} is {size} than its square ... as before.",
        {"a": x, "size": Word("smaller", ("larger",))},
    ),
    corrected=Claim(
        "So {a} is {size} than its square ... as before.",
        {"a": x, "size": Word("larger", ("smaller",))},
    ),
    prove=lambda claim: (Check("at a point", lambda: claim["size"] == "larger"),),
    witness=Witness(
        {"x": 2}, lambda x: x / 2, value=lambda claim: float(claim["size"] == "larger")
    ),
    consequence="None: a slip.",
    heirs=(),
)


def test_a_changed_word_is_marked_in_its_sentence(planted, capsys):
    planted(SENTENCE)
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert out[1] == "(7) MISPRINT, Section 1, without consequences"
    assert out[2] == "printed So ξ is [smaller → larger] than its square ... as before."
    assert not any(line.startswith(("corrected", "follows")) for line in out)


def test_of_several_formulas_the_wrong_ones_are_shown(planted, capsys):
    both = [sp.Tuple(equal(a, power), equal(a, x**2)) for power in (x**3, x**2)]
    planted(dataclasses.replace(MISPRINT, printed=both[0], corrected=both[1]))
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert {"printed a(ξ) = ξ^3", "corrected a(ξ) = ξ^2"} <= set(out)


def test_two_roots_with_the_same_heirs_say_so(planted, capsys):
    planted(entry("(1)"), MISPRINT, dataclasses.replace(MISPRINT, label="(8)"))
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert out.count("heirs (1)") == 1
    assert {"heirs as (2)", "follows as (2)"} <= set(out)


@pytest.mark.parametrize(
    ("labels", "short"),
    [("(1); (2), line 3; (4)", "(1); (2), line 3; and 1 more"), ("(1); (2)", "(1); (2)")],
)
def test_long_lists_of_heirs_end_with_a_whole_label(labels, short):
    assert shortened(labels, 14) == short


def test_what_follows_is_shown_whole_for_every_erratum_of_every_paper(capsys):
    """A sentence does not end at "Eq.", and the last one often says what is not affected."""
    with_consequences = [entry for entry in recorded_errata() if entry.consequence]
    assert {entry.paper for entry in with_consequences} == set(ledgers())
    for entry in with_consequences:
        is_harmless = entry.consequence.startswith("None") and entry.consequence.count(".") == 1
        blank = CheckedEntry(entry.paper, entry.label, "", "", "", "MISPRINT", "MISPRINT")
        command.show_errata([dataclasses.replace(blank, consequence=entry.consequence)])
        shown = " ".join(capsys.readouterr().out.split())
        assert (" ".join(entry.consequence.split()) in shown) != is_harmless, entry.label


def test_an_erratum_that_another_one_causes_is_named_with_it(planted, capsys):
    planted(MISPRINT, dataclasses.replace(MISPRINT, label="(6)", heirs=("(2)",)))
    assert main(["errata"]) == 0
    out = lines(capsys.readouterr().out)
    assert "(6) MISPRINT, Section 1" in out
    assert "heirs (2)" in out
    assert not any(line.startswith("(2)") for line in out)


def test_errata_as_json(planted, capsys):
    planted(
        entry("(1)"),
        dataclasses.replace(MISPRINT, closed_form="geometry.volume_element"),
        CONDITIONAL,
    )
    assert main(["errata", "paccolat2021", "--json"]) == 0
    misprint, conditional = json.loads(capsys.readouterr().out)
    assert misprint["printed"] == r"a{\left(\xi \right)} = \xi^{3}"
    assert misprint["corrected_text"] == "a(ξ) = ξ^2"
    assert misprint["witness"] == {
        "at": {"x": "2"}, "printed": 8.0, "corrected": 4.0, "independent": 4.0, "tolerance": 1e-8,
        "letters": {"x": r"\xi"},
    }  # fmt: skip
    assert misprint["heirs"] == ["(1)"]
    assert misprint["condition"] is None
    assert (misprint["closed_form"], conditional["closed_form"]) == (
        "geometry.volume_element",
        None,
    )
    assert conditional["condition_text"] == "x is larger than 1"
    assert conditional["corrected"] is None
    assert (misprint["looked_for"], conditional["looked_for"]) == (
        None,
        'Sections 2.1, B; "For all x."',
    )
    assert conditional["witness"]["corrected"] is None
    kinds = {"paper": str, "label": str, "where": str, "edition": str, "verdict": str, "statement": str, "printed": str,
             "consequence": str, "evidence": str, "heirs": list, "steps": list, "witness": dict}  # fmt: skip
    for each in (misprint, conditional):
        assert {name: type(each[name]) for name in kinds} == kinds
        assert set(each) == set(misprint)


def test_errata_as_bibtex(planted, capsys):
    planted(entry("(1)"), MISPRINT, CONDITIONAL)
    assert main(["errata", "--bibtex"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("@article{paccolat2021,\n  author = {Paccolat, Jonas and")
    assert "  title = {Compressing invariant manifolds in neural nets},\n" in out
    assert out.count("{") == out.count("}")
    assert r"Printed: $a{\left(\xi \right)} = \xi^{3}$." in out
    assert r"50 \% of the side" in out
    assert "Holds if: x is larger than 1." in out
    from theory.core.formula.provenance import _entries

    assert list(_entries(out, "the errata")) == ["paccolat2021"]


def test_bad_words_are_said(planted, capsys):
    planted(entry("(1)"))
    assert main(["check", "--ledger", "paccolat2012"]) == 2
    assert "did you mean paccolat2021?" in capsys.readouterr().err
    assert main(["check", "--ledger", "(77)"]) == 2
    assert "a paper is one of paccolat2021" in capsys.readouterr().err
    assert main(["check", "--ledger", "paccolat2021", "(2)"]) == 2
    assert "paccolat2021: no label '(2)'" in capsys.readouterr().err
    assert main(["cite", "two_point.dh2x"]) == 2
    assert "did you mean two_point.dh2 or " in capsys.readouterr().err
    assert main(["errata", "--json", "--bibtex"]) == 2
    assert "needs one of them" in capsys.readouterr().err


def test_the_table_of_all_papers_fits_a_terminal():
    import theory

    entries = [recheck(Equation("paccolat2021", "(1)", "A remark.", Ruling.NOTE, "None."))] * 1000
    five = [type(e)(**{**vars(e), "paper": paper}) for paper in theory.ledgers() for e in entries]
    table = command.table(five)
    assert max(map(len, table)) <= 80
    assert table[2].split() == ["NOTE", *["1000"] * len(theory.ledgers())]
