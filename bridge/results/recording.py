"""Recording: the results of a study, as :mod:`bridge.results.record` keeps them, from the traces in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.results.changed_options import command
from bridge.results.record import Record, hash_of, present, versions_of
from closedform.measured import DIGITS
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    import xarray as xr

    from bridge.results.analysis import Analysis
    from bridge.results.folder import StudyRuns

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "results"  # of a checkout


def of_study(runs: StudyRuns, traces: Mapping[str, xr.Dataset], analysis: Analysis) -> Record:
    """Return the results of one study from the traces and analysis of a folder.

    Raises:
        ValueError: if the traces are not those of the study, at its scale and with the changed options.
    """
    hashes = {label: hash_of(trace) for label, trace in traces.items()}
    expected = present(runs.study, runs.scale, runs.changed)
    if strange := [label for label, digits in hashes.items() if expected.get(label) != digits]:
        raise ValueError(
            f"traces of {runs.study}: got {', '.join(strange)} with other configurations, needs those of scale "
            f"{runs.scale!r} today; `{command(runs.study, runs.scale, runs.changed)}` makes them"
        )
    attributes = [trace.attrs for trace in traces.values()]
    versions = versions_of(traces)
    devices = dict.fromkeys(f"{one['device']}, {one.get('processor', '')}".strip(", ") for one in attributes)
    return Record(
        study=runs.study,
        scale=runs.scale,
        changed=dict(runs.changed),
        configurations=hashes,
        missing=tuple(label for label in expected if label not in hashes),
        versions=versions,
        device="; ".join(devices),
        seconds=float(f"{sum(float(one['wall_seconds']) for one in attributes):.{DIGITS}g}"),
        measured=analysis.numbers,
        findings=analysis.findings,
        doubts=tuple(f"{d.label}, {d.seeds}: {d.text}" if d.seeds else f"{d.label}: {d.text}" for d in analysis.doubts),
        pictures={picture.name: picture.caption for picture in analysis.pictures},
    )


def draw(recorded: Record, analysis: Analysis, home: Path = PICTURES) -> list[Path]:
    """Draw the pictures of a study into ``home``/STUDY-SCALE; return their paths.

    They replace those of this scale and of smaller ones, since the pages show the largest scale.
    """
    from bridge.plots import style

    for scale in SCALES[: SCALES.index(recorded.scale) + 1]:
        for old in (home / f"{recorded.study}-{scale}").glob("*.webp"):
            old.unlink()
    folder = home / f"{recorded.study}-{recorded.scale}"
    return [style.save(picture.figure, folder / f"{picture.name}.webp") for picture in analysis.pictures]
