"""The base of all configurations: conversion to and from JSON, seeds, and checks of the fields."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Callable
from functools import cache, wraps
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Self,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from closedform import checks
from closedform.suggestions import unknown
from closedform.untrusted_files import decoded
from empirics.runs.following import Rules
from empirics.user_choice import check_choice, choices, user_choice

MOST_SEEDS = 1_000_000  # all are listed in the trace
LEAST = {"seeds": 1, "realisations": 1, "first_seed": 0}
MOST = {
    "seeds": MOST_SEEDS,
    "realisations": MOST_SEEDS,
    "first_seed": checks.LARGEST_SEED - MOST_SEEDS,
    "depth": 9999,
}


class Configuration:
    """Base class of the frozen ``Config`` of every experiment; subclasses add fields and checks.

    The choices, booleans and the name of the device, which the annotations determine, are checked before the
    ``__post_init__`` of a subclass, which need not ask for it. It checks numbers by :meth:`check_integers` and
    :meth:`check_numbers`, and replaces the value of a field by :meth:`set_field`.

    Attributes:
        experiment: name of the experiment.
        seeds_are_independent: whether the networks are trained one after another, so that a run of one seed gives the
            bits that this seed has in a run of several. A batch does not: its matrix products round differently.
        added: names of the fields that came after results had been stored, which keep their hashes, see
            :func:`as_json`.
        follows: ``{field: rule}`` of the fields that follow others, see :mod:`empirics.runs.following`.
        first_seed: the first seed; the others are first_seed + 1, first_seed + 2, ...
        device: torch device to compute on, such as "cpu" or "cuda".
    """

    experiment: ClassVar[str]
    seeds_are_independent: ClassVar[bool] = False
    added: ClassVar[tuple[str, ...]] = ()
    own_run: ClassVar[Callable[..., Any]]  # set by ``run_of``
    # set by ``run_of``, see :mod:`empirics.runs.own_code`
    own_code: ClassVar[dict[str, str] | None]
    follows: ClassVar[Rules] = {}
    if TYPE_CHECKING:  # fields of most configurations; one without them overrides ``seed_numbers``

        @property
        def seeds(self) -> int: ...  # noqa: D102
        @property
        def first_seed(self) -> int: ...  # noqa: D102
        @property
        def device(self) -> str: ...  # noqa: D102

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the class's own ``__post_init__`` begin with the check of the annotations."""
        super().__init_subclass__(**options)
        own_checks = vars(cls).get("__post_init__")
        if own_checks is not None:
            cls.__post_init__ = _after_annotations(own_checks)  # type: ignore[assignment]

    def __new__(cls, *_values: Any, **named: Any) -> Self:
        """Refuse the name of a field that does not exist, with a suggestion."""
        fields = [field.name for field in dataclasses.fields(cast(Any, cls)) if field.init]
        for name in named:
            if name not in fields:
                raise TypeError(f"{cls.__name__}: {unknown('field', name, fields)}")
        return super().__new__(cls)

    def to_json(self) -> str:
        """Return this configuration as JSON text."""
        return as_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a configuration that :meth:`to_json` wrote."""
        fields = decoded("config", text)
        if fields.pop("experiment", cls.experiment) != cls.experiment:
            raise ValueError(f"config: is of another experiment than {cls.experiment}")
        return cls(**fields)

    def changed(self, **values: Any) -> Self:
        """Return this configuration with other values; fields that were not given obey their rule in ``follows``."""
        this = cast(Any, self)
        old = {field.name: getattr(self, field.name) for field in dataclasses.fields(this)}
        derived = {
            field.name: None
            for field in dataclasses.fields(this)
            if field.default is None
            and old[field.name] is not None
            and field.name not in values
            and dataclasses.replace(this, **{field.name: None}) == self
        }
        new = old | derived | values
        for name in self.follows.keys() - values.keys() - derived.keys():
            # the Config names a bad given value
            with contextlib.suppress(TypeError, ValueError, ArithmeticError):
                new[name] = self.follows[name](old[name], old, old | values)
        return type(self)(**new) if values else self

    @classmethod
    def strategy(cls, **ranges: Any) -> Any:
        """Return a hypothesis strategy of valid configurations, see :mod:`empirics.runs.following`.

        ``ranges`` are by field a range ``(low, high)``, a collection of choices, ``...`` for all choices, a strategy,
        or a value. ModuleNotFoundError without hypothesis; ValueError for an unknown field, or what a field does not
        allow.
        """
        from empirics.runs.following import strategy

        return strategy(cls(), field_types(cast(Any, cls)), ranges)

    def load_user_choices(self) -> None:
        """Import what the import paths among the fields name, and check it; a run begins with this."""
        for name, kind in field_types(cast(Any, type(self))).items():
            value = getattr(self, name)
            of_user = user_choice(kind)
            if of_user and value not in choices(kind):
                of_user.load(name, value)

    @property
    def seed_numbers(self) -> range:
        """Return the seeds, one for each network or realisation."""
        count: int = getattr(self, "realisations" if hasattr(self, "realisations") else "seeds")
        return range(self.first_seed, self.first_seed + count)

    @property
    def members(self) -> tuple[str, ...]:
        """Return the names of the networks of a batch, in their order."""
        return tuple(f"seed {seed}" for seed in self.seed_numbers)

    def __str__(self) -> str:
        """One line on the settings, which subclasses may write better, here or in :meth:`_in_words`."""
        words = self._in_words()
        if words:
            return f"{words}, {self.seeds_described}, {self.device}"
        fields = (field.name for field in dataclasses.fields(cast(Any, self)))
        return ", ".join(f"{name} = {getattr(self, name)}" for name in fields)

    def _in_words(self) -> str:
        """Return what ``str`` says before the number of seeds and the device; empty: it lists all fields."""
        return ""

    @property
    def seeds_described(self) -> str:
        """The number of seeds in words, such as "5 seeds"."""
        return f"{self.seeds} seed{'s' if self.seeds > 1 else ''}"

    def __post_init__(self) -> None:
        """Check the fields whose annotations determine their values: choices, booleans and the name of the device."""
        for name, kind in field_types(cast(Any, type(self))).items():
            value = getattr(self, name)
            if get_origin(kind) is Literal:
                checks.one_of(name, value, get_args(kind))
            elif of_user := user_choice(kind):
                self.set_field(name, check_choice(name, value, choices(kind), of_user))
            elif kind is bool:
                checks.boolean(name, value)
            elif name in LEAST:
                self.check_integers(**{name: LEAST[name]})
            elif name == "device" and not isinstance(value, str):
                raise TypeError(
                    f"device: got {checks.shown(value)}, needs text such as 'cpu' or 'cuda'"
                )

    def set_field(self, name: str, value: Any) -> None:
        """Set a field of the frozen instance; for ``__post_init__`` only."""
        object.__setattr__(self, name, value)

    def check_integers(self, **limits: int) -> None:
        """Check that the named fields are integers, not below the limits, or None where the annotation allows it."""
        for name, least in limits.items():
            if not self._is_absent(name):
                most = MOST.get(name, checks.LARGEST_SIZE)
                self.set_field(name, checks.integer(name, getattr(self, name), least, most))

    def check_positions(self, name: str, least: int, most: int, *, some: bool = False) -> None:
        """Check that the field has integers in this range, such as epochs, and sort them, each once."""
        self.set_field(
            name,
            tuple(sorted(set(checks.integers(name, getattr(self, name), least, most, some=some)))),
        )

    def check_numbers(self, *names: str, **limits: Any) -> None:
        """Check that the named fields are numbers within ``limits``, or None; see ``closedform.checks.real_number``."""
        limits = {"most": checks.LARGEST_REAL} | limits
        for name in names:
            if not self._is_absent(name):
                self.set_field(name, checks.real_number(name, getattr(self, name), **limits))

    def _is_absent(self, name: str) -> bool:
        return getattr(self, name) is None and NoneType in get_args(
            field_types(cast(Any, type(self)))[name]
        )


def _after_annotations(own_checks: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(own_checks)
    def post_init(config: Any) -> None:
        Configuration.__post_init__(config)
        own_checks(config)

    return post_init


@cache
def field_types(kind: type[Configuration]) -> dict[str, Any]:
    """Return ``{field: annotation}`` of a configuration, with the annotations evaluated."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(cast(Any, kind))}


def as_json(config: Any) -> str:
    """Return a configuration as JSON, sorted, without fields in ``added`` at their default, so that hashes stay."""
    values = {
        field.name: value
        for field in dataclasses.fields(config)
        if (value := getattr(config, field.name)) != field.default
        or field.name not in config.added
    }
    return json.dumps(
        {"experiment": config.experiment, **values}, sort_keys=True, default=dataclasses.asdict
    )


def content_hash(config: Any) -> str:
    """Return a hash of :func:`as_json`, sixteen hexadecimal digits, which identifies a configuration."""
    return hashlib.sha256(as_json(config).encode()).hexdigest()[:16]
