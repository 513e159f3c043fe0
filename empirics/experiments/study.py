"""A study: one question, one figure, and the configurations that answer it at each scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from empirics import check

Scale = Literal["smoke", "laptop", "paper"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Study:
    """A question and how to ask it.

    Attributes:
        name: as on the command line.
        question: one sentence.
        figure: of the paper.
        table: gives the labelled configurations of a scale.
    """

    name: str
    question: str
    figure: str
    table: Callable[[Scale], Mapping[str, Any]]

    def configs(self, scale: Scale = "laptop") -> Mapping[str, Any]:
        """The labelled configurations.

        Args:
            scale: ``"smoke"`` (seconds in total: does it run), ``"laptop"`` (a minute: what does it show) or
                ``"paper"`` (as published; a GPU or a night).

        Raises:
            ValueError: if there is no such scale.
        """
        check.one_of("scale", scale, SCALES)
        return self.table(scale)
