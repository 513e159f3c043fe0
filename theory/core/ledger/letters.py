r"""The letters of a paper: what each name of its ledger's text is, and how the paper prints it.

A line of letters begins with what they are, and separates them by `` ; ``. A letter may have a name of its own in the
text (``D_n as D``), and the paper's LaTeX (``tau_h = \tau_h``), in which ``#1`` is the first argument of a function::

    letters positive: tau_h = \tau_h ; L
    letters integer nonnegative: k
    letters function real: y = y(#1)
    letters matrix 3 x 2: D_y = D_y
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import sympy as sp

from closedform.suggestions import UnknownNameError, unknown
from theory.core.ledger.glyphs import is_letter
from theory.core.ledger.source import Line

ASSUMPTIONS = (
    "real",
    "positive",
    "negative",
    "nonnegative",
    "nonzero",
    "integer",
    "complex",
    "commutative",
)
_KIND = re.compile(r"(?P<kind>function|matrix)?(?P<rest>.*)")
_SHAPE = re.compile(r"(?P<rows>\w+) x (?P<columns>\w+)")
_LETTER = re.compile(r"(?P<name>\w+)(?: as (?P<symbol>\S+))?(?: = (?P<latex>.+))?")


class Letters(Mapping[str, Any]):
    """Names of the text -> sympy symbols, matrix symbols and undefined functions; ``latex`` has the paper's LaTeX."""

    def __init__(self, lines: Iterable[Line] = (), before: "Letters | None" = None) -> None:
        """Declare the letters of the lines; they replace letters of the same names in ``before``. Default: none."""
        self._objects: dict[str, Any] = {}
        self.latex: dict[str, str] = {}
        for line in lines:
            self._declare(line)
        if before is not None:
            self._objects = {**before, **self._objects}
            self.latex = before.latex | self.latex

    def __getitem__(self, name: str) -> Any:
        return self._objects[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._objects)

    def __len__(self) -> int:
        return len(self._objects)

    def __call__(self, names: str) -> Any:
        """Return the letter of a name, or a tuple of those of several names that are separated by spaces."""
        letters = []
        for name in names.split():
            if name not in self._objects:
                raise UnknownNameError(unknown("letter", name, self._objects))
            letters.append(self._objects[name])
        return tuple(letters) if len(letters) > 1 else letters[0]

    def _declare(self, line: Line) -> None:
        kind, colon, letters = line.text.partition(":")
        if not colon:
            raise line.error(repr(line.text), "what the letters are, a colon, and the letters")
        for text in letters.split(" ; "):
            match = _LETTER.fullmatch(text.strip())
            if not match:
                raise line.error(repr(text), "a letter, such as tau_h = \\tau_h")
            if match["name"] in self._objects:
                raise line.error(
                    f"the letter {match['name']} twice", "another name, such as 'x_n as x'"
                )
            if match["latex"] and not is_letter(match["latex"]):
                raise line.error(
                    f"the letter {match['name']} = {match['latex']}",
                    "a glyph or a mark, see glyphs.py",
                )
            symbol = match["symbol"] or match["name"]
            self._objects[match["name"]] = self._letter(kind.strip(), symbol, line)
            if match["latex"]:
                self.latex[symbol] = match["latex"]

    def _letter(self, kind: str, symbol: str, line: Line) -> Any:
        match = _KIND.fullmatch(kind)
        assert match
        if match["kind"] == "matrix":
            shape = _SHAPE.fullmatch(match["rest"].strip())
            if not shape:
                raise line.error(repr(kind), "a shape, such as matrix 3 x 2")
            return sp.MatrixSymbol(
                symbol, self._size(shape["rows"], line), self._size(shape["columns"], line)
            )
        words = [word for word in match["rest"].split() if word != "any"]
        wrong = [word for word in words if word not in ASSUMPTIONS]
        if wrong:
            raise line.error(
                repr(wrong[0]), f"one of {', '.join(ASSUMPTIONS)}, any, function, matrix"
            )
        assumptions = dict.fromkeys(words, True)
        return (sp.Function if match["kind"] else sp.Symbol)(symbol, **assumptions)

    def _size(self, text: str, line: Line) -> Any:
        if text.isdigit():
            return int(text)
        if text not in self._objects:
            raise line.error(f"the size {text}", "a number, or a letter that is declared before")
        return self._objects[text]
