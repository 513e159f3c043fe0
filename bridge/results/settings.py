"""Settings of experiments as a paper prints them, as its authors released them, and as ours are.

A wing lists them in ``papers/<paper>/settings.py`` and announces the list in ``SETTINGS`` under the key of the paper.
What is said of a difference here decides, by one rule, whether a verdict on a row is one on the paper or on our set-up
(:func:`attributed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from bridge.results.quantity import FLOOR
from bridge.results.record import command
from closedform.registry import Registry
from closedform.verdicts import DISAGREES, FOR, SET_UP

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

Follows = Literal["both", "printed", "released", "neither"]
UNKNOWN = "–"  # neither printed nor released


@dataclass(frozen=True)
class Setting:
    """One setting of some studies: what is printed, what is released, and what ours is.

    ``follows`` says which of the two ours is. What is not printed cannot differ from print: ours follows "both" where
    it is the only one of the two that is known.
    """

    name: str  # such as "batch size"
    studies: tuple[str, ...]  # that have it
    printed: str  # the value, with its place in the paper; empty where the paper does not print it
    released: (
        str  # the value, with the file of the authors' repository; empty where nothing is released
    )
    ours: str
    follows: Follows = "both"
    reason: str = ""  # why ours differs; empty where it does not
    effect: str = (
        ""  # what a run with the authors' value gave, with its size; empty where nobody has looked
    )
    rows: tuple[str, ...] = ()  # labels of the rows whose verdict can hang on the difference
    turns: tuple[
        str, ...
    ] = ()  # labels of the rows whose verdict a run with the authors' value has turned
    # of the studies, which give the authors' value: a record that was made with them does not differ
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def differs(self) -> bool:
        """Whether ours is not what is printed, or not what is released."""
        return self.follows != "both"

    def is_open(self, label: str, changed: Mapping[str, Any]) -> bool:
        """Return whether the verdict of a row hangs on this setting in a run with ``changed`` options.

        Args:
            label: the label of the row.
            changed: options of the run that differ from those of its scale, by name.

        Returns:
            True if ours is neither what is printed nor what is released, the row is named, and the run did not take
            the authors' value. Where ours is the printed one, a verdict is on what the paper says.
        """
        is_named = label in self.rows or label in self.turns
        has_theirs = bool(self.options) and self.options.items() <= changed.items()
        return self.follows == "neither" and is_named and not has_theirs

    def __str__(self) -> str:
        """Return the setting as one line of text."""
        sources = (("printed", self.printed or UNKNOWN), ("released", self.released or UNKNOWN))
        said = "; ".join(f"{source}: {value}" for source, value in (*sources, ("ours", self.ours)))
        why = f", since {self.reason}" if self.reason else ""
        effect = f". With theirs: {self.effect}" if self.effect else ""
        return f"{self.name} ({said}{why}){effect}"


SETTINGS: Registry[tuple[Setting, ...]] = Registry(FLOOR, "SETTINGS")


def of_study(study: str) -> tuple[Setting, ...]:
    """Return the settings of a study, those that differ first, in the order of their papers."""
    settings: list[Setting] = []
    for paper in SETTINGS:
        settings += [setting for setting in SETTINGS[paper] if study in setting.studies]
    return tuple(sorted(settings, key=lambda setting: not setting.differs))


def touching(figure: PrintedFigure) -> Iterator[Setting]:
    """Yield the settings that differ and are known to touch a row, whether a verdict can hang on them or not."""
    for setting in of_study(figure.study):
        if figure.label in setting.rows or figure.label in setting.turns:
            yield setting


def hanging(figure: PrintedFigure, changed: Mapping[str, Any]) -> tuple[Setting, ...]:
    """Return the settings on which the verdict of a row hangs in a run with ``changed`` options."""
    return tuple(setting for setting in touching(figure) if setting.is_open(figure.label, changed))


def attributed(verdict: str, figure: PrintedFigure, changed: Mapping[str, Any]) -> str:
    """Return a verdict, or that it is one on our set-up and not on the paper.

    A disagreement is one on our set-up if it can hang on a difference of ours from what is printed and released. So is
    every verdict that a run with the authors' value has turned, an agreement included.

    Args:
        verdict: what the plan of the row says of the numbers.
        figure: the row.
        changed: options of the run that differ from those of its scale, by name.

    Returns:
        ``verdict``, or :data:`closedform.verdicts.SET_UP`.
    """
    settings = hanging(figure, changed)
    has_turned = any(figure.label in setting.turns for setting in settings)
    can_turn = verdict == DISAGREES and bool(settings)
    return SET_UP if can_turn or (has_turned and verdict in (*FOR, DISAGREES)) else verdict


def as_theirs(figure: PrintedFigure, scale: str) -> str:
    """Return the command that runs a row's study with all of the authors' values that options give; empty for none."""
    options: dict[str, Any] = {}
    for setting in touching(figure):
        options |= setting.options
    return command(figure.study, scale, options) if options else ""
