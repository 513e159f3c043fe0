"""The real numbers that a step says are equal: entries of matrices, and real and imaginary parts."""

from collections.abc import Iterable
from functools import reduce
from itertools import permutations
from typing import Any

import sympy as sp
from sympy.combinatorics import Permutation

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
    """Return a side with its matrices written out entry by entry; nothing in the entries is worked out."""
    if isinstance(side, (sp.Subs, sp.Derivative)):
        inner, rest = _matrix(side.expr), side.args[1:]
        if isinstance(inner, sp.MatrixBase):
            return inner.applyfunc(lambda entry: side.func(entry, *rest) if entry.free_symbols else entry)
        return side
    if not side.args or isinstance(side, sp.MatrixBase) or not side.has(sp.MatrixBase, sp.MatrixExpr):
        return side
    inner = [_matrix(part) for part in side.args]
    if isinstance(side, sp.MatMul):
        return reduce(_product_of, inner)
    if isinstance(side, sp.Transpose):
        return inner[0].T
    if isinstance(side, sp.Inverse):
        return _inverse(inner[0])
    if isinstance(side, sp.Determinant):
        return _determinant(inner[0])
    if isinstance(side, sp.Trace):
        return _sum(inner[0].diagonal())
    return side.func(*inner)


def _sum(pieces: Iterable[Any]) -> Any:
    return sp.Add(*pieces, evaluate=False)


def _product_of(one: Any, other: Any) -> Any:
    if not isinstance(one, sp.MatrixBase):
        return other.applyfunc(lambda entry: sp.Mul(one, entry, evaluate=False))
    pieces = [[zip(one.row(i), other.col(j), strict=True) for j in range(other.cols)] for i in range(one.rows)]
    return sp.Matrix([[_sum(sp.Mul(a, b, evaluate=False) for a, b in pairs) for pairs in row] for row in pieces])


def _determinant(matrix: Any) -> Any:
    """Return the sum over permutations."""
    orders = [Permutation(list(order)) for order in permutations(range(matrix.rows))]
    return _sum(
        sp.Mul(order.signature(), *(matrix[i, order(i)] for i in range(matrix.rows)), evaluate=False)
        for order in orders
    )


def _inverse(matrix: Any) -> Any:
    """Return the cofactors over the determinant."""
    n, under = matrix.rows, sp.Pow(_determinant(matrix), -1, evaluate=False)
    minors = [[_determinant(matrix.minor_submatrix(j, i)) if n > 1 else sp.S.One for j in range(n)] for i in range(n)]
    return sp.Matrix(n, n, lambda i, j: sp.Mul((-1) ** (i + j), minors[i][j], under, evaluate=False))


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
