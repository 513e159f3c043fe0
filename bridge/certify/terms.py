"""Expressions as terms of Coq over the real numbers, with the structure that they have in a step.

A term is a nested tuple, ("add", a, b), ("var", "x") and so on. A value at a point is a function applied to it, a
derivative is Coquelicot's ``Derive`` of a function, a power with a real exponent is ``Rpower``. Nothing is worked out:
the term of a step says what the step says.
"""

import operator
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import sympy as sp

from theory.core.formula import special

Term = tuple[Any, ...]
ZERO, ONE, TWO, PI = ("num", 0), ("num", 1), ("num", 2), ("fn", "PI")

# What sympy and Coq both have; the other functions of theory.core have definitions in prelude.v.
_SAME = ("exp", "sin", "cos", "sinh", "cosh", "tanh", "asin", "acos", "atan", "sign", "erf")
FUNCTIONS: dict[Any, str] = {getattr(sp, name): name for name in _SAME}
FUNCTIONS |= {sp.log: "ln", sp.Abs: "Rabs"}
FUNCTIONS |= {special.normal_cdf: "normal_cdf", special.phi1: "phi1"}
LARGEST: dict[Any, str] = {sp.Max: "Rmax", sp.Min: "Rmin"}  # of two numbers
BINDERS = ("derive", "limit", "sum")
OPAQUE = (sp.gamma, sp.polygamma)
TAKEN = frozenset(
    "fun in at as end if then else let match exists forall return using with fix cofix Prop Set Type by is mod where "
    "R O S N Z Q E I pow INR IZR PI tan pos nz idn exps up sum scal plus mult opp minus one zero norm ball abs sqrt "
    "Derive Lim RInt Rpower sum_to terms real letter locally filter nonneg drv step "
    f"{' '.join(FUNCTIONS.values())} {' '.join(LARGEST.values())}".split()
)


class Unsupported(Exception):
    """A part of a step that the exporter does not write; the message says which."""


class Names:
    """Identifiers of Coq for symbols, undefined functions and bound variables, each used once.

    Args:
        quantities: expressions that have a name in Coq. Default: none.
    """

    def __init__(self, quantities: Mapping[Any, str] = MappingProxyType({})) -> None:
        self.quantities = quantities
        self._of: dict[Any, str] = {}
        self._taken: set[str] = set(TAKEN)
        self.functions: dict[str, int] = {}

    @property
    def symbols(self) -> dict[str, sp.Symbol]:
        """The free symbols by identifier, in the order of their first use."""
        return {name: symbol for symbol, name in self._of.items() if isinstance(symbol, sp.Symbol)}

    def of(self, symbol: Any) -> str:
        """Return the identifier of a free symbol."""
        if symbol not in self._of:
            self._of[symbol] = self.fresh(str(symbol))
        return self._of[symbol]

    def fresh(self, text: str) -> str:
        """Return an identifier that resembles the text and is not used yet."""
        name = re.sub(r"\W", "_", text, flags=re.ASCII)
        name = name if name[:1].isalpha() else f"x{name}"
        while name in self._taken or re.fullmatch(r"(?:[HkrPDQECNFZGJ]|Lk)\d+", name):
            name += "'"
        self._taken.add(name)
        return name


def parts_of(whole: Term) -> tuple[Term, ...]:
    """Return the terms directly inside a term."""
    if whole[0] == "app":
        return (whole[2], *whole[3])
    return tuple(item for item in whole[1:] if isinstance(item, tuple))


def rebuilt(whole: Term, rule: Any) -> Term:
    """Return the term with ``rule`` applied to each term directly inside."""
    if whole[0] == "app":
        return ("app", whole[1], rule(whole[2]), tuple(map(rule, whole[3])), *whole[4:])
    return (whole[0], *(rule(item) if isinstance(item, tuple) else item for item in whole[1:]))


def substituted(whole: Term, values: Mapping[str, Term]) -> Term:
    """Return the term with other terms for its free variables; bound variables have names of their own."""
    if whole[0] == "var":
        return values.get(whole[1], whole)
    return rebuilt(whole, lambda part: substituted(part, values))


def reduced(whole: Term) -> Term:
    """Return the term with every function applied to its values, as ``cbv beta`` leaves it."""
    whole = rebuilt(whole, reduced)
    return (
        substituted(whole[2], dict(zip(whole[1], whole[3], strict=True)))
        if whole[0] == "app"
        else whole
    )


def inside(whole: Term) -> Iterator[Term]:
    """Yield the term and all terms inside, from outside to inside."""
    yield whole
    for part in parts_of(whole):
        yield from inside(part)


_CLASSES: dict[str, Any] = {name: kind for kind, name in (FUNCTIONS | LARGEST).items()}
_CLASSES |= {"sqrt": sp.sqrt, "Rpower": sp.Pow} | {f"f_{kind.__name__}": kind for kind in OPAQUE}
# Sign of Coq, how tightly it binds, and the operation of sympy.
OPERATORS: dict[str, tuple[str, int, Any]] = {
    "add": ("+", 1, operator.add), "sub": ("-", 1, operator.sub), "mul": ("*", 2, operator.mul),
    "div": ("/", 2, operator.truediv), "neg": ("-", 3, operator.neg),
}  # fmt: skip


def expression(whole: Term, symbols: Mapping[str, Any]) -> sp.Expr:
    """Return the term as an expression of sympy, which may simplify it.

    Raises:
        Unsupported: for a derivative, an integral, a case distinction, or a function that sympy does not know.
    """
    kind, *parts = whole
    if kind == "num":
        return sp.Integer(parts[0])
    if kind == "var":
        return symbols.get(parts[0], sp.Symbol(parts[0], real=True))
    if whole == PI:
        return symbols.get("PI", sp.pi)
    values = [expression(part, symbols) for part in parts_of(whole)]
    if kind == "pow":
        return values[0] ** parts[1]
    if kind == "fn" and parts[0] in _CLASSES:
        return _CLASSES[parts[0]](*values)
    if kind not in OPERATORS:
        raise Unsupported("an undefined function")
    return OPERATORS[kind][2](*values)


def text(whole: Term, level: int = 0) -> str:
    """Return the term in Coq's syntax, in parentheses where a part of this level needs them."""
    kind, *parts = whole
    if len(parts) == 1 and kind != "neg":  # a number, a variable or a constant
        return str(parts[0])
    sign, own, _ = OPERATORS.get(kind, ("", 5 if kind == "pow" else 4, None))
    if kind == "neg":
        written = f"- {text(parts[0], 5)}"
    elif sign:
        written = f"{text(parts[0], own)} {sign} {text(parts[1], own + 1)}"
    elif kind == "pow":
        written = f"{text(parts[0], 6)} ^ {parts[1]}"
    elif kind == "fn":
        written = " ".join([parts[0], *(text(part, 6) for part in parts[1:])])
    elif kind == "app":
        function = (
            parts[3] if len(parts) > 3 else f"(fun {' '.join(parts[0])} => {text(parts[1])})"
        )
        written = " ".join([function, *(text(value, 6) for value in parts[2])])
    elif kind == "limit":
        written = f"real (Lim (fun {parts[0]} => {text(parts[1])}) p_infty)"
    else:
        operator_ = "Derive" if kind == "derive" else "sum_to"
        values = " ".join(text(part, 6) for part in parts[2:])
        written = f"{operator_} (fun {parts[0]} => {text(parts[1])}) {values}"
    return f"({written})" if own < level else written
