"""A formula as frozen data, with the steps of its derivation as data that is read when somebody asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import sympy as sp

from closedform import checks
from theory.core.formula.domain import Argument, Condition
from theory.core.formula.parsing import sympy_object
from theory.core.formula.provenance import Source, Status


@dataclass(frozen=True)
class Deferred:
    """The function that returns the steps."""

    steps: Callable[[], tuple[Any, ...]]


def deferred(steps: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return ``steps`` of a closed form that are made when somebody reads them: to show, to check or to build on them.

    Args:
        steps: function that returns the derivation.

    >>> import sympy as sp
    >>> from theory.core import Step
    >>> x = sp.Symbol("x")
    >>> type(deferred(lambda: (Step("binomial", (x + 1) ** 2, x**2 + 2 * x + 1),))).__name__
    'Deferred'
    """
    return cast("tuple[Any, ...]", Deferred(steps))


@dataclass(frozen=True, repr=False)
class Form:
    """A formula with its meaning, domain, sources and the steps of its derivation, as frozen data.

    Proofs, numbers and texts are made of it by the rooms above. Users meet the subclass
    :class:`theory.core.ClosedForm`, which has these as methods, and describes the fields.

    Raises:
        ValueError: if a free symbol is not an argument, or two arguments have the same name.
        TypeError: if a field has the wrong type.
    """

    name: str
    meaning: str
    arguments: tuple[Argument, ...]
    expression: sp.Expr
    status: Status
    steps: tuple[Any, ...] = field(default_factory=tuple)
    sources: tuple[Source, ...] = ()
    assumptions: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    letters: tuple[tuple[sp.Expr, sp.Expr], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", sympy_object("expression", self.expression))
        _require_consistent(self)
        if isinstance(self.steps, Deferred):
            object.__setattr__(self, "_deferred", self.__dict__.pop("steps"))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the steps, which are derived when they are first read."""
            if name != "steps" or "_deferred" not in self.__dict__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            object.__setattr__(self, "steps", self._deferred.steps())
            return self.steps


def _require_consistent(form: Form) -> None:
    """Raise TypeError for a field of the wrong type, and ValueError for fields that are inconsistent."""
    _require_types(form)
    if not all(part.isidentifier() for part in form.name.split(".")):
        raise ValueError(f"name: got {form.name!r}, needs a dotted name")
    if not form.meaning.strip():
        raise ValueError(f"{form.name} needs a meaning")
    require_unique(form.name, "argument", [argument.name for argument in form.arguments])
    symbols = {argument.symbol for argument in form.arguments}
    for what in (form.expression, *(condition.relation for condition in form.conditions)):
        unknown = sorted(map(str, what.free_symbols - symbols))
        if unknown:
            raise ValueError(
                f"{what} of {form.name}: got {', '.join(unknown)}, needs only symbols that are among the arguments "
                "(a symbol of the same name with other assumptions is another symbol)"
            )


def _require_types(form: Form) -> None:
    kinds: tuple[tuple[str, type], ...] = (
        ("arguments", Argument),
        ("sources", Source),
        ("assumptions", str),
        ("conditions", Condition),
    )
    for name, kind in kinds:
        require_tuple(form, name, kind)
    for name in ("name", "meaning"):
        if not isinstance(getattr(form, name), str):
            raise TypeError(
                f"{name} of a closed form: got {checks.shown(getattr(form, name))}, needs text"
            )
    if not isinstance(form.status, Status):
        raise TypeError(f"status of {form.name}: got {checks.shown(form.status)}, needs a Status")
    if not isinstance(form.expression, sp.Expr) or form.expression.is_Matrix:
        raise TypeError(
            f"expression of {form.name}: got {type(form.expression).__name__}, needs a scalar"
        )


def require_tuple(form: Form, name: str, kind: type | tuple[type, ...]) -> None:
    """Raise TypeError unless a field is a tuple of objects of a kind.

    Args:
        form: the formula.
        name: name of the field.
        kind: the class of its entries, or several.
    """
    entries = getattr(form, name)
    if not isinstance(entries, tuple) or not all(isinstance(entry, kind) for entry in entries):
        names = " or ".join(
            kind.__name__ for kind in (kind if isinstance(kind, tuple) else (kind,))
        )
        raise TypeError(
            f"{name} of {form.name}: got {checks.shown(entries)}, needs a tuple of {names}"
        )


def require_unique(name: str, what: str, entries: list[str]) -> None:
    """Raise ValueError if two entries are the same text.

    Args:
        name: name of the formula.
        what: word for an entry, such as "argument".
        entries: the texts.
    """
    twice = [entry for entry, count in Counter(entries).items() if count > 1]
    if twice:
        raise ValueError(f"{name} has more than one {what} called {', '.join(map(repr, twice))}")
