"""Checks of many closed forms on all cores, with verdicts from the store where it has them, and worker processes.

Each worker is a separate Python process that reads names and writes answers, one per line. Unlike the processes of
``multiprocessing``, it does not run the user's script again, so a script may check forms without a ``__main__`` guard.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from closedform import keyboard
from closedform.guests import GuestError
from closedform.subjects import announced, load
from theory.core.proof.store import current, everything, look_up, stored, using
from theory.subjects import FLOOR

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm

# A process takes half a second to import the computer algebra, so each process should check several forms.
_FORMS_PER_PROCESS = 4
_PROGRAM = "from theory.core.proof.many import serve; serve()"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


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
        for form, found in answers(forms, missing, f"{__name__}:verdicts_of", count, _FORMS_PER_PROCESS):
            results.append(check_one(form) if found is None else CheckedForm(form, tuple(map(tuple, found))))
            progress(results[-1])
    return tuple(results)


def check_one(form: str | ClosedForm) -> CheckedForm:
    """Check one closed form in this process; one of another distribution that raises an error is UNDECIDED."""
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
    except GuestError as error:  # one step of its own, which is open: the forms of others are checked all the same
        verdicts = ((str(error), "UNDECIDED", ""),)
    return CheckedForm(form, tuple((claim, verdict, because) for claim, verdict, because in verdicts))


def verdicts_of(name: str) -> tuple[tuple[str, str, str], ...]:
    """The verdicts on a closed form, as a worker answers them."""
    return check_one(name).verdicts


def _verdicts(form: ClosedForm) -> tuple[tuple[str, str, str], ...]:
    decisions = [(step, step.decide()) for step in form.steps]
    return tuple((step.claim, decision.verdict.name, decision.cause or step.because) for step, decision in decisions)


def _version(name: str) -> str | None:
    return everything() if name in _own() else None


@cache
def _own() -> frozenset[str]:
    """Return the names of the closed forms that this package determines, without those of other distributions."""
    import theory

    forms = {name for name, (_, subject) in announced(FLOOR, "FORMS").items() if not subject.is_guest}
    families = [name for name, (_, subject) in announced(FLOOR, "FAMILIES").items() if not subject.is_guest]

    members = chain.from_iterable(theory.catalogue().families[name].member_names for name in families)
    return frozenset(forms.union(members))


def number_of_processes(given: int | None) -> int:
    """Return the given number, by default how many processes can work at a time; ValueError if it is not positive."""
    if given is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if given < 1:
        raise ValueError(f"processes: got {given}, needs at least 1")
    return given


def answers(
    names: Iterable[Any], missing: Sequence[Any], answer: str, processes: int, least: int
) -> Iterator[tuple[Any, Any]]:
    """Yield names with what workers answer to those that are missing, if each has ``least`` of them, and else None."""
    count = min(processes, len(missing) // least)
    if count < 2:
        yield from ((name, None) for name in names)
        return
    with Workers(count, answer) as workers:
        waiting = {name: workers.submit(name) for name in missing}
        for name in names:
            yield name, waiting[name].result() if name in waiting else None


class Workers:
    """A pool of processes that call ``answer``, a "module:function", with what JSON can hold."""

    def __init__(self, count: int, answer: str) -> None:
        self._count = count
        self._answer = answer
        self._own = threading.local()
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Workers:
        # The processes are started in this thread because the permissions of the store belong to it.
        with keyboard.unseen_by_children():
            self._idle = [_started(self._answer) for _ in range(self._count)]
        self._processes = list(self._idle)
        self._threads = ThreadPoolExecutor(self._count, initializer=self._take)
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.communicate()

    def submit(self, name: Any) -> Future[Any]:
        """Return the future answer to a name; None if the function raised an error or the process died."""
        return self._threads.submit(self._ask, name)

    def _take(self) -> None:
        self._own.process = self._idle.pop()

    def _ask(self, name: Any) -> Any:
        process = self._own.process
        try:
            process.stdin.write(json.dumps(name) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())
        except (OSError, ValueError):
            return None


def _started(answer: str) -> subprocess.Popen[str]:
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    use = json.dumps([answer, current().read, current().write])
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, use],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **_ONE_THREAD, "PYTHONPATH": paths},
    )


def serve(arguments: Sequence[str] = ()) -> None:
    """Answer the names on standard input until it ends; all else that the process prints goes to standard error."""
    target, read, write = json.loads((arguments or sys.argv[1:])[0])
    function = load(target)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers, using(read=read, write=write):
        os.dup2(2, 1)
        for line in sys.stdin:
            try:
                answer: Any = function(json.loads(line))
            except Exception:  # the parent process repeats the work and raises the error there
                answer = None
            print(json.dumps(answer), file=answers, flush=True)
