"""Planted errors, which must change a verdict: another number, sign, exponent, bound, index, comparison or letter."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from closedform.interruption import OutOfTime, budget
from theory.core.ledger.algorithm import Algorithm
from theory.core.ledger.printed import (
    Approximates,
    Claim,
    Conditional,
    PrintedRelation,
    Proportional,
    Scales,
    Tends,
    Word,
)
from theory.core.numbers.digits import decimal

_SECONDS_TO_SIMPLIFY = 10.0
FLIPPED = {
    sp.StrictLessThan: sp.StrictGreaterThan,
    sp.LessThan: sp.GreaterThan,
    sp.StrictGreaterThan: sp.StrictLessThan,
    sp.GreaterThan: sp.LessThan,
    sp.Unequality: sp.Equality,
}
INCLUSIVE = {sp.StrictLessThan: sp.LessThan, sp.StrictGreaterThan: sp.GreaterThan}
OTHER_KINDS = {
    sp.Equality: (Scales, sp.StrictLessThan), sp.LessThan: (sp.Eq,), sp.GreaterThan: (sp.Eq,),
    sp.StrictLessThan: (sp.Eq,), sp.StrictGreaterThan: (sp.Eq,), Scales: (sp.Eq, Tends), Proportional: (sp.Eq,),
    Approximates: (sp.Eq, Scales), Tends: (sp.Eq, Scales),
}  # fmt: skip
"""Kind of a relation -> others that say something else; an equation that is read as a scaling says less.

One that is read as a strict inequality says the contrary."""
WEAKER = {
    **{strict: (kind,) for strict, kind in INCLUSIVE.items()},
    sp.Equality: tuple(INCLUSIVE.values()),
}
STRICT = {inclusive: strict for strict, inclusive in INCLUSIVE.items()}


@dataclass(frozen=True)
class Mutant:
    """A statement with one planted error, and the description of the change."""

    change: str
    statement: Any


def mutants(statement: Any) -> Iterator[Mutant]:
    """Yield all statements that differ from ``statement`` in one place, without repetition."""
    seen = {statement} if isinstance(statement, sp.Basic) else set()
    for mutant in _all_mutants(statement):
        if isinstance(mutant.statement, sp.Basic):
            if mutant.statement in seen:
                continue
            seen.add(mutant.statement)
        yield mutant


def _all_mutants(statement: Any) -> Iterator[Mutant]:
    if isinstance(statement, Conditional):
        for mutant in mutants(statement.statement):
            yield Mutant(mutant.change, Conditional(mutant.statement, statement.condition))
        for mutant in mutants_of_condition(statement.condition):
            yield Mutant(
                f"condition: {mutant.change}", Conditional(statement.statement, mutant.statement)
            )
    elif isinstance(statement, Claim):
        yield from _of_claim(statement)
    elif isinstance(statement, Algorithm):
        yield from (Mutant(*change) for change in statement.changed())
    else:
        yield from _of_formula(statement)


def mutants_of_condition(condition: Any) -> Iterator[Mutant]:
    """Yield the condition without one of its hypotheses, for each of several, and with each planted error."""
    if isinstance(condition, sp.And):
        for hypothesis in condition.args:
            rest = [other for other in condition.args if other != hypothesis]
            yield Mutant(f"{hypothesis} dropped", sp.And(*rest))
    yield from mutants(condition)


def _of_claim(claim: Claim) -> Iterator[Mutant]:
    for name, value in claim.values.items():
        if isinstance(value, Word):
            changed = [(other, Word(other, (value.text,))) for other in value.others]
        else:
            changed = [(mutant.change, mutant.statement) for mutant in mutants(value)]
        for change, other in changed:
            yield Mutant(f"{name}: {change}", Claim(claim.text, {**claim.values, name: other}))


def _of_formula(formula: sp.Basic) -> Iterator[Mutant]:
    for path, node, parent in places(formula):
        for change, other in _changes(node, parent, path):
            try:
                mutant = replaced(formula, path, other)
            # sympy rejects the changed formula
            except (ValueError, TypeError, NotImplementedError):
                continue
            yield Mutant(change, mutant)


def places(
    node: sp.Basic, path: tuple[int, ...] = (), parent: Any = None
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the path of each part of a formula in which an error can be planted, the part, and what it is a part of."""
    yield path, node, parent
    for index, part in enumerate(() if isinstance(node, sp.MatrixSymbol) else node.args):
        is_dummy = (
            index == 0
            and isinstance(node, sp.Tuple)
            and isinstance(parent, (sp.Sum, sp.Product, sp.Integral))
        )
        if not (is_dummy or _is_variable(node, parent, index)):
            yield from places(part, (*path, index), node)


def _is_variable(node: Any, parent: Any, index: int) -> bool:
    """Return whether the part is the variable of a derivative or limit, or the value of a step function at its edge."""
    if isinstance(node, sp.Tuple):
        return index == 0 and isinstance(parent, sp.Derivative)
    return index in {sp.Limit: (1, 3), sp.Heaviside: (1,), sp.Inverse: (1,)}.get(type(node), ())


def _changes(node: Any, parent: Any, path: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    yield from _changes_of_kind(node)
    if isinstance(node, sp.Expr) and not isinstance(node, sp.Number):
        yield from _changes_of_place(node, parent, path)


def _changes_of_kind(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the errors that a part can have whatever it is a part of."""
    if isinstance(node, decimal):
        shown = Decimal(node.text)
        last = Decimal(1).scaleb(int(shown.as_tuple().exponent))
        for other in (shown + last, shown - last):
            yield f"{node} -> {other}", decimal(f"{other:f}")
    elif node in (sp.oo, -sp.oo):
        yield f"{node} -> {sp.sign(node)}", sp.sign(node)
    elif isinstance(node, sp.Number):
        yield f"{node} -> {node + 1}", node + 1
        if node != 0:
            yield f"{node} -> {-node}", -node
    elif type(node) in FLIPPED:
        yield f"{node} flipped", FLIPPED[type(node)](*node.args)
        for change, kinds in (("made strict", STRICT), ("made inclusive", INCLUSIVE)):
            if type(node) in kinds:
                yield f"{node} {change}", kinds[type(node)](*node.args, evaluate=False)
    if type(node) in OTHER_KINDS:
        for kind in OTHER_KINDS[type(node)]:
            options = {} if issubclass(kind, PrintedRelation) else {"evaluate": False}
            with suppress(TypeError):  # matrices and complex numbers have no order
                yield f"{node} made {kind.__name__}", kind(*node.args, **options)
    elif isinstance(node, sp.Transpose):
        yield f"{node} not transposed", node.arg
    elif isinstance(node, sp.Inverse):
        yield f"{node} not inverted", node.arg
    elif isinstance(node, sp.Or):
        for part in node.args:
            yield f"{part} dropped", sp.Or(*(other for other in node.args if other != part))


def _changes_of_place(
    node: sp.Expr, parent: Any, path: tuple[int, ...]
) -> Iterator[tuple[str, Any]]:
    """Yield the errors that a formula can have where it stands: of sign, factor, exponent, index or bound."""
    if isinstance(parent, (sp.Add, sp.Eq, PrintedRelation)) or not path:
        yield f"sign of {node}", -node
        yield f"{node} twice", 2 * node
    if isinstance(parent, Scales):
        yield f"{node} squared", node**2
    if isinstance(parent, sp.Pow) and path[-1] == 1:
        yield f"exponent {node} -> -({node})", -node
        yield f"exponent {node} -> {node} + 1", node + 1
    if (
        isinstance(parent, (sp.Indexed, sp.Tuple))
        and not isinstance(node, (sp.IndexedBase, sp.MatrixExpr))
        and path[-1]
    ):
        yield f"index or bound {node} -> {node} + 1", node + 1


def replaced(formula: sp.Basic, path: tuple[int, ...], other: Any) -> Any:
    """Return the formula with another part at a path."""
    if not path:
        return other
    args = list(formula.args)
    args[path[0]] = replaced(args[path[0]], path[1:], other)
    if isinstance(formula, sp.core.relational.Relational):
        return formula.func(*args, evaluate=False)
    return formula.func(*args)


def is_equivalent(statement: Any, mutant: Any) -> bool:
    """Return whether the mutant is proved to be equivalent or weaker, as a weaker inequality is."""
    try:
        with budget(_SECONDS_TO_SIMPLIFY):
            return _is_implied(statement, mutant)
    # sympy does not simplify scalars next to matrices
    except (OutOfTime, TypeError, NotImplementedError):
        return False


def _parts_are_implied(statement: Any, mutant: Any) -> bool:
    """Return whether both differ in exactly one part, whose versions are equivalent; one of several may be weaker."""
    if isinstance(statement, Claim):
        pairs = [(value, mutant.values.get(name)) for name, value in statement.values.items()]
    elif isinstance(statement, sp.Tuple):
        pairs = list(zip(statement, mutant, strict=False))
    else:  # sympy determines the order of the parts
        pairs = list(zip(*(sorted(set(a.args) - set(b.args), key=str) for a, b in
                           ((statement, mutant), (mutant, statement))), strict=False))  # fmt: skip
    differing = [(old, other) for old, other in pairs if old != other]
    if len(differing) != 1:
        return False
    (pair,) = differing
    return _is_implied(*pair) and (
        isinstance(statement, (sp.Tuple, sp.And)) or _is_implied(*pair[::-1])
    )


def _with_real_roots(expression: Any) -> Any:
    """Return the expression with symbols in place of square roots, which are not negative where a relation holds."""
    return expression.replace(
        lambda part: part.is_Pow and part.exp == sp.Rational(1, 2) and not part.base.is_number,
        lambda root: sp.Symbol(str(root), nonnegative=True),
    )


def _is_implied(statement: Any, mutant: Any) -> bool:
    if isinstance(statement, Conditional) and isinstance(mutant, Conditional):
        # under a stronger condition a statement says less
        if statement.statement == mutant.statement:
            return _is_implied(mutant.condition, statement.condition)
        return statement.condition == mutant.condition and _is_implied(
            statement.statement, mutant.statement
        )
    if (
        isinstance(statement, sp.Implies)
        and isinstance(mutant, sp.Implies)
        and statement.args[1] == mutant.args[1]
    ):
        # and so does it under a stronger premise
        return _is_implied(mutant.args[0], statement.args[0])
    if type(statement) is type(mutant) and isinstance(
        statement, (Claim, sp.Tuple, BooleanFunction)
    ):
        return _parts_are_implied(statement, mutant)
    if isinstance(statement, Scales) and isinstance(mutant, Scales):
        if statement.rhs == mutant.rhs == 1 and (
            mutant.lhs == statement.lhs**2 or statement.lhs == mutant.lhs**2
        ):
            return True  # what stays of the order of one does so when it is squared
        factor = sp.simplify(statement.lhs * mutant.rhs / (statement.rhs * mutant.lhs))
        return bool(not factor.free_symbols and factor != 0)
    if type(mutant) in WEAKER.get(type(statement), ()):
        return bool(statement.args == mutant.args)
    is_relation = type(statement) is type(mutant) and isinstance(
        statement, sp.core.relational.Relational
    )
    return is_relation and _relation_is_implied(statement, mutant)


def _relation_is_implied(statement: Any, mutant: Any) -> bool:
    before, after = (_with_real_roots(one.lhs - one.rhs) for one in (statement, mutant))
    if isinstance(before, sp.MatrixExpr) or isinstance(after, sp.MatrixExpr):
        return False
    if isinstance(statement, (sp.StrictLessThan, sp.LessThan)):
        return bool(sp.simplify(before - after).is_nonnegative)
    if isinstance(statement, (sp.StrictGreaterThan, sp.GreaterThan)):
        return bool(sp.simplify(after - before).is_nonnegative)
    ratio = sp.simplify(after / before) if before != 0 else sp.S.One
    return bool(ratio != 0 and not ratio.free_symbols and ratio.is_finite)
