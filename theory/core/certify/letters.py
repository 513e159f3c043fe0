"""Roots, exponentials and other functions as letters with the relations that the kernel has proved of them.

The proof of an identity first gives each function in it a letter: with :math:`k = e^{x/2}`, a lemma says that
:math:`e^x = k^2`. What is left is an identity of rational functions modulo relations such as :math:`r^2 = x + 1`, which
Coq's ``field`` decides. Which letters these are is found here by computer algebra; that they are right, Coq proves.
"""

import sympy as sp

from theory.core.certify.facts import times_power
from theory.core.certify.rules import AT_ONE, AT_ZERO, BY, PARITY, REWRITTEN
from theory.core.certify.terms import ONE, PI, ZERO, Term, Unsupported, rebuilt, text
from theory.core.certify.values import Values


class RelatedLetters(Values):
    """The letters of one proof, and the lines that introduce them."""

    def reduced(self, whole: Term) -> Term:
        """Return the term in letters, after the lines that prove that it is the same."""
        if whole[0] in ("num", "var") or whole == PI:
            return whole
        if whole[0] in ("int", "if", "derive"):
            raise Unsupported({"int": "an integral", "if": "a case distinction"}.get(whole[0], whole[0]))
        whole = rebuilt(whole, self.reduced)
        if whole[0] != "fn":
            return whole
        if whole not in self._of:
            self._of[whole] = self._letter(whole)
        return self._of[whole]

    def _letter(self, whole: Term) -> Term:
        _, name, *arguments = whole
        if name == "phi1" and (plain := self._growth(whole, self.value(arguments[0]))):
            return plain
        if name in REWRITTEN:
            other = REWRITTEN[name](*arguments)
            self._replaced(whole, other, BY.get(name, "reflexivity"))
            self.again()  # what is written out may contain what has a letter
            return self.reduced(other)
        if related := {"exp": self._exponential, "ln": self._logarithm, "sqrt": self._root}.get(name):
            return related(whole, self.value(arguments[0]))
        values = [self.value(argument) for argument in arguments]
        if name == "f_gamma" and (values[0] - 1).is_positive:
            return self.reduced(self._by_recursion(whole, self.term(values[0] - 1)))
        if name in PARITY and values[0].could_extract_minus_sign():
            opposite = ("fn", name, self.term(-values[0]))
            inner = self.reduced(opposite)
            other = inner if name == "cos" else ("neg", inner)
            places = f"replace {text(arguments[0], 6)} with (- {text(opposite[2], 6)}) by (field; nz)"
            back = f"rewrite {PARITY[name]}, ?{self._definition(inner)}; reflexivity"
            return self._replaced(whole, other, f"{places}; {back}")
        if name in ("sin", "cos") and sp.expand(values[0]).is_Add:
            return self.reduced(self._of_sum(whole, sp.expand(values[0])))
        for point, known in enumerate((AT_ZERO, AT_ONE)):
            if name in known and values[0] == point:
                other, rule = known[name]
                by = f"replace {text(arguments[0], 6)} with {point} by ({self.identity()}); apply {rule}"
                return self._replaced(whole, other, by)
        if name in ("sign", "Rabs") and (plain := self._of_known_sign(whole, values[0])):
            return plain
        return self._other(whole, name, arguments, values)

    def _other(self, whole: Term, name: str, arguments: list[Term], values: list[sp.Expr]) -> Term:
        """Give a letter to a function of which only squares are known, or nothing."""
        letter = self._named((name, *values), whole)
        if name == "f_gamma" and values[0].is_positive:
            self._symbols[letter] = sp.Symbol(letter, positive=True)
            self._assert(f"0 < {letter}", f"rewrite {self._definition(('var', letter))}; pos")
        if name == "Rabs":
            definition = self._definition(("var", letter))
            positive = self._is_nonzero(values[0])
            self._symbols[letter] = sp.Symbol(letter, nonnegative=True, positive=positive or None)
            rule = "Rabs_pos_lt; nz" if positive else "Rabs_pos"
            self._assert(f"0 {'<' if positive else '<='} {letter}", f"rewrite {definition}; apply {rule}")
            by = f"rewrite {definition}, Rabs_sq; {self.identity()}"
            square = sp.expand(values[0] ** 2)
            if not sp.fraction(square)[1].free_symbols:
                self._fact(letter, f"{letter} ^ 2 = {text(self.term(square), 6)}", by, 2, square)
        if name == "sin":
            other = self.reduced(("fn", "cos", *arguments))
            fact = f"{letter} ^ 2 = 1 - {text(other, 6)} ^ 2"
            if other[0] == "var":
                by = f"rewrite {self._definition(('var', letter))}, {self._definition(other)}; apply sin_sq"
                self._fact(letter, fact, by, 2, 1 - self._symbols[other[1]] ** 2)
        return ("var", letter)

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
        definitions = ", ".join(dict.fromkeys(self._exponents[letter][1] for letter, _ in factors))
        by = (
            f"rewrite {definitions}; exps; {self.identity()}"
            if factors
            else f"replace {text(whole[2], 6)} with 0 by (field; nz); apply exp_0"
        )
        if value == ("var", factors[0][0] if factors else "") and text(self._exponents[factors[0][0]][0]) == text(
            whole[2]
        ):
            return value
        return self._replaced(whole, value, by)

    def _exponential_of(self, monomial: sp.Expr, order: int) -> str:
        key = ("exp", monomial)
        if key not in self._letters:
            exponent = self.term(monomial / order)
            letter = self._named(key, ("fn", "exp", exponent))
            self._exponents[letter] = (exponent, self._definition(("var", letter)))
            self._symbols[letter] = sp.Symbol(letter, positive=True)
            self._assert(f"0 < {letter}", f"rewrite {self._definition(('var', letter))}; apply exp_pos")
            if monomial.is_Symbol and monomial.name in self._logarithms:
                value, definition = self._logarithms[monomial.name]
                scaled = f"(INR {order} * {text(exponent, 6)})" if order > 1 else text(exponent, 6)
                by = (
                    f"rewrite {self._definition(('var', letter))}{', <- exp_scale' if order > 1 else ''}; "
                    f"replace {scaled} with {monomial.name} by (simpl INR; field); apply {definition}"
                )
                self._fact(
                    letter,
                    f"{letter}{f' ^ {order}' if order > 1 else ''} = {text(value, 6)}",
                    by,
                    order,
                    self.value(value),
                )
        return self._letters[key]

    def _logarithm(self, whole: Term, value: sp.Expr) -> Term:
        pieces = self._factored(value)
        if not all(self._is_positive(base) for base, _ in pieces):
            return ("var", self._named(("ln", value), whole))
        total: Term | None = None
        scaled, rules = [], []
        for base, power in pieces:
            name = base.name if base.is_Symbol else ""
            if name in self._exponents:
                inner, definition = self._exponents[name]
                rules.append(f"<- {definition}")
            else:
                inner, definition = self._logarithm_of(base)
                rules.append(definition)
            part = inner if abs(power) == 1 else ("mul", ("num", abs(power)), inner)
            sign = "neg" if power < 0 else ""
            total = (("neg", part) if sign else part) if total is None else ("sub" if sign else "add", total, part)
            scaled.append(f"{'- ' if power < 0 else '+ '}INR {abs(power)} * {text(inner, 6)}")
        if total is None:
            return self._replaced(whole, ("num", 0), f"replace {text(whole[2], 6)} with 1 by (field; nz); apply ln_1")
        is_letter = len(pieces) == 1 and name not in self._exponents and pieces[0][1] == 1
        if is_letter and text(self.term(pieces[0][0])) == text(whole[2]):
            return total
        known = ", ".join(rule.replace("<- ", "<- ?") if rule[0] == "<" else f"?{rule}" for rule in rules)
        by = (
            f"apply ln_is; replace {text(total, 6)} with (0 {' '.join(scaled)}) by (simpl INR; ring); "
            f"unfold Rminus; rewrite ?exp_plus, ?exp_Ropp, ?exp_scale, exp_0, {known}; {self.identity()}"
        )
        return self._replaced(whole, total, by)

    def _logarithm_of(self, base: sp.Expr) -> tuple[Term, str]:
        key = ("log", base)
        self._orders[key] = 1
        if key not in self._letters:
            inside = self.term(base)
            letter = self._named(key, ("fn", "ln", inside))
            rule = f"L{letter}"
            definition = self._definition(("var", letter))
            self.lines.append(
                f"assert ({rule} : exp {letter} = {text(inside, 6)}) by (rewrite {definition}; apply exp_ln; pos)."
            )
            self._logarithms[letter] = (inside, rule)
            if base.is_Rational and base > 1:
                self._symbols[letter] = sp.Symbol(letter, positive=True)
                self._assert(f"0 < {letter}", f"rewrite {definition}, <- ln_1; apply ln_increasing; lra")
        letter = self._letters[key]
        return ("var", letter), self._logarithms[letter][1]

    def _root(self, whole: Term, value: sp.Expr) -> Term:
        if value == 0:
            return self._replaced(whole, ZERO, f"apply sqrt_is; [nonneg | {self.identity()}]")
        outside, roots, under, bottom = self._parts_of_root(value)
        if under.is_Rational and under < 0 and bottom == 1:
            raise Unsupported("a root of a negative number")
        if bottom != 1:
            return self._root_of_quotient(whole, value)
        if under != 1:
            roots.append(sp.expand(under))
        other = self.term(sp.factor_terms(outside)) if outside != 1 else ONE
        for base in roots:
            letter = self._root_of(base)
            other = letter if other == ONE else ("mul", other, letter)
        is_letter = len(roots) == 1 and other == ("var", self._letters.get(("sqrt", roots[0])))
        if is_letter and text(self.term(roots[0])) == text(whole[2]):
            return other
        return self._replaced(whole, other, f"apply sqrt_is; [nonneg | {self.identity()}]")

    def _root_of_quotient(self, whole: Term, value: sp.Expr) -> Term:
        """Give a letter to the root of n/d times d, whose square is n d, whatever the sign of d."""
        over, under = sp.fraction(value)
        below, key = self.term(under), ("root", value)
        if key not in self._letters:
            letter = self._named(key, ("mul", whole, below))
            by = f"rewrite {self._definition(('var', letter))}, Rpow_mult_distr, root_sq by nonneg; {self.identity()}"
            self._fact(letter, f"{letter} ^ 2 = {text(self.term(sp.expand(over * under)), 6)}", by, 2, over * under)
        letter = self._letters[key]
        by = f"rewrite {self._definition(('var', letter))}; {self.identity()}"
        return self._replaced(whole, ("div", ("var", letter), below), by)

    def _root_of(self, base: sp.Expr) -> Term:
        if ("log", base) in self._orders:  # it has powers with other exponents, too
            logarithm, _ = self._logarithm_of(base)
            monomial = self._symbols[logarithm[1]]
            order = self._orders[monomial] = int(sp.ilcm(self._orders.get(monomial, 1), 2))
            return times_power(ONE, self._exponential_of(monomial, order), order // 2)
        key = ("sqrt", base)
        if key not in self._letters:
            inside = self.term(base)
            letter = self._named(key, ("fn", "sqrt", inside))
            definition = self._definition(("var", letter))
            self._symbols[letter] = sp.Symbol(letter, nonnegative=True)
            sign = f"0 <= {letter}", f"rewrite {definition}; apply sqrt_pos"
            if self._is_positive(base):
                self._symbols[letter] = sp.Symbol(letter, positive=True)
                sign = f"0 < {letter}", f"rewrite {definition}; apply sqrt_lt_R0; pos"
            self._assert(*sign)
            by = f"rewrite {definition}; apply root_sq; nonneg"
            self._fact(letter, f"{letter} ^ 2 = {text(inside, 6)}", by, 2, base)
        return ("var", self._letters[key])
