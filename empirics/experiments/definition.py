"""An experiment from one function of a seed and its settings."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast, get_type_hints

import numpy as np

from closedform import checks
from empirics.runs.config import Configuration, field_types
from empirics.runs.session import RunResult, SeedResult, Session, run_of

KINDS = (bool, int, float, str)
SEED_FIELDS = ("seeds", "first_seed")  # fields that every defined experiment has
SEEDS = 5


def define(function: Callable[..., Mapping[str, Any]]) -> type[Configuration]:
    """Turn a function into an experiment, and return its ``Config``, which takes the function's name.

    For example::

        @define
        def walk(seed, steps=100):
            return {"place": ("step", np.random.default_rng(seed).standard_normal(steps).cumsum())}

        trace = empirics.experiments.run(walk(steps=50, seeds=10))

    The fields of the ``Config`` are the settings of the function with their defaults, ``seeds`` (default 5) and
    ``first_seed`` (default 0). Each seed is computed by itself, so that a sweep shares out the seeds and an interrupted
    run goes on at the next one.

    Args:
        function: takes ``seed`` and settings whose defaults are numbers, booleans or text; returns
            ``{variable: value}`` or ``{variable: (dimensions, values)}``, where ``dimensions`` is a name or a sequence
            of names. The trace has ``seed`` as the first dimension of each variable.

    Raises:
        TypeError: if the first argument is not ``seed``, or a setting has no default of these kinds.
        ValueError: if a name is taken.
    """
    from empirics.experiments.registry import EXPERIMENTS

    name = function.__name__
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        raise TypeError(f"function: {name} takes no argument, needs 'seed' as the first")
    first, *settings = parameters
    if first.name != "seed":
        raise TypeError(f"function: the first argument of {name} is {first.name!r}, needs 'seed'")
    checks.require(
        name not in EXPERIMENTS, "function", repr(name), "a name that no experiment has"
    )
    for setting in settings:
        if type(setting.default) not in KINDS:
            needs = (
                "a default that is a number, a boolean or text, since a configuration is stored"
            )
            raise TypeError(f"function: the setting {setting.name!r} of {name} needs {needs}")
        checks.require(not hasattr(Configuration, setting.name) and setting.name not in SEED_FIELDS,
                      "function", f"the setting {setting.name!r}", "a name that no configuration has")  # fmt: skip
    hints = get_type_hints(function)
    fields = [
        (s.name, hints.get(s.name, type(s.default)), dataclasses.field(default=s.default))
        for s in settings
    ]
    seeds = [
        (seed, int, dataclasses.field(default=value))
        for seed, value in zip(SEED_FIELDS, (SEEDS, 0), strict=True)
    ]
    attributes = {
        "experiment": name, "seeds_are_independent": True, "__doc__": inspect.getdoc(function),
        "__post_init__": _check, "__module__": function.__module__, "__qualname__": function.__qualname__,
    }  # fmt: skip
    config: Any = dataclasses.make_dataclass(
        name,
        [*fields, *seeds],
        bases=(Configuration,),
        namespace=attributes,
        frozen=True,
        kw_only=True,
    )
    config.__module__ = function.__module__  # from the namespace only from Python 3.12 on

    def body(config: Any, session: Session[Any]) -> RunResult:
        return _run(function, [setting.name for setting in settings], config, session)

    body.made_of = function  # type: ignore[attr-defined]
    run_of(config, unit="seed")(body)
    return cast(type[Configuration], config)


def _check(config: Configuration) -> None:
    for name, kind in field_types(cast(Any, type(config))).items():
        if kind is int and name not in SEED_FIELDS:
            config.check_integers(**{name: -checks.LARGEST_SIZE})
        elif kind is float:
            config.check_numbers(name)
        elif kind is str and not isinstance(getattr(config, name), str):
            raise TypeError(f"{name}: got {getattr(config, name)!r}, needs text")


def _run(
    function: Callable[..., Mapping[str, Any]],
    settings: list[str],
    config: Configuration,
    session: Session[Any],
) -> RunResult:
    chosen = {name: getattr(config, name) for name in settings}
    with session.bar(function.__name__, config.seeds, "seed") as shown:

        def learn(seed: int) -> SeedResult:
            returned = function(seed, **chosen)
            if not isinstance(returned, Mapping):
                raise TypeError(
                    f"{function.__name__}: got {type(returned).__name__}, needs {{variable: values}}"
                )
            labelled = {name: _labelled(name, value) for name, value in returned.items()}
            shown.update()
            return SeedResult(
                {name: values for name, (_, values) in labelled.items()},
                notes={"dimensions": {name: dims for name, (dims, _) in labelled.items()}},
            )

        parts = session.one_by_one(learn)
    dimensions = {name: tuple(dims) for name, dims in parts.state["dimensions"].items()}
    for name in dimensions:
        shapes = {tuple(part[name].shape) if name in part else None for part in parts.done}
        checks.require(
            len(shapes) == 1,
            name,
            f"the shapes {shapes} for different seeds",
            "one shape for all seeds",
        )
    variables = parts.stacked({name: (("seed", *dims), name) for name, dims in dimensions.items()})
    sizes: dict[str, int] = {}
    for dims, values, _ in variables.values():
        sizes |= zip(dims, values.shape, strict=True)
    return RunResult(
        variables, {dim: (np.arange(size), {}) for dim, size in sizes.items() if dim != "seed"}
    )


def _labelled(name: str, value: Any) -> tuple[tuple[str, ...], Any]:
    """Return dimensions and values of one seed."""
    dims, values = value if isinstance(value, tuple) else ((), value)
    dims = (dims,) if isinstance(dims, str) else tuple(dims)
    array = np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)
    if array.dtype.kind not in "bif":
        raise TypeError(
            f"{name}: got values of type {array.dtype}, needs real numbers or booleans"
        )
    got, needs = (
        f"dimensions {dims} for the shape {array.shape}",
        "a name for each axis, as in ('step', values)",
    )
    checks.require(
        array.ndim == len(dims) and "seed" not in dims, name, got, f"{needs}, without 'seed'"
    )
    return dims, array
