"""Checks of many closed forms on all cores, with verdicts from the store where it has them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from closedform.guests import GuestError
from closedform.subjects import announced
from theory.core.proof.sources import everything
from theory.core.proof.store import look_up, stored, using
from theory.core.proof.workers import Workers
from theory.subjects import FLOOR

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm

# A process takes half a second to import the computer algebra, so each process should check several forms.
_FORMS_PER_PROCESS = 4


@dataclass(frozen=True)
class CheckedForm:
    """A closed form, and for every step in order ``(claim, verdict, because)``, the verdict by its name."""

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
    """Check closed forms in parallel, and return them in their order; those with verdicts in the store are not built.

    Of names in the catalogue; closed forms are checked in this process. ``progress`` is called with each as soon as it
    is available, and ``fresh`` recomputes all verdicts. By default there is a process for each core.
    """
    if processes is not None and processes < 1:
        raise ValueError(f"processes: got {processes}, needs at least 1")
    results = []
    with using(read=not fresh):
        for checked in _in_order(list(forms), processes or cores()):
            results.append(checked)
            progress(checked)
    return tuple(results)


def check_one(form: str | ClosedForm) -> CheckedForm:
    """Check one closed form in this process; one of another distribution that raises an error fails."""
    if not isinstance(form, str):
        return CheckedForm(form.name, _verdicts(form))
    import theory

    def is_settled(verdicts: Any) -> bool:
        return all(verdict in {"HOLDS", "FAILS"} for _, verdict, _ in verdicts)

    try:
        with theory.catalogue().visit(form):
            verdicts = stored(
                _version(form), ("form", form), lambda: _verdicts(theory.catalogue()[form]), keep=is_settled
            )
    except GuestError as error:  # one step of its own, which fails: the forms of others are checked all the same
        verdicts = ((str(error), "FAILS", ""),)
    return CheckedForm(form, tuple((claim, verdict, because) for claim, verdict, because in verdicts))


def _in_order(forms: list[Any], processes: int) -> Iterator[CheckedForm]:
    names = dict.fromkeys(form for form in forms if isinstance(form, str))
    missing = [name for name in names if look_up(_version(name), ("form", name)) is None]
    count = min(processes, len(missing) // _FORMS_PER_PROCESS)
    if count < 2:
        yield from map(check_one, forms)
        return
    with Workers(count, f"{__name__}:verdicts_of") as workers:
        waiting = {name: workers.submit(name) for name in missing}
        for form in forms:
            verdicts = waiting[form].result() if form in waiting else None
            yield check_one(form) if verdicts is None else CheckedForm(form, tuple(map(tuple, verdicts)))


def verdicts_of(name: str) -> tuple[tuple[str, str, str], ...]:
    """The verdicts on a closed form, as a worker answers them."""
    return check_one(name).verdicts


def _verdicts(form: ClosedForm) -> tuple[tuple[str, str, str], ...]:
    reasons = {step.claim: step.because for step in form.steps}
    return tuple((claim, verdict.name, reasons[claim]) for claim, verdict in form.check().items())


def _version(name: str) -> str | None:
    return everything() if name in _own() else None


@cache
def _own() -> frozenset[str]:
    """Return the names of the closed forms that this package determines, without those of other distributions."""
    import theory

    forms = {name for name, (_, subject) in announced(FLOOR, "FORMS").items() if not subject.is_guest}
    families = [name for name, (_, subject) in announced(FLOOR, "FAMILIES").items() if not subject.is_guest]

    members = (member for name in families for member in theory.catalogue().families[name].member_names)
    return frozenset(forms.union(members))


def cores() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
