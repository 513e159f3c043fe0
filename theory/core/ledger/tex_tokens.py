r"""TeX of formulas as tokens: commands, letters, numbers and words. Fonts, sizes and spaces are not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Tokens = tuple[str, ...]

_SAME = {
    r"\lVert": r"\|", r"\rVert": r"\|", r"\Vert": r"\|", r"\simeq": r"\approx", r"\rightarrow": r"\to", r"\leq": r"\le",
    r"\geq": r"\ge", r"\epsilon": r"\varepsilon", r"\varphi": r"\phi", r"\prime": "'", r"\ln": r"\log",
    r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\mid": "|", r"\partial": "d", r"\dfrac": r"\frac",
    r"\tfrac": r"\frac", r"\intercal": r"\top",
}  # fmt: skip
_UNREAD = re.compile(
    r"\\(?:left|right|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|biggl|biggr|displaystyle|textstyle|quad|qquad|limits"
    r"|nonumber|cdot|times|mathbf|boldsymbol|bm|mathcal|rm|bf|mathbb|mathit|mathsf)(?![a-zA-Z])|\\[ ,;!:\\]|[&~]"
)
_TOKEN = re.compile(
    r"\\(?:mathrm|text|operatorname|textrm)\*?\s*\{\s*([a-zA-Z]*)\s*\}|(\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S)"
)
LAYOUT = re.compile(
    r"%\s|\\(?:begin|end)\s*\{[^}]*\}(?:\[[^\]]*\]|\{[lcr|]*\})?|\\(?:tag|label)\{[^}]*\}"
)
_NUMBER = re.compile(r"\\q?quad\s*\(\w[\w.]*\)\s*$")  # of an equation, at its end
_TRANSPOSE = re.compile(r"\^\s*(?:T(?![a-zA-Z])|\{\s*T\s*\})")
_SLOPE = re.compile(
    r"\\frac\s*\{\s*(?:d|\\partial|\\mathrm\{d\})\s*\}\s*"
    r"\{\s*(?:d|\\partial(?![a-zA-Z])|\\mathrm\{d\})\s*([^{}]*(?:\{[^{}]*\})?[^{}]*)\}"
)
ENDS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\langle": r"\rangle"}
ACCENTS = frozenset(
    [r"\bar", r"\tilde", r"\hat", r"\dot", r"\ddot", r"\vec", r"\underline", r"\overline", r"\widehat"]
)  # fmt: skip
WORD = '"'  # begins the token of a word, such as tr


def tokens(latex: str, letters: Iterable[Sequence[str]] = ()) -> list[str]:
    r"""Return the commands, letters and numbers of a formula in their order, with words as one token.

    Args:
        latex: the formula.
        letters: tokens of letters that have several, such as ``dh``, which become one.

    >>> tokens(r"\frac{\mathrm{tr} A}{2 dh}", [("d", "h")])
    ['\\frac', '{', '"tr', 'A', '}', '{', '2', 'dh', '}']
    """
    latex = _NUMBER.sub("", LAYOUT.sub(" ", latex)).rstrip(" .,;")
    latex = _SLOPE.sub(r"\\partial_{\1}", latex)
    latex = _TRANSPOSE.sub(r"^{\\top}", latex.replace("||", r"\|").replace(":=", "="))
    parts = []
    for word, other in _TOKEN.findall(_UNREAD.sub(" ", latex)):
        is_word = len(word) > 1
        parts.append(f"{WORD}{word}" if is_word else word or _SAME.get(other, other))
    for letter in letters:
        parts = _joined(parts, list(letter))
    return parts


def _joined(parts: list[str], letter: list[str]) -> list[str]:
    joined, size = list[str](), len(letter)
    while parts:
        is_letter = parts[:size] == letter
        joined.append("".join(letter) if is_letter else parts[0])
        parts = parts[size if is_letter else 1 :]
    return joined


def head(parts: Sequence[str]) -> str:
    r"""Return the first glyph of a letter without accents and brackets; empty if there is none.

    >>> head([r"\dot", "{", "D", "_", "h", "}"])
    'D'
    """
    return next((part for part in parts if part not in ACCENTS and part not in ENDS), "")
