"""Tests of letters in a terminal."""

import unicodedata

import pytest

from theory.core.text.plain_letters import plain


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\tau_h", "τ_h"), (r"\dot{\omega}_1", "ω\u0307_1"), (r"z^*", "z∗"), (r"\tilde{L}", "L\u0303"),
        (r"\|dh(0)\|^2", "‖dh(0)‖^2"), (r"\mathcal{L}", "L"), (r"\underline{x}^{#1}", "x\u0332^#1"),
        (r"P(\underline{x}|y=+)", "P(x\u0332|y=+)"), (r"\left\langle #1 \right\rangle_{x_1}", "⟨#1⟩_x_1"),
        (r"A_{p,\cdot i}", "A_p,·i"), (r"\lambda", "λ"), (r"\det g", "det g"), (r"K_{n+1}", "K_(n+1)"),
        (r"\left\|#1\right\|_{(K + \gamma I)}", "‖#1‖_(K + γI)"),
        (r"\frac{\mathrm{d}}{\mathrm{d}t} #1", "d/dt #1"), (r"\operatorname{Tr}\left[#1\right]", "Tr[#1]"),
        ("rep_g", "rep_g"), (r"C_1^+", "C_1⁺"), (r"w^\dagger", "w†"), (r"\Lambda", "Λ"), (r"\{x_1\}", "{x_1}"),
    ],
)  # fmt: skip
def test_letters_are_those_of_the_paper(latex, text):
    assert plain(latex) == unicodedata.normalize("NFC", text)
