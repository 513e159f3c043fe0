"""The registries of all experiments and studies, which subjects announce and which are imported when looked up.

A subject announces itself in the ``__init__`` of its package by two constants, both optional, of text only:
``EXPERIMENTS``, ``{name: "module"}``, and ``STUDIES``, ``{name: "module:attribute"}``. Subjects are the packages below
:mod:`empirics.experiments`, and the module or package ``empirics`` of guests (:mod:`closedform.subjects`).
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from closedform.registry import Registry
from closedform.subjects import EntryKind, Floor

if TYPE_CHECKING:
    import xarray as xr

    from empirics.runs.study import Study

FLOOR: Final = Floor(
    "empirics",
    ("empirics.experiments",),
    (
        EntryKind("EXPERIMENTS", "experiment", has=("Config", "run"), of_modules=True),
        EntryKind("STUDIES", "study", has=("name", "question", "configs")),
    ),
)
EXPERIMENTS: Registry[ModuleType] = Registry(FLOOR, "EXPERIMENTS")
STUDIES: Registry[Study] = Registry(FLOOR, "STUDIES")


def command_name(name: str) -> str:
    """Return the name that an experiment such as ``"geometry.random_networks"`` has on the command line, hyphenated."""
    return name.replace(".", "-").replace("_", "-")


def run(config: Any, **options: Any) -> xr.Dataset:
    """Run the experiment to which ``config`` belongs.

    Args:
        config: the ``Config`` of an experiment that a subject announces, or one of your own, whose ``run`` is decorated
            with ``run_of(Config)``.
        options: keyword arguments of the experiment's ``run``.

    Raises:
        TypeError: if ``config`` is not the ``Config`` of an experiment.

    >>> from empirics.experiments import two_point
    >>> run(two_point.Config(depth=3, width=10, epochs=50, seeds=1), progress=False).attrs["experiment"]
    'two_point'
    """
    kind = type(config)
    name = getattr(kind, "experiment", None)
    if name not in EXPERIMENTS and "own_run" not in vars(kind):
        known = ", ".join(EXPERIMENTS)
        needs = f"the Config of one of {known}, or one whose run is decorated with run_of(Config)"
        raise TypeError(f"config: got {kind.__name__}, needs {needs}")
    trace: xr.Dataset = (EXPERIMENTS[str(name)].run if name in EXPERIMENTS else kind.own_run)(
        config, **options
    )
    return trace
