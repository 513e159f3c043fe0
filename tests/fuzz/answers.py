"""One process of the fuzz of answers: good arguments, then the same numbers in other types, one JSON object a line.

    python -m tests.fuzz.answers CALLS SEED FUNCTION [FUNCTION ...]

An answer contains no NaN that the docstring does not mention, is the same when the call is repeated, is the same for
the same numbers as lists, float32, Fractions, numpy's numbers and arrays without dimensions (or these are refused), and
no argument is changed.
"""

from __future__ import annotations

import dataclasses
import fractions
import inspect
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
import xarray as xr

from tests.fuzz import surface, values
from tests.fuzz.calls import ALLOWED, HangError, documented, made, makers, prepared, timed

SAME, SINGLE = 1e-9, 1e-3  # relative difference of answers; where a type has the digits of float32
Checks = Iterator[tuple[str, str]]


def numbers(answer: Any, depth: int = 4) -> Iterator[np.ndarray]:
    """Yield the numbers of an answer as arrays, in a fixed order."""
    if isinstance(answer, torch.Tensor):
        yield np.asarray(answer.detach().numpy())
    elif isinstance(answer, (bool, int, float, complex, np.ndarray, np.generic)):
        yield np.asarray(answer)
    elif isinstance(answer, xr.Dataset):
        yield from (answer[name].values for name in answer.data_vars)
    elif isinstance(answer, xr.DataArray):
        yield answer.values
    elif hasattr(answer, "_mpf_"):
        yield np.asarray(float(answer))
    elif depth:
        yield from (array for part in parts(answer) for array in numbers(part, depth - 1))


def parts(answer: Any) -> list[Any]:
    """The values of a mapping, the entries of a sequence, the fields of a result; of anything else, nothing."""
    if isinstance(answer, Mapping):
        return list(answer.values())
    if isinstance(answer, (list, tuple)):
        return list(answer)
    is_result = dataclasses.is_dataclass(answer) and not isinstance(answer, type)
    return (
        [getattr(answer, field.name) for field in dataclasses.fields(answer)] if is_result else []
    )


def floats(answer: Any) -> list[np.ndarray]:
    """The floating-point numbers of an answer."""
    return [array for array in numbers(answer) if array.dtype.kind in "fc"]


def difference(one: Any, other: Any) -> float:
    """The largest difference of two answers relative to the largest number of each array; infinite for other shapes."""
    first, second = floats(one), floats(other)
    if [array.shape for array in first] != [array.shape for array in second]:
        return np.inf
    worst = 0.0
    for a, b in zip(first, second, strict=True):
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        if not equal.all():
            finite = np.abs(a[np.isfinite(a)])
            scale = finite.max() if finite.size else 1.0
            apart = np.abs(np.where(equal, 0.0, np.subtract(a, b, dtype=complex)))
            worst = max(worst, float(apart.max() / scale) if scale else np.inf)
    return worst


def others(value: Any) -> Iterator[tuple[str, Any, float]]:
    """Yield the same numbers in other types, and the relative difference that an answer may have."""
    if isinstance(value, np.ndarray):
        yield "list", value.tolist(), SAME
        yield "tuple", tuple(value.tolist()), SAME
        yield "other order", np.asfortranarray(value), SAME
        if value.dtype == np.float64:
            yield "float32", value.astype(np.float32), SINGLE
            yield "read-only", _read_only(value), SAME
    elif isinstance(value, float) and np.isfinite(value):
        yield "np.float64", np.float64(value), SAME
        yield "no dimension", np.array(value), SAME
        yield "Fraction", fractions.Fraction(value), SAME
    elif isinstance(value, int) and not isinstance(value, bool):
        yield "np.int64", np.int64(value), SAME


def _read_only(value: np.ndarray) -> np.ndarray:
    copy = value.copy()
    copy.flags.writeable = False
    return copy


def rounded(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments whose float64 are exact in float32."""
    return {
        name: value.astype(np.float32).astype(np.float64)
        if isinstance(value, np.ndarray) and value.dtype == np.float64
        else value
        for name, value in arguments.items()
    }


def checked(function: Callable[..., Any], name: str, make: Callable[[], dict[str, Any]]) -> Checks:
    """Call a function with good arguments and yield the kind of what happened, and what was wrong."""
    refusals = (*ALLOWED, *documented(function))
    given, untouched = make(), make()
    try:
        answer = timed(function, given)
    except refusals as error:
        yield "refusal", f"{type(error).__name__}: {error}"
        return
    yield "answer", ""
    changed = [argument for argument in given if difference(given[argument], untouched[argument])]
    if changed:
        yield "changed argument", f"{name}: {changed}"
    kind_of_answer = inspect.getdoc(type(answer)) if dataclasses.is_dataclass(answer) else ""
    documentation = f"{inspect.getdoc(function)} {kind_of_answer}"
    if (
        any(np.isnan(array).any() for array in floats(answer))
        and "nan" not in documentation.lower()
    ):
        yield "NaN", f"{name} answers with NaN"
    if apart := difference(answer, timed(function, make())):
        yield "not repeatable", f"{name}: {apart}"
        return
    for argument, value in make().items():
        for kind, other, allowed in others(value):
            try:
                apart = difference(answer, timed(function, make() | {argument: other}))
            except refusals:
                yield "other type refused", ""
                continue
            yield (
                ("other type" if apart <= allowed else "differs"),
                f"{name}: {argument} as {kind}: {apart:.2g}",
            )


def main(calls: int, seed: int, names: list[str]) -> None:
    """Check ``calls`` answers of every function."""
    functions, report = surface.functions(), prepared()
    warnings.simplefilter("ignore")
    for name in names:
        report(begins=name)
        parameters, rng = makers(name, functions[name]), random.Random(seed)
        # the defaults where there are any
        drawn = [{key: next(iter(chosen)) for key, chosen in parameters.items()}]
        drawn += [
            {key: rng.choice(list(chosen)) for key, chosen in parameters.items()}
            for _ in range(calls - 1)
        ]
        for labels in [
            dict(pairs) for pairs in dict.fromkeys(tuple(draw.items()) for draw in drawn)
        ]:
            report(function=name, calls=labels)

            def make(
                labels: dict[str, str] = labels, parameters: dict[str, values.Makers] = parameters
            ) -> Any:
                return rounded(made(labels, parameters))

            try:
                for kind, why in checked(functions[name], name, make):
                    report(function=name, arguments=labels, kind=kind, why=why[:600])
            except HangError:
                report(function=name, arguments=labels, kind="hang", why="")
            except Exception as error:
                report(
                    function=name,
                    arguments=labels,
                    kind="wrong kind",
                    why=f"{type(error).__name__}: {error}"[:600],
                )
        report(ends=name)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
