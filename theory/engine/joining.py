"""What joins several kernels to one: positions of an input that are pooled or put side by side, and branches.

As for the rules of levels, each is one function, which its lemma applies to features that are written out, as many as
there are: a rule is in letters, and lemma and level are that rule at values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.core.formula.subexpressions import at_values
from theory.gaussian.mean import Mean

Joined = Callable[[sp.Matrix], sp.Expr]
"""What a rule makes of the kernel between positions."""


def letters(kind: str, size: int) -> sp.Matrix:
    """Return a matrix of letters between so many positions.

    Args:
        kind: what the names begin with.
        size: number of positions.
    """
    return sp.Matrix(size, size, lambda p, q: sp.Symbol(f"{kind}_{p}_{q}", real=True))


def joined(rule: Joined, kernels: sp.Matrix) -> sp.Expr:
    """Return what a rule in letters says of the kernel ``[P, P]`` between positions, not worked out.

    Args:
        rule: :func:`pooled` or :func:`flattened`.
        kernels: the kernel, or the tangent kernel.
    """
    names = letters("m", kernels.rows)
    return at_values(rule(names), names, kernels)


def pooled(kernels: sp.Matrix) -> sp.Expr:
    """Return the kernel of the mean over positions, from the kernel ``[P, P]`` between positions.

    Args:
        kernels: the kernel, or the tangent kernel.
    """
    return sp.Add(*kernels) / len(kernels)


def flattened(kernels: sp.Matrix) -> sp.Expr:
    """Return the kernel of the features of all positions side by side, from the kernel ``[P, P]`` between positions.

    Args:
        kernels: the kernel, or the tangent kernel.
    """
    return kernels.trace() / kernels.rows


@cache
def pool_lemma(size: int = 3) -> Step:
    """A feature, averaged over so many positions."""
    f, g = _features(size)
    average = sp.Add(*f) / size * (sp.Add(*g) / size)
    return _positions_lemma(f"the mean over {size} positions", average, pooled, size)


@cache
def flatten_lemma(size: int = 3) -> Step:
    """A feature at so many positions, which are as many features."""
    f, g = _features(size)
    product = sp.Add(*map(sp.Mul, f, g)) / size
    return _positions_lemma(f"{size} positions side by side", product, flattened, size)


def _features(size: int) -> tuple[tuple[sp.Symbol, ...], tuple[sp.Symbol, ...]]:
    """Return the features of both inputs at so many positions."""
    return sp.symbols(f"f1:{size + 1}", real=True), sp.symbols(f"g1:{size + 1}", real=True)


def _positions_lemma(what: str, product: sp.Expr, rule: Joined, size: int) -> Step:
    f, g = _features(size)
    return Step(
        f"kernel of {what}",
        sp.UnevaluatedExpr(product),
        joined(rule, sp.Matrix(size, size, lambda p, q: f[p] * g[q])),
        because="the product of the features of both inputs; gradients are features here",
        uses=(Premise("one of many channels, with features f and g at all positions"),),
    )


def attention(own: sp.Matrix, scale: sp.Expr) -> sp.Matrix:
    """Return the weights ``[P, P]`` of every position on all, from the kernel of an input between its positions.

    Args:
        own: that kernel ``[P, P]``.
        scale: factor of the inner products.
    """

    def weight(p: int, q: int) -> sp.Expr:
        # by differences, since an exponential of a product itself has no finite float at large inputs
        return 1 / sp.Add(*(sp.exp(scale * (other - own[p, q])) for other in own[p, :]))

    return sp.Matrix(*own.shape, weight)


def attended(kernels: sp.Matrix, left: sp.Matrix, right: sp.Matrix, scale: sp.Expr) -> sp.Matrix:
    """Return the kernel ``[P, P]`` between positions above attention.

    Args:
        kernels: the kernel, or the tangent kernel, between the positions of two inputs.
        left, right: the kernels of both inputs between their own positions.
        scale: factor of the inner products.
    """
    return attention(left, scale) * kernels * attention(right, scale).T


SCALE = sp.Symbol("scale", positive=True)


def attended_at(
    kernels: sp.Matrix, left: sp.Matrix, right: sp.Matrix, scale: sp.Expr, entry: tuple[int, int]
) -> sp.Expr:
    """Return an entry of what the rule of attention in letters says, not worked out.

    Args:
        kernels, left, right, scale: as for :func:`attended`.
        entry: positions of both inputs.
    """
    between, first, second = (letters(k, kernels.rows) for k in ("between", "left", "right"))
    general = attended(between, first, second, SCALE)[entry]
    known = (*between, *first, *second, SCALE)
    return at_values(general, known, (*kernels, *left, *right, scale))


@cache
def attention_lemma(size: int = 2) -> Step:
    """A channel at every position of one input and of another."""
    f, g = _features(size)
    left, right = (
        sp.Matrix(
            size, size, lambda p, q, k=k: sp.Symbol(f"{k}_{min(p, q)}{max(p, q)}", real=True)
        )
        for k in ("k", "k'")
    )

    def seen(features: Sequence[sp.Expr], products: sp.Matrix) -> sp.Expr:
        powers = [sp.exp(SCALE * product) for product in products]
        weighted = sp.Add(*(power * f for power, f in zip(powers, features, strict=True)))
        return sp.Mul(weighted, 1 / sp.Add(*powers), evaluate=False)

    below = sp.Matrix(size, size, lambda p, q: f[p] * g[q])
    return Step(
        f"kernel between {size} positions above attention",
        sp.Matrix(size, size, lambda p, q: seen(f, left[p, :]) * seen(g, right[q, :])),
        sp.Matrix(size, size, lambda p, q: attended_at(below, left, right, SCALE, (p, q))),
        because="the product of both means; gradients are features here",
        uses=(
            Premise(
                "position p is the mean over q with the weights exp(s k_pq), k_pq the mean of f_p f_q over n channels, "
                "which is the kernel between positions and moves with a parameter by 1/n"
            ),
        ),
    )


def branch_sum(kernels: Sequence[sp.Expr], tangents: Sequence[sp.Expr]) -> tuple[sp.Expr, sp.Expr]:
    """Return kernel and tangent kernel of a sum of branches.

    Args:
        kernels: those of the branches.
        tangents: those of the branches.
    """
    return sp.Add(*kernels), sp.Add(*tangents)


def branch_product(
    kernels: Sequence[sp.Expr], tangents: Sequence[sp.Expr]
) -> tuple[sp.Expr, sp.Expr]:
    """Return kernel and tangent kernel of a product of branches.

    Args:
        kernels: those of the branches.
        tangents: those of the branches.
    """
    others = [sp.Mul(*kernels[:index], *kernels[index + 1 :]) for index in range(len(kernels))]
    return sp.Mul(*kernels), sp.Add(*(t * rest for t, rest in zip(tangents, others, strict=True)))


Branches = Callable[[Sequence[sp.Expr], Sequence[sp.Expr]], tuple[sp.Expr, sp.Expr]]


def branched(
    rule: Branches, kernels: Sequence[sp.Expr], tangents: Sequence[sp.Expr]
) -> tuple[sp.Expr, ...]:
    """Return what a rule in letters says of the kernels and tangent kernels of branches, not worked out.

    Args:
        rule: :func:`branch_sum` or :func:`branch_product`.
        kernels, tangents: those of the branches.
    """
    names = sp.symbols(f"branch:{2 * len(kernels)}", real=True)
    general = rule(names[: len(kernels)], names[len(kernels) :])
    return tuple(at_values(part, names, (*kernels, *tangents)) for part in general)


@cache
def sum_lemma(count: int = 2) -> Step:
    """The sum of so many branches with weights of their own, and the gradients of a sum."""
    return _branches_lemma(branch_sum, sp.Add, "sum", "the cross terms have mean 0", count)


@cache
def product_lemma(count: int = 2) -> Step:
    """The product of so many branches with weights of their own, and the gradients of a product."""
    because = "independent branches; cross terms of gradients have no parameter in common"
    return _branches_lemma(branch_product, sp.Mul, "product", because, count)


def _branches_lemma(rule: Branches, joins: Any, what: str, because: str, count: int) -> Step:
    first, second = (sp.symbols(f"{letter}1:{count + 1}", real=True) for letter in "uv")
    kernels, tangents = (sp.symbols(f"{k}1:{count + 1}", real=True) for k in ("K", "Theta"))
    sizes = (sp.symbols(f"{letter}1:{count + 1}", positive=True) for letter in "AB")
    between = sp.diag(*kernels)
    spread = sp.Matrix(
        sp.BlockMatrix([[sp.diag(*next(sizes)), between], [between, sp.diag(*next(sizes))]])
    )
    product = joins(*first, evaluate=False) * joins(*second, evaluate=False)
    gradients = sp.Add(
        *(
            Mean(
                sp.Derivative(joins(*first), one) * sp.Derivative(joins(*second), other),
                (*first, *second),
                spread,
            )
            * tangent
            for one, other, tangent in zip(first, second, tangents, strict=True)
        )
    )
    return Step(
        f"kernel and tangent kernel above a {what} of {count}",
        sp.Matrix([Mean(product, (*first, *second), spread), gradients]),
        sp.Matrix(branched(rule, kernels, tangents)),
        because=because,
        uses=(
            Premise(
                "branches u with independent weights and mean zero, at the other input v; a parameter is in one of them"
            ),
        ),
    )
