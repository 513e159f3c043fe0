"""Recording: the results of a study, as :mod:`bridge.results.record` keeps them, from the traces in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bridge.results import analyses, folder, plan, succession
from bridge.results.figure_table import standing
from bridge.results.judging import figures_of, judged
from bridge.results.quantity import version
from bridge.results.record import (
    Planned,
    Record,
    command,
    drawn,
    every,
    hash_of,
    home_of,
    load,
    present,
    versions_of,
    write,
)
from closedform.measured import DIGITS
from empirics.runs.study import Scale

if TYPE_CHECKING:
    import xarray as xr

    from bridge.results.analysis import Analysis
    from bridge.results.folder import StudyRuns

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "results"  # of a checkout


def of_study(runs: StudyRuns, traces: Mapping[str, xr.Dataset], analysis: Analysis) -> Record:
    """Return the results of one study from its traces; a ValueError if they are not those of the study at its scale."""
    hashes = {label: hash_of(trace) for label, trace in traces.items()}
    expected = present(runs.study, runs.scale, runs.changed)
    strange = [label for label, digits in hashes.items() if expected.get(label) != digits]
    if strange:
        raise ValueError(
            f"traces of {runs.study}: got {', '.join(strange)} with other configurations, needs those of scale "
            f"{runs.scale!r} today; `{command(runs.study, runs.scale, runs.changed)}` makes them"
        )
    attributes = [trace.attrs for trace in traces.values()]
    versions = versions_of(traces)
    devices = dict.fromkeys(
        f"{attrs['device']}, {attrs.get('processor', '')}".strip(", ") for attrs in attributes
    )
    result = Record(
        study=runs.study,
        scale=runs.scale,
        changed=dict(runs.changed),
        configurations=hashes,
        missing=tuple(label for label in expected if label not in hashes),
        versions=versions,
        device="; ".join(devices),
        seconds=float(f"{sum(float(one['processor_seconds']) for one in attributes):.{DIGITS}g}"),
        measured=analysis.numbers,
        findings=analysis.findings,
        doubts=tuple(
            f"{d.label}, {d.seeds}: {d.text}" if d.seeds else f"{d.label}: {d.text}"
            for d in analysis.doubts
        ),
        pictures={picture.name: picture.caption for picture in analysis.pictures},
        statistics={number.quantity: version(number.quantity) for number in analysis.numbers},
    )
    return replace(result, plans=planned(result, runs))


def planned(result: Record, runs: StudyRuns) -> dict[str, Planned]:
    """Return the plans of the rows that a study judges, with verdicts; only fresh seeds confirm a changed plan."""
    first = int(result.changed.get("first_seed", 0))
    earlier = (
        {}
        if result.is_fresh
        else {str(scale): record.plans for scale, record in load(result.study).items()}
    )
    kept = earlier.get(result.scale, {})
    plans: dict[str, Planned] = {}
    for figure in (figure for figure in figures_of(result.study) if figure.quantity):
        now = Planned(
            plan.digest(figure), plan.kind(runs.plans, figure, first), judged(figure, result)
        )
        plans[figure.label] = kept.get(figure.label, now) if figure.revised else now
    return plans


def record_study(
    directory: Path, runs: StudyRuns, home: Path | None = None, pictures: Path = PICTURES
) -> tuple[Record, list[Path]] | None:
    """Analyse and record the traces of a study with pictures if all were run; return record and paths, or None.

    Args:
        directory: folder with the traces.
        runs: the study, as it was run there.
        home: folder of the record. Default: that of the study's wing, which keeps pictures of the runs of
            :func:`drawn_runs` alone.
        pictures: folder of the pictures.

    Raises:
        ValueError: if no ``home`` is given and no wing has the study.
    """
    is_of_a_wing = home is None
    home = home or home_of(runs.study)
    if home is None:
        raise ValueError(
            f"record: the study {runs.study!r} is of another distribution, needs one of a paper's wing"
        )
    traces, _ = folder.load(directory, runs)
    if not traces:
        return None
    analysis = analyses.analyse(runs.study, traces)
    result = of_study(runs, traces, analysis)
    if not pictures.parent.is_dir():
        result = replace(result, pictures={})
    scale = cast(Scale, result.scale)
    before = load(runs.study, home, fresh=result.is_fresh).get(scale)
    whole = result if before is None else succession.of_one_run(result, before)
    kept = whole if before is None else succession.with_earlier(whole, before)
    path = write(kept, home)
    if is_of_a_wing:
        discard_pictures(runs.study, home, pictures)
        kept = load(runs.study, home, fresh=result.is_fresh)[scale]
    is_part = len(whole.configurations) > len(result.configurations)
    paths = draw(kept, analysis, pictures) if kept.pictures and not is_part else []
    return kept, [path, *paths]


def drawn_runs(study: str) -> list[Record]:
    """Return the runs of a study whose pictures are kept: of those that have some, the largest and all that decide."""
    deciding = [standing(figure).record for figure in figures_of(study) if figure.quantity]
    names = {run.name for run in deciding if run is not None}
    runs = drawn(study)
    return [run for run in runs if run is runs[-1] or run.name in names]


def discard_pictures(study: str, home: Path, pictures: Path = PICTURES) -> None:
    """Remove the pictures of a study that are not of :func:`drawn_runs`, and their names from the records."""
    kept = drawn_runs(study)
    for run in every(study):
        if run.pictures and run not in kept:
            _remove(pictures / run.name)
            write(replace(run, pictures={}, share=""), home)


def draw(recorded: Record, analysis: Analysis, home: Path = PICTURES) -> list[Path]:
    """Draw the pictures of a run into the folder of its name in ``home``, instead of those there."""
    from bridge.plots import style

    directory = home / recorded.name
    _remove(directory)
    return [
        style.save(picture.figure, directory / f"{picture.name}.webp")
        for picture in analysis.pictures
    ]


def _remove(directory: Path) -> None:
    """Remove the pictures in a folder."""
    for old in directory.glob("*.webp"):
        old.unlink()
