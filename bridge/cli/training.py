"""Training of the configurations of a command, with one line on stderr for each, and the list of a study's runs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bridge.results import folder
from closedform import checks


def run_study(
    directory: Path,
    study: Any,
    scale: str,
    configs: Mapping[str, Any],
    *,
    changed: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
    **how: Any,
) -> list[Path]:
    """Train the configurations of a study (or ``only`` some) by :func:`train`, and save their list in the folder."""
    chosen = {
        checks.one_of("--only", label, tuple(configs)): configs[label] for label in only or configs
    }
    folder.record(directory, folder.runs_of(study, scale, configs, changed or {}))
    return train(directory, chosen, **how)


def train(
    directory: Path,
    configs: Mapping[str, Any],
    *,
    resume: bool = False,
    done: Collection[Path] = (),
    scheduler: Any = None,
    accept_older: bool = True,
) -> list[Path]:
    """Train each configuration, save its trace, print one line for it to stderr, and return the paths of the traces."""
    from empirics.sweep import SweepError, run_all

    paths = folder.trace_paths(directory, configs)
    # one diverging seed does not stop a study
    on_divergence = "mark" if len(configs) > 1 else "raise"
    kept = {label: config for label, config in configs.items() if resume or paths[label] in done}
    anew = {label: config for label, config in configs.items() if label not in kept}
    how: dict[str, Any] = {"on_divergence": on_divergence, "accept_older": accept_older}
    with _lines_on_stderr("empirics.sweep"):
        for chosen, keep in ((kept, True), (anew, False)):
            try:
                if chosen:
                    run_all(chosen, directory / folder.TRACES, scheduler, resume=keep, **how)
            except SweepError as error:
                if len(configs) == 1:
                    raise next(iter(error.failures.values())) from None
                raise ValueError(f"{error} To go on, give the same command again.") from error
    return list(paths.values())


@contextmanager
def _lines_on_stderr(name: str) -> Iterator[None]:
    """Print what a logger and those below it say to stderr within this context, above the progress bars."""
    from tqdm.contrib.logging import logging_redirect_tqdm

    logger, handler = logging.getLogger(name), logging.StreamHandler(sys.stderr)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with logging_redirect_tqdm([logger]):
            yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
