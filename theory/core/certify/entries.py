"""The real numbers that a step says are equal: entries of matrices, and real and imaginary parts."""

from functools import reduce
from typing import Any

import sympy as sp

from theory.core.certify.terms import Unsupported
from theory.core.proof.derivation import Step

Parts = tuple[Any, Any]


def scalars(step: Step) -> list[tuple[Any, Any]]:
    """Return the pairs of numbers that must be equal, with products of matrices written out."""
    sides = [_matrix(side) for side in (step.left, step.right)]
    pairs = [(sides[0], sides[1])]
    if any(isinstance(side, sp.MatrixBase) for side in sides):
        pairs = list(zip(*sides, strict=True))
    if not any(side.has(sp.I) for pair in pairs for side in pair):
        return pairs
    return [found for left, right in pairs for found in zip(parts(left), parts(right), strict=True)]


def _matrix(side: Any) -> Any:
    """Return a side with its matrices worked out; their values at a point and derivatives are kept, entry by entry."""
    if isinstance(side, (sp.Subs, sp.Derivative)):
        inner, rest = _matrix(side.expr), side.args[1:]
        if isinstance(inner, sp.MatrixBase):
            return inner.applyfunc(lambda entry: side.func(entry, *rest) if entry.free_symbols else entry)
        return side
    if not side.args or isinstance(side, sp.MatrixBase) or not side.has(sp.MatrixBase, sp.MatrixExpr):
        return side
    return side.func(*map(_matrix, side.args)).doit(deep=False)


def parts(node: Any) -> Parts:
    """Return the real and the imaginary part of an expression in real letters, with its derivatives and values kept.

    Raises:
        Unsupported: for a function of a complex number other than sums, products, integer powers and exponentials.
    """
    if node is sp.I:
        return sp.S.Zero, sp.S.One
    if not node.has(sp.I):
        return node, sp.S.Zero
    if isinstance(node, (sp.Derivative, sp.Subs)):
        return tuple(part if part.is_number else node.func(part, *node.args[1:]) for part in parts(node.expr))  # type: ignore[return-value]
    pairs = [parts(argument) for argument in node.args]
    if isinstance(node, sp.Add):
        return sp.Add(*(real for real, _ in pairs)), sp.Add(*(imaginary for _, imaginary in pairs))
    if isinstance(node, sp.Mul):
        return reduce(_product, pairs)
    if isinstance(node, sp.exp):
        size, angle = sp.exp(pairs[0][0]), pairs[0][1]
        return size * sp.cos(angle), size * sp.sin(angle)
    if isinstance(node, sp.Pow) and node.exp.is_Integer and node.exp > 0:
        return reduce(_product, pairs[:1] * int(node.exp))
    raise Unsupported("a function of complex numbers")


def _product(one: Parts, other: Parts) -> Parts:
    return one[0] * other[0] - one[1] * other[1], one[0] * other[1] + one[1] * other[0]
