"""What there is, in words: names, meanings and texts of closed forms and families, from the store if they are there.

What is stored is shown without computer algebra.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from closedform.guests import LISTING, GuestError, leave_out
from closedform.subjects import subjects
from theory.collection import catalogue
from theory.core.proof.store import everything, look_up, stored
from theory.subjects import FLOOR


class Listed(NamedTuple):
    """A closed form, or a family with ``(name, whether it must be given)`` for each of its parameters."""

    name: str
    meaning: str
    parameters: tuple[tuple[str, bool], ...] | None = None


def listing(*, meanings: bool = True) -> tuple[Listed, ...]:
    """Return all closed forms that are in no family, then all families; without meanings nothing is built."""
    if not meanings:
        return tuple(
            Listed(name, "", _parameters(parameters))
            for name, _, parameters in _read(meanings=False)
        )
    kept = stored(_version(), ("listing",), _read)
    return tuple(
        Listed(name, meaning, _parameters(parameters)) for name, meaning, parameters in kept
    )


def described(request: Sequence[str], lines: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a request, from the store or, the first time, as they are built.

    Args:
        request: name, parameters and notation.
        lines: function that builds the lines.
    """
    version, key = _version(), ("described", *request)
    known = look_up(version, key)
    if known is not None:
        yield from known[0]
        return
    built = []
    for line in lines():
        built.append(line)
        yield line
    stored(version, key, lambda: built)


def _version() -> str | None:
    """Return the version of the sources under which texts are stored, None if they are not to be stored."""
    return None if any(subject.is_guest for subject in subjects(FLOOR)) else everything()


def _read(*, meanings: bool = True) -> list[tuple[str, str, list[tuple[str, bool]] | None]]:
    forms, families = catalogue(), catalogue().families
    members = set(chain.from_iterable(family.member_names for family in families.values()))
    single = []
    for name in forms:
        if name not in members:
            try:
                with forms.visit(name, LISTING):
                    single.append((name, forms[name].meaning if meanings else "", None))
            except GuestError as error:
                leave_out(error)
    return [
        *single,
        *(
            (
                name,
                family.meaning,
                [(parameter.name, parameter.default is None) for parameter in family.parameters],
            )
            for name, family in families.items()
        ),
    ]


def _parameters(kept: list[tuple[str, bool]] | None) -> tuple[tuple[str, bool], ...] | None:
    return None if kept is None else tuple((name, is_required) for name, is_required in kept)
