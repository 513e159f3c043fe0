"""Families of closed forms: one formula for every activation, depth or degree, and the names of its members.

Importing this module imports no computer algebra, so that families can be listed at once.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theory.core.suggestions import unknown

if TYPE_CHECKING:
    from theory.core.closed_form import ClosedForm

_WIDTH = 100


@dataclass(frozen=True)
class Parameter:
    """What a family must be given before it is a formula.

    Args:
        name: the keyword: "activation".
        meaning: what it is and which values it takes, in words.
        read: takes the keyword and what the user gave, a value or text, and returns the value that the family is built
            with. It raises TypeError or ValueError, which name the keyword, for anything else.
        default: value where it is not given; None if it must be given.
        prefix: what stands before its value in the name of a member: "monomial_" of a degree.
    """

    name: str
    meaning: str
    read: Callable[[str, Any], Any]
    default: Any = None
    prefix: str = ""

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"name of a parameter must be an identifier, got {self.name!r}")
        if not self.meaning.strip():
            raise ValueError(f"parameter {self.name!r} needs a meaning")

    def read_label(self, label: str) -> Any:
        """The value that stands in the name of a member; ValueError where there is none."""
        if not label.startswith(self.prefix):
            raise ValueError(f"{self.name}: got {label!r}, needs {self.prefix}...")
        try:
            value = self.read(self.name, label.removeprefix(self.prefix))
        except TypeError as error:
            raise ValueError(str(error)) from None
        if self.label(value) != label:
            raise ValueError(f"{self.name}: {label!r} is no label of a member; call the family with {self.name}=...")
        return value

    def label(self, value: Any) -> str:
        """What stands for a value in the name of a member."""
        return f"{self.prefix}{getattr(value, 'name', value)}"


@dataclass(frozen=True)
class Family:
    """Closed forms that differ in an activation, a depth or the like, under one name.

    ``family(activation="tanh")`` is a member; so is ``family.member("tanh")``, which the catalogue calls
    ``"<name of the family>.tanh"``.

    Args:
        name: dotted name: "geometry.scalar_curvature".
        meaning: one sentence.
        parameters: what a member must be given; those with a default come last and are no part of a member's name.
        build: takes the value of each parameter, in their order, and gives the closed form.
        members: labels of the members that the catalogue lists: ("erf", "gelu").

    Raises:
        ValueError: if a field is empty, or two parameters have one name.
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
            raise ValueError(f"family {self.name!r} has two parameters of one name")
        required = [parameter.default is None for parameter in self.parameters]
        if required != sorted(required, reverse=True) or not required[0]:
            raise ValueError(
                f"family {self.name!r} must begin with a parameter that has no default, and end with those"
            )

    def __call__(self, *values: Any, **named: Any) -> ClosedForm:
        """The member with these values of the parameters, by position or keyword.

        Raises:
            TypeError: for a parameter that is missing, unknown or given twice.
            ValueError: for a value that the parameter does not take.
        """
        names = [parameter.name for parameter in self.parameters]
        signature = f"{self.name}({', '.join(names)})"
        if len(values) > len(names):
            raise TypeError(f"{signature} takes {len(names)} arguments, got {len(values)}")
        given = dict(zip(names, values, strict=False))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"{signature}: {unknown('parameter', name, names)}")
            if name in given:
                raise TypeError(f"{signature} got {name!r} twice")
            given[name] = value
        missing = [p.name for p in self.parameters if p.name not in given and p.default is None]
        if missing:
            raise TypeError(f"{signature} needs {', '.join(missing)}")
        return self.build(*(p.read(p.name, given[p.name]) if p.name in given else p.default for p in self.parameters))

    def member(self, label: str) -> ClosedForm:
        """The member whose name ends in ``label``: "tanh", "swish_7".

        Raises:
            ValueError: if no values of the parameters have this label; says why.
        """
        return self(*self.values(label))

    def has_member(self, label: str) -> bool:
        """Whether ``member`` would find values for this label. Nothing is derived to decide it."""
        try:
            self.values(label)
        except ValueError:
            return False
        return True

    def values(self, label: str) -> list[Any]:
        """Values of the required parameters from a label, where underscores stand between them, perhaps inside them.

        Raises:
            ValueError: if no values have this label; says why.
        """
        required = [parameter for parameter in self.parameters if parameter.default is None]
        reason = f"a label has {len(required)} parts: {', '.join(p.prefix + p.name for p in required)}"
        for parts in _splits(label, len(required)):
            try:
                return [parameter.read_label(part) for parameter, part in zip(required, parts, strict=True)]
            except ValueError as error:
                reason = str(error)
        raise ValueError(f"{self.name} has no member {label!r}: {reason}")

    @property
    def member_names(self) -> tuple[str, ...]:
        """Full names of the members that the catalogue lists."""
        return tuple(f"{self.name}.{label}" for label in self.members)

    def __str__(self) -> str:
        rows = [("", self.meaning)]
        for index, parameter in enumerate(self.parameters):
            default = "" if parameter.default is None else f" (default: {parameter.default})"
            rows.append(("takes" if index == 0 else "", f"{parameter.name}: {parameter.meaning}{default}"))
        if self.members:
            rows.append(("such as", ", ".join(self.member_names)))
        lines = [self.name]
        for title, text in rows:
            lines += textwrap.wrap(text, _WIDTH, initial_indent=f"  {title:<10}", subsequent_indent=" " * 12)
        return "\n".join(lines)

    __repr__ = __str__


def whole_number(least: int = 1) -> Callable[[str, Any], int]:
    """Reads a parameter that is an integer of at least ``least``: a depth, a degree."""

    def read(name: str, value: Any) -> int:
        from theory.core.arguments import integer

        return integer(name, value, least)

    return read


def _splits(label: str, count: int) -> Iterator[list[str]]:
    """``label`` cut into ``count`` parts at underscores, those with the shortest last parts at the end."""
    words = label.split("_")
    for cuts in itertools.combinations(range(1, len(words)), count - 1):
        ends = [0, *cuts, len(words)]
        yield ["_".join(words[start:end]) for start, end in itertools.pairwise(ends)]
