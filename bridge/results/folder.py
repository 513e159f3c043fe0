"""The contents of a folder of results: which traces belong to which study.

- ``DIR/study-NAME.json``: question and scale of a study, and the trace of every configuration
- ``DIR/traces/``: one file per configuration, named by the hash of its Config
- ``DIR/report.html``, tables as ``.csv``, ``figures/``: written by ``closedform report DIR``
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from closedform import atomic_write, foreign_text
from closedform.foreign_text import visible
from closedform.untrusted_files import json_in, reading
from empirics.experiments.registry import command_name

if TYPE_CHECKING:
    import xarray as xr

    from empirics.runs.study import Study

TRACES = "traces"
SUFFIX = ".nc"
LONGEST_NAME = 255  # letters of the name of a file, which is what file systems allow
LONGEST_TEXT = 2_000  # letters of a question; ours have fewer than 200


@dataclass(frozen=True)
class StudyRuns:
    """The runs of one study whose traces are in a folder."""

    study: str
    question: str
    scale: str  # empty for single runs
    runs: Mapping[str, str]  # configuration label -> file name in traces/
    # options that differ from those of the scale
    changed: Mapping[str, Any] = field(default_factory=dict)
    # hashes of the plans when the run began, by row
    plans: Mapping[str, str] = field(default_factory=dict)


def record(directory: Path, runs: StudyRuns) -> Path:
    """Write ``study-NAME.json`` atomically and return its path."""
    content = json.dumps(asdict(runs), indent=1, ensure_ascii=False)
    return atomic_write.text(directory / f"study-{runs.study}.json", content + "\n")


def runs_of(
    study: Study, scale: str, configs: Mapping[str, Any], changed: Mapping[str, Any]
) -> StudyRuns:
    """Return the list of all runs of a study, by which a report names missing traces."""
    from bridge.results import plan

    paths = trace_paths(Path(), configs)
    runs = {
        foreign_text.label(f"study {study.name!r}: a label", label): path.name
        for label, path in paths.items()
    }
    return StudyRuns(study.name, study.question, scale, runs, changed, plan.of_study(study.name))


def trace_paths(directory: Path, configs: Mapping[str, Any]) -> dict[str, Path]:
    """Return the path that the trace of each configuration has in a folder, by label; it need not exist."""
    from empirics.sweep import store

    return {label: store.path_of(config, directory / TRACES) for label, config in configs.items()}


def studies(directory: Path) -> tuple[StudyRuns, ...]:
    """Return the studies in a folder by name, then one for each experiment with traces that belong to no study."""
    if not directory.is_dir():
        raise ValueError(
            f"directory: got {str(directory)!r}, needs a folder, the --out of `closedform run`"
        )
    listed = [_read(path) for path in sorted(directory.glob("study-*.json"))]
    in_studies = set(chain.from_iterable(study.runs.values() for study in listed))
    paths = {*directory.glob(f"*{SUFFIX}"), *(directory / TRACES).glob(f"*{SUFFIX}")}
    loose = sorted(path for path in paths if path.name not in in_studies)
    experiments = {path: _experiment(path) for path in loose}
    for name in dict.fromkeys(experiments.values()):
        own = [path for path in loose if experiments[path] == name]
        names = [visible(path.stem) for path in own]
        labels = [
            name_of_file if names.count(name_of_file) == 1 else f"{name_of_file} ({k})"
            for k, name_of_file in enumerate(names, start=1)
        ]
        runs = {
            label: os.path.relpath(path, directory / TRACES)
            for label, path in zip(labels, own, strict=True)
        }
        listed.append(StudyRuns(name, "Single runs that belong to no study.", "", runs))
    if not listed:
        raise ValueError(
            f"directory: got {str(directory)!r} without traces (*{SUFFIX}), needs some; `closedform run` writes them"
        )
    return tuple(listed)


def load(directory: Path, runs: StudyRuns) -> tuple[dict[str, xr.Dataset], tuple[str, ...]]:
    """Return the traces of a study by label, and the labels of those that are missing (an unfinished run)."""
    from empirics.runs import trace_file

    traces, missing = {}, []
    for label, name in runs.runs.items():
        path = directory / TRACES / name
        if not path.is_file():
            missing.append(label)
            continue
        traces[label] = _converging(trace_file.read(path), path)
    return traces, tuple(missing)


def _experiment(path: Path) -> str:
    """Return the name that a single run of the trace's experiment has on the command line."""
    from empirics.runs import trace_file

    experiment = trace_file.text_attribute(path, "experiment")
    if experiment is None:
        raise ValueError(
            f"trace {str(path)!r}: got no text as the attribute 'experiment', needs the name of its experiment"
        )
    return command_name(experiment)


def _converging(trace: xr.Dataset, path: Path) -> xr.Dataset:
    if "diverged_at" not in trace:
        return trace
    well = trace["diverged_at"] < 0
    # of all values of a seed
    finite = well.all([name for name in well.dims if name != "seed"]).values
    if not finite.any():
        raise ValueError(
            f"trace {str(path)!r}: got diverged seeds only, needs a smaller learning rate or gain"
        )
    return trace if finite.all() else trace.isel(seed=finite)


def _read(path: Path) -> StudyRuns:
    with reading(path, "the format of `closedform run`"):
        content: Any = json_in(path)
        labels = [foreign_text.label("runs: a label", label) for label in content["runs"]]
        twice = [label for label in labels if labels.count(label) > 1]
        if twice:
            raise ValueError(
                f"runs: got two labels that are shown as {twice[0]!r}, needs different ones"
            )
        names = [
            _plain(label, name)
            for label, name in zip(labels, content["runs"].values(), strict=True)
        ]
        runs = dict(zip(labels, names, strict=True))
        study = foreign_text.label("study", content["study"])
        question, scale = (
            visible(content[key], most=LONGEST_TEXT) for key in ("question", "scale")
        )
        plans = {str(label): str(digits) for label, digits in content.get("plans", {}).items()}
        return StudyRuns(study, question, scale, runs, dict(content["changed"]), plans)


def _plain(label: str, name: Any) -> str:
    """Return the plain file name of a label; ValueError if it refers to another folder or no file can have it."""
    if (
        not isinstance(name, str)
        or not name
        or Path(name).name != name
        or "\0" in name
        or len(name) > LONGEST_NAME
    ):
        raise ValueError(
            f"runs: got {visible(repr(name), most=40)} for the label {label!r}, needs a file name"
        )
    return name
