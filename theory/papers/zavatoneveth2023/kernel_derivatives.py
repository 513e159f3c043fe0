"""The metric as second derivatives of a kernel, for any two features and for any function of the distance."""

from __future__ import annotations

import itertools
from typing import Any

import sympy as sp

from theory.core import Check, Claim, Step
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import meant
from theory.papers.zavatoneveth2023.index_notation import mu, nu
from theory.papers.zavatoneveth2023.letters import g

second_x, second_y = sp.Function("second_x"), sp.Function("second_y")
x = sp.symbols("x1:3", real=True)
y = sp.symbols("y1:3", real=True)
features = tuple(sp.Function(f"Phi{index}", real=True) for index in (1, 2))
between = sum(feature(*x) * feature(*y) for feature in features)
on_itself = sum(feature(*x) ** 2 for feature in features)


def mixed(kernel: sp.Expr, one: int, other: int) -> sp.Expr:
    """Second derivative in the second input, where it is the first; indices from 1."""
    return sp.diff(kernel, y[one - 1], y[other - 1]).subs(dict(zip(y, x, strict=True)), simultaneous=True).doit()


def from_features(statement: Any) -> tuple[Step, ...]:
    """The metric of two features of two inputs, all components."""
    (relation,) = relations(statement)
    meanings = {
        g: lambda one, other: sum(f(*x).diff(x[one - 1]) * f(*x).diff(x[other - 1]) for f in features),
        second_x: lambda one, other: sp.Derivative(on_itself, x[one - 1], x[other - 1]),
        second_y: lambda one, other: mixed(between, one, other),
    }
    return tuple(
        Step(
            f"two features, component {one}{other}",
            meant(relation.lhs.subs({mu: one, nu: other}), meanings),
            meant(relation.rhs.subs({mu: one, nu: other}), meanings),
            because="product rule",
        )
        for one, other in itertools.product((1, 2), repeat=2)
    )


def translation_invariant(claim: Claim) -> tuple[Check, ...]:
    """Whether the metric of any function of the squared distance is the same at all points."""
    distance = sum((p - q) ** 2 for p, q in zip(x, y, strict=True))
    series = sum(sp.Symbol(f"k{order}") * distance**order for order in range(4))  # higher orders vanish at x = y
    metric = [-mixed(series, one, other) for one, other in itertools.product((1, 2), repeat=2)]
    constant = not any(sp.expand(entry).free_symbols & set(x) for entry in metric)
    return (
        Check("constant", lambda: constant is (claim["kind"] == "flat, constant"), "derivatives of the kernel"),
        Check("not degenerate", lambda: sp.expand(metric[0] * metric[3] - metric[1] * metric[2]) != 0, "determinant"),
    )
