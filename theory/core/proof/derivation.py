"""Steps of a derivation, and the verdicts of the program that checks them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import sympy as sp

from closedform import checks
from closedform.interruption import OutOfTime
from theory.core.formula.parsing import sympy_object
from theory.core.formula.sampling import reaches_neighbourhood, satisfies
from theory.core.formula.subexpressions import distinct, mistakable
from theory.core.proof.store import checker, current, everything
from theory.core.proof.verdict import Decision, Verdict, decision_of, in_words
from theory.core.text.render import WIDTH, Letters, plain, shortened, with_letters, wrapped


@dataclass(frozen=True, repr=False)
class PartOfDerivation:
    """A claim, unique in a derivation, and what it rests on: by default the steps before it of which it has a value.

    ``uses`` names steps, premises, closed forms, and assumptions in their words, () for nothing. A step is used where
    a value of it stands in this one, and not because it is named. ``aside`` says why nothing follows.
    """

    claim: str
    uses: tuple[Any, ...] | None = field(default=None, compare=False, kw_only=True)
    aside: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        checks.text("claim", self.claim)
        checks.text(f"aside of {self.claim!r}", self.aside, or_empty=True)
        if self.uses is not None:
            checks.instance(f"uses of {self.claim!r}", self.uses, tuple, "a tuple or None")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.claim!r})"

    def decide(self, fresh: bool = False) -> Decision:
        """Return the verdict, with the cause of one that is UNDECIDED; see the subclasses."""
        raise NotImplementedError

    def check(self, fresh: bool = False) -> Verdict:
        """Return the verdict from the store of proofs, or decide the statement.

        Nothing that computer algebra raises comes out: a statement that it leaves open is UNDECIDED.

        Args:
            fresh: whether to decide the statement again even if the store has a verdict. Default: False.

        Raises:
            TypeError: if the program of a :class:`Check` returns anything but True, False or None.
        """
        return self.decide(fresh).verdict

    def text(self, width: int = WIDTH, letters: Letters = ()) -> str:
        """Return the claim, what is claimed and the reason as text of at most ``width`` columns.

        Args:
            width: largest number of columns. Default: 100.
            letters: letters for parts of both sides, as pairs (letter, part). Default: none.
        """
        rows = [self.claim, *self._rows(letters)]
        lines = (wrapped(row, width, " " * (4 if row.startswith(" ") else 2)) for row in rows)
        return "\n".join(chain.from_iterable(lines))

    def _rows(self, letters: Letters) -> list[str]:
        """Return the rows of the text below the claim."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, repr=False)
class Step(PartOfDerivation):
    """One identity of a derivation.

    It claims ``left = right`` for all values that the symbols' assumptions allow, and for all functions in place of the
    undefined functions in it. Its sides are kept as they are claimed, and worked out when they are checked: a value at
    a point is a ``Subs``, a product of matrices a ``MatMul``, and so on.

    Args:
        claim: the claim, as for a :class:`PartOfDerivation`.
        left: sympy expression or matrix, possibly with unevaluated Subs, Derivative, Integral, Limit, Sum, MatMul
            or Determinant.
        right: sympy expression or matrix of the same shape.
        because: reason of the claim, such as the rule that is used. Default: empty.
        where: parametrisation of the domain, symbol -> expression in new symbols, in which the identity is rational. It
            must reach every point of the domain, together with those of other steps on the same sides: one with
            a special case alone derives nothing. Both the search for a counterexample and the proof use it.
            Default: none.
        uses, aside: as for a :class:`PartOfDerivation`.

    Raises:
        ValueError: if the claim is empty, the two sides have different shapes or are the same object, sympy may take
            a ``Subs`` in them for another one, or ``where`` leaves the domain of a symbol.
        TypeError: if a side is neither an expression nor a matrix.

    >>> x = sp.Symbol("x")
    >>> Step("binomial", (x + 1) ** 2, x**2 + 2 * x + 1).check().name
    'HOLDS'
    >>> Step("wrong", (x + 1) ** 2, x**2 + 1).check().name
    'FAILS'
    """

    left: Any
    right: Any
    because: str = ""
    where: Mapping[sp.Symbol, sp.Expr] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.text(f"because of step {self.claim!r}", self.because, or_empty=True)
        for side in ("left", "right"):
            name, needs = f"{side} of step {self.claim!r}", "an expression or a matrix"
            value = sympy_object(name, getattr(self, side), needs)
            if not isinstance(value, (sp.Expr, sp.MatrixBase)):
                raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
            object.__setattr__(self, side, value)
        if _shape(self.left) != _shape(self.right):
            raise ValueError(
                f"sides of step {self.claim!r}: got {self.left} and {self.right}, needs one shape"
            )
        _require_told_apart(self.claim, self.left, self.right)
        if self.left == self.right:
            raise ValueError(
                f"sides of step {self.claim!r}: got {self.left} on both, needs what is claimed, not worked out: "
                "sympy's Subs, Derivative, Sum, MatMul or Determinant on one of them"
            )
        given = (
            self.where if isinstance(self.where, sp.Dict) else checks.mapping("where", self.where)
        )
        where = {
            sympy_object("where", key): sympy_object("where", value)
            for key, value in given.items()
        }
        for symbol, value in where.items():
            if not satisfies(symbol, value):
                raise ValueError(
                    f"where of step {self.claim!r}: got {value}, which leaves the domain of {symbol}"
                )
        object.__setattr__(self, "where", sp.Dict(where))

    def decide(self, fresh: bool = False) -> Decision:
        """As :meth:`check`, with the cause of a verdict UNDECIDED.

        Args:
            fresh: as for :meth:`check`.
        """
        from theory.core.proof.content import of_expressions, text

        content = text(of_expressions, self.left, self.right, self.where)
        return decision_of(
            checker(), "step", content, lambda: self._decided(fresh or not current().read), fresh
        )

    def _decided(self, fresh: bool) -> Decision:
        from theory.core.proof import decision

        try:
            return (decision.decide if fresh else decision.decided)(
                self.left, self.right, self.where
            )
        except Exception as error:  # for instance an expression too deep for Python to compare
            return Decision(Verdict.UNDECIDED, in_words(error))

    def _rows(self, letters: Letters) -> list[str]:
        left, right = (plain(with_letters(side, letters)) for side in (self.left, self.right))
        rows = [f"  {shortened(left, '.left')}", f"  = {shortened(right, '.right')}"]
        rows += [
            f"  where {sp.sstr(symbol)} = {sp.sstr(value)}"
            for symbol, value in (self.where or {}).items()
        ]
        return rows + _reason(self.because)

    def counterexample(self) -> Mapping[sp.Symbol, sp.Expr] | None:
        """Return a point, in the symbols of ``where``, at which the two sides clearly differ; None if none is found."""
        from theory.core.proof import decision

        try:
            return decision.counterexample(self.left, self.right, self.where)
        except (OutOfTime, Exception):
            return None

    def mentions(self, expression: sp.Expr) -> bool:
        """Return whether ``expression`` itself, and not only an equal expression, is part of either side."""
        sides = (sp.sympify(side) for side in (self.left, self.right))
        # sympy's ``has`` walks through shared parts again and again, and asks every sum for each of its partial sums
        return any(expression in set(distinct(side)) for side in sides)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"

    @cached_property
    def latex(self) -> str:
        """The identity in LaTeX."""
        return f"{sp.latex(self.left)} = {sp.latex(self.right)}"


@dataclass(frozen=True, repr=False)
class Check(PartOfDerivation):
    """A statement that a program decides: a limit, a simulation, a number of a paper.

    Args:
        claim: the claim in words.
        run: function without arguments that returns whether the claim holds: True only for what it has proved or
            computed, False only for what is refuted, and None where a search or a simplification found nothing.
        because: how the program decides the claim. Default: empty.
        uses, aside: as for a :class:`PartOfDerivation`.

    Raises:
        ValueError: if the claim is empty.
        TypeError: if ``run`` is no function, or a text is none.

    >>> Check("two is even", lambda: 2 % 2 == 0).check().name
    'HOLDS'
    """

    run: Callable[[], bool | None]
    because: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.text(f"because of {self.claim!r}", self.because, or_empty=True)
        checks.function(f"run of {self.claim!r}", self.run, "a function without arguments")

    def _rows(self, letters: Letters) -> list[str]:
        return _reason(self.because)

    def decide(self, fresh: bool = False) -> Decision:
        """As :meth:`check`, with the cause of a verdict UNDECIDED.

        The program runs unless it belongs to this package and the store of proofs has its verdict.

        Args:
            fresh: as for :meth:`check`.

        Raises:
            TypeError: as for :meth:`check`.
        """
        from theory.core.proof.content import of_program, text

        return decision_of(
            everything(), "program", text(of_program, self.run), self._decided, fresh
        )

    def _decided(self) -> Decision:
        try:
            answer = self.run()
        except Exception as error:
            return Decision(Verdict.UNDECIDED, in_words(error))
        if answer is None:
            return Decision(
                Verdict.UNDECIDED, "the program found neither a proof nor a counterexample"
            )
        if answer not in (True, False):
            raise TypeError(
                f"run of {self.claim!r}: got {answer!r}, needs a function that returns True, False or None"
            )
        return Decision(Verdict.HOLDS if answer else Verdict.FAILS)


def _reason(because: str) -> list[str]:
    return [f"  because: {because}"] if because else []


def special_cases(
    steps: Iterable[Step | Check], letters: Iterable[sp.Symbol] = ()
) -> tuple[Step, ...]:
    """Return the steps that hold in a special case alone: whose ``where`` ties letters to each other or to a number.

    A step is none of them where another one on the same sides holds in general, as for a rate that is zero.

    Args:
        steps: the steps.
        letters: letters that mean themselves where a parametrisation has them. Default: it has new letters alone.
    """
    kept = {letter: letter for letter in letters}
    own = [step for step in steps if isinstance(step, Step)]
    general = [
        step
        for step in own
        if not step.where or reaches_neighbourhood(sp.Dict({**kept, **step.where}))
    ]
    return tuple(
        step
        for step in own
        if step not in general
        and not any((step.left, step.right) == (other.left, other.right) for other in general)
    )


def _require_told_apart(claim: str, *sides: Any) -> None:
    """Raise ValueError if a side has a value at a point that sympy may take for another one."""
    for node in chain.from_iterable(map(distinct, sides)):
        letters = mistakable(node)
        if letters:
            example = "sympy.Subs(sympy.UnevaluatedExpr(sympy.Subs(f, y, x)), x, r)"
            raise ValueError(
                f"sides of step {claim!r}: got {shortened(str(node))}, which sympy does not tell from the value with "
                f"{' and '.join(map(str, letters[:2]))} exchanged, needs one letter put in for the other first, as "
                f"in {example}"
            )


def _shape(side: Any) -> tuple[Any, ...]:
    """Return the shape of a matrix, also of its value at a point and of its derivative; empty for a scalar."""
    while isinstance(side, (sp.Subs, sp.Derivative)):
        side = side.expr
    # the shape of an indexed letter is that of its ranges, without which sympy raises
    return () if isinstance(side, sp.Indexed) else tuple(getattr(side, "shape", ()))
