"""Roots, exponentials and other functions as letters with the relations that the kernel has proved of them.

The proof of an identity first gives each function in it a letter: with :math:`k = e^{x/2}`, a lemma says that
:math:`e^x = k^2`. What is left is an identity of rational functions modulo relations such as :math:`r^2 = x + 1`, which
Coq's ``field`` decides. Which letters these are is found here by computer algebra; that they are right, Coq proves.
"""

import sympy as sp

from theory.core.certify.domains import written
from theory.core.certify.facts import Facts, times_power
from theory.core.certify.terms import AT, ONE, PI, REWRITTEN, ZERO, Term, rebuilt, text
from theory.core.certify.writing import sum_of


class RelatedLetters(Facts):
    """The letters of one proof, and the lines that introduce them."""

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
        if name == "phi1" and (plain := self._growth(whole, self.value(arguments[0]))):
            return plain
        if name in REWRITTEN:
            other = REWRITTEN[name](*arguments)
            self._replaced(whole, other, "apply phi1_opened; nz" if name == "phi1" else "reflexivity")
            self.again()  # what is written out may contain what has a letter
            return self.reduced(other)
        if related := {"exp": self._exponential, "ln": self._logarithm, "sqrt": self._root}.get(name):
            return related(whole, self.value(arguments[0]))
        values = [self.value(argument) for argument in arguments]
        if (name, values[0]) in AT:
            return self._at(whole, str(values[0]), *AT[name, values[0]])
        if name == "f_gamma" and (values[0] - 1).is_positive:
            before = self.term(values[0] - 1)
            other = ("mul", before, ("fn", name, before))
            return self.reduced(self._at(whole, f"({text(before)} + 1)", other, "gamma_next; pos"))
        if name in ("sin", "cos") and (values[0].could_extract_minus_sign() or sp.expand(values[0]).is_Add):
            return self.reduced(self._of_angle(whole, values[0]))
        if name in ("sign", "Rabs") and (plain := self._of_known_sign(whole, values[0])):
            return plain
        return self._other(whole, name, arguments, values)

    def _other(self, whole: Term, name: str, arguments: list[Term], values: list[sp.Expr]) -> Term:
        """Give a letter to a function of which only squares are known, or nothing."""
        letter = self._named((name, *values), whole)
        if name == "f_gamma" and values[0].is_positive:
            self._signed(letter, "; pos")
        if name == "Rabs":
            strict = self._is_nonzero(values[0])
            self._signed(letter, f"; apply {'Rabs_pos_lt; nz' if strict else 'Rabs_pos'}", strict)
            square = sp.expand(values[0] ** 2)
            if not sp.fraction(square)[1].free_symbols:
                self._power(letter, 2, square, text(self.term(square), 6), f", Rabs_sq; {self.identity()}")
        if name == "sin" and (other := self.reduced(("fn", "cos", *arguments)))[0] == "var":
            square = 1 - self._symbols[other[1]] ** 2
            self._power(letter, 2, square, f"1 - {other[1]} ^ 2", f", {self._definition(other[1])}; apply sin_sq")
        return ("var", letter)

    def _of_angle(self, whole: Term, value: sp.Expr) -> Term:
        """Return the sine or cosine of a negative angle or of a sum by those of others."""
        _, name, _ = whole
        if value.could_extract_minus_sign():
            size = self.term(-value)
            other: Term = ("fn", name, size)
            return self._at(whole, f"(- {text(size, 6)})", other if name == "cos" else ("neg", other), f"{name}_neg")
        a, b = (self.term(part) for part in sp.expand(value).as_two_terms())
        second = "cos" if name == "sin" else "sin"
        products = ("mul", ("fn", name, a), ("fn", "cos", b)), ("mul", ("fn", second, a), ("fn", "sin", b))
        other = ("add" if name == "sin" else "sub", *products)
        return self._at(whole, f"({text(a)} + {text(b, 2)})", other, f"{name}_plus")

    def _of_known_sign(self, whole: Term, value: sp.Expr) -> Term | None:
        """Return the sign or the magnitude of a term by those of its factors; of a sign if all are positive."""
        name = whole[1]
        pieces = self._factored(value)
        unknown = [(base, power) for base, power in pieces if base != -1 and not self._is_positive(base)]
        if unknown and (name == "sign" or pieces == [(unknown[0][0], 1)]):
            return None
        if unknown:
            sizes = {base: self.value(self.reduced(("fn", name, self.term(base)))) for base, _ in unknown}
            size = self.term(sp.prod(sizes.get(base, base) ** power for base, power in pieces if base != -1))
            return self._replaced(whole, size, f"apply abs_is; [nonneg | {self.identity()}]")
        negative = (sp.S.NegativeOne, 1) in pieces
        size = self.term(sp.factor(-value if negative else value))
        point = f"({'- ' if negative else ''}{text(size, 6)})"
        if name == "sign":
            sign = ("neg", ONE) if negative else ONE
            return self._at(whole, point, sign, f"{'sign_is_m1' if negative else 'sign_eq_1'}; pos")
        return self._at(whole, point, size, f"{'Rabs_is_opp' if negative else 'Rabs_pos_eq, Rlt_le'}; pos")

    def _growth(self, whole: Term, value: sp.Expr) -> Term | None:
        """Return (exp(a) - 1)/a as 1 or as a letter if a is 0 or may be 0; else add that it is positive."""
        if value == 0:
            return self._at(whole, "0", ONE, "phi1_0")
        if self._is_nonzero(value):
            for relation, rule in (("<", "phi1_pos"), ("<>", "nz_pos, phi1_pos")):
                fact = self._assert(written((relation, whole)), f"apply {rule}")
                self.added[fact] = (relation, whole)
                self._places.append(f" in {fact}")
            return None
        over, under = sp.fraction(value)
        letter = self._named(("phi1", value), whole)
        if not over.is_Add:
            self._signed(letter, "; apply phi1_pos")
            power = self.reduced(("fn", "exp", whole[2]))
            bottom, rules = text(self.term(under), 6), ", ".join(self._rules)
            back = f"rewrite {self._definition(letter)}, phi1_mul; unfold Rdiv; rewrite {rules}; reflexivity"
            by = f"transitivity ({text(whole[2], 6)} * {letter} * {bottom}); [{self.identity()} | {back}]"
            fact = f"{text(self.term(over), 6)} * {letter} = ({text(power)} - 1) * {bottom}"
            self.relations.append(self._assert(fact, by))
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
        if not factors:
            return self._replaced(whole, ONE, f"replace {text(whole[2], 6)} with 0 by (field; nz); apply exp_0")
        value: Term = ONE
        for letter, power in factors:
            value = times_power(value, letter, power)
        first, _ = factors[0]
        if value == ("var", first) and text(self._exponents[first][0]) == text(whole[2]):
            return value
        definitions = ", ".join(dict.fromkeys(self._exponents[letter][1] for letter, _ in factors))
        return self._replaced(whole, value, f"rewrite {definitions}; exps; {self.identity()}")

    def _exponential_of(self, monomial: sp.Expr, order: int) -> str:
        key = ("exp", monomial)
        if key not in self._letters:
            exponent = self.term(monomial / order)
            letter = self._named(key, ("fn", "exp", exponent))
            self._exponents[letter] = (exponent, self._definition(letter))
            self._signed(letter, "; apply exp_pos")
            if monomial.is_Symbol and monomial.name in self._logarithms:
                value, definition = self._logarithms[monomial.name]
                scaled = f"(INR {order} * {text(exponent, 6)})" if order > 1 else text(exponent, 6)
                rule = f"; replace {scaled} with {monomial.name} by (simpl INR; field); apply {definition}"
                rule = f", <- exp_scale{rule}" if order > 1 else rule
                self._power(letter, order, self.value(value), text(value, 6), rule)
        return self._letters[key]

    def _logarithm(self, whole: Term, value: sp.Expr) -> Term:
        pieces = self._factored(value)
        if not all(self._is_positive(base) for base, _ in pieces):
            return ("var", self._named(("ln", value), whole))
        parts: list[Term] = []
        scaled, rules = [], []
        for base, power in pieces:
            name = base.name if base.is_Symbol else ""
            if name in self._exponents:
                inner, definition = self._exponents[name]
                rules.append(f"<- ?{definition}")
            else:
                inner, definition = self._logarithm_of(base)
                rules.append(f"?{definition}")
            part = inner if abs(power) == 1 else ("mul", ("num", abs(power)), inner)
            parts.append(("neg", part) if power < 0 else part)
            scaled.append(f"{'- ' if power < 0 else '+ '}INR {abs(power)} * {text(inner, 6)}")
        if not parts:
            return self._replaced(whole, ZERO, f"replace {text(whole[2], 6)} with 1 by (field; nz); apply ln_1")
        total = sum_of(parts)
        is_letter = len(pieces) == 1 and name not in self._exponents and pieces[0][1] == 1
        if is_letter and text(self.term(pieces[0][0])) == text(whole[2]):
            return total
        by = (
            f"apply ln_is; replace {text(total, 6)} with (0 {' '.join(scaled)}) by (simpl INR; ring); "
            f"unfold Rminus; rewrite ?exp_plus, ?exp_Ropp, ?exp_scale, exp_0, {', '.join(rules)}; {self.identity()}"
        )
        return self._replaced(whole, total, by)

    def _logarithm_of(self, base: sp.Expr) -> tuple[Term, str]:
        key = ("log", base)
        self._orders[key] = 1
        if key not in self._letters:
            inside = self.term(base)
            letter = self._named(key, ("fn", "ln", inside))
            by = f"rewrite {self._definition(letter)}; apply exp_ln; pos"
            self.lines.append(f"assert (L{letter} : exp {letter} = {text(inside, 6)}) by ({by}).")
            self._logarithms[letter] = (inside, f"L{letter}")
            if base.is_Rational and base > 1:
                self._signed(letter, ", <- ln_1; apply ln_increasing; lra")
        letter = self._letters[key]
        return ("var", letter), self._logarithms[letter][1]

    def _parts_of_root(self, value: sp.Expr) -> tuple[sp.Expr, list[sp.Expr], sp.Expr]:
        """Return the factors that leave a root, those with a root of their own, and the rest."""
        outside, under, roots = sp.S.One, sp.S.One, []
        for base, power in self._factored(value):
            if power % 2 == 0 and not self._is_nonnegative(base) and (power > 0 or self._is_nonzero(base)):
                outside *= self.value(self.reduced(("fn", "Rabs", self.term(base)))) ** (power // 2)
            elif self._is_positive(base) or (self._is_nonnegative(base) and power > 0):
                outside *= base ** (power // 2)
                if power % 2:
                    roots.append(base)
            else:
                under *= base**power
        return outside, roots, under

    def _root(self, whole: Term, value: sp.Expr) -> Term:
        if value == 0:
            return self._replaced(whole, ZERO, f"apply sqrt_is; [nonneg | {self.identity()}]")
        outside, roots, under = self._parts_of_root(value)
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
            strict = self._is_positive(base)
            self._signed(letter, f"; apply {'sqrt_lt_R0; pos' if strict else 'sqrt_pos'}", strict)
            self._power(letter, 2, base, text(inside, 6), "; apply root_sq; nonneg")
        return ("var", self._letters[key])
