"""Which measured numbers decide entries of the ledger: those of the figures that name an entry.

``closedform evidence`` writes them from the recorded results into one small file next to each ledger, with the scale,
the hashes of the configurations and the versions of the packages. A measurement is stale where the study has other
configurations today; the entry is OPEN again then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from bridge.results.analyses import FIGURES
from bridge.results.changed_options import command
from bridge.results.figure_table import result_for, selected
from bridge.results.printed_figure import PrintedFigure
from bridge.results.quantity import words
from closedform.decisive import decisive
from closedform.measured import Measured
from empirics.runs.study import SCALES
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.ledger.measurement import FILE, Measurement
from theory.core.proof.sources import digest, files_below
from theory.core.proof.store import stored

Key = tuple[str, str]
"""Key of a paper and label of an entry of its ledger."""


def figures_by_entry(study: str = "") -> dict[Key, list[PrintedFigure]]:
    """Return the figures that decide each entry of the ledgers.

    Args:
        study: name of a study; the default is all studies.

    Raises:
        ValueError: if the figures of one entry are of different studies.
    """
    figures: dict[Key, list[PrintedFigure]] = {}
    for paper in FIGURES:
        for figure in FIGURES[paper]:
            if figure.entry:
                figures.setdefault((paper, figure.entry), []).append(figure)
    for (paper, entry), group in figures.items():
        if len({figure.study for figure in group}) > 1:
            raise ValueError(f"{paper}, entry {entry!r}: got figures of different studies, needs one study")
    return {key: group for key, group in figures.items() if study in ("", group[0].study)}


def measurements() -> dict[Key, Measurement]:
    """Return the measurements of all entries that figures with current results decide.

    Of the results from the laptop scale on, that of the largest scale counts which has all configurations of its study
    and numbers for all figures of the entry. An entry with a number that has no error is left out.
    """
    decided = {key: _of_records(figures) for key, figures in figures_by_entry().items()}
    return {key: measurement for key, measurement in decided.items() if measurement}


def _of_records(figures: Sequence[PrintedFigure]) -> Measurement | None:
    record = result_for(figures, complete=True)
    if record is None or record.scale == SCALES[0] or not all(selected(record, figure) for figure in figures):
        return None
    measurement = deciding(figures, record.measured, record.study, record.scale)
    hashes = tuple(sorted(record.configurations.values()))
    return measurement and replace(measurement, changed=record.changed, configurations=hashes, versions=record.versions)


def deciding(
    figures: Iterable[PrintedFigure], numbers: Iterable[Measured], study: str, scale: str
) -> Measurement | None:
    """Return the measurement among ``numbers`` that decides an entry; None without one, or if one has no error.

    Args:
        figures: the figures that name the entry.
        numbers: measured numbers of one study.
        study: its name.
        scale: the scale at which it was run.
    """
    listed = list(numbers)
    judged = [figure.judged(number) for figure in figures for number in listed if figure.selects(number)]
    if not judged or not all(number.is_compared for number in judged):
        return None
    number = decisive(judged)
    return Measurement(study, scale, number, words(number.quantity))


def write(measured: Mapping[Key, Measurement]) -> dict[Path, list[str]]:
    """Add measurements to the files next to the ledgers; a record of a larger scale that is not stale is kept.

    Returns:
        The files, each with the labels that were written.

    Raises:
        ValueError: if there is no such paper or entry, or the entry is not a matter of measurement.
    """
    import theory
    from closedform import atomic_write
    from theory.core.ledger.measurement import measurements as saved_for
    from theory.ledger import LEDGERS

    written: dict[Path, list[str]] = {}
    for paper in dict.fromkeys(paper for paper, _ in measured):
        open_entries = {e.label for e in theory.equations(paper) if e.verdict.name == "OPEN" or e.measurement}
        path = Path(str(files(LEDGERS.targets[paper]) / FILE))
        kept = dict(saved_for(LEDGERS.targets[paper]))
        for (key, label), measurement in measured.items():
            if key != paper:
                continue
            if label not in open_entries:
                raise ValueError(f"{measurement.study}: got the entry {paper} {label!r}, needs one that is OPEN")
            old = kept.get(label)
            if old and SCALES.index(old.scale) > SCALES.index(measurement.scale) and not is_stale(old.as_json()):
                continue
            kept[label] = measurement
            written.setdefault(path, []).append(label)
        text = json.dumps({label: kept[label].as_json() for label in sorted(kept)}, indent=1, ensure_ascii=False)
        if not path.is_file() or path.read_text(encoding="utf-8") != text + "\n":
            atomic_write.text(path, text + "\n")
    return written


def configurations(study: str, scale: str, changed: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return the hashes of the configurations that a study has today, in order; none for an unknown study.

    They are stored under the sources of the experiments, because importing these takes seconds.

    Args:
        study: name of the study.
        scale: its scale.
        changed: options that differ from those of the scale; default none.
    """
    options = dict(changed or {})

    def compute() -> list[str]:
        from bridge.results.record import present

        return sorted(present(study, scale, options).values())

    key = ("configurations", study, scale, json.dumps(options, sort_keys=True))
    return tuple(stored(_sources(), key, compute, keep=bool))


@cache
def _sources() -> str | None:
    """Return the digest of the sources of the experiments, which a process computes once; None if they have none."""
    folder = Path(str(files("empirics")))
    return digest(files_below(folder), folder, ())


def is_stale(measurement: Mapping[str, Any]) -> bool:
    """Return whether the study has other configurations today than when it was measured."""
    today = configurations(measurement["study"], measurement["scale"], measurement.get("changed"))
    return tuple(measurement["configurations"]) != today


def current(entries: Iterable[CheckedEntry]) -> tuple[CheckedEntry, ...]:
    """Return the entries with their verdicts, those with a stale measurement as OPEN with the reason.

    Args:
        entries: from :func:`theory.check_ledger`.
    """
    return tuple(
        _with_reason(entry) if entry.measurement and is_stale(entry.measurement) else entry for entry in entries
    )


def _with_reason(entry: CheckedEntry) -> CheckedEntry:
    study, scale = entry.measurement["study"], entry.measurement["scale"]
    again = command(study, scale, entry.measurement.get("changed"))
    reason = (
        f"the configurations of {study} at scale {scale} are not those that were measured; `{again} --out DIR` "
        "measures it again, and `closedform record DIR; closedform evidence` write it next to the ledger"
    )
    return replace(entry, verdict="OPEN", error=reason)
