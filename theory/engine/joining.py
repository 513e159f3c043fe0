"""What joins several kernels to one: positions of an input that are pooled or put side by side, and branches.

As for the rules of levels, each is one function, which its lemma applies to features that are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.engine.rules import F, G
from theory.gaussian.mean import Mean


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
def pool_lemma() -> Step:
    """A feature, averaged over three positions."""
    average = sp.Add(*F) / 3 * (sp.Add(*G) / 3)
    return _positions_lemma("the mean over positions", average, pooled)


@cache
def flatten_lemma() -> Step:
    """A feature at three positions, which are three features."""
    return _positions_lemma("positions side by side", sp.Add(*map(sp.Mul, F, G)) / 3, flattened)


def _positions_lemma(what: str, product: sp.Expr, rule: Callable[[sp.Matrix], sp.Expr]) -> Step:
    return Step(
        f"kernel of {what}",
        sp.UnevaluatedExpr(product),
        rule(sp.Matrix(3, 3, lambda p, q: F[p] * G[q])),
        because="the product of the features of both inputs; gradients are features here",
        uses=(Premise("one of many channels, with features f and g at three positions"),),
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


@cache
def attention_lemma() -> Step:
    """A channel at the first position of one input and the second of another, each with two positions."""
    scale = sp.Symbol("s", positive=True)
    own, mixed, other, *rest = sp.symbols("k_11 k_12 k_22 k'_11 k'_12 k'_22", real=True)
    left = sp.Matrix([[own, mixed], [mixed, other]])
    right = sp.Matrix([[rest[0], rest[1]], [rest[1], rest[2]]])

    def seen(features: Sequence[sp.Expr], products: sp.Matrix) -> sp.Expr:
        powers = [sp.exp(scale * product) for product in products]
        weighted = sp.Add(*(power * f for power, f in zip(powers, features, strict=False)))
        return sp.Mul(weighted, 1 / sp.Add(*powers), evaluate=False)

    below = sp.Matrix(2, 2, lambda p, q: F[p] * G[q])
    return Step(
        "kernel between positions above attention",
        seen(F, left[0, :]) * seen(G, right[1, :]),
        attended(below, left, right, scale)[0, 1],
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


_BRANCH = sp.symbols("u v u' v'", real=True)


@cache
def sum_lemma() -> Step:
    """The sum of two branches with weights of their own, and the gradients of a sum."""
    return _branches_lemma(branch_sum, sp.Add, "sum", "the cross terms have mean 0")


@cache
def product_lemma() -> Step:
    """The product of two branches with weights of their own, and the gradients of a product."""
    because = "independent branches; cross terms of gradients have no parameter in common"
    return _branches_lemma(branch_product, sp.Mul, "product", because)


def _branches_lemma(
    rule: Callable[..., tuple[sp.Expr, sp.Expr]], joined: Any, what: str, because: str
) -> Step:
    a, b, ta, tb = sp.symbols("K_a K_b Theta_a Theta_b", real=True)
    u, v, u_, v_ = _BRANCH
    spread = sp.Matrix(4, 4, lambda i, j: {0: a, 1: b}[i % 2] if abs(i - j) == 2 else 0)
    spread += sp.diag(*sp.symbols("A B A' B'", positive=True))
    first_way = joined(u, v, evaluate=False) * joined(u_, v_, evaluate=False)
    gradients = sum(
        Mean(
            sp.Derivative(joined(u, v), one) * sp.Derivative(joined(u_, v_), other),
            _BRANCH,
            spread,
        )
        * t
        for one, other, t in ((u, u_, ta), (v, v_, tb))
    )
    return Step(
        f"kernel and tangent kernel above a {what}",
        sp.Matrix([Mean(first_way, _BRANCH, spread), gradients]),
        sp.Matrix(rule((a, b), (ta, tb))),
        because=because,
        uses=(
            Premise(
                "branches u, v with independent weights and mean zero, at both inputs; each parameter is in one of them"
            ),
        ),
    )
