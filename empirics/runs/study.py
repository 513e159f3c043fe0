"""Studies: one question, and the configurations that answer the question at each scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from empirics import check

Scale = Literal["smoke", "laptop", "paper"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Study:
    """A question and the configurations whose runs answer it.

    Attributes:
        name: name of the study on the command line.
        question: the question, in one sentence.
        table: function that returns the labelled configurations of a scale.
    """

    name: str
    question: str
    table: Callable[[Scale], Mapping[str, Any]]

    def configs(self, scale: Scale = "laptop") -> Mapping[str, Any]:
        """Return the configurations by label.

        Args:
            scale: ``"smoke"`` (seconds in total, shows that the study runs), ``"laptop"`` (default; about a minute,
                shows the effect) or ``"paper"`` (as published; takes a GPU or a night).

        Raises:
            ValueError: if there is no such scale.
        """
        check.one_of("scale", scale, SCALES)
        return self.table(scale)
