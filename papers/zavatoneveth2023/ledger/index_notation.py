r"""Formulas in index notation, evaluated as they are printed.

An index that stands on both sides of an equation is free, one that stands on one side only is summed. An index is a
symbol, a number from 1, or a member ``j(2)`` of a family; ``j_to(2, d)`` stands for :math:`j_2 \cdots j_d`, and a
product or sum over the members of a family runs over ``a``. A final underscore of a letter changes how its indices are
typeset and nothing else. A case gives each letter its array, and expressions such as ``det(G)`` their number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core import (
    Check,
    Program,
    evaluate,
    for_all,
    is_close,
    letters_of,
    relations,
    shown_statement,
    solved,
)
from theory.core.ledger.formulas import formula
from theory.core.ledger.numerical import ROUNDING
from theory.core.ledger.proving import in_words, of_each_relation

Case = Mapping[str, Any]
Cases = Callable[[], Iterable[Case]]
Terms = list[list[tuple[Any, tuple[Any, ...]]]]
letters = letters_of(__package__)
shown = cache(partial(shown_statement, __package__))
"""Takes the label of an entry and the name of a field."""
a, d, n, differ, below, tuple_sum, exchanged, g_up, delta = letters(
    "a d n differ below tuple_sum exchanged g_up delta"
)
WITHIN = sp.Function("within")
FACTOR = {
    "R": lambda: sp.S.One,
    "Ricci": g_up,
    "Riemann": lambda mu, nu, alpha, beta: g_up(mu, alpha) * g_up(nu, beta),
    "Riemann_up": lambda mu, nu, alpha, beta: delta(mu, alpha) * g_up(nu, beta),
}
"""The factor with which a curvature is contracted to its scalar."""


@lru_cache(maxsize=256)
def named(names: tuple[str, ...]) -> dict[Any, Any]:
    """The expressions among the names of a case, each with a symbol for its value."""
    return {formula(name, letters): sp.Symbol(name) for name in names if "(" in name}


def value(expression: Any, case: Case) -> Any:
    """The number of an expression without summed indices."""
    return evaluate(sp.sympify(expression).xreplace(named(tuple(case))), case)


def _terms(expression: Any, case: Case) -> Terms:
    """The terms of an expression, each with its factors: arrays with their indices."""
    terms = _written_out(sp.sympify(expression), tuple(case), int(case["d"]), int(case["n"]))
    with np.errstate(all="ignore"):
        return [_factors(term, case) for term in terms]


@lru_cache(maxsize=256)
def _written_out(
    expression: Any, names: tuple[str, ...], inputs: int, units: int
) -> tuple[Any, ...]:
    """The terms of an expression at all cases with these names and sizes."""
    size = {d: sp.Integer(inputs), n: sp.Integer(units)}
    expression = expression.xreplace(named(names)).subs(size).replace(sp.Sum, _over_units)
    expression = expression.replace(tuple_sum, lambda *parts: _of_members(size[d], *parts))
    expression = expression.replace(
        exchanged, lambda form, i, k: form + form.subs({i: k, k: i}, simultaneous=True)
    )
    for name, mask in ((differ, "unequal"), (below, "smaller")):
        expression = expression.replace(
            name, lambda one, two, term, mask=mask: sp.Function(mask)(one, two) * term
        )
    terms = sp.Add.make_args(sp.expand(expression.doit()))
    return tuple(term for term in terms if term != 0)


def _factors(term: Any, case: Case) -> list[tuple[Any, tuple[Any, ...]]]:
    """The factors of a term, as arrays with their indices."""
    return [_factor(factor, case) for factor in sp.Mul.make_args(term)]


def _contracted(terms: Terms, free: tuple[Any, ...]) -> Any:
    """The sum of the terms, an array with the free indices as its axes."""
    total: Any = np.zeros((1,) * len(free))
    for factors in terms:
        numbers: dict[Any, int] = {}  # of the indices, in the order in which they occur
        operands: list[Any] = []
        for array, own in factors:
            operands += [array, [numbers.setdefault(index, len(numbers)) for index in own]]
        missing = [index for index in free if index not in numbers]
        if missing:
            raise ValueError(f"term: got one without the indices {missing}, needs them in each")
        with np.errstate(all="ignore"):
            total = total + np.einsum(
                *operands, [numbers[index] for index in free], optimize="greedy"
            )
    return total


def _indices(terms: Terms) -> set[Any]:
    return set(chain.from_iterable(own for _, own in chain.from_iterable(terms)))


def summed(expression: Any, case: Case, free: tuple[Any, ...] = ()) -> Any:
    """The value of an expression, an array with the free indices as its axes; all others are summed."""
    return _contracted(_terms(expression, case), free)


def _over_units(summand: Any, *limits: Any) -> Any:
    """Sums over units become summands with marked indices; those over members of a family stay."""
    members = [limit for limit in limits if limit[0] == a]
    for index, low, high in (limit for limit in limits if limit[0] != a):
        summand *= WITHIN(index, low, high)
    return sp.Sum(summand, *members) if members else summand


def _of_members(last: Any, summand: Any, family: Any, low: Any, high: Any) -> Any:
    if (*family.args, low, high) != (1, last, 1, last):
        raise ValueError(f"tuple_sum: got {family} from {low} to {high}, needs 1 to {last} twice")
    return summand


def _factor(factor: Any, case: Case) -> tuple[Any, tuple[Any, ...]]:
    """A factor as an array over its indices."""
    nodes = factor.atoms(AppliedUndef)

    def is_inside_another(node: Any) -> bool:
        return any(node != other and other.has(node) for other in nodes)

    tensors = sorted((node for node in nodes if not is_inside_another(node)), key=str)
    arrays = [_tensor(tensor, case) for tensor in tensors]
    indices = tuple(sorted(set(chain.from_iterable(own for _, own in arrays)), key=str))
    stands = sp.symbols(f"tensor:{len(tensors)}")
    rest = factor.xreplace(dict(zip(tensors, stands, strict=True)))
    symbols = sorted(rest.free_symbols - set(stands), key=str)
    aligned = [_aligned(array, own, indices) for array, own in arrays]
    program = _program((*stands, *symbols), rest)
    return np.asarray(
        program(*aligned, *(float(case[str(s)]) for s in symbols)), dtype=float
    ), indices


@lru_cache(maxsize=1024)
def _program(arguments: tuple[Any, ...], expression: Any) -> Callable[..., Any]:
    return sp.lambdify(arguments, expression, "numpy", docstring_limit=0)


def _aligned(array: Any, own: tuple[Any, ...], indices: tuple[Any, ...]) -> Any:
    order = sorted(range(len(own)), key=lambda axis: indices.index(own[axis]))
    shape = iter(np.shape(array)[axis] for axis in order)
    return np.transpose(array, order).reshape(
        [next(shape) if index in own else 1 for index in indices]
    )


def _tensor(node: Any, case: Case) -> tuple[Any, tuple[Any, ...]]:
    """The array of a letter over its indices; a repeated one takes the diagonal, a number selects."""
    name = node.func.__name__.removesuffix("_")
    if name == "inner":
        kept = tuple(_spanned(node.args[1:], case))
        return summed(node.args[0], case, kept), kept
    width = int(case["n"])
    if name == "within":
        index, low, high = node.args
        if not 1 <= low <= high <= width:
            raise ValueError(
                f"range of {index}: got {low} to {high}, needs numbers from 1 to {width}"
            )
        return np.array([float(int(low) <= unit <= int(high)) for unit in range(1, width + 1)]), (
            index,
        )
    masks = {"unequal": 1 - np.eye(width), "smaller": np.triu(np.ones((width, width)), 1)}
    array, indices = (
        np.asarray(masks[name] if name in masks else case[name], dtype=float),
        _spanned(node.args, case),
    )
    if len(indices) != array.ndim:
        raise ValueError(f"{node}: got {len(indices)} indices, needs {array.ndim}")
    for axis in reversed(range(array.ndim)):
        if indices[axis].is_Integer:
            if not 1 <= indices[axis] <= array.shape[axis]:
                raise ValueError(
                    f"{node}: got index {indices[axis]}, needs 1 to {array.shape[axis]}"
                )
            array = np.take(array, int(indices[axis]) - 1, axis)
            del indices[axis]
    distinct = list(dict.fromkeys(indices))
    return np.einsum(
        array, [distinct.index(index) for index in indices], list(range(len(distinct)))
    ), tuple(distinct)


def _spanned(arguments: tuple[Any, ...], case: Case) -> list[Any]:
    """The indices of a letter: a run is written out, and of a letter with an index, as in phi'(z_j), its index."""
    indices: list[Any] = []
    for argument in arguments:
        name = getattr(argument.func, "__name__", "")
        if name.endswith("_to"):
            family, (first, last) = letters(name.replace("_to", "_of")), argument.args
            indices += [family(number) for number in range(int(first), int(last) + 1)]
        else:
            indices += _spanned(argument.args, case) if name in case else [argument]
    return indices


def _is_alone(index: Any, side: Any) -> bool:
    """Whether a letter stands once on a side, where nothing sums over it: it is the name of a free index there."""
    return index.is_Symbol and list(_all_parts(side)).count(index) == 1


def _all_parts(side: Any, times: int = 1) -> Iterator[Any]:
    """The parts of a side, those of a square twice."""
    yield from [side] * times
    twice = 2 if side.is_Pow else 1
    for part in side.args:
        yield from _all_parts(part, times * twice)


def _sides(relation: Any, case: Case) -> tuple[Any, Any]:
    left = _terms(relation.lhs, case)
    if isinstance(relation.rhs, sp.MatrixBase):
        entries = np.reshape([summed(entry, case) for entry in relation.rhs], relation.rhs.shape)
        return _contracted(left, tuple(sorted(_indices(left), key=str))), np.squeeze(entries)
    right = _terms(relation.rhs, case)
    shared = _indices(left) & _indices(right) if relation.rhs != 0 else _indices(left)
    for side, terms in ((relation.lhs, left), (relation.rhs, right)):
        alone = [index for index in _indices(terms) - shared if _is_alone(index, side)]
        if alone:
            raise ValueError(
                f"{side}: got the index {alone[0]} once, needs it on the other side or again"
            )
    free = tuple(sorted(shared, key=str))
    return _contracted(left, free), _contracted(right, free)


def as_printed(
    cases: Cases, why: str = "", *, scale: float = 0.0
) -> Callable[[Any], tuple[Check, ...]]:
    """Each printed equation holds in numbers for all values of its free indices; below a scale sides are noise."""

    def holds(relation: Any) -> bool:
        return for_all(cases(), lambda case: is_close(*_sides(relation, case), ROUNDING, scale))

    holds.__doc__ = in_words(why, cases)
    return of_each_relation(holds)


def curvature(
    cases: Cases, network: Callable[..., Case], at: Mapping[str, Any], why: str = ""
) -> Program:
    """The program of a misprinted curvature: its cases, and the Ricci scalar that it gives for a network at a point."""

    def scalar(statement: Any, **parameters: Any) -> float:
        (relation,) = relations(statement)
        (letter,) = (node for node in sp.preorder_traversal(relation.lhs) if _name(node) in FACTOR)
        form = solved(relation, letter) * FACTOR[_name(letter)](*letter.args)
        return float(summed(form, network(**parameters)))

    return Program(
        as_printed(cases, why),
        lambda **parameters: network(**parameters)["R"],
        scalar,
        at=at,
        quantity="R; degree 0 is the error function" if "degree" in at else "R of error functions",
    )


def _name(node: Any) -> str:
    return node.name if isinstance(node, sp.Symbol) else getattr(node.func, "__name__", "")
