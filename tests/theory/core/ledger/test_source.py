"""Tests of the text of a ledger: what is read, and that each fault is named with its line."""

import re
import sys
from itertools import count

import pytest
import sympy as sp

from theory.core import (
    Algorithm,
    Conditional,
    Program,
    Ruling,
    decimal,
    equal,
    identity,
    letters_of,
    read_ledger,
)
from theory.core.ledger.formulas import formula
from theory.core.ledger.ledger import printed_algorithm, shown_statement
from theory.core.ledger.letters import Letters
from theory.core.ledger.source import Line, Search, SourceError

TEXT = r"""# A comment.
letters positive: x = \xi ; y ;
    n_p as n
letters function real: f = f(#1)
2.1 > First words  // heading
> Second words
[(1)] CONFIRMED A double.
  printed x =
      2*y
  evidence A sum.
[(2)] DEFINITION It introduces f.
  printed $ f(x) $
  evidence as (1)
> Third words  => (1) | (2)
"""
NUMBERS = count()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A function that writes a ledger's text and returns the name of its package."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text):
        name = f"a_ledger_{next(NUMBERS)}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "ledger.txt").write_text(text, encoding="utf-8")
        return name

    yield write
    for name in [name for name in sys.modules if name.startswith("a_ledger_")]:
        del sys.modules[name]


def entries(name, **programs):
    x, y = letters_of(name)("x y")
    double = identity({x: sp.Sum(y, (sp.Symbol("k"), 1, 2))}, "a sum")
    return read_ledger(name, "paccolat2021", {"(1)": double, **programs})


def test_a_text_becomes_entries_in_the_letters_of_the_paper(package):
    first, second = entries(package(TEXT))
    assert (first.label, first.verdict, first.where) == ("(1)", Ruling.CONFIRMED, "Section 2.1")
    assert (first.statement, first.evidence, first.printed_latex) == (
        "A double.",
        "A sum.",
        r"\xi = 2 y",
    )
    assert first.check() is Ruling.CONFIRMED
    assert (second.printed_latex, second.evidence) == ("f(x)", "A sum.")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  evidence A sum.",
            "  evidnce A sum.",
            "line 10: no field 'evidnce'; did you mean evidence",
        ),
        ("  evidence A sum.", "evidence A sum.", "line 10: got 'evidence A sum.'"),
        ("[(2)]", "[(1)]", r"line 11: got the label \[\(1\)\] twice"),
        ("CONFIRMED", "CONFIRMD", "line 7: got CONFIRMD, needs one of CONFIRMED"),
        ("2*y", "2*z", "line 8: .*no letter 'z'"),
        ("2*y", "2*(y", "line 8: .*needs a formula"),
        (
            "2*y",
            "__import__('os').getpid()",
            "line 8: .*needs only operators, relations, letters and functions",
        ),
        ("x =\n      2*y", "@os.getpid", "line 8: .*needs a formula"),
        ("x =\n", "x < x =\n", "line 8: .*one relation a line"),
        ("  evidence A sum.\n", "", "line 7: .*evidence of paccolat2021"),
        ("2.1 > F", "> F", "line 5: got a passage without a section"),
        ("positive:", "positve:", "line 2: got 'positve', needs one of real"),
        ("; y ;", "; x ;", "line 2: got the letter x twice"),
        (r"= \xi", r"= \xi/2", "line 2: got the letter x = .xi/2, needs a glyph"),
    ],
)
def test_a_fault_is_named_with_its_line(package, old, new, message):
    name = package(TEXT.replace(old, new, 1))
    with pytest.raises(SourceError, match=rf"{name}/ledger.txt, {message}"):
        read_ledger(name, "paccolat2021", {"(1)": identity({})})


CONDITIONAL = """[(3)] OPEN A root.
  printed sqrt(x**2) = x
  condition x > 0
  looked_for 2.1; "Let x be a number."
  evidence Not decided.
[(4)] OPEN The same root.
  printed x = sqrt(x**2)
  condition as (3)
  evidence as (3)
"""


def test_the_places_in_which_a_condition_was_looked_for_are_data(package):
    *_, third, fourth = entries(package(TEXT + CONDITIONAL))
    assert third.looked_for == Search(("2.1",), ("Let x be a number.",))
    assert str(fourth.looked_for) == 'Section 2.1; "Let x be a number."'
    with pytest.raises(
        SourceError, match=r"line 18: got the section '2.2', needs sections of the ledger"
    ):
        entries(package(TEXT + CONDITIONAL.replace("2.1", "2.2")))


def test_an_entry_has_the_fields_of_another_one_unless_it_gives_them(package):
    fifth = "[(5)] OPEN The same line.\n  as (3)\n  evidence As before.\n"
    *_, third, _, fifth = entries(package(TEXT + CONDITIONAL + fifth))
    assert (fifth.printed, fifth.condition, fifth.looked_for) == (
        third.printed,
        third.condition,
        third.looked_for,
    )
    assert (third.evidence, fifth.evidence) == ("Not decided.", "As before.")
    with pytest.raises(
        SourceError, match=r"line 18: got '\(4\)', needs the label of an entry that stands before"
    ):
        entries(package(TEXT + CONDITIONAL.replace("looked_for 2.1;", "as (4)\n  looked_for")))


def test_programs_and_entries_belong_together(package):
    name = package(TEXT)
    with pytest.raises(ValueError, match=r"no label '\(7\)'"):
        entries(name, **{"(7)": identity({}, "nothing")})
    with pytest.raises(SourceError, match=r"line 7: .*CONFIRMED needs prove"):
        read_ledger(name, "paccolat2021", {})


def test_programs_are_found_in_the_modules_of_the_package(package, tmp_path):
    name = package(TEXT)
    program = """from sympy import Sum, Symbol
from theory.core import identity, letters_of
x, y = letters_of(__package__)("x y")
PROGRAMS = {"(1)": identity({x: Sum(y, (Symbol("k"), 1, 2))}, "a sum")}
"""
    (tmp_path / name / "sums.py").write_text(program)
    assert [entry.check() for entry in read_ledger(name, "paccolat2021")] == [
        Ruling.CONFIRMED,
        Ruling.DEFINITION,
    ]
    (tmp_path / name / "again.py").write_text("from .sums import PROGRAMS\n")
    with pytest.raises(ValueError, match=r"second program of \[\(1\)\]"):
        read_ledger(name, "paccolat2021")


def test_a_correction_under_a_condition_has_a_witness(package):
    name = package(
        TEXT.replace("[(2)]", "[(3)]").replace("as (1)", "By definition.").replace(
            "[(1)] CONFIRMED A double.\n  printed x =\n      2*y\n",
            "[(1)] MISPRINT A double.\n  printed x = 3*y\n  corrected x = 2*y\n  condition y > 1\n"
            "  consequence None.\n  heirs (3)\n"
            "  harmless printed: sign of x ; x twice -- It says the same.\n",
        )
    )  # fmt: skip
    first, heir = entries(
        name, **{"(1)": Program(identity({}, "none"), lambda y: 2 * y, at={"y": 1.5})}
    )
    assert first.corrected == Conditional(
        formula("x = 2*y", letters_of(name)), letters_of(name)("y") > 1
    )
    assert first.witness.at == {"y": 1.5}
    assert first.witness.reading(first.printed, first.corrected.statement)[:3] == (4.5, 3.0, 3.0)
    assert (first.heirs, first.harmless) == (
        ("(3)",),
        dict.fromkeys(("printed: sign of x", "printed: x twice"), "It says the same."),
    )
    assert (first.consequence, heir.consequence) == ("None.", "As (1).")


LETTERS = Letters(
    [Line("positive: a ; b", ""), Line("function: f", ""), Line("matrix 2 x 2: M", "")]
)
a, b, f, M = LETTERS("a b f M")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b/2", equal(a, b / 2)),
        ("a = a", sp.Eq(a, a, evaluate=False)),
        ("a = -(a + b)*f(1)/3", equal(a, sp.Mul(-1, a + b, f(1), sp.Rational(1, 3)))),
        (
            "a = (a + b)/4",
            sp.Eq(a, sp.Mul(sp.Rational(1, 4), a + b, evaluate=False), evaluate=False),
        ),
        ("a = -0.30", equal(a, decimal("-0.30"))),
        ("M.T*M = M[0, 1]*M", equal(M.T * M, M[0, 1] * M)),
        ("f(a) != oo", sp.Ne(f(a), sp.oo)),
        ("Implies(a > 1, b <= 1)", sp.Implies(a > 1, b <= 1)),
        ("a = Sum(f(b), (b, 1, 3))", equal(a, sp.Sum(f(b), (b, 1, 3)))),
    ],
)
def test_a_formula_is_the_object_that_sympy_builds(text, expected):
    assert formula(text, LETTERS) == expected


@pytest.mark.parametrize("text", ["a.is_real", "a if b else a", "'a'", "[x for x in a]", "a @ b"])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(ValueError, match=re.escape("needs")):
        formula(text, LETTERS)


def test_lines_of_an_algorithm_are_changed_and_taken_apart(package):
    text = """1 > Words
[A] NOTE All lines.
  printed | for i in range(2):
  printed |     a = i
  printed |     b = 2
  corrected line 2 |     a = i + 1
  evidence None.
[A, line 2] NOTE One line.
  printed lines 2 to 3 of A
  corrected lines 2 to 2 of A
  evidence None.
"""
    name = package(text)
    whole, part = read_ledger(name, "paccolat2021", {})
    assert whole.corrected == Algorithm("for i in range(2):\n    a = i + 1\n    b = 2")
    assert (part.printed, part.corrected) == (Algorithm("a = i\nb = 2"), Algorithm("a = i + 1"))
    assert printed_algorithm(name, "A", "corrected")[1] == "    a = i + 1"
    with pytest.raises(SourceError, match=r"line 9: .*needs the label of an algorithm"):
        read_ledger(package(text.replace("of A\n", "of B\n", 1)), "paccolat2021", {})


def test_an_equation_is_shown_by_what_differs_from_the_printed_one(package):
    text = """letters positive: x ; gap
1 > Words
[A] NOTE A factor.
  printed x = 3*gap*x**2
  corrected printed times 1/3
  inferred printed with gap = 1/x
  evidence None.
"""
    name = package(text)
    x, gap = letters_of(name)("x gap")
    (entry,) = read_ledger(name, "paccolat2021", {})
    assert (entry.corrected, entry.inferred) == (equal(x, gap * x**2), equal(x, 3 * x))
    assert shown_statement(name, "A", "inferred") == entry.inferred
    both = text.replace("  corrected printed times 1/3\n", "").replace(
        "3*gap*x**2", "gap\n  printed x**2 = gap"
    )
    (entry,) = read_ledger(package(both), "paccolat2021", {})
    assert entry.inferred == sp.Tuple(equal(x, 1 / x), equal(x**2, 1 / x))


def test_an_heir_has_the_change_that_corrects_its_root(package):
    text = """letters positive: x ; y
1 > Words
[A] MISPRINT A root.
  printed x = 3*y
  corrected printed times 1/3
  evidence None.
  consequence Another factor.
  heirs B
[B] MISPRINT Its heir.
  printed x**2 = 9*y**2
  evidence None.
"""
    x, y = sp.symbols("x y", positive=True)
    programs = dict.fromkeys("AB", Program(identity({x: y}), lambda: 1))
    assert read_ledger(package(text), "paccolat2021", programs)[1].corrected == equal(
        x**2, 3 * y**2
    )
    with pytest.raises(SourceError, match="corrected"):
        read_ledger(package(text.replace("heirs B", "heirs A")), "paccolat2021", programs)


def test_a_sentence_is_shown_by_the_word_that_differs_from_the_printed_one(package):
    text = """letters positive: n
1 > Words
[A] NOTE A word, and a value.
  printed "It {how: grows|falls|stays} with {k = n} layers."
  corrected printed with how: falls
  inferred printed with k = n - 1
  evidence None.
"""
    (entry,) = read_ledger(package(text), "paccolat2021", {})
    assert entry.corrected["how"] == "falls"
    assert entry.corrected.values["how"].others == ("grows", "stays")
    assert str(entry.inferred) == "It grows with n - 1 layers."
