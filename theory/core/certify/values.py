"""Functions of which the sign of the argument, its being zero or its being a sum decides what they are."""

import sympy as sp

from theory.core.certify.domains import written
from theory.core.certify.facts import Facts
from theory.core.certify.terms import ONE, Term, text


class Values(Facts):
    """Signs, magnitudes, (exp(a) - 1)/a, and sines and cosines of sums."""

    def reduced(self, whole: Term) -> Term:
        """Return the term in letters, after the lines that prove that it is the same."""
        raise NotImplementedError

    def _parts_of_root(self, value: sp.Expr) -> tuple[sp.Expr, list[sp.Expr], sp.Expr, sp.Expr]:
        """Return the factors that leave a root, those with a root of their own, and n and d of the rest n/d."""
        outside, under, bottom, roots = sp.S.One, sp.S.One, sp.S.One, []
        for base, power in self._factored(value):
            if power % 2 == 0 and not self._is_nonnegative(base) and (power > 0 or self._is_nonzero(base)):
                outside *= self.value(self.reduced(("fn", "Rabs", self.term(base)))) ** (power // 2)
            elif self._is_positive(base) or (self._is_nonnegative(base) and power > 0):
                outside *= base ** (power // 2)
                if power % 2:
                    roots.append(base)
            elif power > 0:
                under *= base**power
            else:
                bottom *= base**-power
        return outside, roots, under, bottom

    def _growth(self, whole: Term, value: sp.Expr) -> Term | None:
        """Return (exp(a) - 1)/a as 1 or as a letter if a is 0 or may be 0; else add that it is positive."""
        if value == 0:
            by = f"replace {text(whole[2], 6)} with 0 by ({self.identity()}); apply phi1_0"
            return self._replaced(whole, ONE, by)
        if self._is_nonzero(value):
            for relation, rule in (("<", "phi1_pos"), ("<>", "nz_pos, phi1_pos")):
                self.added.append((self._assert(written((relation, whole)), f"apply {rule}"), relation, whole))
                self._places.append(f" in {self.added[-1][0]}")
            return None
        if value.could_extract_minus_sign() and not (-value).could_extract_minus_sign():
            size = self.term(-value)
            other: Term = ("mul", ("fn", "exp", ("neg", size)), ("fn", "phi1", size))
            by = f"replace {text(whole[2], 6)} with (- {text(size, 6)}) by ({self.identity()}); apply phi1_neg"
            return self.reduced(self._replaced(whole, other, by))
        over, under = sp.fraction(value)
        letter = self._named(("phi1", value), whole)
        if not over.is_Add:
            self._symbols[letter] = sp.Symbol(letter, positive=True)
            definition = self._definition(("var", letter))
            self._assert(f"0 < {letter}", f"rewrite {definition}; apply phi1_pos")
            power = self.reduced(("fn", "exp", whole[2]))
            bottom = text(self.term(under), 6)
            back = f"rewrite {definition}, phi1_mul; unfold Rdiv; rewrite {', '.join(self._rules)}; reflexivity"
            by = f"transitivity ({text(whole[2], 6)} * {letter} * {bottom}); [{self.identity()} | {back}]"
            fact = f"{text(self.term(over), 6)} * {letter} = ({text(power)} - 1) * {bottom}"
            self.relations.append(self._assert(fact, by))
        return ("var", letter)

    def _by_recursion(self, whole: Term, before: Term) -> Term:
        """Return the gamma function of a number by that of the number before."""
        _, name, argument = whole
        by = f"replace {text(argument, 6)} with ({text(before)} + 1) by ({self.identity()}); apply gamma_next; pos"
        return self._replaced(whole, ("mul", before, ("fn", name, before)), by)

    def _of_sum(self, whole: Term, value: sp.Expr) -> Term:
        """Return the sine or cosine of a sum by those of its terms."""
        _, name, argument = whole
        a, b = (self.term(part) for part in value.as_two_terms())
        by = f"replace {text(argument, 6)} with ({text(a)} + {text(b, 2)}) by ({self.identity()}); apply {name}_plus"
        other = "cos" if name == "sin" else "sin"
        products = ("mul", ("fn", name, a), ("fn", "cos", b)), ("mul", ("fn", other, a), ("fn", "sin", b))
        return self._replaced(whole, ("add" if name == "sin" else "sub", *products), by)

    def _of_known_sign(self, whole: Term, value: sp.Expr) -> Term | None:
        """Return the sign or the magnitude of a term by those of its factors; of a sign if all are positive."""
        _, name, argument = whole
        pieces = self._factored(value)
        unknown = [(base, power) for base, power in pieces if base != -1 and not self._is_positive(base)]
        if unknown and (name == "sign" or pieces == [(unknown[0][0], 1)]):
            return None
        negative = (sp.S.NegativeOne, 1) in pieces
        if unknown:
            sizes = {base: self.value(self.reduced(("fn", name, self.term(base)))) for base, _ in unknown}
            size = self.term(sp.prod(sizes.get(base, base) ** power for base, power in pieces if base != -1))
            return self._replaced(whole, size, f"apply abs_is; [nonneg | {self.identity()}]")
        size = self.term(sp.factor(-value if negative else value))
        plain = f"replace {text(argument, 6)} with ({'- ' if negative else ''}{text(size, 6)}) by ({self.identity()})"
        other: Term = ONE if name == "sign" else size
        if name == "sign" and negative:
            other = ("neg", ONE)
        rule = {("sign", False): "sign_eq_1", ("sign", True): "sign_is_m1", ("Rabs", False): "Rabs_pos_eq, Rlt_le"}
        by = rule.get((name, negative), "Rabs_is_opp")
        return self._replaced(whole, other, f"{plain}; apply {by}; pos")
