"""The decision whether two expressions are equal: a proof, then a search for a counterexample, then sympy.

The normal form is exact, limits are taken by their leading terms, and integrals against a Gaussian density are means,
so a proof by these needs no search. sympy's limits, integrals and simplifications have been wrong before. They are
therefore tried last, and count only if the search has found no point at which the two sides differ. Where they seem to
differ by numbers alone, which cancellation may also bring about, sympy is given little time.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

import sympy as sp

from closedform.interruption import OutOfTime, budget
from theory.core.algebra.factoring import with_factored_argument
from theory.core.algebra.normal_form import vanishes
from theory.core.algebra.sums import Antiderivatives, has_sums
from theory.core.algebra.working_out import done, taken, worked_out
from theory.core.formula import rounding
from theory.core.formula.let import Let
from theory.core.formula.special import opened, quotient
from theory.core.formula.subexpressions import (
    computable,
    distinct,
    put_in,
    rebuilt,
    substituted,
)
from theory.core.proof.by_derivatives import are_equal_by_derivatives
from theory.core.proof.gaussian_integrals import as_mean, has_integral, quickly_computed
from theory.core.proof.refutation import POINTS, Agreement, Point, compare
from theory.core.proof.verdict import OUT_OF_TIME, Decision, Verdict, in_words
from theory.core.proof.written_integrals import halves_a_peak, integrands_cancel
from theory.core.proof.written_sums import numbers_of_terms, term_by_term

# CPU time. Safety nets only; a step that needs them is UNDECIDED.
_SECONDS_TO_PROVE = 60.0
_SECONDS_TO_REFUTE = 60.0
_SECONDS_TO_SIMPLIFY = 60.0
_SECONDS_TO_SIMPLIFY_A_DIFFERENCE = 3.0  # which only seems to be one, as under cancellation
_LARGEST_TO_SIMPLIFY = 150

_Result = TypeVar("_Result")


def decide(left: Any, right: Any, where: sp.Dict) -> Decision:
    """Return whether ``left = right`` on the domain ``where``, or why that is open.

    Whatever sympy raises in a proof or in the search ends only that part, and is a cause for which a step is UNDECIDED.
    """
    if left == right or _are_written_alike(left, right):
        return Decision(Verdict.HOLDS)
    if any(not symbol.is_commutative for symbol in left.atoms(sp.Symbol) | right.atoms(sp.Symbol)):
        return Decision(Verdict.UNDECIDED, "a symbol does not commute")
    ends_at_zero, _ = _attempted(lambda: _ends_at_zero(left, right, where), _SECONDS_TO_REFUTE)
    if ends_at_zero:
        return Decision(Verdict.FAILS)
    is_proved, no_proof = _attempted(lambda: _is_proved(left, right, where), _SECONDS_TO_PROVE)
    if is_proved:
        return Decision(Verdict.HOLDS)
    compared, no_search = _attempted(lambda: _compared(left, right, where), _SECONDS_TO_REFUTE)
    if compared is not None and compared.witness is not None:
        return Decision(Verdict.FAILS)
    seems_to_differ = compared is not None and compared.appears
    seconds = _SECONDS_TO_SIMPLIFY_A_DIFFERENCE if seems_to_differ else _SECONDS_TO_SIMPLIFY
    is_simplified, not_simple = _attempted(lambda: _is_simplified(left, right, where), seconds)
    if is_simplified:
        return Decision(Verdict.HOLDS)
    seen = (
        "the two sides differ at a point in 80 digits, which no ball proves"
        if seems_to_differ
        else ""
    )
    causes = [cause for cause in (no_proof, no_search, seen, not_simple) if cause]
    return Decision(
        Verdict.UNDECIDED,
        "; ".join(dict.fromkeys(causes)) or "neither a proof nor a counterexample",
    )


def _are_written_alike(left: Any, right: Any) -> bool:
    """Return whether one side is the other, a Let, with its letters put in, so that no integral has to be worked out.

    Without integrals the proofs are quicker than the writing out.
    """
    if isinstance(left, Let) == isinstance(right, Let):
        return False
    if not any(isinstance(node, sp.Integral) for node in distinct(left)):
        return False
    written, _ = _attempted(
        lambda: tuple(
            side.substituted if isinstance(side, Let) else side for side in (left, right)
        ),
        _SECONDS_TO_PROVE,
    )
    return written is not None and written[0] == written[1]


def _attempted(part: Callable[[], _Result], seconds: float) -> tuple[_Result | None, str]:
    """Return the result of a part of the decision, or None and why there is none."""
    try:
        with budget(seconds):
            return part(), ""
    except OutOfTime:
        return None, OUT_OF_TIME
    except Exception as error:
        return None, in_words(error)


def decided(left: Any, right: Any, where: sp.Dict) -> Decision:
    """As :func:`decide`, once in a process for a step that is not UNDECIDED."""
    try:
        return _settled(left, right, where)
    except _Open as problem:
        return problem.decision


class _Open(Exception):
    """A decision that is not to be remembered."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.cause)
        self.decision = decision


@lru_cache(maxsize=4096)
def _settled(left: Any, right: Any, where: sp.Dict) -> Decision:
    decision = decide(left, right, where)
    if decision.verdict is Verdict.UNDECIDED:
        raise _Open(decision)
    return decision


def _ends_at_zero(left: Any, right: Any, where: sp.Dict) -> bool:
    """Return whether a quotient of ours, which has the value 0 at 0/0, makes the sides differ where a symbol is zero.

    A proof writes quotients out, and says nothing about such points.
    """
    if not (left.has(quotient) or right.has(quotient)):
        return False
    pairs = entries(left, right, sp.Dict())
    return any(
        compare(one, other, points=0, where=where).witness is not None for one, other in pairs
    )


def _is_proved(left: Any, right: Any, where: sp.Dict) -> bool:
    if has_sums(left) or has_sums(right):
        return _is_proved_by_antiderivatives(left, right, where)
    return all(
        _vanishes(one, other)
        or _vanishes(computable(one), computable(other))
        or (has_integral(one, other) and _vanishes(as_mean(one), as_mean(other)))
        for one, other in entries(left, right, where)
    )


def _is_proved_by_antiderivatives(left: Any, right: Any, where: sp.Dict) -> bool:
    """Return whether both sides are equal as differences of formal antiderivatives of what they sum."""
    values = dict(where)
    letters = Antiderivatives()
    left, right = (
        letters.written(put_in(side, values) if values else side) for side in (left, right)
    )
    return all(_vanishes(one, other) for one, other in entries(left, right, sp.Dict()))


def _is_simplified(left: Any, right: Any, where: sp.Dict) -> bool:
    """Return whether equal derivatives, or sympy's limits, integrals and simplifications, make the two sides equal."""
    pairs = entries(left, right, where, by_sympy=True)
    return all(
        _vanishes(one, other)
        or are_equal_by_derivatives(one, other)
        or _simplifies_to_zero(one - other)
        for one, other in pairs
    )


def counterexample(left: Any, right: Any, where: sp.Dict) -> Point | None:
    """Return a point, in the symbols of ``where``, at which the two sides certainly differ; None if none is found."""
    return _compared(left, right, where).witness


@lru_cache(maxsize=4096)
def _compared(left: Any, right: Any, where: sp.Dict) -> Agreement:
    """Return how the first entry that certainly differs does so; if none does, how one seems to differ or agrees."""
    compared = Agreement()
    if any(has_sums(side) or side.has(sp.Indexed) for side in (left, right)):
        return _compared_term_by_term(left, right, where)
    with budget(_SECONDS_TO_REFUTE):
        left, right = _at_its_point(left), _at_its_point(right)
        # definitions that differ are none: the results may be equal all the same
        are_lets = isinstance(left, Let) and isinstance(right, Let)
        for one, other in [(left, right)] if are_lets else entries(left, right, sp.Dict()):
            entry = compare(*quickly_computed(one, other), where=where)
            if entry.witness is not None:
                return entry
            compared = compared if compared.appears else entry
    return compared


def _compared_term_by_term(left: Any, right: Any, where: sp.Dict) -> Agreement:
    """As :func:`_compared`, for sums over integers that are written out with random numbers of terms."""
    compared = Agreement()
    for seed in range(POINTS):
        values = numbers_of_terms((left, right), f"terms {seed}")
        try:
            sides = [term_by_term(side, values) for side in (left, right)]
        except ValueError:
            continue
        if sides[0] == sides[1] or any(has_sums(side) for side in sides):
            continue
        inside = sp.Dict({symbol: value.subs(values) for symbol, value in where.items()})
        entry = _compared(*sides, inside)
        if entry.witness is not None:
            return replace(entry, witness={**values, **entry.witness})
        compared = compared if compared.appears else entry
    return compared


def entries(
    left: Any, right: Any, where: sp.Dict, *, by_sympy: bool = False
) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """Return pairs of scalars that must be equal, with derivatives and limits evaluated, in terms of ``where``.

    Limits that are not proved stay as they are, unless ``by_sympy`` says to take those that sympy finds.
    """
    left, right = _at_its_point(left), _at_its_point(right)
    if isinstance(left, Let) and isinstance(right, Let):
        left, right = _side_by_side(left, right)
    left, right = _explicit(left, by_sympy), _explicit(right, by_sympy)
    pairs = zip(left, right, strict=True) if isinstance(left, sp.MatrixBase) else [(left, right)]
    return tuple(
        (_prepared(one, where, by_sympy), _prepared(other, where, by_sympy))
        for one, other in pairs
    )


def _at_its_point(side: Any) -> Any:
    """Return a Let at a point as the Let of its definitions there; any other side as it is."""
    if isinstance(side, sp.Subs) and isinstance(side.expr, Let):
        return side.expr.subs(
            dict(zip(side.variables, side.point, strict=True)), simultaneous=True
        )
    return side


def _side_by_side(left: Let, right: Let) -> tuple[Any, Any]:
    """Return the definitions and results of both where the right has all letters of the left, else both as they are.

    With the same letters, equal definitions and results are enough, and written out they may have no end. A letter of
    the right alone is written out.
    """
    letters = left.bound_symbols
    meanings: dict[sp.Symbol, sp.Expr] = {}
    others: dict[sp.Symbol, sp.Expr] = {}
    for letter, value in right.definitions:
        (meanings if letter in letters else others)[letter] = value.xreplace(others)
    if not meanings.keys() >= set(letters):
        return left, right
    return (
        sp.Matrix([*(value for _, value in left.definitions), left.result]),
        sp.Matrix([*(meanings[letter] for letter in letters), right.result.xreplace(others)]),
    )


def _explicit(side: Any, by_sympy: bool) -> Any:
    """Return a side with its products, inverses, determinants and derivatives of matrices worked out."""
    if isinstance(side, sp.MatrixBase) or not any(
        isinstance(node, sp.MatrixBase) for node in distinct(side)
    ):
        return side
    return worked_out(side, by_sympy)


@lru_cache(maxsize=64)
def _prepared(side: sp.Expr, where: sp.Dict, by_sympy: bool) -> sp.Expr:
    side = done(taken(rounding.written_out(side), where), by_sympy)
    if where:
        values = dict(where)
        side = substituted(side, values, within=lambda node: put_in(node, values))
        side = rebuilt(done(side, by_sympy), with_factored_argument)
    return side


@lru_cache(maxsize=256)
def _vanishes(left: sp.Expr, right: sp.Expr) -> bool:
    """Return whether the normal form proves ``left = right``."""
    difference = left - right
    return (
        difference == 0
        or vanishes(difference)
        or (difference.has(sp.Integral) and integrands_cancel(difference))
    )


def _simplifies_to_zero(difference: sp.Expr) -> bool:
    """Return whether the difference is zero after integration and, if it is small, sympy's simplify."""
    if any(map(halves_a_peak, distinct(difference))):
        return False
    if difference.has(sp.Integral):
        difference = difference.doit()
        if difference == 0 or vanishes(difference):
            return True
    difference = opened(difference)
    return bool(difference.count_ops() <= _LARGEST_TO_SIMPLIFY and sp.simplify(difference) == 0)
