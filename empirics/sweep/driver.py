"""Sweeps: many configurations, each run into its own file; a sweep can be interrupted and continued at any time.

The runs follow one another in this process by default. With a scheduler of Dask they are done by its workers, on this
machine or on many, and configurations whose seeds are independent are cut into seeds. A failed run does not stop the
others. What is finished is never done again, and the results are the same to the last bit, in whatever way and in
however many attempts they were made (on one kind of processor, with one number of threads).
"""

from __future__ import annotations

import logging
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import xarray as xr

from closedform import checks
from empirics.runs import trace
from empirics.runs.config import content_hash
from empirics.sweep import cluster, run_lock, seed_split, store, work
from empirics.training.progress import bar

logger = logging.getLogger(__name__)


class SweepError(RuntimeError):
    """Some runs of a sweep failed, ``failures`` by label; the others are complete and stored."""

    def __init__(self, failures: Mapping[str, Exception]) -> None:
        self.failures = dict(failures)
        lines = [
            f"{label}: {type(error).__name__}: {'; '.join([str(error), *getattr(error, '__notes__', ())])}"
            for label, error in self.failures.items()
        ]
        super().__init__("\n".join([f"{len(lines)} runs failed; the others are stored.", *lines]))


def sweep(
    configs: Mapping[str, Any],
    directory: str | os.PathLike[str],
    scheduler: Any = None,
    *,
    security: Any = None,
    resume: bool = True,
    accept_older: bool = True,
    progress: bool = True,
    **options: Any,
) -> dict[str, xr.Dataset]:
    """Run every configuration that is not stored yet, and load all traces.

    Equal configurations under several labels are run once. A sweep that was interrupted and is started again, with the
    same scheduler, another or none, reads complete runs and continues unfinished ones from their checkpoints. Two
    sweeps in one directory share the work.

    Args:
        configs: ``{label: Config}`` of any experiments.
        directory: directory of the traces. Workers on other machines write into it if they see it under the same path;
            otherwise they return the traces, and this process writes them.
        scheduler: who does the runs. None (default): this process. ``"local:4"``: four workers of Dask on this machine;
            a script must guard its main code with ``if __name__ == "__main__"``. ``"tcp://host:8786"``: the workers of
            a running scheduler. A :class:`distributed.Client`: its workers. A worker does one run at a time, with one
            thread unless ``OMP_NUM_THREADS`` says otherwise.
        security: certificates of the scheduler, see :func:`empirics.sweep.cluster.client`. Without TLS a scheduler runs
            whatever anybody sends who reaches its port; those of ``"local:4"`` are reached from this machine only.
        resume: whether to use stored traces and checkpoints, default True; see
            :func:`empirics.sweep.store.run_or_load`.
        accept_older: whether stored traces count that were made by other code, default True; a line in the log says
            what differs. False runs them anew.
        progress: whether to show a bar on stderr, with an estimate of the time left, default True. The logger
            ``empirics.sweep`` has one line for each run, with its worker.
        options: keyword arguments of :func:`empirics.sweep.store.run_or_load`.

    Returns:
        ``{label: trace}`` in the order of ``configs``.

    Raises:
        ValueError: if ``configs`` is empty, or ``scheduler`` or its workers are not suitable.
        TypeError: if ``configs`` is not a mapping, or ``scheduler`` of another type.
        ModuleNotFoundError: if there is a scheduler but no Dask.
        OSError: if the directory cannot be written, or the scheduler is not there or lost.
        RuntimeError: if the workers are of this machine and the script has no ``if __name__ == "__main__"``.
        SweepError: if a run failed; raised when all others are complete.

    >>> import tempfile
    >>> from empirics.experiments import two_point
    >>> configs = {f"width {n}": two_point.Config(depth=3, width=n, epochs=20, seeds=1) for n in (5, 10)}
    >>> list(sweep(configs, tempfile.mkdtemp(), progress=False))
    ['width 5', 'width 10']
    """
    traces: dict[str, xr.Dataset] = {}
    how = {
        "security": security,
        "resume": resume,
        "accept_older": accept_older,
        "progress": progress,
    }
    _run_all(configs, directory, scheduler, traces.__setitem__, **how, **options)
    for label, config in configs.items():
        if label not in traces:  # labels of equal configurations have datasets of their own
            traces[label] = store.load(store.path_of(config, directory))
    return {label: traces[label] for label in configs}


def run_all(
    configs: Mapping[str, Any],
    directory: str | os.PathLike[str],
    scheduler: Any = None,
    **options: Any,
) -> None:
    """Run every configuration that is not stored yet; arguments and errors are those of :func:`sweep`.

    Args:
        configs: configurations by label.
        directory: folder of the traces.
        scheduler: as of :func:`sweep`. Default: this process.
        options: further keywords of :func:`sweep`.

    Raises:
        TypeError, ValueError: as of :func:`sweep`.

    >>> import tempfile
    >>> from empirics.experiments import two_point
    >>> folder, config = Path(tempfile.mkdtemp()), two_point.Config(depth=3, width=5, epochs=20, seeds=1)
    >>> run_all({"narrow": config}, folder, progress=False)
    >>> len(list(folder.glob("*.nc")))
    1
    """
    _run_all(configs, directory, scheduler, lambda _label, _trace: None, **options)


def _run_all(
    configs: Mapping[str, Any], directory: str | os.PathLike[str], scheduler: Any,
    keep: Callable[[str, xr.Dataset], None], *, security: Any = None, resume: bool = True, accept_older: bool = True,
    progress: bool = True, **options: Any,
) -> None:  # fmt: skip
    """Run every configuration; ``keep`` gets the label and the trace of those that were read here."""
    checks.instance("configs", configs, Mapping, "a mapping of labels to configurations")  # type: ignore[type-abstract]
    checks.require(len(configs) > 0, "configs", "none", "at least one configuration")
    labels = {content_hash(config): label for label, config in reversed(list(configs.items()))}
    # the first label of each
    distinct = {label: configs[label] for label in reversed(labels.values())}
    folder = Path(directory).absolute()
    failures: dict[str, Exception] = {}
    works: list[work.Work] = []
    for label, config in distinct.items():
        try:
            known = store.stored(config, folder) if resume else None
            if known is None or not _is_kept(
                label, config, folder, trace.other_code(known.attrs), accept_older
            ):
                again = resume and known is None
                works += work.of(
                    label, config, folder, cut=scheduler is not None, resume=again, options=options
                )
            else:
                keep(label, known)
        # the file is damaged, a folder, or of somebody else
        except (ValueError, OSError) as error:
            failures[label] = error
    unfinished = Counter(item.label for item in works)
    # One run has a bar of its own; two bars would share one line.
    with bar("runs", len(works), "run", progress=progress and len(works) > 1) as shown:
        for item, outcome in _outcomes(works, scheduler, security, progress):
            unfinished[item.label] -= 1
            try:
                stored = _settle(item, outcome)
                if stored is not None and not item.is_piece:
                    keep(item.label, stored)
                if not unfinished[item.label] and item.is_piece and item.label not in failures:
                    seed_split.join(item.whole, folder)
            # the other runs continue, and all errors are reported at the end
            except Exception as error:
                failures.setdefault(item.label, error)
                if len(distinct) > 1:
                    logger.info("%s: %s", item.name, type(error).__name__)
            shown.set_postfix_str(item.name, refresh=False)
            shown.update()
    if failures:
        raise SweepError(failures)


def _is_kept(label: str, config: Any, folder: Path, differs: str, accept_older: bool) -> bool:
    """Return whether a stored run stands for a new one, and say so; ``differs`` says how its code does."""
    if differs and not accept_older:
        return False
    store.sweep_up(config, folder)
    seed_split.sweep_up(config, folder)
    origin = f", made by other code ({differs})" if differs else ""
    logger.info("%s (%s): exists already%s", label, config, origin)
    return True


Outcome = tuple[work.Work, work.JobResult | Exception]


def _outcomes(
    works: Sequence[work.Work], scheduler: Any, security: Any, progress: bool
) -> Iterator[Outcome]:
    """Do the works, here or on a cluster; yield every one with its result or error when it is finished."""
    if scheduler is None:
        for item in _unclaimed_first(works):
            try:
                yield item, work.run_here(item, progress=progress)
            except Exception as error:
                yield item, error
        return
    if not works:
        cluster.workers_here(scheduler)  # raises the errors of a wrong one
        return
    with cluster.client(scheduler, security=security, progress=progress) as client:
        yield from cluster.run(client, works)


def _unclaimed_first(works: Sequence[work.Work]) -> Iterator[work.Work]:
    """Yield the next work on which nobody else works now, and only at the end those on which somebody does."""
    rest = list(works)
    while rest:
        yield rest.pop(
            next((n for n, item in enumerate(rest) if not run_lock.is_held(item.path)), 0)
        )


def _settle(item: work.Work, outcome: work.JobResult | Exception) -> xr.Dataset | None:
    """Report a finished run, store its trace if a worker returned it, and return it; raise its error if it has one."""
    if isinstance(outcome, Exception):
        raise outcome
    for message in outcome.warnings:
        warnings.warn(f"{item.label}: {message}", RuntimeWarning, stacklevel=4)
    trace, where = outcome.trace, f" on the worker at {outcome.worker}" if outcome.worker else ""
    if trace is not None and where:
        trace = store.save(trace, item.path)
    logger.info("%s (%s): %.1f s%s", item.name, item.config, outcome.seconds, where)
    return trace
