"""What the configurations of all experiments share: JSON text, seeds, and checks that name the field they refuse."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

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
            self._put(name, whole(name, getattr(self, name), at_least))

    def _real(
        self, *names: str, positive: bool = False, below: float = math.inf, at_least: float = -math.inf
    ) -> None:  # fmt: skip
        """The named fields are finite numbers, all in the same range."""
        for name in names:
            self._put(name, real(name, getattr(self, name), positive=positive, below=below, at_least=at_least))

    def _one_of(self, **choices: Iterable[str]) -> None:
        """The named fields are each one of their choices."""
        for name, allowed in choices.items():
            one_of(name, getattr(self, name), tuple(allowed))

    def _true_or_false(self, *names: str) -> None:
        """The named fields are booleans."""
        for name in names:
            if not isinstance(value := getattr(self, name), bool):
                raise TypeError(f"{name}: got {value!r}, needs True or False")

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


def whole(name: str, value: Any, at_least: int) -> int:
    """``value`` as an integer >= ``at_least``; TypeError or ValueError otherwise."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: got {value!r}, needs an integer")
    if (number := int(value)) < at_least:
        raise ValueError(f"{name}: got {number}, needs an integer >= {at_least}")
    return number


def real(
    name: str, value: Any, *, positive: bool = False, below: float = math.inf, at_least: float = -math.inf
) -> float:
    """``value`` as a finite float in the given range; TypeError or ValueError otherwise."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: got {value!r}, needs a number")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name}: got {number}, needs a finite number")
    if positive and number <= 0:
        raise ValueError(f"{name}: got {number}, needs a positive number")
    if not at_least <= number < below:
        raise ValueError(f"{name}: got {number}, needs a number in [{at_least}, {below})")
    return number


def one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    """``value``, which must be one of ``choices``; ValueError otherwise."""
    if value not in choices:
        raise ValueError(f"{name}: got {value!r}, needs one of {', '.join(choices)}")
    return str(value)


def sequence(name: str, value: Any, of: str = "numbers") -> Iterable[Any]:
    """``value`` if it can be gone through and is no text; TypeError otherwise."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: got {value!r}, needs a sequence of {of}")
    return value


def whole_numbers(name: str, value: Any, at_least: int, *, some: bool = False) -> tuple[int, ...]:
    """A sequence of integers >= ``at_least``, with ``some`` not an empty one; TypeError or ValueError otherwise."""
    numbers = tuple(whole(name, each, at_least) for each in sequence(name, value, "integers"))
    if some and not numbers:
        raise ValueError(f"{name}: got none, needs at least one")
    return numbers
