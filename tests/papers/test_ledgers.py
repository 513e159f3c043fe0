"""Tests of all ledgers: programs reach every verdict, and an error planted anywhere is not confirmed."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import theory
from tests.marks import slow
from tests.papers.blocks import BLOCKS, LEDGERS, entries
from theory.core import Claim, Ruling, equal
from theory.core.ledger.checked_entry import EFFECTS, LISTED, VALUES
from theory.core.ledger.recheck import recheck
from theory.ledger_records import recorded

# Names in the code for what has a letter in the papers.
OUR_NAMES = (
    "dh_{2}", "dy_{2}", "dx_{2}", "target_{2}", "primed", "Omega1", "Omega2", "Omega_{1}",
    "Omega_{2}", "||", "chi_{at}",
)  # fmt: skip
ROUNDING = 1e-6  # of the numbers of a witness on different machines
WRONG_OR_UNSAID = (Ruling.MISPRINT, Ruling.CONDITIONAL)
SLOW = {  # whose programs train networks, follow twenty neurons, or differentiate a kernel: 0.6 to 12 s each
    ("vanrossem2024", "B.1 data"), ("vanrossem2024", "(10)"), ("paccolat2021", "2.4 all neurons"),
    *(("zavatoneveth2023", label) for label in ("IV.B deep kernel", "(D.4)", "C.2 flat monomials", "(D.7)", "(C.2)")),
    ("zavatoneveth2023", "(E.39)"), ("zavatoneveth2023", "(D.12)"), ("zavatoneveth2023", "C.2 sides of the threshold"),
    ("zavatoneveth2023", "IV.B monomials, all biases"),
    *(("zavatoneveth2023", f"(C.{number})") for number in (4, 5, 6, 49, 50, 51)),
    *(("zavatoneveth2023", f"(D.{number})") for number in (3, 5, 6, 8, 9)), ("zavatoneveth2023", "C.2 one minimum"),
    ("zavatoneveth2023", "C.2 monomials without biases"), ("paccolat2021", "B lazy time"), ("vanrossem2024", "(36)"),
    ("vanrossem2024", "B.4 fewer violations"), ("cheong2025", "(1.3), second line"),
}  # fmt: skip


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, id=" ".join(key), marks=[pytest.mark.slow] * (key in SLOW))
        for key in BLOCKS
    ],
)
def test_program_reaches_the_recorded_verdict(key):
    """The verdict is the declared one, and what `closedform errata` shows of it is what the program finds now.

    The theory that a program uses may change without its ledger; `closedform check --ledger --record` writes the
    records anew.
    """
    checked = recheck(entries()[key])
    assert checked.agrees, checked.error or checked.verdict
    claims = [(shown, claim) for shown, claim, _ in checked.steps]
    assert len(set(claims)) == len(claims)
    kept = records(key[0]).get(key[1])
    if kept is not None:
        assert without_numbers(kept) == without_numbers(checked)
        assert_same_numbers(kept.witness, checked.witness)


@cache
def records(paper):
    """The recorded entries by label; another test fails where there is no record."""
    return {kept.label: kept for kept in recorded(paper) or ()}


def without_numbers(checked):
    """A checked entry without the values of its witness, whose last digits differ between machines."""
    return dataclasses.replace(checked, witness=None)


def assert_same_numbers(kept, computed):
    """The witness has the same point, and to its tolerance the same numbers."""
    assert (kept is None) is (computed is None)
    if kept is not None:
        assert list(kept.at) == list(computed.at)
        for name in VALUES:
            pair = [np.array(getattr(witness, name), dtype=float) for witness in (kept, computed)]
            tolerance = max(ROUNDING, kept.tolerance)
            np.testing.assert_allclose(*pair, rtol=tolerance, atol=ROUNDING, err_msg=name)


def words_in_formulas(latex):
    """What has three letters or more in a formula, and is neither a command nor text: our name of a symbol."""
    formulas = re.findall(r"\$([^$]*)\$", latex) if latex.startswith(r"\text{") else [latex]
    for pattern in (
        r"\\(text|tt?|math)\w*\{[^{}]*\}",
        r"\\(begin|end|operatorname)\{\w*\}(\{l\})?",
        r"\\[a-zA-Z]+",
    ):
        formulas = [re.sub(pattern, " ", formula) for formula in formulas]
    return [word for formula in formulas for word in re.findall(r"[A-Za-z]{3,}", formula)]


def test_our_name_of_a_symbol_is_noticed_in_a_formula():
    assert words_in_formulas(r"\rho\left(norm\right) = \mathrm{law}(x)") == ["norm"]
    assert words_in_formulas(r"\text{The width is $wide + \operatorname{erf}(x)$ here.}") == [
        "wide"
    ]


@pytest.mark.parametrize("step", [4, *slow(1)])
@pytest.mark.parametrize("paper", LEDGERS)
def test_entries_are_in_sentences_and_in_the_letters_of_the_paper(paper, step):
    """The fast suite prints every fourth entry."""
    for entry in tuple(theory.equations(paper))[::step]:
        for text in filter(None, (entry.statement, entry.evidence, entry.consequence)):
            assert re.fullmatch(r"\S.*\.\)?", text), (entry.label, text)
            assert "  " not in text, (entry.label, text)
        assert re.fullmatch(r"Abstract|Section \S+", entry.where), entry.label
        assert entry.printed_latex or not entry.label.startswith("("), (
            f"{entry.label}: numbered, but not quoted"
        )
        for latex in (entry.printed_latex, entry.corrected_latex):
            assert latex.count("{") == latex.count("}"), (entry.label, latex)
            assert not any(name in latex for name in OUR_NAMES), (entry.label, latex)
            assert not re.search(r"#\d|\+ (- |\\pm)", latex), (entry.label, latex)
            assert words_in_formulas(latex) == [], (entry.label, latex)


@pytest.mark.parametrize("paper", LEDGERS)
def test_nothing_is_corrected_that_is_not_called_wrong(paper):
    for entry in theory.equations(paper):
        if entry.verdict not in WRONG_OR_UNSAID:
            assert entry.lacks_condition is (entry.verdict is Ruling.FOLLOWS), entry.label
            assert entry.lacks_condition or not entry.corrected, entry.label
            assert (entry.witness is None) is (entry.verdict is not Ruling.INCONSISTENT), (
                entry.label
            )


def shown_object(printed):
    """What an entry shows, whatever its indices and bound letters are called and whichever side comes first."""
    if not isinstance(printed, sp.Basic):
        return str(printed)
    named = printed.as_dummy()
    indices = dict.fromkeys(
        s for s in sp.preorder_traversal(named) if isinstance(s, sp.Symbol) and s.is_integer
    )
    numbered = named.xreplace({index: sp.Symbol(f"index_{n}") for n, index in enumerate(indices)})
    return frozenset(numbered.args) if isinstance(numbered, sp.Eq) else numbered


def test_one_object_is_recognised_under_other_names():
    i, j, n = sp.symbols("i j n", integer=True, positive=True)
    x, y = sp.Function("x"), sp.Symbol("y")
    first, renamed = (equal(x(n), sp.Sum(x(k) ** 2, (k, 1, n))) for k in (i, j))
    assert (
        shown_object(first)
        == shown_object(renamed)
        == shown_object(equal(first.rhs.subs(n, j), x(j)))
    )
    assert shown_object(equal(x(i), x(j))) != shown_object(equal(x(i), x(i) ** 2))
    assert shown_object(equal(x(n), y)) != shown_object(equal(x(n), 2 * y))
    assert shown_object(Claim("It is {y}.", {"y": y})) != shown_object(
        Claim("It is {y}.", {"y": 2 * y})
    )


def unlike(entries, of, ruled):
    """Groups of entries with the same ``of``, in which ``ruled`` is not the same for all."""
    groups = {}
    for entry in entries:
        shared = of(entry)
        if shared is not None:
            groups.setdefault(shared, []).append(entry)
    return [group for group in groups.values() if len(set(map(ruled, group))) > 1]


def labels(groups):
    return [[entry.label for entry in group] for group in groups]


def shape(printed):
    """What a shown object has in common with all that are the same under other names: its kinds of parts."""
    if not isinstance(printed, sp.Basic):
        return str(printed)
    kinds = Counter(type(part).__name__ for part in sp.preorder_traversal(printed) if part.args)
    return frozenset(kinds.items())


def ruled_differently(entries):
    """Labels of entries that show the same line and have different verdicts."""
    alike = unlike(entries, lambda entry: shape(entry.printed), lambda entry: entry.verdict)
    suspects = [entry for group in alike for entry in group if entry.printed_latex]
    same = unlike(suspects, lambda entry: shown_object(entry.printed), lambda e: e.verdict)
    return labels(same)


@pytest.mark.parametrize("paper", LEDGERS)
def test_the_same_line_has_the_same_verdict_wherever_it_is_printed(paper):
    assert ruled_differently(theory.equations(paper)) == []


def test_another_verdict_of_the_same_line_is_noticed():
    changed = [
        dataclasses.replace(e, verdict=Ruling.OPEN, prove=None) if e.label == "(B.1)" else e
        for e in theory.equations("zavatoneveth2023")
    ]
    assert ruled_differently(changed) == [["(2)", "(B.1)"]]


def fault_of(entry):
    """What is wrong in an erratum: the condition that it lacks, or a number by which its right-hand side is off."""
    if entry.verdict is Ruling.CONDITIONAL:
        return str(entry.condition)
    sides = [getattr(shown, "rhs", None) for shown in (entry.printed, entry.corrected)]
    if entry.verdict is not Ruling.MISPRINT or not all(
        isinstance(side, sp.Expr) for side in sides
    ):
        return None
    factor = None if any(side.is_Matrix for side in sides) else sides[1] / sides[0]
    return str(factor) if factor is not None and factor.is_number and factor != 1 else None


# Errata that have a fault in common and do not inherit it from each other.
# on two different roots of one polynomial
UNRELATED = {"vanrossem2024": [["A.3 negative root", "A.3 unstable"]]}


@pytest.mark.parametrize("paper", LEDGERS)
def test_errata_with_the_same_fault_name_one_root(paper):
    apart = unlike(theory.errata(paper), fault_of, lambda entry: entry.root or entry.label)
    assert labels(apart) == UNRELATED.get(paper, [])


@pytest.mark.parametrize(
    ("paper", "heir"), [("zavatoneveth2023", "(7)"), ("jacot2024", "Proposition 1")]
)
def test_an_heir_that_names_no_root_is_noticed(paper, heir):
    errata = [
        dataclasses.replace(e, root=None) if e.label == heir else e for e in theory.errata(paper)
    ]
    (group,) = labels(unlike(errata, fault_of, lambda entry: entry.root or entry.label))
    assert heir in group


def hidden_conditions(entry):
    """Arguments with a default value of the functions that decide the words of a sentence, which it does not show."""
    truths = getattr(entry.prove, "__code__", None) and inspect.getclosurevars(
        entry.prove
    ).nonlocals.get("truths")
    hidden = []
    for truth in (truths or {}).values():
        parameters = inspect.signature(truth).parameters.values()
        chosen = {*entry.printed.values, *getattr(truth, "keywords", ())}
        hidden += [p.name for p in parameters if p.default is not p.empty and p.kind is not p.POSITIONAL_ONLY
                   and p.name not in chosen]  # fmt: skip
    return hidden


@pytest.mark.parametrize("paper", LEDGERS)
def test_a_confirmed_sentence_holds_under_no_condition_that_is_a_default_argument(paper):
    confirmed = [entry for entry in theory.equations(paper) if entry.verdict is Ruling.CONFIRMED]
    assert {
        entry.label: hidden for entry in confirmed if (hidden := hidden_conditions(entry))
    } == {}


def test_a_condition_that_is_a_default_argument_is_noticed():
    # CONDITIONAL, and its function has a default
    entry = theory.equations("vanrossem2024")["A.3 merged point"]
    assert hidden_conditions(entry) == ["decoder"]


@pytest.mark.parametrize("paper", LEDGERS)
def test_what_follows_from_an_assumption_is_not_confirmed(paper):
    """It is conditional on it, or shows it as the premise of an implication."""
    assumed = re.compile(r"\bassumptions?\b(?! as)|\bassuming\b|\bas(?: is)? assumed\b")
    confirmed = [e for e in theory.equations(paper) if e.verdict is Ruling.CONFIRMED]
    words = [
        (e.label, e.evidence + ("" if isinstance(e.printed, Claim) else e.statement))
        for e in confirmed
    ]
    shown = {e.label for e in confirmed if isinstance(e.printed, sp.Implies)}
    assert [label for label, text in words if assumed.search(text) and label not in shown] == []


def test_examples_of_the_guide_have_the_verdicts_of_the_ledger():
    guide = (Path(__file__).parents[2] / "docs/ledger-guide.md").read_text(encoding="utf-8")
    examples = re.findall(r"^\[(.+)\] ([A-Z]+)", guide, re.MULTILINE)
    assert len(examples) >= 2
    assert set(examples) <= {(entry.label, entry.verdict.name) for entry in entries().values()}


def test_counts_of_the_readme_are_those_of_the_ledger():
    readme = " ".join(
        (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split()
    )
    wrong = [entry for entry in entries().values() if entry.verdict is Ruling.MISPRINT]
    assert "seven misprints" in readme
    assert sum(entry.paper == "vanrossem2024" for entry in wrong) == 7
    (root,) = (entry for entry in wrong if "(7)" in entry.heirs)
    assert (
        f"the sign in {root.label} that makes it so is in {len(root.heirs)} printed lines"
        in readme
    )


@pytest.mark.slow
def test_an_heir_gives_the_wrong_number_that_it_inherits():
    """Lines that are transcribed with an error agree with each other, at the same point and about the same quantity.

    What inherits several errors, such as a whole algorithm, has a number of its own.
    """
    known, pairs = entries(), []
    inherited = Counter((entry.paper, label) for entry in known.values() for label in entry.heirs)
    for entry in known.values():
        for heir in (known[entry.paper, label] for label in entry.heirs):
            if (
                inherited[heir.paper, heir.label] > 1
                or entry.witness is None
                or heir.witness is None
                or heir.witness.at is not entry.witness.at
            ):
                continue
            ours, theirs = (each.witness.reading(each.printed, None) for each in (entry, heir))
            if np.array_equal(ours.independent, theirs.independent):
                pairs.append((entry.label, heir.label))
                np.testing.assert_allclose(
                    theirs.printed, ours.printed, rtol=1e-6, atol=1e-12, err_msg=str(pairs[-1])
                )
    assert len(pairs) > 10


@pytest.mark.parametrize("paper", LEDGERS)
def test_errata_say_what_they_change(paper):
    """Three findings a paper, and an effect of every erratum; without consequences is what says so."""
    errata = theory.errata(paper)
    assert sorted(entry.priority for entry in errata if entry.priority) == [1, 2, 3]
    for entry in errata:
        assert entry.effect in EFFECTS, entry.label
        if not entry.consequence.startswith("As "):
            assert (entry.effect == "none") == entry.consequence.startswith("None"), entry.label


@pytest.mark.parametrize("paper", LEDGERS)
def test_verdicts_of_errata_are_recorded_for_this_ledger(paper):
    """`closedform check --ledger PAPER --record` writes them; without them `closedform errata` decides for a minute."""
    records = recorded(paper)
    assert records is not None
    listed = {
        entry.label: entry.verdict.name
        for entry in theory.equations(paper)
        if entry.verdict.name in LISTED
    }
    assert {entry.label: entry.verdict for entry in records} == listed


def test_every_ledger_has_entries():
    assert {"cheong2025", "jacot2024", "paccolat2021", "vanrossem2024", "zavatoneveth2023"} <= set(
        LEDGERS
    )
    assert {entry.paper for entry in entries().values()} == set(LEDGERS)


@pytest.mark.parametrize("paper", LEDGERS)
def test_ledger_is_collected_by_the_package(paper):
    entries = theory.equations(paper)
    assert [e.key for e in entries] == [
        e.key for e in importlib.import_module(LEDGERS[paper]).EQUATIONS
    ]
    assert [e.key for e in theory.equations() if e.paper == paper] == [e.key for e in entries]
    assert tuple(e.key for e in theory.errata(paper)) == tuple(
        e.key for e in entries if e.verdict in (*WRONG_OR_UNSAID, Ruling.INCONSISTENT)
    )


@pytest.mark.parametrize("paper", LEDGERS)
def test_closed_forms_named_in_the_ledger_exist(paper):
    named = {entry.closed_form for entry in theory.equations(paper)} - {None}
    assert named
    assert named <= set(theory.catalogue())


@pytest.mark.slow
def test_one_paper_is_read_without_the_others():
    program = "import sys, theory; theory.equations('paccolat2021'); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert [paper for paper in LEDGERS if f"papers.{paper}.ledger" in loaded] == ["paccolat2021"]


@pytest.mark.parametrize("paper", LEDGERS)
def test_what_entries_name_of_the_package_exists(paper):
    words = " ".join(f"{entry.evidence} {entry.consequence}" for entry in theory.equations(paper))
    for name in set(re.findall(r"\b(?:theory|empirics|bridge)(?:\.[a-zA-Z]\w*)+", words)):
        pkgutil.resolve_name(name)


def test_an_unknown_paper_is_named():
    with pytest.raises(ValueError, match="nobody1999"):
        theory.equations("nobody1999")
    with pytest.raises(ValueError, match="vanrossem2024"):
        theory.errata("nobody1999")
