"""Checks of many closed forms on all cores, with verdicts from the store of proofs where it has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from closedform.guests import GuestError
from closedform.subjects import announced
from theory.collection import catalogue
from theory.core.proof.store import everything, look_up, stored, using
from theory.core.proof.workers import answers, number_of_processes
from theory.subjects import FLOOR

if TYPE_CHECKING:
    from theory.core.facade.closed_form import ClosedForm

# A process takes half a second to import the computer algebra, so each process should check several forms.
_FORMS_PER_PROCESS = 4


@dataclass(frozen=True)
class CheckedForm:
    """A closed form, and for every step in order its claim, its verdict by name, and the reason of the claim.

    In the place of the reason, a step that is UNDECIDED has the cause of that.
    """

    name: str
    verdicts: tuple[tuple[str, str, str], ...]

    @property
    def holds(self) -> bool:
        """Whether every step holds; an UNDECIDED step does not."""
        return all(verdict == "HOLDS" for _, verdict, _ in self.verdicts)


def check_all(
    forms: Iterable[str | ClosedForm],
    processes: int | None = None,
    progress: Callable[[CheckedForm], None] = lambda checked: None,
    *,
    fresh: bool = False,
) -> tuple[CheckedForm, ...]:
    """Check closed forms in their order; those of which the store has verdicts are not built."""
    forms, count = list(forms), number_of_processes(processes)
    names = dict.fromkeys(form for form in forms if isinstance(form, str))
    results = []
    with using(read=not fresh):
        missing = [name for name in names if look_up(_version(name), ("form", name)) is None]
        for form, found in answers(
            forms, missing, f"{__name__}:verdicts_of", count, _FORMS_PER_PROCESS
        ):
            results.append(
                check_one(form) if found is None else CheckedForm(form, tuple(map(tuple, found)))
            )
            progress(results[-1])
    return tuple(results)


def check_one(form: str | ClosedForm) -> CheckedForm:
    """Check one closed form in this process; one of another distribution that raises an error is UNDECIDED."""
    if not isinstance(form, str):
        return CheckedForm(form.name, _verdicts(form))

    def is_settled(verdicts: Any) -> bool:
        return all(verdict in {"HOLDS", "FAILS"} for _, verdict, _ in verdicts)

    try:
        with catalogue().visit(form):
            verdicts = stored(
                _version(form),
                ("form", form),
                lambda: _verdicts(catalogue()[form]),
                keep=is_settled,
            )
    # one step of its own, which is open: the forms of others are checked all the same
    except GuestError as error:
        verdicts = ((str(error), "UNDECIDED", ""),)
    return CheckedForm(
        form, tuple((claim, verdict, because) for claim, verdict, because in verdicts)
    )


def verdicts_of(name: str) -> tuple[tuple[str, str, str], ...]:
    """The verdicts on a closed form, as a worker answers them."""
    return check_one(name).verdicts


def _verdicts(form: ClosedForm) -> tuple[tuple[str, str, str], ...]:
    decisions = [(step, step.decide()) for step in form.steps]
    return tuple(
        (step.claim, decision.verdict.name, decision.cause or step.because)
        for step, decision in decisions
    )


def _version(name: str) -> str | None:
    return everything() if name in _own() else None


@cache
def _own() -> frozenset[str]:
    """Return the names of the closed forms that this package determines, without those of other distributions."""
    forms = {
        name for name, (_, subject) in announced(FLOOR, "FORMS").items() if not subject.is_guest
    }
    families = [
        name for name, (_, subject) in announced(FLOOR, "FAMILIES").items() if not subject.is_guest
    ]

    members = chain.from_iterable(catalogue().families[name].member_names for name in families)
    return frozenset(forms.union(members))
