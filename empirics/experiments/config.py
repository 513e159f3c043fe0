"""What the configurations of all experiments share: JSON text, seeds, and checks that name the field they refuse."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar, Self

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

    def _one_of(self, **choices: Collection[Any]) -> None:
        """Each of the named fields is one of its choices."""
        for name, allowed in choices.items():
            check.one_of(name, getattr(self, name), allowed)

    def _true_or_false(self, *names: str) -> None:
        """The named fields are booleans."""
        for name in names:
            check.true_or_false(name, getattr(self, name))

    def _device_is_text(self) -> None:
        """The field ``device`` is text; whether there is such a device is asked when it is needed."""
        if not isinstance(self.device, str):
            raise TypeError(f"device: got {self.device!r}, needs text such as 'cpu' or 'cuda'")


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
