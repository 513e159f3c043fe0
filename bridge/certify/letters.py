"""The search for a proof: functions become letters, with the relations that the kernel has proved of them.

With :math:`k = e^{x/2}`, a lemma says that :math:`e^x = k^2`. What is left is an identity of rational functions modulo
relations such as :math:`r^2 = x + 1`, which Coq's ``field`` decides. Which letters these are is found here by computer
algebra; that they are right, the tactics of ``prelude.v`` prove.
"""

from collections.abc import Callable

import sympy as sp

from bridge.certify.facts import LARGEST, Facts
from bridge.certify.statements import written
from bridge.certify.terms import ONE, PI, TWO, ZERO, Term, rebuilt, text
from bridge.certify.terms import inside as parts_inside
from bridge.certify.writing import sum_of

AT: dict[tuple[str, int], Term] = {
    ("sin", 0): ZERO, ("cos", 0): ONE, ("asin", 0): ZERO, ("atan", 0): ZERO, ("erf", 0): ZERO, ("phi1", 0): ONE,
    ("asin", 1): ("div", PI, TWO),
}  # fmt: skip
WRITTEN_OUT: dict[str, Callable[..., Term]] = {
    "normal_cdf": lambda a: (
        "div",
        ("add", ONE, ("fn", "erf", ("div", a, ("fn", "sqrt", TWO)))),
        TWO,
    ),
    "sinh": lambda a: ("div", ("sub", ("fn", "exp", a), ("fn", "exp", ("neg", a))), TWO),
    "cosh": lambda a: ("div", ("add", ("fn", "exp", a), ("fn", "exp", ("neg", a))), TWO),
    "Rpower": lambda a, c: ("fn", "exp", ("mul", c, ("fn", "ln", a))),
    "phi1": lambda a: ("div", ("sub", ("fn", "exp", a), ONE), a),
}


class Letters(Facts):
    """The letters of one proof."""

    def reduced(self, whole: Term) -> Term:
        """Return the term in letters, after the lines that prove that it is the same."""
        whole = rebuilt(whole, self.reduced)
        if whole[0] != "fn" or whole == PI:
            return whole
        if whole not in self._of:
            self._of[whole] = self._letter(whole)
        return self._of[whole]

    def _letter(self, whole: Term) -> Term:
        _, name, *arguments = whole
        values = [self.value(argument) for argument in arguments]
        if name in ("sign", "Rabs") and values[0] == 0:
            nothing = f"replace {text(arguments[0], 6)} with 0 by ({self.identity()})"
            return self._replaced(whole, ZERO, f"{nothing}; first [apply sign_0 | apply Rabs_R0]")
        if (name, values[0]) in AT:
            return self._at(whole, ("num", int(values[0])), AT[name, values[0]])
        if name in WRITTEN_OUT and (name != "phi1" or self._is_nonzero(values[0])):
            facts = [("<", "0 < {}", "pos"), ("<>", "{} <> 0", "nz")] if name == "phi1" else []
            hypotheses = {relation: self._assert(fact, whole, by) for relation, fact, by in facts}
            self._places += hypotheses.values()
            by = "reflexivity" if name in ("sinh", "cosh") else "special"
            other = self._replaced(whole, WRITTEN_OUT[name](*arguments), by)
            self.again()  # what is written out may contain what has a letter
            self._of[whole] = self.reduced(other)
            for relation, fact in hypotheses.items():
                self.use(fact, relation, whole)
            return self._of[whole]
        inside = self._inside_of_acos(values[0]) if name == "cos" else None
        if inside is not None:
            by = f"rewrite D{str(values[0])[1:]}; apply cos_acos; split; nra"
            return self._replaced(whole, self.term(inside), by)
        related = {"exp": self._exponential, "ln": self._logarithm, "sqrt": self._root}.get(name)
        if related:
            return related(whole, values[0])
        if name == "f_gamma" and (values[0] - 1).is_positive:
            before = self.term(values[0] - 1)
            return self.reduced(
                self._at(whole, ("add", before, ONE), ("mul", before, ("fn", name, before)))
            )
        plain = self._of_known_sign(whole, values[0]) if name in ("sign", "Rabs") else None
        if plain:
            return plain
        return self._other(whole, name, values)

    def _inside_of_acos(self, value: sp.Expr) -> sp.Expr | None:
        """Return of what a letter is the arc cosine, None if it is of nothing."""
        keys = (key for key, letter in self._letters.items() if letter == str(value))
        return next((key[1] for key in keys if key[0] == "acos"), None)

    def _other(self, whole: Term, name: str, values: list[sp.Expr]) -> Term:
        """Give a letter to a function of which only signs and squares are known, or nothing."""
        letter = self._named((name, *values), whole)
        if name == "Rabs" or (name in ("f_gamma", "atan") and values[0].is_positive):
            self._signed(letter, name != "Rabs" or self._is_nonzero(values[0]))
        if name == "Rabs" and not sp.fraction(sp.expand(values[0] ** 2))[1].free_symbols:
            self._power(letter, 2, sp.expand(values[0] ** 2))
        return ("var", letter)

    def _of_known_sign(self, whole: Term, value: sp.Expr) -> Term | None:
        """Return the sign or the magnitude of a term by those of its factors; of a sign if all are positive."""
        name = whole[1]
        pieces = self._factored(value)
        unknown = [base for base, _ in pieces if base != -1 and not self._is_positive(base)]
        if unknown and (name == "sign" or pieces == [(unknown[0], 1)]):
            return None
        if name == "Rabs":
            sizes = {
                base: self.value(self.reduced(("fn", name, self.term(base)))) for base in unknown
            }
            size = sp.Mul(
                *(sizes.get(base, base) ** power for base, power in pieces if base != -1)
            )
            return self._replaced(whole, self.term(size))
        negative = (sp.S.NegativeOne, 1) in pieces
        size = self.term(sp.factor(-value if negative else value))
        return self._at(whole, *((("neg", size), ("neg", ONE)) if negative else (size, ONE)))

    def use(self, name: str, relation: str, whole: Term) -> None:
        """Add what a hypothesis says of the factors of its term, of which others have known signs."""
        whole = self.reduced(whole)
        value = self.value(whole)
        if sp.count_ops(value) > LARGEST:
            return
        unknown = [piece for piece in self._factored(value) if not self._is_positive(piece[0])]
        top = sp.fraction(value)[0]
        for base, power in (
            [*unknown, (top, 1)] if relation == "<>" and len(unknown) > 1 else unknown
        ):
            is_strict = relation == "<>" and self._is_nonnegative(base)
            if (
                base.is_Rational
                or power < 0
                or (relation != "<>" and (len(unknown) > 1 or power != 1))
            ):
                continue
            rest = text(self.term(sp.factor(sp.cancel(value / base))))
            kind = {"<>": "ne", "<": "lt", "<=": "le"}[relation]
            by = f"apply (factor_{kind} _ ({rest}) _ {name}); first [pos | {self.identity()}]"
            if is_strict:
                by = f"apply le_ne; [nonneg | {by}]"
            stronger = "<" if is_strict else relation
            self._assert(written((stronger, ("var", "{}"))), self.term(base), by)
            self._known[stronger].add(base)
            if stronger == "<" and base in self._powers:
                self._positive_power(base)

    # Exponentials: one letter for each monomial in the exponent, with the common denominator of its factors.
    def _exponential(self, whole: Term, exponent: sp.Expr) -> Term:
        factors: list[tuple[str, int]] = []
        for piece in sp.Add.make_args(sp.expand(exponent)):
            number, monomial = piece.as_coeff_Mul(rational=True)
            content, bottom = sp.fraction(monomial)[1].primitive()
            monomial, number = sp.fraction(monomial)[0] / bottom, number / content
            if monomial.could_extract_minus_sign():
                monomial, number = -monomial, -number
            order = self._orders[monomial] = int(sp.ilcm(self._orders.get(monomial, 1), number.q))
            if number:
                factors.append((self._exponential_of(monomial, order), int(number * order)))
        value: Term = ONE
        for letter, power in factors:
            value = times_power(value, letter, power)
        if (
            factors
            and value == ("var", factors[0][0])
            and text(self._exponents[factors[0][0]]) == text(whole[2])
        ):
            return value
        definitions = ", ".join(dict.fromkeys(f"D{letter[1:]}" for letter, _ in factors))
        by = f"{f'rewrite {definitions}; ' if factors else ''}exps; {self.identity()}"
        if any(part == ("var", letter) for part in parts_inside(whole) for letter, _ in factors):
            shorter = text(self.term(exponent), 6)  # without the letters that become exponentials
            by = f"replace {text(whole[2], 6)} with {shorter} by ({self.identity()}); {by}"
        return self._replaced(whole, value, by)

    def _exponential_of(self, monomial: sp.Expr, order: int) -> str:
        key = ("exp", monomial)
        if key not in self._letters:
            exponent = self.term(monomial / order)
            letter = self._named(key, ("fn", "exp", exponent))
            self._exponents[letter] = exponent
            self._signed(letter)
            if monomial.is_Symbol and monomial.name in self._logarithms:
                self._power(letter, order, self.value(self._logarithms[monomial.name]))
        return self._letters[key]

    def _logarithm(self, whole: Term, value: sp.Expr) -> Term:
        pieces = self._factored(value)
        if not all(self._is_positive(base) for base, _ in pieces):
            return ("var", self._named(("ln", value), whole))
        parts: list[Term] = []
        for base, power in pieces:
            is_exponential = base.is_Symbol and base.name in self._exponents
            inner = self._exponents[base.name] if is_exponential else self._logarithm_of(base)
            part = inner if abs(power) == 1 else ("mul", ("num", abs(power)), inner)
            parts.append(("neg", part) if power < 0 else part)
        total = sum_of(parts) if parts else ZERO
        is_letter = total[0] == "var" and total[1] in self._logarithms
        return (
            total
            if is_letter and self._logarithms[total[1]] == whole[2]
            else self._replaced(whole, total)
        )

    def _logarithm_of(self, base: sp.Expr) -> Term:
        key = ("log", base)
        self._orders[key] = 1
        if key not in self._letters:
            inside = self.term(base)
            letter = self._named(key, ("fn", "ln", inside))
            self._assert(
                f"exp {letter} = {{}}", inside, f"rewrite D{letter[1:]}; apply exp_ln; pos"
            )
            self._logarithms[letter] = inside
            if base.is_Rational and base > 1:
                self._signed(letter)
        return ("var", self._letters[key])

    def _root(self, whole: Term, value: sp.Expr) -> Term:
        """Return the factors that leave a root, times a letter for each that has a root of its own and for the rest."""
        outside, under, roots = sp.S.One, sp.S.One, []
        for base, power in self._factored(value) if value else ():
            if (
                power % 2 == 0
                and not self._is_nonnegative(base)
                and (power > 0 or self._is_nonzero(base))
            ):
                outside *= self.value(self.reduced(("fn", "Rabs", self.term(base)))) ** (
                    power // 2
                )
            elif self._is_positive(base) or (self._is_nonnegative(base) and power > 0):
                outside *= base ** (power // 2)
                roots += [base] * (power % 2)
            else:
                under *= base**power
        if under != 1:
            roots.append(sp.expand(under))
        other = self.term(sp.factor_terms(outside)) if value else ZERO
        for base in roots:
            letter = self._root_of(base)
            other = letter if other == ONE else ("mul", other, letter)
        is_letter = len(roots) == 1 and other == ("var", self._letters.get(("sqrt", roots[0])))
        return (
            other
            if is_letter and text(self.term(roots[0])) == text(whole[2])
            else self._replaced(whole, other)
        )

    def _root_of(self, base: sp.Expr) -> Term:
        for key, letter in self._letters.items():
            if base.is_Symbol and letter == base.name and key[0] == "exp":
                self._orders[key[1]] *= 2  # so that it is a square in the next pass
        if ("log", base) in self._orders:  # it has powers with other exponents, too
            monomial = self._symbols[self._logarithm_of(base)[1]]
            order = self._orders[monomial] = int(sp.ilcm(self._orders.get(monomial, 1), 2))
            return times_power(ONE, self._exponential_of(monomial, order), order // 2)
        key = ("sqrt", base)
        if key not in self._letters:
            letter = self._named(key, ("fn", "sqrt", self.term(base)))
            self._signed(letter, self._is_positive(base))
            self._power(letter, 2, base)
        return ("var", self._letters[key])


def times_power(value: Term, letter: str, power: int) -> Term:
    """Return the value times a power of a letter, whose exponent may be negative."""
    base: Term = ("var", letter) if abs(power) == 1 else ("pow", ("var", letter), abs(power))
    if power < 0:
        return ("div", value, base)
    return base if value == ONE else ("mul", value, base)
