"""The registries of analyses for reports, of fits of a user's own file, and of the figures of the papers.

``empirics.experiments.STUDIES`` defines the studies, with their networks and numbers of seeds. The analysis of a study
compares its traces with the theory and returns fits, comparisons, figures and findings. A subject announces its
analyses in the ``__init__`` of its package as ``ANALYSES = {name of the study: "module:function"}``, and its fits as
``FITS``, in the same form. ``FIGURES`` maps the key of a paper to its figures and tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from bridge.results import overview
from bridge.results.quantity import FLOOR
from closedform import checks
from closedform.registry import Registry
from closedform.suggestions import unknown
from empirics.experiments.registry import command_name

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from bridge.results.analysis import Analysis
    from bridge.results.printed_figure import PrintedFigure


class Fit(Protocol):
    """The result of a fit: a text and a figure."""

    def summary(self) -> str:
        """Return a table of the results as text."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the fitted curves over the measured ones into ``ax``, or into new axes, and return the axes."""


ANALYSES: Registry[Callable[[Mapping[str, xr.Dataset]], Analysis]] = Registry(FLOOR, "ANALYSES")
FITS: Registry[Callable[..., Fit]] = Registry(FLOOR, "FITS")
FIGURES: Registry[tuple[PrintedFigure, ...]] = Registry(FLOOR, "FIGURES")

USER_ANALYSES: dict[str, Callable[[Mapping[str, xr.Dataset]], Analysis]] = {}
"""Analyses of the user's own experiments, by name."""

__all__ = ["ANALYSES", "FIGURES", "FITS", "USER_ANALYSES", "Fit", "analyse"]


def analyse(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compute the fits, comparisons and figures of one study; of an experiment of the user's own, an overview.

    Args:
        study: name of the study, or of the experiment, such as ``"two-point"``, for traces that belong to no study.
        traces: configuration label -> trace.

    Raises:
        TypeError: if ``study`` is not text, or ``traces`` is not a mapping.
        ValueError: for an unknown study, no traces, or a trace that cannot be fitted.

    >>> from empirics.experiments import two_point
    >>> config = two_point.Config(depth=3, width=10, epochs=50, seeds=2)
    >>> len(analyse("two-point", {"three layers": two_point.run(config, progress=False)}).measured)
    2
    """
    checks.instance("study", study, str, "the name of a study or of an experiment")
    if not isinstance(traces, Mapping):
        raise TypeError(f"traces: got {type(traces).__name__}, needs a mapping from labels of configurations to traces")
    name = command_name(study)
    known = USER_ANALYSES if name in USER_ANALYSES else ANALYSES
    if name not in known:
        if not _is_of_this_package(traces):
            return overview.analyse(traces)
        raise ValueError(unknown("study", study, ANALYSES))
    if not traces:
        raise ValueError(f"traces: got none of the study {study!r}, needs some; run it first")
    return known[name](traces)


def _is_of_this_package(traces: Mapping[str, xr.Dataset]) -> bool:
    """Return whether one of the traces, or no trace at all, is of an experiment that a subject announces."""
    from empirics.experiments import EXPERIMENTS

    return not traces or any(trace.attrs.get("experiment") in EXPERIMENTS for trace in traces.values())
