r"""The formulas of a page, which share their glyphs, are drawn as each formula alone.

Checked of every formula of the project: closed forms with their letters and steps, ledger with errata, and the texts of
the documentation. The outlines are compared after all transforms, more finely than pictures of a screen could be.
"""

import ast
import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bridge.report.formulas import LONGEST
from bridge.report.maths import svg
from tests.marks import slow
from tests.oracles.svg_outlines import outlines

ROOT = Path(__file__).resolve().parents[2]
# which is in no package
SHARED = runpy.run_path(str(ROOT / "docs" / "_extensions" / "shared_glyphs.py"))
glyph_definitions, svg_and_glyphs = SHARED["glyph_definitions"], SHARED["svg_and_glyphs"]
SHIFT = 0.02  # of 24 units per em: outlines are printed to 0.001, places to 0.01, and sizes to three digits
LONG = 30  # operations
# higher than the largest bracket of the font
MATRIX = r"\begin{matrix}a\\b\\c\\d\\e\\f\end{matrix}"
FORMULAS = [
    r"\frac{dh_{2}}{2} + \sqrt{\frac{A^{2}}{4} + \tau_{y}}",
    r"\begin{cases} \frac{1 - e^{- 2 \delta t}}{2 \delta} & \text{for}\: \delta > 0 \\t & \text{otherwise} \end{cases}",
    r"\int\limits_{0}^{\infty} \operatorname{erf}{\left(x \right)} \tanh^{2}{\left(y \right)}\, dx",
    r"\frac{A_{high}}{2} + \frac{\left|{A_{high}}\right|}{2}",
    r"\left\|W_p\right\|_F^2",
    r"\left(\frac{a^{b}}{\left. c \right|_{x=0}}\right)^{\left|p\right|}",  # bars of a smaller size
    rf"\left\lfloor {MATRIX} \right\rfloor \left[ {MATRIX} \right] \left\lceil {MATRIX} \right\rceil",
    rf"\left( {MATRIX} \right\}} \left| {MATRIX} \right\|",
    rf"\sqrt{{{MATRIX}}}",
    r"\overbrace{a + b + c + d}^{n} \underbrace{a + b + c}_{m} \overrightarrow{ABCD} \widehat{abc} \xrightarrow{f}",
    r"\text{a b} + \textcolor{red}{c} + \textcolor{red}{\left|d\right|} + \phantom{e} + \boxed{f}",
]


def assert_drawn_alike(formulas):
    """No glyph of the formulas is empty, a name is one glyph in all of them, and all outlines are those of ``svg``."""
    page = {}
    for latex, inline in formulas:
        picture, glyphs = svg_and_glyphs(latex, inline=inline)
        assert all(outlines(markup) for name, markup in glyphs.items() if name not in page), latex
        assert all(page.setdefault(name, markup) == markup for name, markup in glyphs.items()), (
            latex
        )
        shared, alone = outlines(picture, glyphs), outlines(svg(latex, inline=inline))
        assert [kind for kind, _ in shared] == [kind for kind, _ in alone] != [], latex
        for (_, points), (_, expected) in zip(shared, alone, strict=True):
            assert abs(points - expected).max() < SHIFT, latex


@pytest.mark.parametrize("inline", [False, True])
def test_all_kinds_of_glyphs(inline):
    assert_drawn_alike([(latex, inline) for latex in FORMULAS])


def test_a_bar_has_an_outline_on_a_page():
    """Without it, the page of ``two_point.final_distance`` says A_high in the place of its absolute value."""
    bars = [
        len(outlines(*svg_and_glyphs(rf"\left{bar}{{A_{{high}}}}\right{bar}")))
        for bar in (".", "|", r"\|")
    ]
    assert bars[0] < bars[1] < bars[2]


def test_a_glyph_is_the_same_in_every_formula_and_defined_once():
    _, in_one = svg_and_glyphs("a + b")
    _, in_other = svg_and_glyphs("b - a")
    assert len(in_one.keys() & in_other.keys()) == 2
    assert all(in_one[name] == in_other[name] for name in in_one.keys() & in_other.keys())
    root = ET.fromstring(glyph_definitions(in_one | in_other))
    assert {node.attrib["id"] for node in root.iter("g")} == set(in_one | in_other)
    assert len(in_one | in_other) == 4
    assert glyph_definitions({}) == ""


def test_different_glyphs_have_different_names():
    """The library names a stretched floor as a stretched bracket of the same size."""
    one, other = (
        svg_and_glyphs(rf"\left{left} {MATRIX} \right.")[1] for left in ("[", r"\lfloor")
    )
    assert len(one.keys() - other.keys()) == len(other.keys() - one.keys()) == 1


def closed_forms(*, quick, every=1):
    """LaTeX, in letters, of the short closed forms outside of families, or of all others; of one in ``every``."""
    import theory

    forms = theory.catalogue()
    members = {name for family in forms.families.values() for name in family.member_names}
    for name in list(forms)[::every]:
        if quick and name in members:
            continue  # most of them take longer to build than to draw
        if (name not in members and forms[name].expression.count_ops() <= LONG) == quick:
            yield from ((latex, False) for latex in forms[name].abbreviated().lines)


@pytest.mark.parametrize("every", [10, *slow(1)])
def test_short_closed_forms(every):
    formulas = list(closed_forms(quick=True, every=every))
    assert len(formulas) > 20 / every
    assert_drawn_alike(formulas)


@pytest.mark.slow
def test_every_other_closed_form():
    formulas = list(closed_forms(quick=False))
    assert len(formulas) > 40
    assert_drawn_alike(formulas)


@pytest.mark.slow
def test_every_letter_and_step():
    import theory
    from theory.core.text.render import latex

    forms = theory.catalogue().values()
    letters = {
        (latex(argument.symbol, (argument,)), True)
        for form in forms
        for argument in form.arguments
    }
    steps = {
        (text, False)
        for form in forms
        for step in form.steps
        if (text := str(getattr(step, "latex", "")))
    }
    assert min(len(letters), len(steps)) > 50
    assert_drawn_alike(
        letters | {(text, inline) for text, inline in steps if len(text) <= LONGEST}
    )


@pytest.mark.slow
def test_every_line_of_the_ledger():
    """What is printed, corrected or inferred, and the conditions; the errata are among them."""
    from theory import ledger
    from theory.core.ledger.recheck import FORMULA, lines

    formulas = set()
    for entry in ledger.equations():
        parts = (entry.printed, entry.corrected, entry.inferred)
        shown = [line for part in parts for line in lines(part, entry.letters)]
        shown += lines(getattr(entry.corrected, "condition", entry.condition), entry.letters)
        formulas |= {(line.latex, False) for line in shown if line.kind == FORMULA}
        texts = " ".join((entry.statement, entry.evidence, entry.consequence))
        formulas |= {
            (latex, True)
            for latex in [*entry.letters.values(), *re.findall(r"\$([^$]+)\$", texts)]
        }
    assert len(formulas) > 500
    assert_drawn_alike(formulas)


def of_docstrings(text):
    """LaTeX of the roles and directives of a docstring."""
    yield from ((latex, True) for latex in re.findall(r":math:`([^`]+)`", text))
    for _, first, rest in re.findall(
        r"^( *)\.\. math::(.*)\n((?:\1 +.*\n|\s*\n)*)", f"{text}\n", re.MULTILINE
    ):
        latex = f"{first}\n{rest}".strip()
        rows = ("&" in latex or r"\\" in latex) and r"\begin" not in latex
        yield (rf"\begin{{aligned}}{latex}\end{{aligned}}" if rows else latex), False


def of_pages(text):
    """LaTeX between dollar signs of a page in Markdown, outside of code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    yield from ((latex, False) for latex in re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL))
    text = re.sub(r"\$\$.+?\$\$", "", text, flags=re.DOTALL)
    yield from ((latex, True) for latex in re.findall(r"(?<!\\)\$([^$\n]+(?:\n[^$\n]+)?)\$", text))


@pytest.mark.slow
def test_every_formula_of_the_documentation():
    formulas = set()
    for package in ("closedform", "theory", "empirics", "bridge"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
                    text := ast.get_docstring(node)
                ):
                    formulas |= set(of_docstrings(text))
    in_docstrings = len(formulas)
    for path in (ROOT / "docs").rglob("*.md"):
        formulas |= set(of_pages(path.read_text(encoding="utf-8")))
    assert in_docstrings > 500
    assert len(formulas) > in_docstrings
    assert_drawn_alike(formulas)
