"""One process of the fuzz: calls functions with generated arguments and prints what happened, one JSON object a line.

    python -m tests.fuzz.calls CALLS SEED FUNCTION [FUNCTION ...]

With 0 calls, each argument is given each hostile value once, with the defaults or first good values of the others.
Every call may take a few seconds of computing time and two GiB more memory than the libraries.
"""

from __future__ import annotations

import inspect
import json
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import torch
from hypothesis import strategies as st

from tests.fuzz import hostile, surface, values
from tests.fuzz.hints import annotations, choices, excluded

SECONDS = 10  # of computing time; derivations by computer algebra take some the first time
MEMORY = 2 * 2**30
LARGE = 2**29  # bytes by which no call may raise the largest memory that the process has used
HUGE = "! 8 GB in one number"  # answers may be as large as this argument
# of torch, a RuntimeError
TOO_LARGE = ("can't allocate memory", "Storage size calculation overflowed")
ALLOWED = (TypeError, ValueError, NotImplementedError, OSError)  # the last for names of files


class HangError(BaseException):
    """A call takes too long."""


def alarm(*_: Any) -> None:
    """Raise the error of a call that takes too long."""
    raise HangError


def makers(name: str, function: Callable[..., Any]) -> dict[str, values.Makers]:
    """For every argument that can be named, its good values; the first is its default if it has one."""
    own = values.of_labels(name)
    table = own if inspect.isclass(function) else values.good() | own
    hints = annotations(function)
    found: dict[str, values.Makers] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        chosen: dict[str, Callable[[], Any]] = {}
        if parameter.default is not parameter.empty:
            chosen["default"] = lambda value=parameter.default: value
        if isinstance(function, surface.Form):
            chosen.update(samples(function, parameter.name))
        elif parameter.name in table:
            chosen["good"] = table[parameter.name]
        chosen.update(
            {
                repr(choice): (lambda choice=choice: choice)
                for choice in choices(hints.get(parameter.name))
            }
        )
        found[parameter.name] = chosen or {"None": lambda: None}
    return found


def samples(form: surface.Form, argument: str) -> values.Makers:
    """Values from the range in which an argument of a closed form is usually taken."""
    import theory

    ranges = {a.name: a.sample for a in theory.catalogue()[form.name].arguments}
    numbers = (20,) if argument == "digits" and argument not in ranges else ranges[argument]
    return {repr(number): (lambda number=number: number) for number in numbers}


@st.composite
def arguments(draw: st.DrawFn, parameters: dict[str, values.Makers]) -> dict[str, str]:
    """Good values for all arguments, then hostile ones for one, two or three of them at once, as labels."""
    made = {name: draw(st.sampled_from(sorted(chosen))) for name, chosen in parameters.items()}
    number = min(draw(st.sampled_from([1, 2, 2, 3, 3])), len(made))
    bad = draw(
        st.lists(st.sampled_from(sorted(made)), min_size=number, max_size=number, unique=True)
    )
    return made | {name: "! " + draw(st.sampled_from(sorted(hostile.HOSTILE))) for name in bad}


def made(labels: dict[str, str], parameters: dict[str, values.Makers]) -> dict[str, Any]:
    """The values of labels."""
    return {
        name: hostile.HOSTILE[label[2:]]() if label.startswith("! ") else parameters[name][label]()
        for name, label in labels.items()
    }


def outcome(
    function: Callable[..., Any], labels: dict[str, str], parameters: dict[str, values.Makers]
) -> Iterator[str]:
    """Call a function; yield the kind of what happened, and what was wrong."""
    given: dict[str, Any] = {}
    try:
        given = made(labels, parameters)
        timed(function, dict(given))
        strange = excluded(annotations(function), given)
        yield from (
            ("taken", f"{strange} of kinds that the annotations exclude")
            if strange
            else ("answer", "")
        )
    except HangError:
        yield from ("hang", "".join(traceback.format_exc().splitlines(keepends=True)[-8:]))
    except (*ALLOWED, *documented(function)) as error:
        names = [name for name in labels if name in str(error)]
        at = traceback.extract_tb(error.__traceback__)[-1]
        yield from (
            "refusal" if names else "unnamed refusal",
            f"{type(error).__name__}: {error} [{at.filename}:{at.lineno}]",
        )
    except Exception as error:
        is_too_large = isinstance(error, MemoryError) or any(
            text in str(error) for text in TOO_LARGE
        )
        if is_too_large and HUGE in labels.values():
            yield from ("answer too large", "")
            return
        at = [
            f"{Path(f.filename).name}:{f.lineno}"
            for f in traceback.extract_tb(error.__traceback__)
        ]
        if isinstance(error, ZeroDivisionError) and at[-1].startswith("values.py"):
            yield from ("error of the user's function", "")
            return
        yield from ("wrong kind", f"{type(error).__name__}: {error} [{' '.join(at[-6:])}]")


def largest_memory() -> int:
    """The largest memory that this process has used, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def timed(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call a function, which may take ``SECONDS``; three times that ends the process where no signal interrupts."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 3 * SECONDS, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return function(**arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def documented(function: Callable[..., Any]) -> tuple[type[Exception], ...]:
    """The errors that the docstring of a function names."""
    errors = (
        ArithmeticError,
        AssertionError,
        MemoryError,
        RuntimeError,
        KeyError,
        ModuleNotFoundError,
    )
    _, _, raises = (inspect.getdoc(function) or "").partition("Raises:")
    return tuple(error for error in errors if error.__name__ in raises)


def prepared() -> Callable[..., None]:
    """Limit the memory and the threads of this process, and return the function that reports a line."""
    torch.set_num_threads(1)
    size = (
        int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        * resource.getpagesize()
    )
    resource.setrlimit(
        resource.RLIMIT_AS, (size + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1])
    )
    signal.signal(signal.SIGPROF, alarm)
    warnings.simplefilter("ignore")
    return lambda **line: print(json.dumps(line), flush=True)


def main(calls: int, seed: int, names: list[str]) -> None:
    """Call every function ``calls`` times, or with 0 each of its arguments with each hostile value."""
    functions, report = surface.functions(), prepared()
    for name in names:
        report(begins=name)
        fuzz(name, functions[name], calls, seed, report)
        report(ends=name)


def fuzz(
    name: str, function: Callable[..., Any], calls: int, seed: int, report: Callable[..., None]
) -> None:
    """Call one function and report every call before and after it."""
    parameters = makers(name, function)
    if not parameters:
        report(function=name, arguments={}, kind="constant", why="", seconds=0.0)
        return

    def called(labels: dict[str, str]) -> None:
        report(function=name, calls=labels)
        begun = time.process_time()
        peak = largest_memory()
        kind, why = outcome(function, labels, parameters)
        seconds, growth = time.process_time() - begun, largest_memory() - peak
        if (
            kind in ("answer", "refusal", "unnamed refusal")
            and growth > LARGE
            and HUGE not in labels.values()
        ):
            kind, why = "memory", f"{growth / 2**20:.0f} MiB; {why}"
        report(
            function=name, arguments=labels, kind=kind, why=why[:600], seconds=round(seconds, 3)
        )

    if calls == 0:
        usual = {argument: next(iter(chosen)) for argument, chosen in parameters.items()}
        for argument in parameters:
            for label in hostile.HOSTILE:
                called(usual | {argument: f"! {label}"})
        return

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=calls, database=None, deadline=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(arguments(parameters))
    def call(labels: dict[str, str]) -> None:
        called(labels)

    call()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
