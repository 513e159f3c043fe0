"""The registries of all experiments and studies, which subjects announce and which are imported when looked up.

A subject announces itself in the ``__init__`` of its package by two constants, both optional, of text only:
``EXPERIMENTS``, ``{name: "module"}``, and ``STUDIES``, ``{name: "module:attribute"}``. Subjects are all packages below
:mod:`empirics.experiments`, and the module or package ``empirics`` of each installed Python entry point of the group
``closedform.subjects``.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    import xarray as xr

    from empirics.runs.study import Study

GROUP: Final = "closedform.subjects"
HOME: Final = "empirics.experiments"
FLOOR: Final = "empirics"
Entry = TypeVar("Entry")


def subjects(home: str = HOME) -> tuple[str, ...]:
    """Return the names of the subjects in this distribution, in alphabetical order.

    Args:
        home: the package whose subpackages are the subjects.
    """
    path = importlib.import_module(home).__path__
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path) if module.ispkg))


def packages(home: str = HOME, floor: str = FLOOR) -> Iterator[ModuleType]:
    """Yield the package of every subject, with those of installed plugins last.

    Args:
        home: the package whose subpackages are the subjects in this distribution.
        floor: name of the module or package of a plugin that holds the same constants.

    Warns:
        RuntimeWarning: if a plugin cannot be imported; it is skipped.
    """
    for name in subjects(home):
        yield importlib.import_module(f"{home}.{name}")
    for plugin in entry_points(group=GROUP):
        try:
            if importlib.util.find_spec(f"{plugin.value}.{floor}") is not None:
                yield importlib.import_module(f"{plugin.value}.{floor}")
        except Exception as error:  # no error of another distribution may hide the subjects of this one
            origin = plugin.dist.name if plugin.dist is not None else plugin.value
            warnings.warn(
                f"distribution {origin}: its subject {plugin.name!r} cannot be imported and is left out "
                f"({type(error).__name__}: {error})",
                RuntimeWarning,
                stacklevel=2,
            )


class Registry(Mapping[str, Entry], Generic[Entry]):
    """The entries that subjects announce under one constant, as a mapping that imports an entry when it is looked up.

    Args:
        constant: name of the constant.
        kind: word for an entry in messages.
        home: the package whose subpackages announce entries.
        floor: name of the module or package of a plugin that announces entries.
    """

    def __init__(self, constant: str, kind: str, home: str = HOME, floor: str = FLOOR) -> None:
        self._constant, self._kind, self._home, self._floor = constant, kind, home, floor

    @cached_property
    def targets(self) -> Mapping[str, str]:
        """The mapping ``{name: "module" or "module:attribute"}``.

        Raises:
            ValueError: if two subjects announce the same name.
        """
        targets: dict[str, str] = {}
        origins: dict[str, str] = {}
        for package in packages(self._home, self._floor):
            for name, target in getattr(package, self._constant, {}).items():
                if name in targets:
                    raise ValueError(
                        f"{self._constant}: got {name!r} from both {origins[name]} and {package.__name__}, "
                        "needs different names"
                    )
                targets[name], origins[name] = target, package.__name__
        return targets

    def __getitem__(self, name: str) -> Entry:
        if name not in self.targets:
            raise KeyError(f"no {self._kind} {name!r}; there are {', '.join(self.targets)}")
        module, _, attribute = self.targets[name].partition(":")
        home: Any = importlib.import_module(module)
        entry: Entry = getattr(home, attribute) if attribute else home
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self.targets

    def __iter__(self) -> Iterator[str]:
        return iter(self.targets)

    def __len__(self) -> int:
        return len(self.targets)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._constant.lower()}: {', '.join(self)}>"


EXPERIMENTS: Registry[ModuleType] = Registry("EXPERIMENTS", "experiment")
STUDIES: Registry[Study] = Registry("STUDIES", "study")


def experiment(name: str) -> ModuleType:
    """Return the module of an experiment, with its ``Config`` and ``run``.

    Args:
        name: one of ``EXPERIMENTS``, or a former name of an experiment.

    Raises:
        KeyError: if there is no such experiment.
    """
    from empirics.runs.config import present_name

    return EXPERIMENTS[present_name(name)]


def run(config: Any, **options: Any) -> xr.Dataset:
    """Run the experiment to which ``config`` belongs.

    Args:
        config: the ``Config`` of an experiment that a subject announces, or one of your own, whose ``run`` is decorated
            with ``run_of(Config)``.
        options: keyword arguments of the experiment's ``run``.

    Raises:
        TypeError: if ``config`` is not the ``Config`` of an experiment.
    """
    kind = type(config)
    name = getattr(kind, "experiment", None)
    if name not in EXPERIMENTS and "own_run" not in vars(kind):
        known = ", ".join(EXPERIMENTS)
        needs = f"the Config of one of {known}, or one whose run is decorated with run_of(Config)"
        raise TypeError(f"config: got {kind.__name__}, needs {needs}")
    trace: xr.Dataset = (EXPERIMENTS[str(name)].run if name in EXPERIMENTS else kind.own_run)(config, **options)
    return trace
