"""Recorded results: the numbers that a study gave at a scale, versioned with the package.

``closedform record`` makes ``records/STUDY-SCALE.json`` in the wing of the study, with measured numbers, the versions
of their statistics, the plans by which they are judged, sentences, the hashes of the configurations, the options that
were changed, versions, device and times. A run on fresh seeds makes ``STUDY-SCALE-fresh.json`` next to it. Pictures lie
in ``docs/results/`` of a checkout.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bridge import arguments
from bridge.results.analyses import ANALYSES
from closedform import atomic_write
from closedform.measured import Measured
from closedform.untrusted_files import json_in, reading
from empirics.runs.study import SCALES, Scale

if TYPE_CHECKING:
    import xarray as xr

FRESH = 1000  # the first seed that no run before its plan has used


@dataclass(frozen=True)
class Earlier:
    """What a run on other seeds said of a row, whose record a later run has replaced."""

    first_seed: int
    n: float | None  # repetitions of the number that decided
    shown: str  # that number with its error; empty without one
    verdict: str
    plan: str  # the hash of the row's plan at the time
    kind: str


@dataclass(frozen=True)
class Planned:
    """The plan of a row when a record was made, and the verdict that it gave, which is kept where the plan changes."""

    plan: str  # its hash
    kind: str  # "confirmatory" if it was noted before a run on fresh seeds, "planned" on others, or "exploratory"
    verdict: str
    # the hash under which it was noted, where that was of the row alone: the record is older than hashes of the code
    # that compares, and ``plan`` holds that code as it was when these began
    noted: str = ""
    earlier: tuple[Earlier, ...] = ()  # runs whose records this one has replaced, in their order


@dataclass(frozen=True)
class Record:
    """The results of one study at one scale."""

    study: str
    scale: str
    changed: Mapping[str, Any]  # options that differ from those of the scale
    configurations: Mapping[str, str]  # hash of every configuration by label
    missing: tuple[str, ...]  # labels of the configurations that were not run
    versions: Mapping[str, str]  # of the packages
    device: str  # devices and processors
    seconds: float  # processor time of all runs together
    measured: tuple[Measured, ...] = field(repr=False)  # with what the theory predicts for them
    findings: tuple[str, ...] = field(repr=False)  # sentences that answer the question
    doubts: tuple[str, ...] = field(repr=False)  # reasons not to trust some numbers
    pictures: Mapping[str, str] = field(repr=False)  # captions by name of the file
    # versions, by quantity
    statistics: Mapping[str, int] = field(default_factory=dict, repr=False)
    plans: Mapping[str, Planned] = field(default_factory=dict, repr=False)  # by label of the row
    share: str = ""  # of the seeds that the pictures show, such as "5 of 50 seeds"; empty for all

    @property
    def name(self) -> str:
        """The name of its file, and of the folder with its pictures: STUDY-SCALE, or STUDY-SCALE-fresh."""
        return _name(self.study, self.scale, fresh=self.is_fresh)

    @property
    def is_fresh(self) -> bool:
        """Whether these are the results of a run on fresh seeds, next to those of the study's own."""
        return int(self.changed.get("first_seed", 0)) >= FRESH

    @property
    def is_current(self) -> bool:
        """Whether the study has these configurations today, apart from the options that were changed."""
        return self.configurations.items() <= present(self.study, self.scale, self.changed).items()


def present(study: str, scale: str, changed: Mapping[str, Any]) -> dict[str, str]:
    """Return the hash of every configuration that a study has today, by label; none for what is unknown."""
    return dict(_present(study, scale, json.dumps(dict(changed), sort_keys=True)))


@lru_cache(maxsize=256)
def _present(study: str, scale: str, changed: str) -> dict[str, str]:
    """Return the same for options as JSON: it takes milliseconds, and every row of the figures asks for it."""
    from empirics.experiments import STUDIES
    from empirics.runs.config import content_hash

    if study not in STUDIES or scale not in SCALES:
        return {}
    try:
        configs = configured(study, scale, json.loads(changed))
    except (TypeError, ValueError):
        return {}
    return {label: content_hash(config) for label, config in configs.items()}


def configured(study: str, scale: str, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configurations that a study has today, by label, with options as a record keeps them."""
    from empirics.experiments import STUDIES

    values = {
        name: tuple(value) if isinstance(value, list) else value for name, value in changed.items()
    }
    return dict(STUDIES[study].configs(cast(Scale, scale), values))


def hash_of(trace: xr.Dataset) -> str:
    """Return the hash of the configuration that a trace states; what it names is neither imported nor called."""
    from empirics.experiments import EXPERIMENTS
    from empirics.runs.config import content_hash

    config: Any = EXPERIMENTS[trace.attrs["experiment"]]
    return content_hash(config.Config.from_json(str(trace.attrs["config"])))


def versions_of(traces: Mapping[str, xr.Dataset]) -> dict[str, str]:
    """Return the versions of the packages with which traces were made, by package."""
    versions: dict[str, str] = {}
    for trace in traces.values():
        versions |= arguments.attribute(trace, "versions")
    return versions


def home_of(study: str) -> Path | None:
    """Return the folder with the records of a study, in the wing that announces its analysis; None without a wing."""
    wing = ANALYSES.folder(study)
    return None if wing is None else wing / "records"


def write(recorded: Record, home: Path) -> Path:
    """Write a record into the folder ``home``, and return its path."""
    content = asdict(recorded) | {"measured": [number.as_json() for number in recorded.measured]}
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    return atomic_write.text(home / f"{recorded.name}.json", text + "\n")


def current(study: str, *, fresh: bool = False) -> dict[Scale, Record]:
    """Return what a study has of :func:`kept` with the configurations of today; ``fresh``: on fresh seeds alone."""
    results = load(study, fresh=True) if fresh else kept(study)
    return {scale: result for scale, result in results.items() if result.is_current}


def first(study: str) -> dict[Scale, Record]:
    """Return current results on a study's own seeds by scale, or on fresh ones if there are no others."""
    return {
        scale: result for scale, result in current(study).items() if not result.is_fresh
    } or current(study)


def kept(study: str) -> dict[Scale, Record]:
    """Return the recorded results of a study by scale: at each on its own seeds, or else on fresh ones."""
    results = load(study, fresh=True) | load(study)
    return {scale: results[scale] for scale in SCALES if scale in results}


def every(study: str) -> list[Record]:
    """Return all recorded results of a study from the smallest scale on, at each its own seeds before fresh ones."""
    own, fresh = load(study), load(study, fresh=True)
    runs = [results.get(scale) for scale in SCALES for results in (own, fresh)]
    return [run for run in runs if run is not None]


def drawn(study: str) -> list[Record]:
    """Return the results of :func:`every` run that are current and have pictures."""
    return [run for run in every(study) if run.is_current and run.pictures]


def load(study: str, home: Path | None = None, *, fresh: bool = False) -> dict[Scale, Record]:
    """Return the recorded results of a study by scale, in the order of the scales.

    Args:
        study: name of the study.
        home: folder with records. Default: :func:`home_of` the study.
        fresh: whether those of a run on fresh seeds are wanted.
    """
    home = home or home_of(study)
    if home is None:
        return {}
    paths = {scale: home / f"{_name(study, scale, fresh=fresh)}.json" for scale in SCALES}
    return {
        scale: _read(path, path.stat().st_mtime_ns)
        for scale, path in paths.items()
        if path.is_file()
    }


def _name(study: str, scale: str, *, fresh: bool) -> str:
    return f"{study}-{scale}{'-fresh' if fresh else ''}"


@lru_cache(maxsize=256)
def _read(path: Path, changed_at: int) -> Record:
    """Return the record in a file, which is read again when it has changed: every row of the figures asks for it."""
    with reading(path, "a record that `closedform record` made"):
        saved = json_in(path)
        saved["measured"] = [Measured.from_json(number) for number in saved["measured"]]
        saved["plans"] = {
            label: _planned(plan_fields) for label, plan_fields in saved.get("plans", {}).items()
        }
        lists = {
            name: tuple(saved[name]) for name in ("missing", "measured", "findings", "doubts")
        }
        return Record(**(saved | lists))


def _planned(fields: Mapping[str, Any]) -> Planned:
    earlier = tuple(Earlier(**run_fields) for run_fields in fields.get("earlier", ()))
    return Planned(**(dict(fields) | {"earlier": earlier}))


def command(study: str, scale: str, changed: Mapping[str, Any] | None = None) -> str:
    """Return the command that runs the configurations of a study at a scale, with other options if some are changed."""
    return f"closedform run {study} --scale {scale}{as_options(changed or {})}"


def as_options(changed: Mapping[str, Any]) -> str:
    """Return options for a shell with a space before each, such as " --seeds 20 --regimes lazy,compressed"."""
    return "".join(
        f" --{name.replace('_', '-')} {shlex.quote(_word(value))}"
        for name, value in changed.items()
    )


def _word(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
