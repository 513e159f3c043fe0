"""Tests that every passage of a paper has entries in the ledger, and that every entry has a passage."""

import bisect
import dataclasses
import itertools
import re
from pathlib import Path

import pytest
import sympy as sp

import theory
from theory.core import Claim, Word
from theory.core.ledger.source import read
from theory.core.ledger.tex_comparison import compared
from theory.core.ledger.transcription import is_quoted, missing
from theory.core.ledger.typesetting import typeset
from theory.ledger_records import recorded_comparison

TEXTS = Path(__file__).resolve().parents[3] / "shared" / "papers"
# Key of the paper -> file of its text, first and last words of what is read. The others follow.
READ = {
    "paccolat2021": ("000_32a6d7938ce55f40.txt", "Abstract", None),
    "zavatoneveth2023": ("002_d11ca7476d657c20.txt", "Neural networks learn to magnify", None),
    "vanrossem2024": ("004_6205c7e10fbf4cce.clean.txt", "When Representations Align", None),
    "jacot2024": ("003_df815625fbdc377f.txt", "Abstract", "NeurIPS Paper Checklist"),
    "cheong2025": ("001_9f7b77a4f5d6d0a8.txt", "Abstract\n\nDeep", None),
}
# Of each paper the first words of what is left out, such as thanks and the list of references, and of what follows it.
LEFT_OUT = {
    "paccolat2021": (("Acknowledgments", "A Rotation invariance"),),
    "zavatoneveth2023": (),
    "vanrossem2024": (("Impact Statement", "Appendix A Details"),),
    "jacot2024": (("321 References", "408 A Proofs"),),
    "cheong2025": (
        ("Keywords: neural collapse", "1. The Question of Generalisation\n\nDeep"),
        ("Bibliography\n\n- Amjad", "A. Notation\n\nLetters"),
    ),
}
# Texts without signs around their formulas, whose displays are lines that end in a number.
WITHOUT_SIGNS = {"zavatoneveth2023"}
# Numbers of equations that the text has wrong: as they are read there, or the end of their line, and what they are.
MISREAD = {"zavatoneveth2023": {"(B.09)": "(B.69)", "(C.19)": "(C.14)", "d(wi - ) (B.7)": "(E.7)"}}
NUMBER = r"(?:[A-G]\.|\d\.)?\d+"
DISPLAY = re.compile(r"\$\$.*?\$\$|EQ\(\d+\):")
RELATION = re.compile(r"=|\\sim|<|>|\\to\b|\\rightarrow|\\propto|\\approx|\\simeq|\\in\b")
LONGEST = 1500  # characters of a passage that has entries: what is longer hides statements


@pytest.fixture(params=READ)
def paper(request):
    return request.param


def lines_of(paper):
    """The lines of the text, each with single spaces, without what is left out."""
    name, first, last = READ[paper]
    path = TEXTS / name
    if not path.is_file():
        pytest.skip(f"the text of {paper} is not at hand")
    text = path.read_text(encoding="utf-8")
    text = text[text.index(first) : text.index(last) if last else None]
    for begin, end in LEFT_OUT[paper]:
        text = text[: text.index(begin)] + text[text.index(end) :]
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def text_of(paper):
    """The text as one line."""
    return " ".join(lines_of(paper))


def numbered_lines(paper):
    """Where in the text a line ends in the number of an equation, and the number; in appendices it has a letter."""
    position, number = 0, r"\((?:[A-G]\.)?\d+\)$"
    for line in lines_of(paper):
        if found := re.search(number, line):
            number = r"\([A-G]\.\d+\)$" if "." in found.group() else number
            yield (
                position,
                next(
                    (n for end, n in MISREAD[paper].items() if line.endswith(end)), found.group()
                ),
            )
        position += len(line) + 1


def numbers_of(label):
    """The numbers that a label names: "(B.37) and (B.38)", "(A.3) to (A.12), Riemann tensor"."""
    found = re.match(r"\((?:([A-G]\.)?(\d+))\)(?: (?:to|and) \((?:[A-G]\.)?(\d+)\))?", label)
    if not found:
        return set()
    appendix, first, last = found.groups()
    return {f"({appendix or ''}{number})" for number in range(int(first), int(last or first) + 1)}


def stretches(paper):
    """Each passage with its text."""
    text, kept = text_of(paper), read(f"papers.{paper}.ledger").passages
    starts, position = [], 0
    for passage in kept:
        found = text.find(passage.begins, position)
        assert found >= 0, f"not in the text, or not in this order: {passage.begins!r}"
        starts.append(found)
        position = found + 1
    assert starts[0] == 0
    return [
        (passage, text[start:end])
        for passage, start, end in zip(kept, starts, [*starts[1:], len(text)], strict=True)
    ]


def test_every_entry_has_a_passage_and_every_passage_its_entries(paper):
    labels = {entry.label for entry in theory.equations(paper)}
    covered = {
        label for passage in read(f"papers.{paper}.ledger").passages for label in passage.entries
    }
    assert covered - labels == set(), "passages name entries that do not exist"
    assert labels - covered == set(), "entries belong to no passage"


def test_what_has_no_entry_makes_no_statement(paper):
    for passage, text in stretches(paper):
        if not passage.entries and paper in WITHOUT_SIGNS:
            assert not re.search(r"[=<>≤≥∼]", text), (passage.begins, text)
        elif not passage.entries:
            # Where a text marks no formulas, any of its words may be one.
            formulas = re.findall(r"\$[^$]+\$", text) if "$" in text_of(paper) else [text]
            assert not DISPLAY.search(text), f"a display without an entry after {passage.begins!r}"
            assert not any(RELATION.search(formula) for formula in formulas), (
                passage.begins,
                formulas,
            )


def test_numbered_lines_have_entries_of_their_number(paper):
    seen, parts = set(), stretches(paper)
    if paper in WITHOUT_SIGNS:
        ends = list(itertools.accumulate(len(text) for _, text in parts))
        for position, number in numbered_lines(paper):
            passage, _ = parts[bisect.bisect_right(ends, position)]
            assert any(number in numbers_of(label) for label in passage.entries), (
                number,
                passage.begins,
            )
    for passage, text in parts:
        for display in DISPLAY.findall(text):
            for number in re.findall(
                rf"\\tag\{{({NUMBER})\}}|\(({NUMBER})\)\s*\$\$|EQ\((\d+)\)", display
            ):
                name = f"({''.join(number)})"
                seen.add(name)
                assert any(label.startswith(name) for label in passage.entries), (
                    name,
                    passage.begins,
                )
    tags = {
        "".join(tag) for tag in re.findall(rf"\\tag\{{({NUMBER})\}}|EQ\((\d+)\):", text_of(paper))
    }
    assert {f"({tag})" for tag in tags} <= seen


def test_passages_are_short_enough_to_be_read_with_their_entries(paper):
    long = [
        passage.begins
        for passage, text in stretches(paper)
        if passage.entries and len(text) > LONGEST
    ]
    assert long == []


def test_a_changed_word_is_no_quotation():
    text = "As long as $t \\ll t^*$, all neurons converge toward a finite number of fixed points."
    claim = Claim(
        "all neurons ... toward a {number} number of", {"number": Word("finite", ("infinite",))}
    )
    assert is_quoted(claim, text)
    assert not is_quoted(
        Claim("It is false that all {x} converge", {"x": Word("neurons", ("weights",))}), text
    )
    assert not is_quoted(
        Claim("a {number} number of", {"number": Word("infinite", ("finite",))}), text
    )


def test_quotations_on_conditions_are_in_the_paper(paper):
    texts = [text for _, text in stretches(paper)]
    searches = {
        entry.label: entry.looked_for or entry.assumed
        for entry in theory.equations(paper)
        if entry.looked_for or entry.assumed
    }
    quoted = [(label, words) for label, search in searches.items() for words in search.quotations]
    for label, words in quoted:
        assert any(is_quoted(words, text) for text in texts), label


def test_what_is_not_in_the_text_is_listed(paper):
    """Passages, quotations and numbers are there, and a changed one of each is told."""
    text, passages = text_of(paper), read(f"papers.{paper}.ledger").passages
    entries = theory.equations(paper)
    assert missing(entries, passages, text) == ()
    sentence = next(
        entry
        for entry in entries
        if isinstance(entry.printed, Claim) and len(entry.printed.text.split()) > 8
    )
    first, *rest = sentence.printed.text.split("{")
    changed = Claim(first + "never {" + "{".join(rest), sentence.printed.values)
    wrong = dataclasses.replace(sentence, printed=changed)
    other = dataclasses.replace(passages[1], begins=passages[1].begins + " never")
    told = {(one.kind, one.label) for one in missing([wrong], [passages[0], other], text)}
    assert told == {("quotation", sentence.label), ("passage", "; ".join(other.entries))}


# What is exchanged in the LaTeX of a formula -> where, and what it becomes.
EXCHANGED = {
    "a number more": (r"$", " 7"),
    "another letter": (r"[a-zA-Z](?![a-zA-Z])", r"\\Xi "),
    "an index as exponent": (r"_(?=\{|\\?[a-zA-Z])", "^"),
    "an exponent as index": (r"\^(?=\{|\\?[a-zA-Z])", "_"),
    "index and exponent": (r"_\{([^{}]+)\}\^\{([^{}]+)\}", r"_{\2}^{\1}"),
    "arguments": (r"\(([^(){},;|]+)([,;|])([^(){},;|]+)\)", r"(\3\2\1)"),
    "numerator and denominator": (r"\\frac\{([^{}]+)\}\{([^{}]+)\}", r"\\frac{\2}{\1}"),
    "sides of a relation": (r"^([^=<>]+) = ([^=<>]+)$", r"\2 = \1"),
    "brackets left out": (r"\\left\(([^(){}]+ [-+] [^(){}]+)\\right\)", r"\1"),
}


RARE = ("arguments", "brackets left out")  # in some papers no formula has such a place


def formulas_with(exchange, monkeypatch):
    """Print every formula with an exchange, and note which formulas it changes."""
    pattern, other = EXCHANGED[exchange]
    changed = set()

    def exchanged(statement, letters=None):
        printed = typeset(statement, letters)
        shown = re.sub(pattern, other, printed, count=1)
        if shown != printed:
            changed.add(statement)
        return shown

    monkeypatch.setattr("theory.core.ledger.tex_comparison.typeset", exchanged)
    return changed


def comparison_of(paper):
    """The comparison of a ledger with the TeX of its paper, and function of some entries that makes it again."""
    path = TEXTS / READ[paper][0]
    if not path.is_file():
        pytest.skip(f"the text of {paper} is not at hand")
    text, passages = path.read_text(encoding="utf-8"), read(f"papers.{paper}.ledger").passages
    return compared(theory.equations(paper), passages, text), lambda some: compared(
        some, passages, text
    )


@pytest.mark.sampled(2)
def test_formulas_are_compared_with_the_tex_of_the_paper(paper):
    comparison, _ = comparison_of(paper)
    assert recorded_comparison(paper) == comparison, (
        "closedform check --ledger KEY --text FILE --record"
    )
    assert bool(comparison.equal) is (paper not in WITHOUT_SIGNS)


@pytest.mark.slow
def test_whatever_is_exchanged_in_a_formula_of_the_paper_is_told(paper, monkeypatch):
    comparison, again = comparison_of(paper)
    equal = [entry for entry in theory.equations(paper) if entry.label in comparison.equal]
    for exchange in EXCHANGED:
        changed = formulas_with(exchange, monkeypatch)
        unnoticed = again(equal).equal
        labels = {entry.label for entry in equal if is_changed(entry, changed)}
        assert not labels & set(unnoticed), exchange
        assert labels or paper in WITHOUT_SIGNS or exchange in RARE


def is_changed(entry, changed):
    """Whether one of the relations that an entry prints is among those that were changed."""
    parts = (
        entry.printed.args if isinstance(entry.printed, (sp.And, sp.Tuple)) else (entry.printed,)
    )
    return any(part in changed for part in parts)


def test_sentences_are_quoted(paper):
    texts = {}
    for passage, text in stretches(paper):
        for label in passage.entries:
            texts.setdefault(label, []).append(text)
    claims = [entry for entry in theory.equations(paper) if isinstance(entry.printed, Claim)]
    for entry in claims:
        assert any(is_quoted(entry.printed, text) for text in texts[entry.label]), entry.label
