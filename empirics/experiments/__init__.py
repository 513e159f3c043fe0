"""One package per subject, one module per experiment (a frozen ``Config``, ``run(config) -> trace``), and the studies.

``STUDIES`` maps a study's name to it; ``study.configs("smoke" | "laptop" | "paper")`` gives its labelled
configurations.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr

    from empirics.experiments.study import Study

# What a run is of: modules below this one with a frozen ``Config`` (whose ``experiment`` is this name) and ``run``.
EXPERIMENTS = (
    "two_point", "leaky_resnet", "leaky_resnet.geodesics", "collapse",
    "geometry.random_networks", "geometry.trained", "geometry.mnist",
    "vision_geometry.resnet", "vision_geometry.self_supervised", "compression",
    "compression.learning_curves", "compression.kernel_components",
)  # fmt: skip
# What `closedform run` runs: the name of a study -> the module below this one that holds it as STUDY.
_STUDY_MODULES = {
    "compression-amplification": "compression.amplification",
    "compression-time": "compression.characteristic_time",
    "compression-neurons": "compression.neurons",
    "compression-learning-curves": "compression.learning_curves_study",
    "compression-kernel-components": "compression.kernel_components_study",
    "compression-kernel-learning": "compression.kernel_learning_study",
    "two-point-architectures": "two_point.architectures",
    "two-point-initial-weights": "two_point.initial_weights",
    "two-point-layer": "two_point.layer",
    "two-point-alternatives": "two_point.alternatives",
    "two-point-adam": "two_point.adam",
    "leaky-resnet-bottleneck": "leaky_resnet.bottleneck",
    "leaky-resnet-ranks": "leaky_resnet.ranks",
    "leaky-resnet-depths": "leaky_resnet.depths",
    "leaky-resnet-meshes": "leaky_resnet.meshes",
    "leaky-resnet-adaptive": "leaky_resnet.adaptive",
    "leaky-resnet-geodesics": "leaky_resnet.geodesics_study",
    "collapse-layers": "collapse.layers",
    "collapse-random-labels": "collapse.random_labels",
    "collapse-information": "collapse.information",
    "geometry-random-networks": "geometry.random_networks_study",
    "geometry-xor": "geometry.xor_study",
    "geometry-sinusoid": "geometry.sinusoid_study",
    "geometry-mnist": "geometry.mnist_study",
    "vision-geometry-resnet": "vision_geometry.resnet_study",
    "vision-geometry-self-supervised": "vision_geometry.self_supervised_study",
}
SUBJECTS = tuple(dict.fromkeys(name.partition(".")[0] for name in EXPERIMENTS))
__all__ = ["EXPERIMENTS", "STUDIES", "experiment", "run", *SUBJECTS]


class _Studies(Mapping[str, "Study"]):
    """The studies by name; looking one up imports only its module."""

    def __getitem__(self, name: str) -> Study:
        if name not in _STUDY_MODULES:
            raise KeyError(f"no study {name!r}; there are {', '.join(_STUDY_MODULES)}")
        study: Study = importlib.import_module(f"{__name__}.{_STUDY_MODULES[name]}").STUDY
        return study

    def __iter__(self) -> Iterator[str]:
        return iter(_STUDY_MODULES)

    def __len__(self) -> int:
        return len(_STUDY_MODULES)

    def __repr__(self) -> str:
        return f"Studies({', '.join(self)})"


STUDIES: Mapping[str, Study] = _Studies()


def experiment(name: str) -> ModuleType:
    """The module of an experiment, with its ``Config`` and ``run``.

    Args:
        name: one of ``EXPERIMENTS``.

    Raises:
        KeyError: if there is no such experiment.
    """
    if name not in EXPERIMENTS:
        raise KeyError(f"no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    return importlib.import_module(f"{__name__}.{name}")


def run(config: Any, **options: Any) -> xr.Dataset:
    """Run the experiment that ``config`` is a configuration of; ``options`` as its own ``run`` takes them.

    Raises:
        TypeError: if ``config`` is not the ``Config`` of an experiment.
    """
    name = getattr(type(config), "experiment", None)
    if name not in EXPERIMENTS:
        raise TypeError(f"config: got {type(config).__name__}, needs the Config of one of {', '.join(EXPERIMENTS)}")
    trace: xr.Dataset = experiment(name).run(config, **options)
    return trace


def __getattr__(name: str) -> Any:
    if name in SUBJECTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
