"""The lines of one proof in letters, and the rational functions of letters that terms are."""

from typing import Any

import sympy as sp

from bridge.certify.statements import Symbols, factors, sign_of
from bridge.certify.terms import Names, Term, Unsupported, expression, rebuilt, text
from bridge.certify.writing import term

LARGEST = 1000  # operations of an argument


class Facts:
    """Letters, equations and facts about them, and the tactics that prove these.

    ``orders`` has, from an earlier pass, the least common denominator of the multiples of each exponent.
    """

    def __init__(self, symbols: Symbols, hypotheses: list[str], orders: dict[Any, int]) -> None:
        self._places = [*hypotheses]
        self._orders = orders
        self._symbols = {
            name: sp.Symbol(name, real=True, **sign_of(old)) for name, old in symbols.items()
        }
        self._symbols["PI"] = sp.Symbol("PI", positive=True)
        self._letters: dict[Any, str] = {}
        self._logarithms: dict[str, Term] = {}  # letter of a logarithm -> what is inside
        self._exponents: dict[str, Term] = {}  # letter of an exponential -> its exponent
        # letter -> order, polynomial: letter^order
        self._powers: dict[sp.Symbol, tuple[int, sp.Expr]] = {}
        self._relations: list[str] = []
        self._number = 0
        self._of: dict[Term, Term] = {}
        self._rules: list[str] = []
        self._known: dict[str, set[sp.Expr]] = {"<": set(), "<=": set(), "<>": set()}
        self.lines: list[str] = []

    def identity(self) -> str:
        """Return the tactic that proves an identity of rational functions in the letters."""
        with_relations = f" [{' '.join(self._relations)}]" if self._relations else ""
        return f"first [ring{with_relations} | field{with_relations}; nz]"

    def _named(self, key: Any, whole: Term) -> str:
        if key not in self._letters:
            self._number += 1
            letter = self._letters[key] = f"k{self._number}"
            self._symbols.setdefault(letter, sp.Symbol(letter, real=True))
            self.lines.append(f"destruct (named ({text(whole)})) as [{letter} D{self._number}].")
            self._rewrite(f"<- ?D{self._number}")
        elif key[0] not in ("exp", "log", "sqrt"):
            by = f"rewrite D{self._letters[key][1:]}; f_equal; {self.identity()}"
            self._replaced(whole, ("var", self._letters[key]), by)
        return self._letters[key]

    def _replaced(self, whole: Term, other: Term, by: str = "") -> Term:
        """Replace a function by what the tactic ``letters`` leaves an identity of rational functions for."""
        if whole != other:
            fact = self._assert(
                f"{text(whole, 1)} = {{}}", other, by or f"letters; {self.identity()}"
            )
            self._rewrite(f"?{fact}")
        return other

    def _at(self, whole: Term, point: Term, other: Term) -> Term:
        """Replace a function whose argument equals ``point``, where a lemma says what it is."""
        by = f"replace {text(whole[2], 6)} with {text(point, 6)} by ({self.identity()}); special"
        return self._replaced(whole, other, by)

    def _rewrite(self, *rules: str) -> None:
        self._rules += rules
        for target in ("", *(f" in {name}" for name in self._places)):
            self.lines.append(f"rewrite {', '.join(rules)}{target}.")

    def again(self) -> None:
        """Rewrite once more by all equations, because one may bring what another rewrites."""
        rules, self._rules = self._rules, []
        if rules:
            self._rewrite(*rules)

    def _assert(self, fact: str, whole: Term, by: str) -> str:
        self._number += 1
        self.lines.append(f"assert (Q{self._number} : {fact.format(text(whole, 1))}) by ({by}).")
        return f"Q{self._number}"

    def _signed(self, letter: str, strict: bool = True) -> None:
        """Add that a letter is positive, or not negative."""
        self._symbols[letter] = sp.Symbol(letter, nonnegative=True, positive=strict or None)
        by = f"rewrite D{letter[1:]}; {'pos' if strict else 'nonneg'}"
        self._assert(f"0 {'<' if strict else '<='} {{}}", ("var", letter), by)

    def _power(self, letter: str, order: int, value: sp.Expr) -> None:
        """Add that the power of a letter is a value."""
        symbol = self._symbols[letter]
        if symbol not in self._powers:
            by = f"rewrite D{letter[1:]}; power; {self.identity()}"
            self._relations.append(
                self._assert(f"{letter} ^ {order} = {{}}", self.term(value), by)
            )
            self._powers[symbol] = (order, value)

    def _positive_power(self, symbol: sp.Symbol) -> None:
        """Add that the power of a positive letter, of which an equation is known, is positive."""
        order, value = self._powers[symbol]
        letter: Term = ("pow", ("var", symbol.name), order)
        as_power = (
            f"replace ({text(self.term(value))}) with ({text(letter)}) by ({self.identity()})"
        )
        self._assert("0 < {}", self.term(value), f"{as_power}; pos")
        self._known["<"].add(value)

    def flat(self, whole: Term) -> Term:
        """Return a term in letters with every denominator in factors, after the lines that prove and rewrite them."""
        whole = rebuilt(whole, self.flat)
        if whole[0] == "div" and self.value(whole[1]) == 0:
            nothing = f"replace ({text(whole[1])}) with 0 by ({self.identity()})"
            return self._replaced(whole, ("num", 0), f"{nothing}; unfold Rdiv; ring")
        if whole[0] != "div" or all(part[0] in ("num", "var") for part in factors(whole[2])):
            return whole
        product = sp.factor(self.value(whole[2]))
        if sp.count_ops(product) > LARGEST:
            raise Unsupported("a denominator that is too large")
        return ("div", whole[1], self._replaced(whole[2], self.term(product), self.identity()))

    # Rational functions of the letters by computer algebra.
    def value(self, whole: Term) -> sp.Expr:
        """Return the rational function that a term in letters is, with powers reduced by the relations."""
        rational = sp.together(expression(whole, self._symbols))
        if sp.count_ops(rational) > LARGEST:
            raise Unsupported("an argument that is too large")
        rational = sp.cancel(rational)
        for symbol, (order, power) in reversed(self._powers.items()):
            if rational.has(symbol):
                over, under = (
                    sp.rem(part, symbol**order - power, symbol) for part in sp.fraction(rational)
                )
                rational = sp.cancel(over / under)
        return rational

    def term(self, value: sp.Expr) -> Term:
        """Return the term of a rational function of letters."""
        return term(value, Same())

    def _factored(self, value: sp.Expr) -> list[tuple[sp.Expr, int]]:
        """Return factors and exponents of a rational function; a number is split into primes."""
        exponents: dict[sp.Expr, int] = {}
        for part, sign in zip(sp.fraction(value), (1, -1), strict=True):
            number, factors = sp.factor_list(part)
            for base, power in factors:
                if base.could_extract_minus_sign() and not base.is_positive:
                    base, number = -base, number * (-1) ** power
                exponents[base] = exponents.get(base, 0) + sign * power
            for prime, power in sp.factorrat(number).items() if number != 1 else ():
                exponents[sp.Integer(prime)] = exponents.get(sp.Integer(prime), 0) + sign * power
        if exponents.pop(sp.S.NegativeOne, 0) % 2:
            odd = next((b for b, p in exponents.items() if p % 2 and not b.is_positive), sp.S.One)
            exponents[-odd] = exponents.pop(odd, 1)
        return [(base, power) for base, power in exponents.items() if power]

    def _is_positive(self, base: sp.Expr) -> bool:
        return bool(base.is_positive) or base in self._known["<"]

    def _is_nonnegative(self, base: sp.Expr) -> bool:
        return bool(base.is_nonnegative) or self._is_positive(base) or base in self._known["<="]

    def _is_nonzero(self, value: sp.Expr) -> bool:
        known = self._known["<>"]
        return all(
            base.is_nonzero or self._is_positive(base) or base in known
            for base, _ in self._factored(value)
        )


class Same(Names):
    """Letters that are written as they are."""

    def of(self, symbol: Any) -> str:
        """Return the name of the letter."""
        return str(symbol.name)
