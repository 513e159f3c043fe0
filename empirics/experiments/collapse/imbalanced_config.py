"""The configuration of a collapse run with imbalanced classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from empirics.experiments.collapse.config import Config as Balanced


@dataclass(frozen=True)
class Config(Balanced):
    """Settings of one run, in addition to those of :class:`empirics.experiments.collapse.Config`.

    Attributes:
        ratio: number of training images of the most frequent class over that of the rarest, at least 1; the numbers
            fall geometrically with the number of the class.
    """

    experiment: ClassVar[str] = "collapse.imbalanced"

    ratio: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_numbers("ratio", least=1)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return f"{super().described}, classes {self.ratio:g} : 1"
