"""Functions by others, and their values at 0 and at opposite arguments, with the lemmas that say so."""

from collections.abc import Callable

from theory.core.certify.terms import ONE, PI, TWO, Term


def _two(kind: str, a: Term) -> Term:
    return (kind, ("fn", "exp", a), ("fn", "exp", ("neg", a)))


REWRITTEN: dict[str, Callable[..., Term]] = {
    "sinh": lambda a: ("div", _two("sub", a), TWO),
    "cosh": lambda a: ("div", _two("add", a), TWO),
    "tanh": lambda a: ("div", _two("sub", a), _two("add", a)),
    "normal_cdf": lambda a: ("div", ("add", ONE, ("fn", "erf", ("div", a, ("fn", "sqrt", TWO)))), TWO),
    "Rpower": lambda a, c: ("fn", "exp", ("mul", c, ("fn", "ln", a))),
    "phi1": lambda a: ("div", ("sub", ("fn", "exp", a), ONE), a),
}
BY = {"tanh": "apply tanh_is", "phi1": "apply phi1_opened; nz"}
AT_ZERO: dict[str, tuple[Term, str]] = {
    "sin": (("num", 0), "sin_0"), "cos": (ONE, "cos_0"), "atan": (("num", 0), "atan_0"), "asin": (("num", 0), "asin_0"),
    "erf": (("num", 0), "erf_0"), "Rabs": (("num", 0), "Rabs_R0"), "sign": (("num", 0), "sign_0"),
}  # fmt: skip
AT_ONE: dict[str, tuple[Term, str]] = {
    "asin": (("div", PI, TWO), "asin_1"),
    "acos": (("num", 0), "acos_1"),
    "atan": (("div", PI, ("num", 4)), "atan_1"),
}
PARITY = {"sin": "sin_neg", "cos": "cos_neg", "atan": "atan_opp", "asin": "asin_opp", "erf": "erf_opp"}
