r"""The grammar of a letter's LaTeX: a glyph with accents, indices and arguments, or a mark around arguments.

What computes something is a formula, which a program has to read. So a letter is one of these:

* a *glyph*: a sign, a command such as ``\tau`` or a word in a font, with accents, indices and primes:
  ``\dot{\omega}_1``, ``(g_{ss})_{#1 #2}``. A norm, ``\|dh\|^2``, a positive part, ``[z]_+``, and a derivative,
  ``\partial_p A``, are accents;
* a glyph with *arguments* in brackets, which are letters, numbers and the arguments ``#1``, ``#2`` of a function;
* a *run* of glyphs, ``i_1 \cdots i_n``;
* a *mark* of a function: arguments, brackets and operators alone, such as ``\|#1\|_F``, ``\sum_i #1``, ``#1^T #2`` or
  ``\frac{\partial}{\partial #1}[#2]``. Outside its indices it has no number, no sign and no other letter.
"""

import re

_NOT_SHOWN = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])|\\[,;:! ]|~")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|#\d|\d+|\S")
_FONTS = frozenset(
    {"mathcal", "mathbb", "mathbf", "mathrm", "mathsf", "mathit", "mathfrak", "boldsymbol", "text", "operatorname",
     "tilde", "hat", "bar", "dot", "ddot", "vec", "widehat", "widetilde", "overline", "underline"}
)  # fmt: skip
_OPERATORS = frozenset(
    {"det", "max", "min", "inf", "sup", "arg", "lim", "sum", "prod", "int", "log", "partial", "nabla", "cdot", "sqrt",
     "leftrightarrow"}
)  # fmt: skip
_NO_GLYPHS = _OPERATORS | {
    "times",
    "le",
    "ge",
    "ne",
    "sim",
    "to",
    "approx",
    "odot",
    "otimes",
    "frac",
    "quad",
    "cdots",
}
_WORDS = frozenset({"operatorname", "mathrm", "mathbb"})  # of an operator, such as Tr
# positive part, norm, size, mean
_AROUND = {"(": ")", "[": "]", r"\|": r"\|", "|": "|", r"\langle": r"\rangle"}
_CLOSING = {"(": ")", "[": "]", r"\{": r"\}"}
_BRACKETS = frozenset("()[]{}|,;") | {
    r"\{",
    r"\}",
    r"\|",
    r"\langle",
    r"\rangle",
    r"\lceil",
    r"\rceil",
}


CONVENTIONS = {
    r"\left(#1\right) + (#2 \leftrightarrow #3)": "and the same with two indices exchanged",
    r"#1 | \mathsf{y} = #2": "given a value of the label",
    r"\text{channels of } \mathbf{h}^{#1}": "a number that the paper names in words",
    **dict.fromkeys(
        (
            r"h_\phi\left(\frac{x_2+x_1}{2}\right)",
            r"y\left(h\left(\frac{x_2+x_1}{2}\right)\right)",
            r"y_\psi\left(h_\phi\left(\frac{x_2+x_1}{2}\right)\right)",
        ),
        "a vector at the middle of two points: sympy adds no value of a function to a matrix",
    ),
}
"""Letters outside of the grammar, with the reason."""


def is_letter(latex: str) -> bool:
    """Return whether LaTeX is a letter of this grammar, or one of :data:`CONVENTIONS`."""
    if latex in CONVENTIONS:
        return True
    tokens = _TOKEN.findall(_NOT_SHOWN.sub(" ", latex))
    return _GlyphReader(tokens).is_run() or _GlyphReader(tokens).is_mark()


class _GlyphReader:
    """One pass over the tokens; what it expects and does not find is a ``ValueError``."""

    def __init__(self, tokens: list[str]) -> None:
        self._rest = tokens[::-1]

    def is_run(self) -> bool:
        try:
            self._glyph()
            if self._take(r"\cdots"):
                self._glyph()
        except ValueError:
            return False
        return not self._rest

    def is_mark(self) -> bool:
        has_argument = any(token.startswith("#") for token in self._rest)
        try:
            while self._rest:
                self._part_of_mark()
        except ValueError:
            return False
        return has_argument

    @property
    def _next(self) -> str:
        return self._rest[-1] if self._rest else ""

    def _take(self, *tokens: str) -> bool:
        return self._next in tokens and bool(self._rest.pop())

    def _need(self, *tokens: str) -> None:
        if not self._take(*tokens):
            raise ValueError(f"got {self._next}, needs {' or '.join(tokens)}")

    def _group(self) -> list[str]:
        """Take one token, or what stands in braces, and return it."""
        taken: list[str] = []
        while not taken or taken.count("{") > taken.count("}"):
            if not self._rest:
                raise ValueError("got the end, needs a group")
            taken.append(self._rest.pop())
        return taken

    def _indices(self) -> None:
        while self._next in ("^", "_", "'"):
            if self._rest.pop() != "'":
                self._group()

    def _glyph(self) -> None:
        while self._next in (r"\partial", r"\nabla") or (
            self._next == "d" and self._is_sign(self._rest[-2:-1])
        ):
            self._rest.pop()
            self._indices()
        self._sign()
        self._indices()
        while self._next in _CLOSING:
            self._arguments()
        self._indices()

    def _sign(self) -> None:
        if self._next in _AROUND:
            closing = _AROUND[self._rest.pop()]
            self._glyph()
            self._need(closing)
        elif self._take("{"):
            if not self._take("}"):
                self._glyph()
                self._need("}")
            elif self._next in ("_", "^"):  # indices before the letter
                self._indices()
                self._sign()
        elif self._next[1:] in _FONTS and self._next.startswith("\\"):
            self._rest.pop()
            if set(self._group()) & {"+", "-", "=", "/", r"\frac"}:
                raise ValueError("got a formula under an accent")
        elif self._is_sign([self._next]):
            self._rest.pop()
        else:
            raise ValueError(f"got {self._next}, needs a sign")

    @staticmethod
    def _is_sign(tokens: list[str]) -> bool:
        command = re.fullmatch(r"\\([A-Za-z]+)", "".join(tokens))
        return (
            command[1] not in _NO_GLYPHS
            if command
            else "".join(tokens) in ("?", "1") or "".join(tokens).isalpha()
        )

    def _arguments(self) -> None:
        closing = _CLOSING[self._rest.pop()]
        while not self._take(closing):
            if self._take(",", "|", ";", "=", "+", "-", r"\cdot", r"\to"):
                continue
            if self._next.startswith("#") or self._next.isdigit():
                self._rest.pop()
                self._indices()
            else:
                self._glyph()
            if self._next not in (",", "|", ";", "=", r"\to", closing):
                raise ValueError(f"got {self._next}, needs a comma")

    def _part_of_mark(self) -> None:
        token = self._rest.pop()
        if token == r"\frac":  # of a derivative
            numerator = self._group()
            if not {r"\partial", "d"} & set(numerator):
                raise ValueError("got a fraction")
        elif token in ("d", r"\partial") or (
            token[1:] in _WORDS and self._group() == ["{", "d", "}"]
        ):
            self._indices()
            if self._next[:1] not in "#(":
                self._glyph()
        elif not (token.startswith("#") or token in _BRACKETS or token[1:] in _OPERATORS | _WORDS):
            raise ValueError(f"got {token}, needs an argument, a bracket or an operator")
        self._indices()
