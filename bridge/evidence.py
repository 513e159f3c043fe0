"""What measurements say of the ledger: one small file of numbers beside each ledger, made from traces by one command.

A subject announces in ``EVIDENCE`` a function for each study whose numbers bear on entries. A record holds the numbers,
the scale, the hashes of the configurations and the versions of the packages. It is stale where the study has other
configurations today; the entry is OPEN again then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.changed_options import command
from theory.core.checked_entry import CheckedEntry
from theory.core.proofs.sources import digest, files_below
from theory.core.proofs.store import stored

if TYPE_CHECKING:
    import xarray as xr

    from bridge.analysis import Analysis
    from theory.core.measurement import Measurement

FILE = "measurements.json"
SCALES = ("smoke", "laptop", "paper")


def of_study(study: str, scale: str, traces: Mapping[str, xr.Dataset]) -> dict[tuple[str, str], Measurement]:
    """Return the measurements of one study by paper and label; none if no entry rests on this study.

    Args:
        study: name of the study.
        scale: scale at which it was run.
        traces: configuration label to trace; all configurations of the study at this scale.

    Raises:
        ValueError: if the traces are not those of the study at this scale.
    """
    from bridge.analyses import EVIDENCE, analyse
    from bridge.recorded import hash_of, versions_of

    if study not in EVIDENCE:
        return {}
    expected = configurations(study, scale)
    if (hashes := tuple(sorted(map(hash_of, traces.values())))) != expected:
        raise ValueError(
            f"traces of {study}: got {len(hashes)} configurations that are not the {len(expected)} of scale {scale!r}; "
            f"run `{command(study, scale)}` without further options"
        )
    versions = versions_of(traces)
    return {
        key: replace(measurement, configurations=expected, versions=versions)
        for key, measurement in of_analysis(study, scale, analyse(study, traces)).items()
    }


def of_analysis(study: str, scale: str, analysis: Analysis) -> dict[tuple[str, str], Measurement]:
    """Return the same measurements of an analysis, without configurations and versions.

    Raises:
        ValueError: if two of them are for one entry.
    """
    from bridge.analyses import EVIDENCE

    found: dict[tuple[str, str], Measurement] = {}
    for bearing in EVIDENCE[study](analysis) if study in EVIDENCE else ():
        key = bearing.paper, bearing.label
        if key in found:
            raise ValueError(f"{study}: several measurements for {' '.join(key)}, where one decides the entry")
        found[key] = bearing.measurement(study, scale)
    return found


def of_report(
    study: str, scale: str, analysis: Analysis
) -> tuple[dict[tuple[str, str], tuple[Measurement, int | None]], str]:
    """Return the measurements of an analysis up to the first that has no error, and why it has none.

    Options may change a study so that a measurement is the same in every repetition, or has only one. Its entries of
    the ledger are then left out of a report, instead of the whole report.

    Returns:
        The measurements and their numbers of repetitions by paper and label (None where the error is known), and the
        reason, empty if none is left out.
    """
    from bridge.analyses import EVIDENCE
    from bridge.comparison import NoError

    measured: dict[tuple[str, str], tuple[Measurement, int | None]] = {}
    try:
        for bearing in EVIDENCE[study](analysis) if study in EVIDENCE else ():
            measured[bearing.paper, bearing.label] = bearing.measurement(study, scale), bearing.repetitions
    except NoError as error:
        return measured, f"entries of the ledger that rest on this study are left out: {error}"
    return measured, ""


def write(measured: Mapping[tuple[str, str], Measurement]) -> dict[Path, list[str]]:
    """Add measurements to the files beside the ledgers; a record of a larger scale that is not stale is kept.

    Returns:
        The files, each with the labels that were written.

    Raises:
        ValueError: if there is no such paper or entry, or the entry is not a matter of measurement.
    """
    import theory
    from empirics import writing
    from theory.core.measurement import measurements
    from theory.ledger import LEDGERS

    written: dict[Path, list[str]] = {}
    for paper in dict.fromkeys(paper for paper, _ in measured):
        open_entries = {e.label for e in theory.equations(paper) if e.verdict.name == "OPEN" or e.measurement}
        path = Path(str(files(LEDGERS.targets[paper]) / FILE))
        kept = dict(measurements(LEDGERS.targets[paper]))
        for (key, label), measurement in measured.items():
            if key != paper:
                continue
            if label not in open_entries:
                raise ValueError(f"{paper} has no OPEN entry {label!r} that {measurement.study} could decide")
            old = kept.get(label)
            if old and SCALES.index(old.scale) > SCALES.index(measurement.scale) and not is_stale(asdict(old)):
                continue
            kept[label] = measurement
            written.setdefault(path, []).append(label)
        text = json.dumps({label: asdict(kept[label]) for label in sorted(kept)}, indent=1, ensure_ascii=False)
        writing.text(path, text + "\n")
    return written


def configurations(study: str, scale: str, changed: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return the hashes of the configurations that a study has today, in order; none for an unknown study.

    They are stored under the sources of the experiments, because making all of them takes half a second.

    Args:
        study: name of the study.
        scale: its scale.
        changed: options that differ from those of the scale; default none.
    """
    options = dict(changed or {})

    def compute() -> list[str]:
        from bridge.recorded import present

        return sorted(present(study, scale, options).values())

    key = ("configurations", study, scale, json.dumps(options, sort_keys=True))
    return tuple(stored(_sources(), key, compute, keep=bool))


@cache
def _sources() -> str | None:
    """Return the digest of the sources of the experiments, which a process computes once; None if they have none."""
    folder = Path(str(files("empirics") / "experiments"))
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
        "measures it again, and `closedform record DIR; closedform evidence` or, where no figure names the entry, "
        "`closedform evidence DIR` write it beside the ledger"
    )
    return replace(entry, verdict="OPEN", error=reason)
