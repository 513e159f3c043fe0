"""What the configurations of all experiments share: JSON text, seeds, and checks that name the field they refuse."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast, get_args, get_origin, get_type_hints

from empirics import check

RENAMED = {  # what the experiments of older traces and configurations are called now
    "vision_geometry.resnet": "geometry.resnet",
    "vision_geometry.self_supervised": "geometry.self_supervised",
}


class Configuration:
    """Base of the frozen ``Config`` of every experiment, which adds its fields, their checks and ``described``.

    Attributes:
        experiment: whose configuration this is.
    """

    experiment: ClassVar[str]
    if TYPE_CHECKING:  # fields of most configurations; one without them overrides ``seed_numbers``

        @property
        def seeds(self) -> int: ...  # noqa: D102
        @property
        def first_seed(self) -> int: ...  # noqa: D102
        @property
        def device(self) -> str: ...  # noqa: D102

    def to_json(self) -> str:
        """This configuration as JSON text."""
        return as_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The configuration that :meth:`to_json` wrote, also when the experiment had another name at the time."""
        fields = json.loads(text)
        if present_name(fields.pop("experiment", cls.experiment)) != cls.experiment:
            raise ValueError(f"config: is of another experiment than {cls.experiment}")
        return cls(**fields)

    @property
    def seed_numbers(self) -> range:
        """The seeds."""
        return range(self.first_seed, self.first_seed + self.seeds)

    @property
    def members(self) -> tuple[str, ...]:
        """What the networks of a batch are called, in their order."""
        return tuple(f"seed {seed}" for seed in self.seed_numbers)

    @property
    def _seeds_described(self) -> str:
        return f"{self.seeds} seed{'s' if self.seeds > 1 else ''}"

    def __post_init__(self) -> None:
        """Check the fields whose annotation says what they can be: choices, booleans, and the text of a device.

        Raises:
            ValueError: if a field is none of the choices of its ``Literal``.
            TypeError: if a boolean field is no boolean, or the device no text.
        """
        for name, kind in field_types(cast(Any, type(self))).items():
            value = getattr(self, name)
            if get_origin(kind) is Literal:
                check.one_of(name, value, get_args(kind))
            elif kind is bool:
                check.true_or_false(name, value)
            elif name == "device" and not isinstance(value, str):
                raise TypeError(f"device: got {value!r}, needs text such as 'cpu' or 'cuda'")

    def _put(self, name: str, value: Any) -> None:
        """Set a field of the frozen instance; for ``__post_init__`` only."""
        object.__setattr__(self, name, value)

    def _whole(self, **least: int) -> None:
        """The named fields are integers, each at least so large."""
        for name, at_least in least.items():
            self._put(name, check.whole(name, getattr(self, name), at_least))

    def _real(self, *names: str, **limits: Any) -> None:
        """The named fields are finite numbers, all in the same range; ``limits`` as :func:`empirics.check.real`."""
        for name in names:
            self._put(name, check.real(name, getattr(self, name), **limits))


@cache
def field_types(kind: type[Configuration]) -> dict[str, Any]:
    """``{field: annotation}`` of a configuration, the annotations evaluated."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(cast(Any, kind))}


def present_name(experiment: str) -> str:
    """The name that an experiment has now: ``experiment`` itself unless it has been renamed."""
    return RENAMED.get(experiment, experiment)


def former_names(experiment: str) -> tuple[str, ...]:
    """The names that an experiment had before."""
    return tuple(before for before, now in RENAMED.items() if now == experiment)


def as_json(config: Any, experiment: str | None = None) -> str:
    """A configuration as JSON text, keys sorted, ``experiment`` among them.

    Args:
        config: of any experiment.
        experiment: what the experiment is called there; by default as it is called now.
    """
    return json.dumps({"experiment": experiment or config.experiment, **dataclasses.asdict(config)}, sort_keys=True)


def content_hash(config: Any, experiment: str | None = None) -> str:
    """Sixteen hexadecimal digits of :func:`as_json`, which two configurations share only if they are equal."""
    return hashlib.sha256(as_json(config, experiment).encode()).hexdigest()[:16]
