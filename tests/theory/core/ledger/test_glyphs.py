"""Tests of the grammar of letters: what is one letter, and what computes something and is a formula."""

from theory.core.ledger.glyphs import is_letter

LETTERS = (
    r"x", r"\tau_h", r"\dot{\underline{\omega}}_\perp", r"z^*", r"A_{p,\cdot i}", r"\pm", r"w'",
    r"{}_2F_1\left(#1, #2; #3\right)", r"f^*(X)", r"P(\underline{x}|y=+)", r"\Lambda(t=#1)",
    r"C_1^\pm(\zeta_1)", r"\nabla_w \mathcal{L}(#1, #2)", r"K(\cdot, x)", r"\partial_{A_p} C(A_1)",
    r"(g_{ss})_{#1 #2}", r"[z]_+", r"\|dh(\infty)\|^2", r"i_{#1} \cdots i_{#2}", r"dh",
    r"|\mathcal{Y}|", r"{\|dh\|^2}'",
    r"\left\|#1\right\|_F", r"\left\langle #1, #2 \right\rangle_{#3}", r"#1^T", r"#1 #2^\top",
    r"\sum_{#2 = #3}^{#4} #1", r"\mathbb{E}_{\underline{x}}\left[#1\right]",
    r"\operatorname{Tr}\left[#1\right]", r"\sqrt{#1}", r"\int_0^1 #1 \, dp",
    r"\frac{\partial}{\partial #1}\left[#2\right]", r"\frac{\mathrm{d}}{\mathrm{d}h} #1",
    r"\left(#1\right) + (#2 \leftrightarrow #3)",
)  # fmt: skip
FORMULAS = (
    r"\frac{y_2+y_1}{2}", r"\mathbb{E}_{a,b}[\log p(b|a)]", r"x_2-x_1", r"(x_2-x_1)", r"\|x_2-x_1\|^2", r"AB",
    r"2x", r"b_c - b_{c'}", r"h(\frac{x}{2})", r"f(D(g)x)", r"P(x < h)", r"\frac{b}{a}", r"\tilde{y_1+y_2}",
    r"-x", r"\max l", r"x = y", r"\mu \cdot \nu", r"#1/3", r"\frac{#1}{3}", r"2 #1", r"-#1", r"#1 + #2",
    r"x #1", r"[-A]_+", r"e^{-t/\tau} y", r"\|x", r"x_{i", "", r"f(x",
)  # fmt: skip


def test_letters_are_told_from_formulas():
    assert [latex for latex in LETTERS if not is_letter(latex)] == []
    assert [latex for latex in FORMULAS if is_letter(latex)] == []
