"""Functions for the ``prove`` of a ledger entry, which decide a printed formula after its letters have a meaning."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import sympy as sp

from closedform import checks
from theory.core.formula.allowed import domain
from theory.core.formula.parsing import sympy_object
from theory.core.formula.subexpressions import put_in
from theory.core.ledger.evidence import for_all
from theory.core.ledger.numerical import (
    Numerically,
    allowed,
    is_close,
    named_relations,
    unconditional,
)
from theory.core.ledger.printed import Claim, Conditional
from theory.core.numbers.digits import decimal
from theory.core.proof.derivation import Check, Step


def declaring(prove: Callable[[Any], Any], relations: str = "", under: str = "") -> Any:
    """Return a ``prove`` that decides the named relations and refuses all others.

    Args:
        prove: function of a statement that returns steps and checks.
        relations: the sign that all relations of a statement have, such as ``"~"``, signs among which they are,
            ``"= or ≈"``, or one for each in their order, ``"= ≈"``. Default: equations.
        under: the same for the relations of a condition.

    >>> x = sp.Symbol("x", real=True)
    >>> proportional = declaring(lambda statement: (), "~")
    >>> proportional.relations
    '~'
    """
    if isinstance(prove, Numerically):
        return replace(prove, relations=relations, under=under)

    @wraps(prove)
    def declared(statement: Any) -> Any:
        return prove(statement)

    declared.relations, declared.under = relations, under  # type: ignore[attr-defined]
    return declared


def meant(expression: Any, meanings: Mapping[Any, Any]) -> Any:
    """Return the expression with each letter replaced by its meaning.

    Args:
        expression: side of a printed relation.
        meanings: symbol -> expression, or undefined function -> function of its arguments.

    >>> x, y = sp.symbols("x y")
    >>> meant(x + 1, {x: y**2})
    y**2 + 1
    """
    symbols = {
        letter: meaning for letter, meaning in meanings.items() if isinstance(letter, sp.Basic)
    }
    for letter, meaning in meanings.items():
        if letter not in symbols:
            expression = expression.replace(letter, meaning)
    return put_in(expression, symbols)


def identity(
    meanings: Mapping[Any, Any], because: str = "", *lemmas: Step | Check
) -> Callable[[Any], tuple[Step | Check, ...]]:
    """Return a ``prove`` by which each printed equation must be an identity in the meanings of its letters.

    It raises ValueError where a letter of the text has the name of another one in a meaning, or where a meaning is what
    is printed itself.

    Args:
        meanings: symbol -> expression, or undefined function -> function of its arguments. What is printed follows from
            the meaning; where a closed form is printed, ``form.steps[-1].left`` is what its last step starts from.
        because: reason why the two sides are equal, where the evidence does not say it. Default: empty.
        lemmas: steps and checks that support the meanings. Default: none.

    >>> x, y = sp.symbols("x y")
    >>> (step,) = identity({y: (x + 1) ** 2}, "expanded")(sp.Eq(y, x**2 + 2 * x + 1))
    >>> step.check().name
    'HOLDS'
    """

    def prove(statement: Any) -> tuple[Step | Check, ...]:
        steps = []
        for claim, relation in named_relations(statement):
            sides = meant(relation.lhs, meanings), meant(relation.rhs, meanings)
            _require_known_letters(relation, sides)
            if sides[0] == sides[1]:
                raise ValueError(
                    f"meanings: got {checks.shown(sides[0])}, which is what is printed itself, needs what it follows "
                    "from, such as form.steps[-1].left of a closed form"
                )
            steps.append(Step(claim, *sides, because))
        return (*lemmas, *steps)

    prove.__doc__ = in_words(because)
    return prove


def _require_known_letters(printed: sp.Basic, sides: Iterable[sp.Basic]) -> None:
    """Raise ValueError if a meaning has a letter with the name, but not the domain, of a printed one."""
    letters = {letter.name: letter for letter in printed.free_symbols}
    for letter in sorted(set().union(*(side.free_symbols for side in sides)), key=str):
        known = letters.get(letter.name, letter)
        if known != letter and not isinstance(letter, sp.Dummy):
            domains = tuple(domain(symbol).words for symbol in (known, letter))
            raise ValueError(
                f"letter {letter}: got the domain {domains[0]!r} in the text and {domains[1]!r} in a meaning, needs "
                f"the same; the text declares it by `letters {domains[1]}: {letter}`"
            )


def has_digits(value: Any, printed: Any) -> bool:
    """Return whether ``value`` rounds to the printed decimals.

    Args:
        value: the computed number.
        printed: the printed decimals, ``decimal(...)``.

    Raises:
        TypeError: if ``printed`` is no ``decimal``.

    >>> has_digits(sp.pi, decimal("3.14")), has_digits(sp.pi, decimal("3.15"))
    (True, False)
    """
    if not isinstance(printed, decimal):
        raise TypeError(
            f"printed: got {checks.shown(printed)}, needs decimal(...) of the printed digits"
        )
    return bool(abs(sympy_object("value", value) - printed.exact) <= printed.last_place / 2)


def chosen(claim: Claim, slot: str, meanings: Mapping[str, Any]) -> Any:
    """Return the meaning of the word in a slot of a claim.

    Args:
        claim: the claim, as it is shown.
        slot: name of the slot.
        meanings: what each word that may stand there means.

    Raises:
        ValueError: for a word without a meaning.

    >>> from theory.core.ledger.printed import Claim, Word
    >>> chosen(Claim("It {grows}.", {"grows": Word("grows", ("shrinks",))}), "grows", {"grows": 1, "shrinks": -1})
    1
    """
    if claim[slot] not in meanings:
        raise ValueError(f"{slot}: got {claim[slot]!r}, needs one of {', '.join(meanings)}")
    return meanings[claim[slot]]


def stating(
    because: str = "", /, **truths: Callable[..., Any]
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which each slot of a claim has the word, or the number, that its function computes.

    Args:
        because: how the functions know, where the evidence does not say it. Default: empty.
        truths: by slot, a function that returns the true word, or the true number. Its arguments are the words in all
            other slots, and those of the condition, by name; without a condition it takes its defaults.

    >>> from theory.core.ledger.printed import Claim
    >>> (check,) = stating(n=lambda: 3)(Claim("There are {n}.", {"n": 3}))
    >>> check.run()
    True
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        claim = unconditional(statement)
        if not set(truths) <= set(claim.values):
            raise ValueError(
                f"truths: got {', '.join(truths)}, needs slots among {', '.join(claim.values)}"
            )
        known = {name: claim[name] for name in claim.values if name not in truths}
        if isinstance(statement, Conditional):
            known |= {name: statement.condition[name] for name in statement.condition.values}
        return tuple(
            Check(slot, partial(_is_stated, claim, slot, partial(truth, **known)), because)
            for slot, truth in truths.items()
        )

    prove.__doc__ = in_words(because, *truths.values())
    return prove


def _is_stated(claim: Claim, slot: str, truth: Callable[[], Any]) -> bool:
    value, true = claim[slot], truth()
    if isinstance(value, str) or isinstance(true, str) or value in (sp.oo, -sp.oo):
        return bool(value == true)
    return is_close(float(value), float(true))


def deciding(
    holds: Callable[..., bool], because: str = "", cases: Callable[[], Iterable[Any]] | None = None
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a function decides a claim, in every case that the claim's condition allows.

    Args:
        holds: function of the claim, and of a case if there are cases, that returns whether the claim is true.
        because: how the function knows, where the evidence does not say it. Default: empty.
        cases: function without arguments that yields cases. Default: none.

    >>> from theory.core.ledger.printed import Claim
    >>> (check,) = deciding(lambda claim: claim.values["n"] > 2)(Claim("There are {n}.", {"n": 3}))
    >>> check.run()
    True
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        claim = unconditional(statement)
        if cases is None:
            return (Check("as printed", lambda: bool(holds(claim)), because),)
        return (
            Check(
                "as printed",
                lambda: for_all(allowed(statement, cases()), partial(holds, claim)),
                because,
            ),
        )

    prove.__doc__ = in_words(because, holds)
    return prove


def of_each_relation(
    holds: Callable[[Any], bool], because: str = ""
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a function decides each printed relation.

    Args:
        holds: function of a relation that returns whether it holds.
        because: the reason in words. Default: that of ``holds``.

    >>> x = sp.Symbol("x", real=True)
    >>> prove = of_each_relation(lambda relation: (relation.lhs - relation.rhs).subs(x, 2) == 0, "compared at 2")
    >>> [check.check().name for check in prove(sp.Eq(x**2, x + 2))]
    ['HOLDS']
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        return tuple(
            Check(claim, partial(holds, relation), because)
            for claim, relation in named_relations(statement)
        )

    prove.__doc__ = in_words(because, holds)
    return prove


def in_words(because: str, *functions: Any) -> str:
    """Return how something is decided, in sentences: the reason, and what the docstrings of our functions say first.

    Args:
        because: the reason.
        functions: functions that decide, of which the first sentence of the docstring is taken.

    >>> in_words("compared at a point", has_digits)
    'Compared at a point. Return whether ``value`` rounds to the printed decimals.'
    """
    ours = [
        f
        for f in (getattr(function, "func", function) for function in functions)
        if not inspect.isbuiltin(f)
    ]
    texts = [because, *(function.__doc__ for function in ours)]
    firsts = dict.fromkeys(
        " ".join(text.split("\n\n")[0].split()).removesuffix(".") for text in texts if text
    )
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in firsts)


def with_lemmas(
    prove: Callable[[Any], Iterable[Step | Check]], *lemmas: Step | Check
) -> Callable[[Any], Any]:
    """Return a ``prove`` that begins with steps of the theory, by which it holds beyond the cases that are computed.

    Args:
        prove: the function that decides the statement.
        lemmas: steps that come first.

    >>> x = sp.Symbol("x", real=True)
    >>> square = Step("the square", (x + 1) ** 2, x**2 + 2 * x + 1, "expanded")
    >>> prove = with_lemmas(of_each_relation(lambda relation: True, "read off"), square)
    >>> [step.claim for step in prove(sp.Eq(x, 1))]
    ['the square', 'as printed']
    """
    if isinstance(prove, Numerically):
        return replace(prove, lemmas=lemmas)

    def proved(statement: Any) -> tuple[Step | Check, ...]:
        return (*lemmas, *prove(statement))

    proved.__doc__ = prove.__doc__
    return declaring(proved, getattr(prove, "relations", ""), getattr(prove, "under", ""))
