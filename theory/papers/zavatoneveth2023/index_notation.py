r"""Formulas in index notation, evaluated as they are printed: indices that are not on the left are summed.

Each letter of the paper is an undefined function of its indices. An index is a symbol, a number from 1, or a member
``j(2)`` of a family; ``span(j(2), j(d))`` stands for :math:`j_2 \cdots j_d`, and a product or sum over the members of a
family runs over ``a``. A final underscore of a letter changes how its indices are typeset and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core import Check
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import ROUNDING, is_close

Values = Mapping[str, Any]
d, n = sp.symbols("d n", integer=True, positive=True)
a, i, j, k, m, mu, nu, alpha, beta, rho, lamda = sp.symbols("a i j k m mu nu alpha beta rho lambda", integer=True)
l = sp.Symbol("l", integer=True)
i_, j_, k_, l_, m_, mu_, nu_ = (sp.Function(name) for name in ("i", "j", "k", "l", "m", "mu", "nu"))
"""Families of indices."""
span, inner, differ, below = (sp.Function(name) for name in ("span", "inner", "differ", "below"))
"""A run of indices; a bracket with sums of its own and the indices that it keeps; sums over j != k and over j < k."""
tuple_sum = sp.Function("tuple_sum")
"""Sum over all members of a family of indices, from 1 to d each: summand, lower and upper end."""


def summed(expression: Any, values: Values, free: tuple[Any, ...] = ()) -> Any:
    """The value of a printed expression, an array with the free indices as its axes.

    Args:
        expression: in index notation.
        values: arrays for the letters with indices, one axis for each index; numbers for the others, ``d`` and ``n``
            among them.
        free: the indices that are not summed.

    Raises:
        ValueError: for an index that does not exist, or a term without one of the free indices.
    """
    size = {name: sp.Integer(int(values[str(name)])) for name in (d, n)}
    free = tuple(_spanned(tuple(index.subs(size) for index in free)))
    expression = sp.sympify(expression).subs(size).replace(sp.Sum, _over_units)
    expression = expression.replace(tuple_sum, lambda term, low, high: _of_members(term, low, high, size[d]))
    for name, mask in ((differ, "unequal"), (below, "smaller")):
        expression = expression.replace(name, lambda one, two, term, mask=mask: sp.Function(mask)(one, two) * term)
    terms = sp.Add.make_args(sp.expand(expression.doit()))
    return sum((_term(term, values, free) for term in terms if term != 0), 0.0)


def _over_units(summand: Any, *limits: Any) -> Any:
    """Sums over units become summands with marked indices; those over members of a family stay."""
    members = [limit for limit in limits if limit[0] == a]
    for index, low, high in (limit for limit in limits if limit[0] != a):
        summand *= sp.Function("within")(index, low, high)
    return sp.Sum(summand, *members) if members else summand


def _of_members(summand: Any, low: Any, high: Any, last: Any) -> Any:
    if (low, high) != (1, last):
        raise ValueError(f"tuple_sum: got {low} to {high}, needs 1 to {last}")
    return summand


def _term(term: Any, values: Values, free: tuple[Any, ...]) -> Any:
    letters: dict[Any, int] = {}
    operands: list[Any] = []
    with np.errstate(all="ignore"):
        for factor in sp.Mul.make_args(term):
            array, indices = _factor(factor, values)
            operands += [array, [letters.setdefault(index, len(letters)) for index in indices]]
        if missing := [index for index in free if index not in letters]:
            raise ValueError(f"term: got {term}, needs {missing}")
        return np.einsum(*operands, [letters[index] for index in free], optimize="greedy")


def _factor(factor: Any, values: Values) -> tuple[Any, tuple[Any, ...]]:
    """A factor as an array over its indices."""
    nodes = factor.atoms(AppliedUndef)
    tensors = sorted((t for t in nodes if not any(t != other and other.has(t) for other in nodes)), key=str)
    arrays = [_tensor(tensor, values) for tensor in tensors]
    indices = tuple(sorted({index for _, own in arrays for index in own}, key=str))
    stands = sp.symbols(f"tensor:{len(tensors)}")
    rest = factor.xreplace(dict(zip(tensors, stands, strict=True)))
    symbols = sorted(rest.free_symbols - set(stands), key=str)
    program = _program((*stands, *symbols), rest)
    aligned = [_aligned(array, own, indices) for array, own in arrays]
    return np.asarray(program(*aligned, *(float(values[str(s)]) for s in symbols)), dtype=float), indices


@lru_cache(maxsize=1024)
def _program(arguments: tuple[Any, ...], expression: Any) -> Callable[..., Any]:
    return sp.lambdify(arguments, expression, "numpy", docstring_limit=0)


def _aligned(array: Any, own: tuple[Any, ...], indices: tuple[Any, ...]) -> Any:
    order = sorted(range(len(own)), key=lambda axis: indices.index(own[axis]))
    shape = iter(np.shape(array)[axis] for axis in order)
    return np.transpose(array, order).reshape([next(shape) if index in own else 1 for index in indices])


def _tensor(node: Any, values: Values) -> tuple[Any, tuple[Any, ...]]:
    """The array of a letter over its indices; a repeated one takes the diagonal, a number selects."""
    name = node.func.__name__.removesuffix("_")
    if name == "inner":
        kept = tuple(_spanned(node.args[1:]))
        return summed(node.args[0], values, kept), kept
    width = int(values["n"])
    if name == "within":
        index, low, high = node.args
        if not 1 <= low <= high <= width:
            raise ValueError(f"range of {index}: got {low} to {high}, needs numbers from 1 to {width}")
        return np.array([float(int(low) <= unit <= int(high)) for unit in range(1, width + 1)]), (index,)
    masks = {"unequal": 1 - np.eye(width), "smaller": np.triu(np.ones((width, width)), 1)}
    return _selected(np.asarray(masks[name] if name in masks else values[name], dtype=float), node)


def _selected(array: Any, node: Any) -> tuple[Any, tuple[Any, ...]]:
    indices = _spanned(node.args)
    if len(indices) != array.ndim:
        raise ValueError(f"{node}: got {len(indices)} indices, needs {array.ndim}")
    for axis in reversed(range(array.ndim)):
        if indices[axis].is_Integer:
            if not 1 <= indices[axis] <= array.shape[axis]:
                raise ValueError(f"{node}: got index {indices[axis]}, needs 1 to {array.shape[axis]}")
            array = np.take(array, int(indices[axis]) - 1, axis)
            del indices[axis]
    distinct = list(dict.fromkeys(indices))
    return np.einsum(array, [distinct.index(index) for index in indices], list(range(len(distinct)))), tuple(distinct)


def _spanned(arguments: tuple[Any, ...]) -> list[Any]:
    indices = []
    for argument in arguments:
        if argument.func == span:
            first, last = argument.args
            indices += [first.func(number) for number in range(int(first.args[0]), int(last.args[0]) + 1)]
        else:
            indices.append(argument)
    return indices


def _side(side: Any, values: Values, free: tuple[Any, ...]) -> Any:
    if isinstance(side, sp.MatrixBase):
        return np.squeeze([[summed(entry, values) for entry in row] for row in side.tolist()])
    return summed(side, values, free)


def as_printed(
    cases: Callable[[], Iterable[Values]], because: str, free: tuple[Any, ...] = (), *, scale: float = 0.0
) -> Callable[[Any], tuple[Any, ...]]:
    """Each printed equation holds in numbers for all values of its free indices.

    Args:
        cases: gives the values of the letters, as :func:`summed` takes them.
        because: how the two sides are known independently.
        free: the indices that are not summed.
        scale: a size below which both sides are noise.
    """

    def holds(relation: Any) -> bool:
        sides = [[_side(side, case, free) for side in (relation.lhs, relation.rhs)] for case in cases()]
        return bool(sides) and all(is_close(left, right, ROUNDING, scale) for left, right in sides)

    def prove(statement: Any) -> tuple[Any, ...]:
        parts = relations(statement)
        return tuple(Check(f"part {place}", partial(holds, part), because) for place, part in enumerate(parts, 1))

    return prove
