"""Derivatives of terms by the rules that ``prelude.v`` proves, in the form that its tactic ``drv`` expects."""

from collections.abc import Iterator

from theory.core.certify.domains import Hypothesis, Symbols, definedness, known, written
from theory.core.certify.terms import ONE, TWO, ZERO, Term, Unsupported, depends, rebuilt, reduced, substituted, text

_ROOT_OF_TWO_PI = ("mul", ("fn", "sqrt", TWO), ("fn", "sqrt", ("fn", "PI")))
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
    "normal_cdf": lambda a: ("div", ("fn", "exp", ("neg", ("div", ("pow", a, 2), TWO))), _ROOT_OF_TWO_PI),
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
    whole = rebuilt(whole, worked_out)
    if whole[0] != "derive":
        return whole
    _, bound, body, point = whole
    return substituted(differentiated(body, bound), {bound: point})


def needed(whole: Term, strict: bool = False) -> Iterator[Hypothesis]:
    """Yield what makes a term defined, with derivatives worked out."""
    yield from ((relation, worked_out(part)) for relation, part in definedness(whole, strict))


def without_derivatives(whole: Term, lines: list[str], counter: Iterator[int], symbols: Symbols) -> Term:
    """Return the term with every derivative worked out, after the lines that prove and rewrite each of them."""
    if whole[0] != "derive":
        return rebuilt(whole, lambda part: without_derivatives(part, lines, counter, symbols))
    _, bound, body, point = whole
    point = without_derivatives(point, lines, counter, symbols)
    whole = ("derive", bound, body, point)
    inner: list[str] = []
    plain = without_derivatives(body, inner, counter, symbols)

    def add(one: Term, other: Term, proof: str) -> None:
        name = f"E{next(counter)}"
        lines.extend((f"assert ({name} : {text(one)} = {text(other)}).", proof, f"rewrite ?{name}; clear {name}."))

    if inner:
        wanted = (h for h in dict.fromkeys(needed(body, strict=True)) if depends(h[1], bound))
        conditions = [h for h in wanted if not known(h, symbols)]
        near = " ".join([*_near(conditions, bound, point), *inner, "reflexivity. }"])
        add(whole, ("derive", bound, plain, point), f"{{ {near}")
    at = reduced(("app", (bound,), differentiated(plain, bound), (point,)))
    add(("derive", bound, plain, point), at, "{ apply is_derive_unique. drv. }")
    return at


def _near(conditions: list[Hypothesis], bound: str, point: Term) -> Iterator[str]:
    """Yield the lines that go from a derivative at a point to its function near the point."""
    if not conditions:
        yield f"apply Derive_ext; intros {bound}."
        return
    yield "apply Derive_ext_loc."
    facts: list[str] = []
    for relation, whole in conditions:
        facts.append(f"N{len(facts) + 1}")
        rule = "near_neq" if relation == "<>" else "near_pos"
        fact = written(("<" if relation == "<=" else relation, whole))
        slope = reduced(("app", (bound,), differentiated(whole, bound), (point,)))
        yield f"assert ({facts[-1]} : locally {text(point, 6)} (fun {bound} => {fact}))"
        yield f"by (apply ({rule} (fun {bound} => {text(whole)})); [exists ({text(slope)}); drv | first [nz | pos]])."
    *rest, joined, pattern = *facts[:-1], facts[-1], facts[-1]
    for fact in reversed(rest):
        joined, pattern = f"(filter_and _ _ {fact} {joined})", f"[{fact} {pattern}]"
    yield f"generalize {joined}; apply filter_imp; clear {' '.join(facts)}; intros {bound} {pattern}."
