"""Functions by others, and values of functions, with the lemmas that say so."""

from collections.abc import Callable

from theory.core.certify.terms import ONE, PI, TWO, ZERO, Term


def _two(kind: str, a: Term) -> Term:
    return (kind, ("fn", "exp", a), ("fn", "exp", ("neg", a)))


REWRITTEN: dict[str, Callable[..., Term]] = {
    "sinh": lambda a: ("div", _two("sub", a), TWO),
    "cosh": lambda a: ("div", _two("add", a), TWO),
    "normal_cdf": lambda a: ("div", ("add", ONE, ("fn", "erf", ("div", a, ("fn", "sqrt", TWO)))), TWO),
    "Rpower": lambda a, c: ("fn", "exp", ("mul", c, ("fn", "ln", a))),
    "phi1": lambda a: ("div", ("sub", ("fn", "exp", a), ONE), a),
}
AT: dict[tuple[str, int], tuple[Term, str]] = {
    ("sin", 0): (ZERO, "sin_0"), ("cos", 0): (ONE, "cos_0"), ("asin", 0): (ZERO, "asin_0"),
    ("erf", 0): (ZERO, "erf_0"), ("asin", 1): (("div", PI, TWO), "asin_1"),
}  # fmt: skip
