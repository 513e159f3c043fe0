"""Which measured numbers decide entries of the ledger: those of the figures that name an entry.

``closedform record --evidence`` writes them from the recorded results into one small file next to each ledger, with the
scale, the hashes of the configurations and of the plans, and the versions of the packages. A measurement is stale where
the study has other configurations or the figures other plans today; the entry is OPEN again then.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from bridge.results import plan
from bridge.results.analyses import FIGURES
from bridge.results.judging import NO_FAULT, fresh_for, judged, result_for, selected
from bridge.results.printed_figure import PrintedFigure
from bridge.results.quantity import words
from bridge.results.record import Record, command
from closedform.decisive import decides, decisive
from closedform.measured import Measured
from empirics.runs.study import SCALES
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.ledger.measurement import FILE, Measurement
from theory.core.proof.store import digest, files_below, stored

Key = tuple[str, str]
"""Key of a paper and label of an entry of its ledger."""


def figures_by_entry(study: str = "") -> dict[Key, list[PrintedFigure]]:
    """Return the figures that decide each entry of the ledgers, of one study or (by default) of all.

    A figure whose number the sentence does not state decides nothing.
    """
    figures: dict[Key, list[PrintedFigure]] = {}
    for paper in FIGURES:
        for figure in FIGURES[paper]:
            if figure.entry and not figure.unsaid:
                figures.setdefault((paper, figure.entry), []).append(figure)
    for (paper, entry), group in figures.items():
        if len({figure.study for figure in group}) > 1:
            raise ValueError(
                f"{paper}, entry {entry!r}: got figures of different studies, needs one study"
            )
    return {key: group for key, group in figures.items() if study in ("", group[0].study)}


def measurements() -> dict[Key, Measurement]:
    """Return the measurements of entries that complete current results decide, from the laptop's scale on."""
    decided = {key: _of_records(figures) for key, figures in figures_by_entry().items()}
    return {key: measurement for key, measurement in decided.items() if measurement}


def _of_records(figures: Sequence[PrintedFigure]) -> Measurement | None:
    record = result_for(figures, complete=True)
    if record is None or record.scale == SCALES[0]:
        return None
    fresh = fresh_for(figures, record, any_scale=not _is_planned(record, figures))
    as_planned = (result for result in (fresh, record) if result and _is_planned(result, figures))
    record = next(as_planned, None)
    measurement = record and deciding(figures, record.measured, record.study, record.scale)
    if (
        not record
        or not measurement
        or any(judged(figure, record) in NO_FAULT for figure in figures)
    ):
        return None
    kinds = {record.plans[figure.label].kind for figure in figures if figure.label in record.plans}
    return replace(
        measurement, changed=record.changed, configurations=tuple(sorted(record.configurations.values())),
        versions=record.versions, plan=plan_of(figures),
        kind=max(kinds, key=plan.KINDS.index, default=plan.EXPLORATORY),
    )  # fmt: skip


def _is_planned(record: Record, figures: Sequence[PrintedFigure]) -> bool:
    """Return whether a record has numbers for all figures, and judged them by the plans of today."""
    plans = ((figure, record.plans.get(figure.label)) for figure in figures)
    return all(
        selected(record, f) and (planned is None or planned.plan == plan.digest(f))
        for f, planned in plans
    )


def plan_of(figures: Sequence[PrintedFigure]) -> str:
    """Return the hash of the plans of all figures of an entry together."""
    return plan.hashed([plan.digest(figure) for figure in figures])


def deciding(
    figures: Iterable[PrintedFigure], numbers: Iterable[Measured], study: str, scale: str
) -> Measurement | None:
    """Return the measurement of a study that decides an entry, by the figures that name it; None without an error."""
    listed = list(numbers)
    joint: list[Measured] = []
    for figure in figures:
        judged = [figure.judged(number) for number in listed if figure.selects(number)]
        if not decides(judged, figure.holds) or not all(number.total_error for number in judged):
            return None
        joint += judged if figure.holds == "all" else [decisive(judged, figure.holds)]
    number = decisive(joint)
    return Measurement(study, scale, number, words(number.quantity))


def write(measured: Mapping[Key, Measurement]) -> dict[Path, list[str]]:
    """Add measurements to the files next to the ledgers; return the files, each with the labels that were written.

    A record of a larger scale that is not stale is kept. One whose plans have changed is left out: the records of the
    study keep its verdict. An entry that does not exist, or is not a matter of measurement, is a ValueError.
    """
    import theory
    from closedform import atomic_write
    from theory.core.ledger.measurement import measurements as saved_for
    from theory.ledger import LEDGERS

    written: dict[Path, list[str]] = {}
    for paper in dict.fromkeys(paper for paper, _ in measured):
        open_entries = {
            e.label for e in theory.equations(paper) if e.verdict.name == "OPEN" or e.measurement
        }
        path = Path(str(files(LEDGERS.targets[paper]) / FILE))
        saved = saved_for(LEDGERS.targets[paper])
        kept = {
            label: measurement
            for label, measurement in saved.items()
            if not is_superseded((paper, label), measurement.as_json())
        }
        for (key, label), measurement in measured.items():
            if key != paper:
                continue
            if label not in open_entries:
                raise ValueError(
                    f"{measurement.study}: got the entry {paper} {label!r}, needs one that is OPEN"
                )
            old = kept.get(label)
            is_smaller = old and SCALES.index(old.scale) > SCALES.index(measurement.scale)
            if old and is_smaller and not is_stale((key, label), old.as_json()):
                continue
            kept[label] = measurement
            written.setdefault(path, []).append(label)
        text = json.dumps(
            {label: kept[label].as_json() for label in sorted(kept)}, indent=1, ensure_ascii=False
        )
        if not path.is_file() or path.read_text(encoding="utf-8") != text + "\n":
            atomic_write.text(path, text + "\n")
    return written


def configurations(
    study: str, scale: str, changed: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Return the hashes of a study's configurations in order, stored, since importing experiments takes seconds."""
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


def is_stale(key: Key, measurement: Mapping[str, Any]) -> bool:
    """Return whether the study no longer has a configuration that was measured, or the entry has another plan."""
    today = configurations(measurement["study"], measurement["scale"], measurement.get("changed"))
    return is_superseded(key, measurement) or not set(measurement["configurations"]) <= set(today)


def is_superseded(key: Key, measurement: Mapping[str, Any]) -> bool:
    """Return whether the figures of an entry have other plans today; none that name it count as another plan."""
    planned = measurement.get("plan")
    return bool(planned) and planned != plan_of(figures_by_entry().get(key, []))


def current(entries: Iterable[CheckedEntry]) -> tuple[CheckedEntry, ...]:
    """Return entries of :func:`theory.check_ledger`, those with a stale measurement as OPEN with the reason."""

    def has_stale(entry: CheckedEntry) -> bool:
        measurement = entry.measurement
        return bool(measurement) and is_stale((entry.paper, entry.label), measurement)

    return tuple(_with_reason(entry) if has_stale(entry) else entry for entry in entries)


def _with_reason(entry: CheckedEntry) -> CheckedEntry:
    study, scale = entry.measurement["study"], entry.measurement["scale"]
    again = command(study, scale, entry.measurement.get("changed"))
    changed = (
        "plans"
        if is_superseded((entry.paper, entry.label), entry.measurement)
        else "configurations"
    )
    reason = (
        f"the {changed} of {study} at scale {scale} are not those that were measured; `{again} --out DIR` "
        "measures it again, and `closedform record DIR --evidence` writes it next to the ledger"
    )
    return replace(entry, verdict="OPEN", error=reason)
