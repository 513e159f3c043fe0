"""Tests of the power of derivations: every error planted in a DERIVED expression must make a step fail.

Every number, sign, coefficient and exponent of the expression is changed, one at a time. The mutant replaces the
expression in the steps, and a counterexample must then refute a step. No mutant may survive.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable, Iterable, Iterator

import pytest
import sympy as sp

import theory
from tests.theory.forms import MEMBERS, NAMES, forms
from theory.core import Argument, ClosedForm, Premise, Status, Step
from theory.core.proof.refutation import compare

# An error that shows only in part of the domain needs more points than a step is normally tried at.
POINTS = 24
# one to eight seconds each
LONG = {
    f"two_point.{name}"
    for name in (
        "dh2",
        "dy2",
        "final_distance",
        "loss",
        "rotating_dh2",
        "rotating_dy",
        "rotating_final_distance",
        "w",
    )
} | {"finite_width.pair_covariance_xy_xy.relu_1", "finite_width.excess_kurtosis.gelu_1"}
DENESTED = functools.lru_cache(maxsize=100_000)(sp.powdenest)


@pytest.fixture(autouse=True)
def denest_powers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what ``subs`` simplifies while it looks for a product: the same factors at every product of a side."""
    module = sys.modules["sympy.simplify.powsimp"]  # the package has a function of this name
    monkeypatch.setattr(module, "powdenest", DENESTED)


def changes(expression: sp.Expr) -> dict[tuple[sp.Basic, sp.Basic], None]:
    """Pairs of a part and the part with one number, sign, coefficient or exponent changed.

    A part that occurs several times is changed wherever it occurs: it is one part of the formula as it is written.
    """
    found = dict.fromkeys([(expression, -expression), (expression, 2 * expression)])
    for node in dict.fromkeys(sp.preorder_traversal(expression)):
        found.update(dict.fromkeys((node, changed) for changed in _changed(node)))
    return found


def mutants(
    expression: sp.Expr, changed: Iterable[tuple[sp.Basic, sp.Basic]]
) -> Iterator[sp.Expr]:
    """The expression with each of these changes, if it is another expression and has a value; each result once."""
    known = {expression}
    for pair in changed:
        mutant = expression.xreplace(dict([pair]))
        if mutant not in known and not mutant.has(sp.nan, sp.zoo):
            known.add(mutant)
            yield mutant


def few_mutants(expression: sp.Expr, count: int) -> list[sp.Expr]:
    """About ``count`` mutants, spread over the formula."""
    pairs = list(changes(expression))
    step = max(1, len(pairs) // count)
    return [
        next(mutants(expression, pairs[start:] + pairs))
        for start in range(step // 2, len(pairs), step)
    ]


def _changed(node: sp.Basic) -> Iterator[sp.Basic]:
    """The node with one of its own parts changed."""
    if isinstance(node, (sp.Derivative, sp.Subs)) or type(node) is sp.Tuple:
        return
    for index, child in enumerate(node.args):
        for changed in _limits(child) if type(child) is sp.Tuple else _variants(child):
            if node.is_Pow and node.exp.is_even and changed == -child:
                continue  # no error: an even power has no sign
            yield node.func(*node.args[:index], changed, *node.args[index + 1 :])


def _variants(part: sp.Basic) -> Iterator[sp.Expr]:
    if not isinstance(part, sp.Expr):
        return
    yield -part
    if part.is_Number:
        yield part + 1
    elif part.is_Symbol:
        yield 2 * part  # the coefficient 1 that is not written
        yield part**2  # and the exponent 1


def _limits(limits: sp.Tuple) -> Iterator[sp.Tuple]:
    """The ends of an integral, but not its variable."""
    variable, *ends = limits
    for index, end in enumerate(ends):
        for changed in _variants(end) if end.is_finite else ():
            yield sp.Tuple(variable, *ends[:index], changed, *ends[index + 1 :])


def planted(side: sp.Basic, expression: sp.Expr, mutant: sp.Expr) -> sp.Basic:
    if side == expression:
        return mutant
    exact = side.xreplace({expression: mutant})
    # An expression that is a sum or product may have dissolved into a larger one, where only subs finds it.
    return exact if exact != side else side.subs(expression, mutant)


def survivors(
    form: ClosedForm, tried: list[sp.Expr] | None = None
) -> tuple[list[sp.Expr], list[sp.Expr], int]:
    """Mutants that no step refutes, those among them that equal the expression everywhere, and how many were tried."""
    alive, equivalent = [], []
    if tried is None:
        tried = list(mutants(form.expression, changes(form.expression)))
    steps = [step for step in reversed(form.steps) if isinstance(step, Step)]
    for mutant in tried:
        if any(_refutes(step, form.expression, mutant) for step in steps) or _has_no_value(
            form, mutant
        ):
            continue
        same = compare(form.expression, mutant, points=POINTS)
        (equivalent if same.witness is None and same.agreed else alive).append(mutant)
    return alive, equivalent, len(tried)


def _refutes(step: Step, expression: sp.Expr, mutant: sp.Expr) -> bool:
    left, right = (planted(side, expression, mutant) for side in (step.left, step.right))
    if left == right or (left, right) == (step.left, step.right):
        return False
    return Step(step.claim, left, right, where=dict(step.where)).counterexample() is not None


def _has_no_value(form: ClosedForm, mutant: sp.Expr) -> bool:
    """Whether the mutant has no real value where the form has one, as the integral of 1/|x|: the sweep notices that."""
    try:
        dataclasses.replace(form, expression=mutant, status=Status.CONJECTURED)(**form.sample(1))
    except (ArithmeticError, ValueError):
        return True
    return False


def derived(name: str) -> ClosedForm:
    form = theory.catalogue()[name]
    if form.status is not Status.DERIVED:
        pytest.skip(f"{name} is {form.status.value}")
    return form


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", forms(slow=LONG | MEMBERS))
def test_no_planted_error_survives(name: str) -> None:
    """One error of each form, in the middle of the formula; the slow test has all of them."""
    form = derived(name)
    alive, _, tried = survivors(form, few_mutants(form.expression, 1))
    assert tried > 0
    assert alive == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_planted_error_survives_at_all(
    name: str, record_property: Callable[[str, object], None]
) -> None:
    alive, equivalent, tried = survivors(derived(name))
    record_property("mutants", tried)
    record_property("equivalent", [str(mutant) for mutant in equivalent])
    print(
        f"{name}: {tried} planted errors, {len(alive)} survive, {len(equivalent)} change nothing: {equivalent}"
    )
    assert alive == []


X = sp.Symbol("x", real=True)
CUBIC = 3 * X**3 / 2 - X / 7 + 5


def identity(claim: str, left: sp.Expr, right: sp.Expr, given: sp.Expr) -> Step:
    """A step from the premise that is ``given``, since nothing is derived from an identity alone."""
    return Step(claim, left, right, uses=(Premise("as it is given", given),))


def demonstration(*steps: Step) -> ClosedForm:
    return ClosedForm(
        "demonstration.cubic", "A cubic.", (Argument(X, "abscissa"),), CUBIC, Status.DERIVED, steps
    )


def test_a_full_derivation_leaves_no_survivor() -> None:
    horner = 5 + X * (3 * X**2 / 2 - sp.Rational(1, 7))
    form = demonstration(identity("Horner's scheme", CUBIC, horner, horner))
    alive, equivalent, tried = survivors(form)
    assert (alive, equivalent) == ([], [])
    assert tried >= 10


def test_a_formula_compared_with_itself_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"sides of step 'it is what it is': got .* on both, needs"
    ):
        Step("it is what it is", CUBIC, CUBIC)
    hidden = sp.UnevaluatedExpr(CUBIC)
    alive, _, tried = survivors(demonstration(identity("hidden", CUBIC, hidden, hidden)))
    assert len(alive) == tried


def test_a_derivation_blind_to_the_constant_is_found_out() -> None:
    slope = 9 * X**2 / 2 - sp.Rational(1, 7)
    form = demonstration(identity("derivative", sp.Derivative(CUBIC, X), slope, slope))
    alive, _, _ = survivors(form)
    assert set(alive) == {CUBIC + 1, CUBIC - 10}


def test_a_root_of_a_quadratic_does_not_tell_the_roots_apart() -> None:
    p = sp.Symbol("p", positive=True)
    root = p / 2 + sp.sqrt(p**2 / 4 + 1)
    blind = identity("root", root**2 - p * root, sp.S.One, root**2 - p * root)
    form = ClosedForm(
        "demonstration.root", "A root.", (Argument(p, "p"),), root, Status.DERIVED, (blind,)
    )
    assert p / 2 - sp.sqrt(p**2 / 4 + 1) in survivors(form)[0]


def test_equivalent_mutants_are_listed_not_counted() -> None:
    p = sp.Symbol("p", positive=True)
    expression = sp.Piecewise((p + 1, p > 1), (p + 1 + 0 * p, True), evaluate=False)
    step = identity("both branches are the same", expression, sp.Subs(p + p**0, p, p), p + p**0)
    form = ClosedForm(
        "demonstration.equal",
        "Equal branches.",
        (Argument(p, "p"),),
        expression,
        Status.DERIVED,
        (step,),
    )
    alive, equivalent, _ = survivors(form)
    assert alive == []
    assert equivalent
