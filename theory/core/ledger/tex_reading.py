r"""TeX of formulas as sequences of glyphs, in which sums and products are sorted because their order says nothing.

:math:`h\sqrt{d}/2` and :math:`\frac{\sqrt{d} h}{2}` are read as the same sequence. The order of everything else is
kept: arguments of a function, sub- and superscripts, what is over and under a fraction bar, sides of a relation, and
factors that are matrices. Fonts, sizes and spaces are not read. No meaning is: sequences are only compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from theory.core.ledger.tex_tokens import ACCENTS, ENDS, WORD, Tokens, head, tokens

_CLOSE = frozenset(ENDS.values())
_FUNCTIONS = frozenset([r"\log", r"\sin", r"\cos", r"\tan", r"\det"])
_OPERATORS = frozenset([r"\min", r"\max", r"\inf", r"\sup", r"\arg", r"\lim"])
_SEPARATORS = frozenset(
    tokens(
        r"= < > , ; : | \le \ge \sim \approx \to \in \propto \ne \neq \implies \wedge \forall \equiv \ll \gg"
        r" \leftarrow \mapsto \Rightarrow \subset \subseteq \cup"
    )
)
_SIGNS = {"+": "+", "-": "-", r"\pm": r"\pm", r"\mp": r"\mp"}


def _exponent(base: Tokens) -> int | None:
    """Return where the exponent begins with which some tokens end, None if they end with none."""
    depth = 0
    for at in range(len(base) - 1, 0, -1):
        depth += (base[at] == "}") - (base[at] == "{")
        if depth == 0:
            return at - 1 if base[at - 1] == "^" and at < len(base) - 1 else None
    return None


@dataclass
class _Term:
    """A product: its sign, its factors and those under its fraction bar."""

    sign: str = "+"
    over: list[Tokens] = field(default_factory=list)
    under: list[Tokens] = field(default_factory=list)

    def times(self, factor: _Factor, is_under: bool = False) -> None:
        """Multiply by a factor, or by its inverse; one that is a product itself is opened."""
        over, under = (self.under, self.over) if is_under else (self.over, self.under)
        if factor.product is None:
            over.append(factor.written)
            return
        over += factor.product.over
        under += factor.product.under
        if factor.product.sign != "+":
            self.sign = "+" if self.sign == factor.product.sign else factor.product.sign

    @property
    def is_single(self) -> bool:
        """Whether it is one factor alone."""
        return self.sign == "+" and len(self.over) == 1 and not self.under


class _Factor(NamedTuple):
    """A factor as it is written, and the product that it is if it needs no brackets, or the sum in its brackets."""

    written: Tokens
    product: _Term | None = None
    terms: list[_Term] | None = None


_Side = list[_Term] | str


class Reader:
    """A reader of one formula.

    Args:
        parts: its tokens.
        functions: first glyphs of letters that are functions, to which the brackets behind them belong.
        matrices: first glyphs of letters whose products have an order.
    """

    def __init__(
        self, parts: Sequence[str], functions: Collection[str] = (), matrices: Collection[str] = ()
    ) -> None:
        self._parts, self._at = list(parts), 0
        self._functions, self._matrices = functions, matrices

    def sequence(self) -> Tokens:
        """Return the whole formula, with sums and products in a fixed order."""
        read = list[str]()
        while self._at < len(self._parts):
            read += self._written(self._sides(""))
            self._at += 1  # a bracket that nothing opens
        return tuple(read)

    def _next(self) -> str:
        return self._parts[self._at] if self._at < len(self._parts) else ""

    def _sides(self, end: str) -> list[_Side]:
        """Read up to the token that ends a bracket: sums, and the relations and commas between them."""
        sides: list[_Side] = [self._sum(end)]
        while self._next() in _SEPARATORS and self._next() != end:
            sides.append(self._next())
            self._at += 1
            sides.append(self._sum(end))
        return sides

    def _sum(self, end: str) -> list[_Term]:
        """Read terms up to a relation, a comma or the end of the bracket."""
        terms, is_under, operators = list[_Term](), False, list[str]()
        while self._next() in _OPERATORS:
            operators += self._factor().written
        while self._next() and self._next() not in (end, *_CLOSE):
            token = self._next()
            if token in _SEPARATORS and not self._opens_magnitude(token, end):
                break
            if token in _SIGNS or token == "/":
                self._at += 1
                is_under = token == "/"
                terms += [] if is_under else [_Term(_SIGNS[token])]
                continue
            terms, factor = terms or [_Term()], self._factor()
            terms[-1].times(factor, is_under)
            is_under = False
            if factor.terms and terms[-1].is_single and self._ends_term(end):
                terms[-1:] = factor.terms  # a sum in brackets is added
        return [_Term("+", [(*operators, *self._written([terms]))])] if operators else terms

    def _ends_term(self, end: str) -> bool:
        return self._next() in ("", end, *_CLOSE, *_SEPARATORS, *_SIGNS)

    def _opens_magnitude(self, token: str, end: str) -> bool:
        """Return whether a vertical line begins a magnitude: another one follows, and no bracket encloses it."""
        return token == "|" and end == "" and "|" in self._parts[self._at + 1 :]

    def _factor(self) -> _Factor:
        """Read an atom with its indices and exponents, and with its arguments if it is a function."""
        factor, is_applied = self._with_scripts(self._atom()), False
        is_one = factor.product is None or factor.product.is_single
        if is_one and head(factor.written) in self._functions and self._is_bracket():
            factor, is_applied = _Factor((*factor.written, *self._arguments())), True
        return self._with_scripts(factor) if is_applied else factor

    def _with_scripts(self, factor: _Factor) -> _Factor:
        """Return a factor with the indices and exponents that follow; those of a bracket come after those in it."""
        below, above = self._scripts()
        if not below and not above:
            return factor
        base, product = factor.written, factor.product
        if product is not None:
            base = product.over[0] if product.is_single else ("(", *base, ")")
        exponent = _exponent(base)
        if above and exponent is not None and not below:
            base, above = base[:exponent], [*base[exponent + 2 : -1], *above]
        scripts = ((mark, script) for mark, script in (("_", below), ("^", above)) if script)
        return _Factor((*base, *chain.from_iterable((m, "{", *s, "}") for m, s in scripts)))

    def _arguments(self) -> Tokens:
        bracket = self._atom()
        is_closed = bracket.product is None and bracket.written[0] == "("
        return bracket.written if is_closed else ("(", *bracket.written, ")")

    def _is_bracket(self) -> bool:
        """Return whether a bracket opens, which may stand in braces."""
        following = self._parts[self._at : self._at + 2]
        return following[:1] in (["("], ["["]) or following == ["{", "("]

    def _scripts(self) -> tuple[list[str], list[str]]:
        """Read indices and exponents, whichever comes first."""
        below, above = list[str](), list[str]()
        while self._next() in ("_", "^", "'"):
            mark = self._next()
            self._at += 1
            script = below if mark == "_" else above
            script += "'" if mark == "'" else self._argument().written
        return below, above

    def _atom(self) -> _Factor:
        token = self._next()
        self._at += 1
        if token in ENDS:
            return self._bracket(token)
        if token in (r"\|", "|"):
            inside = self._sides(token)
            self._at += 1
            return _Factor((token, *self._written(inside), token))
        if token == r"\frac":
            quotient = _Term()
            quotient.times(self._argument())
            quotient.times(self._argument(), is_under=True)
            return _Factor(self._product(quotient), quotient)
        if token in ACCENTS or token == r"\sqrt":
            order = self._atom().written if token == r"\sqrt" and self._next() == "[" else ()
            return _Factor((token, *order, "(", *self._argument().written, ")"))
        if token == r"\exp":
            return _Factor(("e", "^", "{", *self._argument().written, "}"))
        if token in _FUNCTIONS or token.startswith(WORD):
            function = self._with_scripts(_Factor((token,))).written
            is_applied = self._next() not in ("", *_CLOSE, *_SEPARATORS, *_SIGNS)
            argument = ("(", *self._factor().written, ")") if is_applied else ()
            return _Factor((*function, *argument))
        return _Factor((token,))

    def _argument(self) -> _Factor:
        """Read a group, or the one token that stands for it; of a number it is one digit."""
        number = self._next()
        if number.isdigit() and len(number) > 1:
            self._parts[self._at : self._at + 1] = [number[0], number[1:]]
        return self._atom()

    def _bracket(self, begin: str) -> _Factor:
        sides = self._sides(ENDS[begin])
        self._at += 1
        written, first = self._written(sides), sides[0]
        if begin == r"\langle":
            return _Factor((begin, *written, ENDS[begin]))
        if len(sides) > 1 or isinstance(first, str):
            return _Factor(("(", *written, ")"))
        if len(first) == 1:
            return _Factor(written, first[0])
        return _Factor(("(", *written, ")"), None, first)

    def _written(self, sides: Iterable[_Side]) -> Tokens:
        written = list[str]()
        for side in sides:
            if isinstance(side, str):
                written.append(side)
                continue
            terms = sorted((self._product(term), term.sign) for term in side)
            with_signs = list(chain.from_iterable((sign, *term) for term, sign in terms))
            written += with_signs[1:] if with_signs[:1] == ["+"] else with_signs
        return tuple(written)

    def _product(self, term: _Term) -> Tokens:
        over, under = tuple(self._ordered(term.over)), tuple(self._ordered(term.under))
        return (*(over or ("1",)), *(("/", *under) if under else ()))

    def _ordered(self, factors: Iterable[Tokens]) -> Iterator[str]:
        """Yield the tokens of factors in a fixed order, in which matrices stay behind each other."""
        numbers, matrices = list[Tokens](), list[Tokens]()
        for factor in factors:
            if factor != ("1",):
                (matrices if head(factor) in self._matrices else numbers).append(factor)
        return chain.from_iterable((*sorted(numbers), *matrices))
