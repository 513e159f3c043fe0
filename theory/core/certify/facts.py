"""The lines of a proof in letters, and the rational functions that terms in letters are."""

from typing import Any

import sympy as sp

from theory.core.certify.domains import Hypothesis, factors, sign_of
from theory.core.certify.terms import ONE, Names, Term, Unsupported, expression, rebuilt, text
from theory.core.certify.writing import term

LARGEST = 400  # operations of an argument
PI_LETTER = sp.Symbol("PI", positive=True)


class Facts:
    """The lines of one proof: letters, equations, and facts about them; and rational functions of the letters.

    ``orders`` has, from an earlier pass, the least common denominator of the multiples of each exponent.
    """

    def __init__(self, names: Names, hypotheses: list[str], orders: dict[Any, int]) -> None:
        self._places = ["", *(f" in {name}" for name in hypotheses)]
        self._orders = orders
        self._symbols = {name: sp.Symbol(name, real=True, **sign_of(old)) for name, old in names.symbols.items()}
        self._symbols["PI"] = PI_LETTER
        self._letters: dict[Any, str] = {}
        self._logarithms: dict[str, tuple[Term, str]] = {}
        self._exponents: dict[str, tuple[Term, str]] = {}  # letter of an exponential -> its exponent, its definition
        self._powers: dict[sp.Symbol, tuple[int, sp.Expr]] = {}  # letter -> order, polynomial: letter^order
        self._number = 0
        self._of: dict[Term, Term] = {}
        self._rules: list[str] = []
        self._positive: set[sp.Expr] = set()
        self._nonnegative: set[sp.Expr] = set()
        self._nonzero: set[sp.Expr] = set()
        self.lines: list[str] = []
        self.added: dict[str, Hypothesis] = {}  # facts that are rewritten, too
        self.relations: list[str] = []

    def identity(self) -> str:
        """Return the tactic that proves an identity of rational functions in the letters."""
        given = f" [{' '.join(self.relations)}]" if self.relations else ""
        return f"first [ring{given} | field{given}; nz]"

    # Letters, facts and equations.
    def _named(self, key: Any, whole: Term) -> str:
        if key not in self._letters:
            self._number += 1
            letter = f"k{self._number}"
            self._letters[key] = letter
            self._symbols.setdefault(letter, sp.Symbol(letter, real=True))
            self.lines.append(f"destruct (named ({text(whole)})) as [{letter} D{self._number}].")
            self._rewrite(f"<- ?D{self._number}")
        else:
            letter = self._letters[key]
            if whole[0] == "fn" and key[0] not in ("exp", "log", "sqrt"):
                by = f"rewrite {self._definition(letter)}; f_equal; {self.identity()}"
                self._replaced(whole, ("var", letter), by)
        return letter

    @staticmethod
    def _definition(letter: str) -> str:
        return f"D{letter[1:]}"

    def _replaced(self, whole: Term, other: Term, by: str) -> Term:
        if whole != other:
            self._number += 1
            self.lines.append(f"assert (P{self._number} : {text(whole, 1)} = {text(other, 1)}) by ({by}).")
            self._rewrite(f"?P{self._number}")
        return other

    def _at(self, whole: Term, point: str, other: Term, rule: str) -> Term:
        """Replace a function whose argument equals ``point``, where a lemma says what it is."""
        by = f"replace {text(whole[2], 6)} with {point} by ({self.identity()}); apply {rule}"
        return self._replaced(whole, other, by)

    def _rewrite(self, rule: str) -> None:
        self._rules.append(rule)
        self.lines.append(" ".join(f"rewrite {rule}{place}." for place in self._places))

    def _assert(self, fact: str, by: str) -> str:
        self._number += 1
        self.lines.append(f"assert (Q{self._number} : {fact}) by ({by}).")
        return f"Q{self._number}"

    def _signed(self, letter: str, rule: str, strict: bool = True) -> None:
        """Add that a letter is positive, or not negative, by a rule after its definition."""
        self._symbols[letter] = sp.Symbol(letter, nonnegative=True, positive=strict or None)
        self._assert(f"0 {'<' if strict else '<='} {letter}", f"rewrite {self._definition(letter)}{rule}")

    def _power(self, letter: str, order: int, value: sp.Expr, other: str, rule: str) -> None:
        """Add by a rule after the definition of a letter that its power is a value, which is written as ``other``."""
        symbol = self._symbols[letter]
        if symbol not in self._powers:
            power = f"{letter} ^ {order}" if order > 1 else letter
            by = f"rewrite {self._definition(letter)}{rule}"
            self.relations.append(self._assert(f"{power} = {other}", by))
            self._powers[symbol] = (order, value)

    # Rational functions of the letters by computer algebra.
    def value(self, whole: Term) -> sp.Expr:
        """Return the rational function that a term in letters is, with powers reduced by the relations."""
        found = sp.together(expression(whole, self._symbols))
        if sp.count_ops(found) > LARGEST:
            raise Unsupported("an argument that is too large")
        found = sp.cancel(found)
        for symbol, (order, power) in reversed(self._powers.items()):
            if found.has(symbol):
                over, under = sp.fraction(found)
                over, under = (sp.rem(part, symbol**order - power, symbol) for part in (over, under))
                found = sp.cancel(over / under)
        return found

    def term(self, value: sp.Expr) -> Term:
        """Return the term of a rational function of letters."""
        return term(value, _Same())

    def _factored(self, value: sp.Expr) -> list[tuple[sp.Expr, int]]:
        """Return factors and exponents of a rational function; a number is split into primes."""
        over, under = sp.fraction(value)
        found: dict[sp.Expr, int] = {}
        for part, sign in ((over, 1), (under, -1)):
            number, factors = sp.factor_list(part)
            for base, power in factors:
                if base.could_extract_minus_sign() and not base.is_positive:
                    base, number = -base, number * (-1) ** power
                found[base] = found.get(base, 0) + sign * power
            for integer, side in ((number.p, sign), (number.q, -sign)):
                for prime, power in sp.factorint(integer).items() if integer != 1 else ():
                    found[sp.Integer(prime)] = found.get(sp.Integer(prime), 0) + side * power
        if found.pop(sp.S.NegativeOne, 0) % 2:
            odd = next((b for b, p in found.items() if p % 2 and not b.is_positive), None)
            if odd is None:
                found[sp.S.NegativeOne] = 1
            else:
                found[-odd] = found.pop(odd)
        return [(base, power) for base, power in found.items() if power]

    def _is_positive(self, base: sp.Expr) -> bool:
        return bool(base.is_positive) or base in self._positive

    def _is_nonnegative(self, base: sp.Expr) -> bool:
        return bool(base.is_nonnegative) or base in self._nonnegative or base in self._positive

    def _is_nonzero(self, value: sp.Expr) -> bool:
        return all(
            b.is_nonzero or b == -1 or self._is_positive(b) or b in self._nonzero for b, _ in self._factored(value)
        )

    def signs(self, name: str, relation: str, whole: Term) -> None:
        """Add what follows from a hypothesis in letters if all but one of the factors of its term are positive."""
        value = self.value(whole)
        unknown = [piece for piece in self._factored(value) if not self._is_positive(piece[0])]
        self._nonzero.update(base for base, _ in unknown if relation != "<=")
        for base, power in unknown if sp.count_ops(value) <= LARGEST else ():
            factor, rest = self.term(base), self.term(sp.factor(sp.cancel(value / base)))
            product = f"{text(rest, 2)} * {text(factor, 6)}"
            if relation == "<>" and self._is_nonnegative(base) and power > 0:
                same = f"replace ({text(whole)}) with ({product}) by ({self.identity()}); rewrite C; ring"
                by = f"apply le_ne; [nonneg | intro C; apply {name}; {same}]"
            elif relation != "<>" and power == 1 and len(unknown) == 1:
                same = f"replace ({product}) with ({text(whole)}) by ({self.identity()}); assumption"
                rule = "Rmult_lt_reg_l" if relation == "<" else "Rmult_le_reg_l"
                by = f"apply {rule} with ({text(rest)}); [pos | rewrite Rmult_0_r; {same}]"
            else:
                continue
            self._assert(f"0 {'<=' if relation == '<=' else '<'} {text(factor, 1)}", by)
            (self._nonnegative if relation == "<=" else self._positive).add(base)

    def flat(self, whole: Term) -> Term:
        """Return a term in letters with every denominator in factors, after the lines that prove and rewrite them."""
        if whole[0] in ("num", "var"):
            return whole
        whole = rebuilt(whole, self.flat)
        if whole[0] != "div" or all(part[0] in ("num", "var") for part in factors(whole[2])):
            return whole
        product = sp.factor(self.value(whole[2]))
        if sp.count_ops(product) > LARGEST:
            raise Unsupported("a denominator that is too large")
        value = self.term(product)
        return ("div", whole[1], self._replaced(whole[2], value, self.identity()))

    def again(self) -> None:
        """Rewrite once more by all equations, because one may bring what another rewrites."""
        if self._rules:
            self.lines.append(" ".join(f"rewrite {', '.join(self._rules)}{place}." for place in self._places))

    def conditions(self, number: str, whole: Term) -> None:
        """Add that the numerator and the factors of a term in letters are not 0, as a hypothesis says of the term."""
        over, under = sp.fraction(self.value(whole))
        pieces = [base for base, _ in self._factored(over) if not base.is_Rational and not base.is_nonzero]
        if not pieces or sp.count_ops(over) > LARGEST:
            return
        top = self.term(over)
        quotient: Term = ("div", top, self.term(under))
        back = f"replace {text(whole, 6)} with ({text(quotient)}) by ({self.identity()}); rewrite C; unfold Rdiv; ring"
        self._assert(f"{text(top, 1)} <> 0", f"intro C; apply {number}; first [lra | {back}]")
        for piece in pieces if len(pieces) > 1 or pieces[0] != over else ():
            rest = self.term(sp.cancel(over / piece))
            product = f"{text(self.term(piece), 6)} * {text(rest, 6)}"
            by = f"intro C; apply Q{self._number}; transitivity ({product}); [ring | rewrite C; ring]"
            self.lines.append(
                f"assert (Q{self._number}_{len(self.lines)} : {text(self.term(piece), 1)} <> 0) by ({by})."
            )


class _Same(Names):
    """Letters that are written as they are."""

    def of(self, symbol: Any) -> str:
        """Return the name of the letter."""
        return str(symbol.name)


def times_power(value: Term, letter: str, power: int) -> Term:
    """Return the value times a power of a letter, whose exponent may be negative."""
    base: Term = ("var", letter) if abs(power) == 1 else ("pow", ("var", letter), abs(power))
    if power < 0:
        return ("div", value, base)
    return base if value == ONE else ("mul", value, base)
