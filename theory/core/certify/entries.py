"""The real numbers that a step says are equal: entries of matrices, and real and imaginary parts."""

from __future__ import annotations

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
        pairs = list(zip(*(side.as_explicit() for side in sides), strict=True))
    if not any(side.has(sp.I) for pair in pairs for side in pair):
        return pairs
    return [found for left, right in pairs for found in zip(parts(left), parts(right), strict=True)]


def _matrix(side: Any) -> Any:
    """Return a side with its matrices written out entry by entry; derivatives of the entries stay."""
    if isinstance(side, sp.MatrixBase):
        return side
    if isinstance(side, (sp.Subs, sp.Derivative)):
        inner = _matrix(side.expr)
        if isinstance(inner, sp.MatrixBase):
            rest = side.args[1:]
            return inner.applyfunc(lambda entry: side.func(entry, *rest) if entry.free_symbols else entry)
        return side
    if not any(isinstance(node, (sp.MatrixBase, sp.MatrixExpr)) for node in sp.preorder_traversal(side)):
        return side
    if any(isinstance(node, (sp.Derivative, sp.Integral)) for node in sp.preorder_traversal(side)):
        raise Unsupported("a product of matrices with derivatives in it")
    return side.doit()


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
        whole: Parts = (sp.S.One, sp.S.Zero)
        for pair in pairs:
            whole = _product(whole, pair)
        return whole
    if isinstance(node, sp.exp):
        size, angle = sp.exp(pairs[0][0]), pairs[0][1]
        return size * sp.cos(angle), size * sp.sin(angle)
    if isinstance(node, sp.Pow) and node.exp.is_Integer and node.exp > 0:
        whole = (sp.S.One, sp.S.Zero)
        for _ in range(int(node.exp)):
            whole = _product(whole, pairs[0])
        return whole
    raise Unsupported("a function of complex numbers")


def _product(one: Parts, other: Parts) -> Parts:
    return one[0] * other[0] - one[1] * other[1], one[0] * other[1] + one[1] * other[0]
