"""Where subjects announce what ``bridge`` knows of them: in its own subpackages, and in those of installed plugins.

A constant such as ``ANALYSES`` in the ``__init__`` of a subpackage maps names to ``"module:attribute"``. A distribution
with an entry point in the group ``closedform.subjects`` whose value is a package P does the same in ``P.bridge``.
"""

from __future__ import annotations

import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any

GROUP = "closedform.subjects"


@cache
def modules() -> tuple[ModuleType, ...]:
    """The subpackages of ``bridge``, then ``P.bridge`` of every plugin that has one."""
    import bridge

    inside = (import_module(f"bridge.{found.name}") for found in pkgutil.iter_modules(bridge.__path__) if found.ispkg)
    return (*inside, *_plugins())


def _plugins() -> Iterator[ModuleType]:
    for point in entry_points(group=GROUP):
        try:
            if find_spec(f"{point.value}.bridge"):
                yield import_module(f"{point.value}.bridge")
        except Exception as problem:  # whatever is wrong with it, the others are not to suffer
            name = point.dist.name if point.dist else point.value
            warnings.warn(f"{name}: its subject {point.name!r} is left out ({problem!r})", stacklevel=2)


class Announced(Mapping[str, Any]):
    """What all subjects announce under one constant, by name; looking one up imports only its module.

    Attributes:
        constant: such as ``"ANALYSES"``.
    """

    def __init__(self, constant: str) -> None:
        self.constant = constant

    @property
    def places(self) -> Mapping[str, str]:
        """Name to ``"module:attribute"``.

        Raises:
            ValueError: if two subjects announce one name.
        """
        return _places(self.constant)

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = self.places[name].partition(":")
        return getattr(import_module(module), attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"{self.constant}({', '.join(self)})"


@cache
def _places(constant: str) -> Mapping[str, str]:
    places: dict[str, str] = {}
    for module in modules():
        for name, place in getattr(module, constant, {}).items():
            if name in places:
                raise ValueError(f"{constant}: {name!r} is announced as {places[name]} and as {place}")
            places[name] = place
    return places
