"""Recording: the results of a study, as :mod:`bridge.recorded` keeps them, from the traces in a folder."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.changed_options import command
from bridge.recorded import Number, Recorded, hash_of, present, versions_of
from empirics.experiments.study import SCALES

if TYPE_CHECKING:
    import xarray as xr

    from bridge.analysis import Analysis
    from bridge.report.folder import StudyRuns

DIGITS = 6  # so that the last bits of another machine change no file
COUNTS = ("seeds", "realisations", "networks")  # keys of a row that say how often it was measured
PICTURES = Path(__file__).resolve().parents[1] / "docs" / "results"  # of a checkout


def of_study(runs: StudyRuns, traces: Mapping[str, xr.Dataset], analysis: Analysis) -> Recorded:
    """Return the results of one study from the traces and analysis of a folder.

    Raises:
        ValueError: if the traces are not those of the study, at its scale and with the changed options.
    """
    hashes = {label: hash_of(trace) for label, trace in traces.items()}
    expected = present(runs.study, runs.scale, runs.changed)
    if strange := [label for label, digits in hashes.items() if expected.get(label) != digits]:
        raise ValueError(
            f"traces of {runs.study}: got {', '.join(strange)} with other configurations than those of scale "
            f"{runs.scale!r} today; `{command(runs.study, runs.scale, runs.changed)}` makes the present ones"
        )
    attributes = [trace.attrs for trace in traces.values()]
    versions = versions_of(traces)
    devices = dict.fromkeys(f"{one['device']}, {one.get('processor', '')}".strip(", ") for one in attributes)
    return Recorded(
        study=runs.study,
        scale=runs.scale,
        changed=dict(runs.changed),
        configurations=hashes,
        missing=tuple(label for label in expected if label not in hashes),
        versions=versions,
        device="; ".join(devices),
        seconds=_rounded(sum(float(one["wall_seconds"]) for one in attributes)),
        numbers=(*_compared(analysis), *_tabled(analysis)),
        findings=analysis.findings,
        doubts=tuple(f"{d.label}, {d.seeds}: {d.text}" if d.seeds else f"{d.label}: {d.text}" for d in analysis.doubts),
        pictures={picture.name: picture.caption for picture in analysis.pictures},
    )


def _compared(analysis: Analysis) -> list[Number]:
    return [
        Number(
            one.label, one.quantity, _rounded(one.comparison.measured), _rounded(one.comparison.error),
            _rounded(one.comparison.predicted), _finite(one.comparison.repetitions),
            _rounded(one.comparison.resolution), one.verdict, _rounded(one.comparison.prediction_error), one.relation,
        )
        for one in analysis.compared
        if _finite(one.comparison.measured) is not None
    ]  # fmt: skip


def _tabled(analysis: Analysis) -> list[Number]:
    """Return every number in a table that has an error; texts and whole numbers of its row identify it."""
    numbers = []
    for table in analysis.tables:
        keys = [column.key for column in table.columns]
        for row in table.rows:
            named = [str(row[key]) for key in keys if isinstance(row.get(key), str | int)]
            for key in keys:
                error = _finite(row.get(f"{key}_error"))
                if isinstance(row.get(key), float) and error is not None and _finite(row[key]) is not None:
                    counts = [row[count] for count in COUNTS if isinstance(row.get(count), int)]
                    repetitions = float(counts[0]) if counts else None
                    label = ", ".join(named)
                    numbers.append(Number(label, key, _rounded(row[key]), error, repetitions=repetitions))
    return numbers


def _rounded(value: Any) -> float:
    return float(f"{float(value):.{DIGITS}g}")


def _finite(value: Any) -> float | None:
    """Return a finite number rounded, and None for anything else."""
    try:
        number = _rounded(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def draw(recorded: Recorded, analysis: Analysis, home: Path = PICTURES) -> list[Path]:
    """Draw the pictures of a study into ``home``/STUDY-SCALE; return their paths.

    They replace those of this scale and of smaller ones, since the pages show the largest scale.
    """
    from bridge.figures import style

    for scale in SCALES[: SCALES.index(recorded.scale) + 1]:
        for old in (home / f"{recorded.study}-{scale}").glob("*.webp"):
            old.unlink()
    folder = home / f"{recorded.study}-{recorded.scale}"
    return [style.save(picture.figure, folder / f"{picture.name}.webp") for picture in analysis.pictures]
