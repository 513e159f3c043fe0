"""Tests of the conversion of LaTeX into SVG."""

import re
import xml.etree.ElementTree as ET
from contextlib import nullcontext

import pytest

from bridge.report import maths
from bridge.report.maths import svg

FORMULAS = [
    "x",
    r"\frac{dh_{2}}{2} + \sqrt{\frac{A^{2}}{4} + \tau_{y}}",
    r"\begin{cases} \frac{1 - e^{- 2 \delta t}}{2 \delta} & \text{for}\: \delta > 0 \\t & \text{otherwise} \end{cases}",
    r"\left[\begin{matrix}a & b\\c & d\end{matrix}\right]",
    r"\int\limits_{0}^{\infty} \operatorname{erf}{\left(x \right)} \tanh^{2}{\left(y \right)}\, dx",
    r"\left\|{dh}\right\|^{2} < \bar{y} \wedge w \geq 0",
]


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("inline", [False, True])
def test_a_formula_is_one_svg_element_without_ids_or_references(latex, inline):
    markup = svg(latex, inline=inline)
    root = ET.fromstring(markup)
    assert root.tag == "svg"
    assert root.attrib["aria-label"] == latex
    assert root.findall(".//path")
    assert not [node for node in root.iter() if {"id", "href", "src"} & set(node.attrib)]
    assert "currentColor" in markup
    assert "black" not in markup


def test_size_is_relative_to_the_text():
    width, height = (
        float(re.search(rf"{name}:([\d.]+)em", svg("x"))[1]) for name in ("width", "height")
    )
    assert 0.3 < width < 1.2  # an x is about half as wide as the font is large
    assert 0.3 < height < 1.2


def test_baseline_of_a_fraction_lies_inside_it():
    drop = float(re.search(r"vertical-align:(-?[\d.]+)em", svg(r"\frac{a}{b}"))[1])
    height = float(re.search(r"height:([\d.]+)em", svg(r"\frac{a}{b}"))[1])
    assert -height < drop < -0.2


def test_a_minus_after_a_bracket_is_a_sign():
    def width(latex):
        return float(re.search(r"width:([\d.]+)em", svg(latex))[1])

    assert width(r"\left(- a\right)") < width(r"\left(b - a\right)") - width("b")


def test_sized_angle_brackets_are_drawn():
    sized, plain = svg(r"\Bigl\langle y \bigr\rangle"), svg(r"\langle y \rangle")
    assert sized[sized.index("viewBox") :] == plain[plain.index("viewBox") :]


def test_a_matrix_has_an_exponent():
    bare, braced = (
        r"\begin{pmatrix} a \\ b \end{pmatrix}",
        r"{\begin{pmatrix} a \\ b \end{pmatrix}}",
    )
    one, other = (svg(rf"{bare} + {each}^\top Q {bare}") for each in (bare, braced))
    assert one[one.index("viewBox") :] == other[other.index("viewBox") :]


def test_label_is_escaped():
    markup = svg("a < b")
    assert 'aria-label="a &lt; b"' in markup
    assert ET.fromstring(markup).attrib["aria-label"] == "a < b"


@pytest.mark.parametrize(
    "latex", ["", "  ", "$$", r"\frac{a", r"\left(a", "}{", "x & y", r"\begin{matrix} a"]
)
def test_what_is_no_formula_is_refused(latex):
    with pytest.raises(ValueError, match="latex: "):
        svg(latex)


def test_an_unknown_command_is_named():
    with pytest.raises(ValueError, match=r"got the unknown command .*bogus"):
        svg(r"\bogus{x}")


@pytest.mark.parametrize("latex", [None, 1, b"x"])
def test_only_text_is_a_formula(latex):
    with pytest.raises(TypeError, match="latex"):
        svg(latex)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("latex", FORMULAS)
def test_measuring_few_rows_and_copying_no_styles_changes_nothing(latex, monkeypatch):
    fast = svg.__wrapped__(latex)
    monkeypatch.setattr(maths, "_few_rows_measured", nullcontext)
    monkeypatch.setattr(maths, "_styles_not_copied", nullcontext)
    assert svg.__wrapped__(latex) == fast


def test_time_does_not_double_with_every_level():
    """Counted, not timed: a row is measured once for each row around it."""
    from ziamath.nodes.mrow import Mrow

    counts = []
    for depth in (4, 8):
        formula = "x"
        for _ in range(depth):
            formula = rf"\left({formula} + 1\right)"
        made = []
        original = Mrow.__init__
        Mrow.__init__ = lambda *a, _original=original, _made=made, **k: (
            _made.append(1),
            _original(*a, **k),
        )[1]
        try:
            svg.__wrapped__(formula)
        finally:
            Mrow.__init__ = original
        counts.append(len(made))
    # quadratic at worst; doubling with each level would be a factor of 16
    assert counts[1] < 5 * counts[0]
