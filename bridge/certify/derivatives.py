"""Derivatives of terms by the rules that ``prelude.v`` proves, in the form that its tactic ``drv`` expects."""

from collections.abc import Callable, Iterator

from bridge.certify.statements import Symbols, definedness, is_zero, known, written
from bridge.certify.terms import (
    ONE,
    TWO,
    ZERO,
    Term,
    Unsupported,
    inside,
    rebuilt,
    substituted,
    text,
)

_ROOT_OF_TWO_PI = ("mul", ("fn", "sqrt", TWO), ("fn", "sqrt", ("fn", "PI")))
_OF_FUNCTIONS: dict[str, Callable[[Term], Term]] = {
    "exp": lambda a: ("fn", "exp", a),
    "sin": lambda a: ("fn", "cos", a),
    "cos": lambda a: ("neg", ("fn", "sin", a)),
    "sinh": lambda a: ("fn", "cosh", a),
    "cosh": lambda a: ("fn", "sinh", a),
    "sqrt": lambda a: ("div", ONE, ("mul", TWO, ("fn", "sqrt", a))),
    "ln": lambda a: ("div", ONE, a),
    "atan": lambda a: ("div", ONE, ("add", ONE, ("pow", a, 2))),
    "asin": lambda a: ("div", ONE, ("fn", "sqrt", ("sub", ONE, ("pow", a, 2)))),
    "acos": lambda a: ("neg", ("div", ONE, ("fn", "sqrt", ("sub", ONE, ("pow", a, 2))))),
    "f_gamma": lambda a: ("mul", ("fn", "f_gamma", a), ("fn", "f_polygamma", ZERO, a)),
    "phi1": lambda a: ("div", ("sub", ("fn", "exp", a), ("fn", "phi1", a)), a),
    "erf": lambda a: (
        "mul",
        ("div", TWO, ("fn", "sqrt", ("fn", "PI"))),
        ("fn", "exp", ("neg", ("pow", a, 2))),
    ),
    "normal_cdf": lambda a: (
        "div",
        ("fn", "exp", ("neg", ("div", ("pow", a, 2), TWO))),
        _ROOT_OF_TWO_PI,
    ),
}


def _depends(whole: Term, name: str) -> bool:
    """Return whether a variable occurs in the term."""
    return any(part == ("var", name) for part in inside(whole))


def differentiated(whole: Term, name: str) -> Term:
    """Return the derivative of a term without derivatives in a variable.

    Raises:
        Unsupported: for a function without a rule.
    """
    kind, *parts = whole
    if not _depends(whole, name):
        return ZERO
    if kind == "var":
        return ONE
    if kind == "pow":
        base, n = parts
        return ("mul", ("mul", ("num", n), ("pow", base, n - 1)), differentiated(base, name))
    if kind == "neg":
        return ("neg", differentiated(parts[0], name))
    if kind in ("add", "sub", "mul", "div"):
        a, b = parts
        da, db = differentiated(a, name), differentiated(b, name)
        if kind in ("add", "sub") or not _depends(b, name):
            return (kind, da, db if kind in ("add", "sub") else b)
        if kind == "div":
            return ("div", ("sub", ("mul", da, b), ("mul", a, db)), ("pow", b, 2))
        return ("add", ("mul", da, b), ("mul", a, db)) if _depends(a, name) else ("mul", a, db)
    if kind == "fn" and parts[0] == "Rpower":
        _, a, b = parts
        da, db = differentiated(a, name), differentiated(b, name)
        slope = ("add", ("mul", db, ("fn", "ln", a)), ("mul", b, ("div", da, a)))
        return ("mul", whole, slope)
    if kind == "fn" and parts[0] in _OF_FUNCTIONS:
        return ("mul", _OF_FUNCTIONS[parts[0]](parts[1]), differentiated(parts[1], name))
    raise Unsupported(f"the derivative of {parts[0] if kind == 'fn' else kind}")


def worked_out(whole: Term) -> Term:
    """Return the term with the derivatives in it worked out."""
    whole = rebuilt(whole, worked_out)
    if whole[0] != "derive":
        return whole
    _, bound, body, point = whole
    return substituted(differentiated(body, bound), {bound: point})


def _without_zeros(whole: Term) -> Term:
    """Return the term with zero for each product in it that has zero as a factor."""
    return ZERO if is_zero(whole) else rebuilt(whole, _without_zeros)


def without_derivatives(
    whole: Term, lines: list[str], counter: Iterator[int], symbols: Symbols
) -> Term:
    """Return the term with every derivative worked out, after the lines that prove and rewrite each of them."""
    if whole[0] not in ("derive", "sum"):
        return rebuilt(whole, lambda part: without_derivatives(part, lines, counter, symbols))

    def add(one: Term, other: Term, proof: str) -> None:
        name = f"E{next(counter)}"
        lines.extend(
            (
                f"assert ({name} : {text(one)} = {text(other)}).",
                f"{{ {proof} }}",
                f"rewrite ?{name}; clear {name}.",
            )
        )

    if whole[0] == "sum":
        _, bound, body, low, high = whole
        if any(part[0] == "derive" for part in inside(whole)) or _depends(body, bound):
            raise Unsupported("a sum of terms that differ")
        total = ("mul", ("add", ("sub", high, low), ONE), body)
        add(whole, total, "apply sum_of_equal; lra.")
        return total
    _, bound, body, point = whole
    point = without_derivatives(point, lines, counter, symbols)
    inner: list[str] = []
    plain = without_derivatives(body, inner, counter, symbols)
    if inner:
        wanted = dict.fromkeys(
            (r, worked_out(h)) for r, h in definedness(body, strict=True) if _depends(h, bound)
        )
        conditions = [
            written(("<" if r == "<=" else r, h)) for r, h in wanted if not known((r, h), symbols)
        ]
        condition = " /\\ ".join([*conditions, "True"])
        pattern = (
            "".join(f"[N{number} " for number in range(len(conditions)))
            + "_"
            + "]" * len(conditions)
        )
        start = f"apply (nearby (fun {bound} => {condition})); [near | intros {bound} {pattern}]."
        add(
            ("derive", bound, body, point),
            ("derive", bound, plain, point),
            " ".join([start, *inner, "reflexivity."]),
        )
    short = _without_zeros(plain)
    if short != plain:  # the denominator of a product with zero need not be other than zero
        by = f"apply (nearby (fun {bound} => True)); [near | intros {bound} _; unfold Rdiv; ring]."
        add(("derive", bound, plain, point), ("derive", bound, short, point), by)
        plain = short
    at = substituted(differentiated(plain, bound), {bound: point})
    add(("derive", bound, plain, point), at, "apply is_derive_unique; drv.")
    return at
