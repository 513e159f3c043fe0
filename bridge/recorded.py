"""Recorded results: the numbers that a study gave at a scale, versioned with the package.

``closedform record`` makes ``bridge/results/STUDY-SCALE.json``, which holds comparisons, numbers with errors,
sentences, the hashes of the configurations, the options that were changed, versions, device and times. Pictures lie in
``docs/results/`` of a checkout.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge import arguments
from closedform.untrusted_json import decoded
from empirics import writing
from empirics.experiments.study import SCALES, Scale

if TYPE_CHECKING:
    import xarray as xr

HOME = Path(str(files("bridge"))) / "results"


@dataclass(frozen=True)
class Number:
    """A measured number with its error.

    Attributes:
        label: configuration, and in a table what else identifies the row.
        quantity: name of the quantity: of a comparison, or the key of a column.
        ours: the measured number.
        error: standard error of its deviation from the prediction, or its own without one.
        predicted: what the theory predicts; None where it predicts nothing.
        repetitions: number of repetitions from which the error was estimated; None if not known.
        resolution: smallest relevant deviation; None where nothing is predicted.
        verdict: of the comparison with the prediction; empty without one.
        prediction_error: standard error of the prediction, which is part of ``error``; 0 if it has none.
        relation: "=" if the number is predicted; ">" or "<" if the theory only says on which side of it ours lies.
    """

    label: str
    quantity: str
    ours: float
    error: float
    predicted: float | None = None
    repetitions: float | None = None
    resolution: float | None = None
    verdict: str = ""
    prediction_error: float = 0.0
    relation: str = "="


@dataclass(frozen=True)
class Recorded:
    """The results of one study at one scale.

    Attributes:
        study: name of the study.
        scale: "smoke", "laptop" or "paper".
        changed: options that differ from those of the scale, ``{option: value}``.
        configurations: hash of every configuration by label.
        missing: labels of the configurations that were not run.
        versions: versions of the packages.
        device: devices and processors.
        seconds: time of all runs together, in seconds.
        numbers: comparisons with the theory, and the numbers with errors of the tables.
        findings: sentences that answer the question of the study.
        doubts: reasons not to trust some of the numbers.
        pictures: captions by name of the file.
    """

    study: str
    scale: str
    changed: Mapping[str, Any]
    configurations: Mapping[str, str]
    missing: tuple[str, ...]
    versions: Mapping[str, str]
    device: str
    seconds: float
    numbers: tuple[Number, ...] = field(repr=False)
    findings: tuple[str, ...] = field(repr=False)
    doubts: tuple[str, ...] = field(repr=False)
    pictures: Mapping[str, str] = field(repr=False)

    @property
    def is_current(self) -> bool:
        """Whether the study has these configurations today, apart from the options that were changed."""
        return self.configurations.items() <= present(self.study, self.scale, self.changed).items()


def present(study: str, scale: str, changed: Mapping[str, Any]) -> dict[str, str]:
    """Return the hash of every configuration that a study has today, by label; none for an unknown study or option.

    Args:
        study: name of the study.
        scale: its scale.
        changed: options that differ from those of the scale, as read from JSON.
    """
    return dict(_present(study, scale, json.dumps(dict(changed), sort_keys=True)))


@lru_cache(maxsize=256)
def _present(study: str, scale: str, changed: str) -> dict[str, str]:
    """Return the same for options as JSON: it takes milliseconds, and every row of the figures asks for it."""
    from empirics.experiments import STUDIES
    from empirics.experiments.config import content_hash

    if study not in STUDIES or scale not in SCALES:
        return {}
    options = json.loads(changed)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    try:
        return {label: content_hash(config) for label, config in STUDIES[study].configs(scale, values).items()}
    except (TypeError, ValueError):
        return {}


def hash_of(trace: xr.Dataset) -> str:
    """Return the hash of the configuration that a trace states; what it names is neither imported nor called."""
    from empirics.experiments import EXPERIMENTS
    from empirics.experiments.config import content_hash

    config: Any = EXPERIMENTS[trace.attrs["experiment"]]
    return content_hash(config.Config.from_json(str(trace.attrs["config"])))


def versions_of(traces: Mapping[str, xr.Dataset]) -> dict[str, str]:
    """Return the versions of the packages with which traces were made, by package."""
    return {name: text for trace in traces.values() for name, text in arguments.attribute(trace, "versions").items()}


def write(recorded: Recorded, home: Path = HOME) -> Path:
    """Write ``STUDY-SCALE.json`` into the folder ``home``, and return its path."""
    content = json.dumps(asdict(recorded), indent=1, ensure_ascii=False, allow_nan=False)
    return writing.text(home / f"{recorded.study}-{recorded.scale}.json", content + "\n")


def load(study: str, home: Path = HOME) -> dict[Scale, Recorded]:
    """Return the recorded results of a study by scale, in the order of the scales."""
    results: dict[Scale, Recorded] = {}
    for scale in SCALES:
        path = home / f"{study}-{scale}.json"
        if path.is_file():
            saved: dict[str, Any] = decoded(path.name, path.read_text(encoding="utf-8"))
            saved["numbers"] = [Number(**number) for number in saved["numbers"]]
            lists = {name: tuple(saved[name]) for name in ("missing", "numbers", "findings", "doubts")}
            results[scale] = Recorded(**(saved | lists))
    return results
