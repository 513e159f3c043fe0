"""Families of closed forms, such as one formula for every activation, depth or degree, and the names of their members.

Importing this module imports no computer algebra, so that families can be listed quickly.
"""

from __future__ import annotations

import itertools
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from closedform.suggestions import by_name

if TYPE_CHECKING:
    from theory.core.facade.closed_form import ClosedForm

_WIDTH = 100


@dataclass(frozen=True)
class Parameter:
    """A parameter that selects a member of a family, such as an activation or a depth.

    Args:
        name: keyword of the parameter, such as "activation".
        meaning: meaning of the parameter and the values that it takes, in words.
        read: function of the keyword and the user's value, possibly a string, that returns the value with which the
            family is built. For an invalid value it raises TypeError or ValueError with the keyword in the message.
        default: value if the user gives none. Default: None, which makes the parameter required.
        prefix: text before the value in the name of a member, such as "monomial_" before a degree. Default: none.

    Raises:
        ValueError: if the name is not an identifier, or the meaning is empty.

    >>> Parameter("degree", "degree of the monomial", lambda name, value: int(value), default=2).default
    2
    """

    name: str
    meaning: str
    read: Callable[[str, Any], Any]
    default: Any = None
    prefix: str = ""

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"name of a parameter: got {self.name!r}, needs an identifier")
        if not self.meaning.strip():
            raise ValueError(f"parameter {self.name!r} needs a meaning")

    def read_label(self, label: str) -> Any:
        """Return the value that a label in the name of a member represents; raise ValueError if it represents none."""
        if not label.startswith(self.prefix):
            raise ValueError(f"{self.name}: got {label!r}, needs {self.prefix}...")
        try:
            value = self.read(self.name, label.removeprefix(self.prefix))
        except TypeError as error:
            raise ValueError(str(error)) from None
        if self.label(value) != label:
            raise ValueError(
                f"{self.name}: {label!r} is not the label of a member; call the family with {self.name}=..."
            )
        return value

    def label(self, value: Any) -> str:
        """Return the label that represents a value in the name of a member."""
        return f"{self.prefix}{getattr(value, 'name', value)}"


@dataclass(frozen=True)
class Family:
    """Closed forms under one name that differ in parameters such as an activation or a depth.

    ``family(activation="tanh")`` returns a member, whose name in the catalogue is ``"<name of the family>.tanh"``.

    Args:
        name: dotted name, such as "geometry.scalar_curvature".
        meaning: meaning of the formula, one sentence.
        parameters: parameters that select a member. Those with a default come last and are not part of a member's name.
        build: function of the values of all parameters, in their order, that returns the closed form.
        members: labels of the members that the catalogue lists, such as ("erf", "gelu"). Default: none.

    Raises:
        ValueError: if a field is empty, two parameters have the same name, or a parameter without a default follows one
            with a default.

    >>> import theory
    >>> theory.catalogue()["geometry.volume_element"](activation="erf").name
    'geometry.volume_element.erf'
    """

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., ClosedForm]
    members: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or not self.meaning.strip() or not self.parameters:
            raise ValueError(f"family {self.name!r} needs a name, a meaning and parameters")
        if len({parameter.name for parameter in self.parameters}) != len(self.parameters):
            raise ValueError(f"family {self.name!r} has two parameters with the same name")
        required = [parameter.default is None for parameter in self.parameters]
        if required != sorted(required, reverse=True) or not required[0]:
            raise ValueError(
                f"parameters of {self.name!r}: got one without a default after one with a default, needs it before"
            )

    def __call__(self, *values: Any, **named: Any) -> ClosedForm:
        """Return the member for the given values of the parameters, by position or keyword.

        Raises:
            TypeError: for a parameter that is missing, unknown or given twice.
            ValueError: for an invalid value of a parameter.
        """
        optional = [p.name for p in self.parameters if p.default is not None]
        given = by_name(
            self.name, [p.name for p in self.parameters], values, named, "parameter", optional
        )
        return self.build(
            *(
                p.read(p.name, given[p.name]) if p.name in given else p.default
                for p in self.parameters
            )
        )

    def has_member(self, label: str) -> bool:
        """Return whether some values of the parameters have this label, without building the member."""
        try:
            self.values(label)
        except ValueError:
            return False
        return True

    def values(self, label: str) -> list[Any]:
        """Return the values of the required parameters that a label represents.

        Underscores separate the values in a label; a value may contain underscores itself.

        Raises:
            ValueError: if no values have this label; the message gives the reason.
        """
        required = [parameter for parameter in self.parameters if parameter.default is None]
        reason = (
            f"a label has {len(required)} parts: {', '.join(p.prefix + p.name for p in required)}"
        )
        for parts in _splits(label, len(required)):
            try:
                return [
                    parameter.read_label(part)
                    for parameter, part in zip(required, parts, strict=True)
                ]
            except ValueError as error:
                reason = str(error)
        raise ValueError(f"{self.name} has no member {label!r}: {reason}")

    @property
    def member_names(self) -> tuple[str, ...]:
        """The full names of the members that the catalogue lists."""
        return tuple(f"{self.name}.{label}" for label in self.members)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def text(self, width: int = _WIDTH) -> str:
        """Return the family as a text table of at most ``width`` columns: meaning, parameters and some members."""
        rows = [("", self.meaning)]
        for index, parameter in enumerate(self.parameters):
            default = "" if parameter.default is None else f" (default: {parameter.default})"
            rows.append(
                ("takes" if index == 0 else "", f"{parameter.name}: {parameter.meaning}{default}")
            )
        if self.members:
            rows.append(("such as", ", ".join(self.member_names)))
        lines = [self.name]
        for title, text in rows:
            lines += textwrap.wrap(
                text, width, initial_indent=f"  {title:<10}", subsequent_indent=" " * 12
            )
        return "\n".join(lines)


def integer_from(least: int = 1, most: int = sys.maxsize) -> Callable[[str, Any], int]:
    """Return the ``read`` function of a parameter that is an integer from ``least`` to ``most``, such as a depth."""

    def read(name: str, value: Any) -> int:
        from theory.core.numbers.arguments import integer

        return integer(name, value, least, most)

    return read


def _splits(label: str, count: int) -> Iterator[list[str]]:
    """Yield every split of ``label`` at underscores into ``count`` parts, in the order of increasing first parts."""
    words = label.split("_")
    for cuts in itertools.combinations(range(1, len(words)), count - 1):
        ends = [0, *cuts, len(words)]
        yield ["_".join(words[start:end]) for start, end in itertools.pairwise(ends)]
