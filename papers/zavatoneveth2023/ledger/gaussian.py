r"""Formulas with derivatives and Gaussian averages, read exactly: sides are polynomials that are computed as printed.

The activation function is a polynomial, so that an average over normal variables is a sum of moments, and the kernels
are polynomials of both inputs, which are differentiated. No integration by parts and no formula of the paper is used.
"""

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial, reduce
from typing import Any

import sympy as sp

from papers.zavatoneveth2023.ledger.index_notation import named
from theory.core import Check, for_all, in_words, of_each_relation

Meanings = Mapping[str, Any]
OPERATIONS = (
    ((sp.Add, sp.MatAdd), operator.add), ((sp.Mul, sp.MatMul), operator.mul), ((sp.Pow, sp.MatPow), operator.pow),
)  # fmt: skip
NORMALS = sp.symbols("s1:5", real=True)
"""Independent standard normal variables."""
ARGUMENT = sp.Symbol("z", real=True)
QUARTIC = sp.Poly(
    [sp.Rational(1, 7), sp.Rational(-1, 3), sp.Rational(2, 5), 1, sp.Rational(1, 2)], ARGUMENT
).as_expr()
"""An activation function without a symmetry."""
X, Y = sp.Matrix(sp.symbols("x1:3", real=True)), sp.Matrix(sp.symbols("y1:3", real=True))


def activation(phi: sp.Expr) -> dict[str, Callable[[Any], Any]]:
    """An activation function and its first four derivatives."""
    return {
        f"phi{order}": partial(sp.diff(phi, ARGUMENT, order).subs, ARGUMENT) for order in range(5)
    }


@lru_cache(maxsize=4096)
def mean(form: sp.Expr) -> sp.Expr:
    """The average over the normal variables of a polynomial in them."""
    present = [symbol for symbol in NORMALS if sp.sympify(form).has(symbol)]
    if not present:
        return sp.expand(form)
    averages = []
    for powers, term in sp.Poly(form, *present).terms():
        if all(power % 2 == 0 for power in powers):
            averages.append(term * sp.prod([sp.factorial2(power - 1) for power in powers]))
    return sp.Add(*averages)


def along_x(by: sp.Expr, form: sp.Expr) -> sp.Expr:
    """The derivative of a function of the norm of x in another one, such as the squared norm."""

    def rise(function: sp.Expr) -> sp.Expr:
        return sum(sp.diff(function, symbol) * symbol for symbol in X)

    return sp.cancel(rise(form) / rise(by))


def at_equal(form: sp.Expr, one: Any, other: Any) -> sp.Expr:
    """A form with one input at the place of the other."""
    return form.subs(dict(zip(one, other, strict=True)), simultaneous=True)


def entries(matrix: Any) -> Callable[..., Any]:
    """The entries of a matrix, or of a column, as a function of their indices, integers that count from 1."""

    def entry(*indices: Any) -> Any:
        places = tuple(operator.index(index) - 1 for index in indices)
        return matrix[places if len(places) > 1 else places[0]]

    return entry


def of_components(meanings: Meanings, *places: tuple[int, int]) -> list[Meanings]:
    """Cases: these meanings with the indices mu and nu at each of these places."""
    return [{**meanings, "mu": sp.Integer(mu), "nu": sp.Integer(nu)} for mu, nu in places]


OPERATORS: Meanings = {
    "X": X, "Y": Y, "x": entries(X), "y": entries(Y),
    "dot": lambda one, other: one.dot(other), "norm": lambda one: sp.sqrt(one.dot(one)), "E": mean, "at": at_equal,
    "hess": lambda one, other, form: sp.diff(form, one, other), "grad": lambda one, form: sp.diff(form, one),
    "slope": along_x,
}  # fmt: skip


def read(node: Any, meanings: Meanings) -> Any:
    """The value of a formula whose names have meanings: values, or functions of the values of their arguments."""
    known = named(tuple(meanings)).get(node)
    if known is not None:
        return meanings[known.name]
    is_letter = isinstance(node, (sp.Symbol, sp.MatrixSymbol))
    name = node.name if is_letter else getattr(node.func, "__name__", "")
    if is_letter or not node.args:
        return meanings.get("oo" if node is sp.oo else name, node)
    if isinstance(node, sp.Sum):
        return _written_out(node, meanings)
    if isinstance(node, sp.BlockMatrix):
        rows = []
        for row in node.blocks.tolist():
            blocks = [read(block, meanings) for block in row]
            rows.append(sp.Matrix.hstack(*blocks))
        return sp.Matrix.vstack(*rows)
    if isinstance(node, sp.MatrixBase):
        return node.applyfunc(lambda entry: read(entry, meanings))
    values = [read(part, meanings) for part in node.args]
    if isinstance(node, sp.Transpose):
        return values[0].T
    if name in meanings:
        return meanings[name](*values)
    for kinds, operation in OPERATIONS:
        if isinstance(node, kinds):
            return reduce(operation, values)
    return node.func(*values)


def _written_out(node: Any, meanings: Meanings) -> Any:
    names = [index.name for index, _, _ in node.limits]
    ranges = []
    for _, low, high in node.limits:
        numbers = range(int(read(low, meanings)), int(read(high, meanings)) + 1)
        ranges.append([sp.Integer(number) for number in numbers])
    total = sp.S.Zero
    for indices in itertools.product(*ranges):
        total += read(node.function, {**meanings, **dict(zip(names, indices, strict=True))})
    return total


def exactly(
    cases: Callable[[], Iterable[Meanings]], why: str = ""
) -> Callable[[Any], tuple[Check, ...]]:
    """Both sides of each printed equation are the same expression in every case, as the docstring of the cases says."""

    def holds(relation: Any) -> bool:
        return for_all(
            cases(), lambda case: is_zero(read(relation.lhs, case) - read(relation.rhs, case))
        )

    holds.__doc__ = in_words(why, cases)
    return of_each_relation(holds)


def is_zero(form: Any) -> bool:
    """Whether an expression without free functions vanishes identically."""
    if isinstance(form, sp.MatrixBase):
        return all(is_zero(entry) for entry in form)
    return bool(sp.expand(form) == 0 or sp.cancel(form) == 0)
