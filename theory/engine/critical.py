"""The critical line of a block: weights and biases with which repeating it keeps the variance and small angles.

A block acts on Gaussian features of variance q. Above it the variance is V(q), and a small difference of two inputs is
multiplied by the tangential coefficient of the metric across the inputs, and by V'(q) along them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import sympy as sp

from closedform import networks
from closedform.checks import instance
from theory.core import Argument, ClosedForm, Status, Step
from theory.core.formula.let import Let
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import taking
from theory.engine import rules
from theory.engine.levels import Place, definitions_of, require_own_symbols
from theory.engine.metric_levels import Geometry, above

q = sp.Symbol("q", positive=True)
Q = Argument(q, "variance of the features of the block", sample=(0.2, 3), example=1)


class Critical(NamedTuple):
    """The critical line of a block, as closed forms of ``q`` and of the symbols that are not solved for."""

    weights: ClosedForm
    """Variance of the weights of the last layer with which small angles are kept."""
    biases: ClosedForm
    """Variance of its biases with which the variance q is kept; the line ends where it is negative."""
    along: ClosedForm
    """Factor V'(q) of small differences of the variance; the variance is approached where it is below 1."""


def critical(block: networks.Network, name: str = "engine.critical") -> Critical:
    """Return weights and biases of the last layer of a block with which its repetition keeps variance and angles.

    Args:
        block: the block, such as ``Act("erf") >> Dense(S, Z)``, on Gaussian features of variance q. Weights and biases
            of its last dense layer are solved for where they stand; whatever symbols they are.
        name: dotted name, to which "weights", "biases" and "along" are added. Default: "engine.critical".

    Raises:
        TypeError: if ``block`` is no network.
        ValueError: if it has no dense layer, is no function of inner products, or no weights keep small angles.

    Source: Poole et al. (2016); Schoenholz et al. (2017).

    >>> from theory.engine import Act, Dense, critical
    >>> line = critical(Act("relu") >> Dense())
    >>> line.weights.expression, line.biases.expression
    (2, 0)
    """
    instance("block", block, networks.Network, "a network")
    require_own_symbols(block, (Q,))
    weights, biases = sp.Dummy("weights", positive=True), sp.Dummy("biases", real=True)
    asked = _with_last(block, weights, biases)
    jet = (q, 1, 0, 1, 0, 0, 0, 0)
    made = above(asked, Geometry(tuple(map(sp.sympify, jet))), Place())
    letters = made.levels.definitions
    # sympy would look for ever for the means of an activation that have no closed form
    variance, slope, across = (Let(letters, made.jet[i]).doit(integrals=False) for i in (0, 1, 3))
    solutions = [value for value in _zeros(across - 1, weights) if not value.is_nonpositive]
    if len(solutions) != 1:
        raise ValueError(
            f"block: got {block}, which keeps small angles at {solutions or 'no weights'}, needs one value of them"
        )
    solution = solutions[0]
    offset = _zeros(variance.subs(weights, solution) - q, biases)
    if len(offset) != 1:
        raise ValueError(
            f"block: got {block}, needs biases in its last layer that move the variance"
        )
    here = {weights: _simplified(solution), biases: _simplified(offset[0])}
    after = _simplified(slope.subs(here))
    names, values = tuple(here), tuple(here.values())

    def form(
        which: str, meaning: str, expression: sp.Expr, last: Step, *rests: ClosedForm
    ) -> ClosedForm:
        symbols = sorted(expression.free_symbols, key=lambda s: (s != q, str(s)))
        arguments = tuple(Q if s == q else Argument(s, f"{s.name} of the block") for s in symbols)
        return ClosedForm(
            f"{name}.{which}",
            meaning,
            arguments,
            expression,
            Status.DERIVED,
            with_lemmas((taking(last, (*made.levels.steps, *rests, rules.WIDE)),)),
            assumptions=(rules.WIDE, *definitions_of(block)),
        )

    def at(index: int) -> sp.Expr:
        return sp.Subs(Let(letters, sp.UnevaluatedExpr(made.jet[index])), names, values)

    at_weights = Let(letters, sp.UnevaluatedExpr(made.jet[3]))
    keeps = Step(
        "small angles are kept",
        sp.Subs(at_weights, weights, here[weights]),
        sp.S.One,
        "the tangential coefficient of the metric",
    )
    critical_weights = form(
        "weights", f"Critical variance of the last weights of {block}.", here[weights], keeps
    )
    critical_biases = form(
        "biases",
        f"Critical variance of the last biases of {block}.",
        here[biases],
        Step("the variance is kept", at(0), q, "the variance above the block"),
        critical_weights,
    )
    return Critical(
        critical_weights,
        critical_biases,
        form(
            "along",
            f"Factor of small changes of the variance above {block}.",
            after,
            Step(
                "small changes of the variance",
                at(1),
                after,
                "the slope of the variance above the block",
            ),
            critical_weights,
            critical_biases,
        ),
    )


def _with_last(net: Any, weights: sp.Symbol, biases: sp.Symbol) -> networks.Network:
    """Return a network with other weights and biases in its last dense layer; ValueError if it has none."""
    levels = list(networks.levels_of(net))
    for index in reversed(range(len(levels))):
        level = levels[index]
        if isinstance(level, networks.Dense):
            levels[index] = replace(level, weights=weights, biases=biases)
            return networks.Chain(tuple(levels))
        if isinstance(level, networks.Sum):
            *others, last = level.branches
            levels[index] = networks.Sum(*others, _with_last(last, weights, biases))
            return networks.Chain(tuple(levels))
    raise ValueError(f"block: got {net}, needs a dense layer")


def _zeros(expression: sp.Expr, symbol: sp.Symbol) -> list[sp.Expr]:
    """Return the values of a symbol at which an expression vanishes, which is linear in it unless a norm follows."""
    slope = expression.diff(symbol)
    if slope.has(symbol):
        return list(sp.solve(expression, symbol))
    return [-expression.subs(symbol, 0) / slope] if slope != 0 else []


def _simplified(expression: sp.Expr) -> sp.Expr:
    """Return an expression that is simplified; one with a mean that has no closed form as it is."""
    return expression if expression.has(sp.Integral) else sp.simplify(expression)
