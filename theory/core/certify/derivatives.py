"""Derivatives of terms by the rules that ``prelude.v`` proves, in the form that its tactic ``drv`` expects."""

from __future__ import annotations

from theory.core.certify.terms import ONE, TWO, ZERO, Term, Unsupported, depends, rebuilt, substituted

_OF_FUNCTIONS = {
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
    "erf": lambda a: ("mul", ("div", TWO, ("fn", "sqrt", ("fn", "PI"))), ("fn", "exp", ("neg", ("pow", a, 2)))),
    "normal_cdf": lambda a: (
        "div",
        ("fn", "exp", ("neg", ("div", ("pow", a, 2), TWO))),
        ("mul", ("fn", "sqrt", TWO), ("fn", "sqrt", ("fn", "PI"))),
    ),
}


def differentiated(whole: Term, name: str) -> Term:
    """Return the derivative of a term without derivatives in a variable.

    Raises:
        Unsupported: for a function without a rule.
    """
    kind, *parts = whole
    if not depends(whole, name):
        return ZERO
    if kind == "var":
        return ONE
    if kind == "pow":
        base, n = parts
        return ("mul", ("mul", ("num", n), ("pow", base, n - 1)), differentiated(base, name))
    if kind == "neg":
        return ("neg", differentiated(parts[0], name))
    if kind in ("add", "sub", "mul", "div"):
        return _of_two(kind, parts[0], parts[1], name)
    if kind == "fn" and parts[0] == "Rpower":
        _, a, b = parts
        da, db = differentiated(a, name), differentiated(b, name)
        slope = ("add", ("mul", db, ("fn", "ln", a)), ("mul", b, ("div", da, a)))
        return ("mul", whole, slope)
    if kind == "fn" and parts[0] in _OF_FUNCTIONS:
        return ("mul", _OF_FUNCTIONS[parts[0]](parts[1]), differentiated(parts[1], name))
    raise Unsupported(f"the derivative of {parts[0] if kind == 'fn' else kind}")


def _of_two(kind: str, a: Term, b: Term, name: str) -> Term:
    da, db = differentiated(a, name), differentiated(b, name)
    left, right = depends(a, name), depends(b, name)
    if kind in ("add", "sub"):
        if left and right:
            return (kind, da, db)
        return da if left else db if kind == "add" else ("neg", db)
    if kind == "mul":
        if left and right:
            return ("add", ("mul", da, b), ("mul", a, db))
        return ("mul", da, b) if left else ("mul", a, db)
    if left and right:
        return ("div", ("sub", ("mul", da, b), ("mul", a, db)), ("pow", b, 2))
    return ("div", da, b) if left else ("div", ("neg", ("mul", a, db)), ("pow", b, 2))


def worked_out(whole: Term) -> Term:
    """Return the term with the derivatives in it worked out."""
    whole = rebuilt(whole, worked_out) if whole[0] not in ("num", "var") else whole
    if whole[0] != "derive":
        return whole
    _, bound, body, point = whole
    return substituted(differentiated(body, bound), {bound: point})
