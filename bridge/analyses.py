"""How the traces of a study become fits, comparisons and figures: the analyses that all subjects announce.

The study itself (which networks, how many seeds) is ``empirics.experiments.STUDIES``; here the theory meets it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bridge.subjects import Announced

if TYPE_CHECKING:
    import xarray as xr

    from bridge.analysis import Analysis

RENAMED = {
    "vision-geometry-resnet": "geometry-resnet",
    "vision-geometry-self-supervised": "geometry-self-supervised",
}  # names that traces and study files of earlier versions carry

ANALYSES: Mapping[str, Callable[[Mapping[str, xr.Dataset]], Analysis]] = Announced("ANALYSES")
FITS: Mapping[str, Callable[..., object]] = Announced("FITS")

__all__ = ["ANALYSES", "FITS", "analyse", "current_name"]


def current_name(name: str) -> str:
    """The name that a study or single experiment has on the command line today.

    Args:
        name: of a study or of an experiment (``"geometry.trained"``), in this version or an earlier one.
    """
    shown = name.replace(".", "-").replace("_", "-")
    return RENAMED.get(shown, shown)


def analyse(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compute the fits, comparisons and figures of one study.

    Args:
        study: name of the study, or of the experiment, such as ``"two-point"``, for traces that belong to no study.
        traces: configuration label to trace.

    Raises:
        ValueError: for an unknown study, no traces, or a trace that cannot be fitted.
    """
    name = current_name(study)
    if name not in ANALYSES:
        raise ValueError(f"study: got {study!r}, needs one of {', '.join(ANALYSES)}")
    if not traces:
        raise ValueError(f"traces: study {study!r} has none yet; run it first")
    return ANALYSES[name](traces)
