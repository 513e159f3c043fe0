"""Sweeps on a cluster of Dask: workers on this machine, on others, or in the jobs of a batch system.

Every worker does one run at a time. A run whose worker dies is started again on another one, from its checkpoint.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final

from closedform import checks
from closedform.missing import require
from empirics.sweep import work
from empirics.sweep.work import require_guard

if TYPE_CHECKING:
    from distributed import Client

logger = logging.getLogger(__name__)
LOOPBACK: Final = "127.0.0.1"
MOST_WORKERS: Final = 1024  # processes on one machine
SECONDS_WITHOUT_NEWS: Final = 60  # after which a sweep that has no worker says so
SECONDS_TO_CONNECT: Final = 10
SECONDS_UNTIL_COUNTED: Final = 5  # between two looks at whether more workers have come
NO_WORKER: Final = (
    "%d runs wait, since no worker is connected to the scheduler. If workers or jobs should be there, see what they "
    "printed; it is safe to stop here and to start the same runs again, with or without a scheduler"
)
LOST: Final = (
    "scheduler: the connection is lost. Finished runs are stored; start the same runs again, with or without a "
    "scheduler, and unfinished ones continue from their checkpoints"
)
NO_SCHEDULER: Final = (
    "scheduler: nothing usable answers at {address} ({error}). Start a scheduler there with `dask scheduler`, or use "
    "'local:N'; finished runs are stored, and the same runs can be started again with or without a scheduler"
)
STARTS: Final = 3  # attempts to start the workers of this machine
NOT_STARTED: Final = (
    "scheduler: {workers} workers could not be started in {attempts} attempts ({reason}), most likely for lack of "
    "memory, of processes or of space for temporary files. Use fewer workers, and start the same runs again, with or "
    "without a scheduler; finished runs are stored"
)
NEEDS = "None, 'local:N' (N workers on this machine), an address such as 'tcp://host:8786', or a distributed.Client"
WORKER = "dask worker ADDRESS --nthreads 1 --nworkers N"
GPU_WORKER = "CUDA_VISIBLE_DEVICES=0 dask worker ADDRESS --nthreads 1 --resources GPU=1"
ON_THIS_MACHINE: Final = {
    # Dask would give up a worker for good that is being started again 15 seconds after an earlier death.
    "distributed.deploy.lost-worker-timeout": "1000 days",
    "distributed.scheduler.no-workers-timeout": "5 minutes",  # then no worker can be started, and waiting is in vain
}


@contextmanager
def client(scheduler: Any, *, security: Any = None, progress: bool = True) -> Iterator[Client]:
    """Return a client of a scheduler within this context, and say on stderr where its dashboard is.

    ``"local:N"`` starts N workers on this machine, which end with the context; an address connects to a running
    scheduler; a client is used as it is. ``security`` None takes the certificates of Dask's configuration, if any.

    ModuleNotFoundError without Dask, ConnectionError if no scheduler answers at the address, RuntimeError if
    ``"local:N"`` is used in a script without ``if __name__ == "__main__"``.
    """
    workers = workers_here(scheduler)
    import dask
    import distributed

    with ExitStack() as contexts:
        if workers is not None:
            require_guard()
            contexts.enter_context(dask.config.set(ON_THIS_MACHINE))
            here = contexts.enter_context(_started_here(workers, security))
            chosen = contexts.enter_context(distributed.Client(here))
        elif isinstance(scheduler, distributed.Client):
            checks.require(security is None, "security", "one for a connected client", "None")
            chosen = scheduler
        else:
            chosen = contexts.enter_context(_connected(scheduler, security))
        if progress:
            print(
                f"{len(_workers(chosen))} workers; dashboard: {chosen.dashboard_link}",
                file=sys.stderr,
                flush=True,
            )
        yield chosen


def _started_here(workers: int, security: Any) -> Any:
    """Start workers on this machine, again where one dies while it is starting; ConnectionError if that goes on."""
    import distributed

    for attempt in range(1, STARTS + 1):
        try:
            return distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, host=LOOPBACK, dashboard_address=f"{LOOPBACK}:0",
                memory_limit=distributed.system.MEMORY_LIMIT // workers,
                resources={"GPU": 1} if workers == 1 else {}, security=security,
            )  # fmt: skip
        # OSError: of the network, of time, or no more processes
        except (RuntimeError, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            if attempt == STARTS:
                raise ConnectionError(
                    NOT_STARTED.format(workers=workers, attempts=STARTS, reason=reason)
                ) from error
            logger.warning(
                "a worker died while it was starting (%s); the workers are started again", reason
            )
    raise AssertionError("the last attempt returns or raises")


def _connected(address: str, security: Any) -> Client:
    import dask
    import distributed

    allowed = dask.utils.parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    try:
        return distributed.Client(
            address, security=security, timeout=min(allowed, SECONDS_TO_CONNECT)
        )
    # of the network, of TLS, of time, or sizes that no server of Dask says
    except (OSError, MemoryError) as error:
        raise ConnectionError(
            NO_SCHEDULER.format(address=address, error=" ".join(str(error).split()))
        ) from error


def workers_here(scheduler: Any) -> int | None:
    """Return how many workers ``scheduler`` starts on this machine; None if it has its own."""
    require("scheduler:", "distributed")
    import distributed

    if not isinstance(scheduler, str):
        chosen = checks.instance("scheduler", scheduler, distributed.Client, NEEDS)
        checks.require(
            not chosen.asynchronous, "scheduler", "an asynchronous client", "a synchronous one"
        )
        return None
    count = re.fullmatch(r"local:([1-9]\d{0,8})", scheduler)
    checks.require(count is not None or "://" in scheduler, "scheduler", repr(scheduler), NEEDS)
    return None if count is None else checks.integer("scheduler", int(count[1]), 1, MOST_WORKERS)


def run(
    client: Client, works: Sequence[work.Work]
) -> Iterator[tuple[work.Work, work.JobResult | Exception]]:
    """Do the works, all in one directory, on the workers of a client; yield each with its result or its error.

    ValueError if the workers cannot do the works as they should, ConnectionError if the scheduler is lost.
    """
    import distributed

    _require_suitable(client, works)
    mark = work.marked(works[0].directory)
    queue, futures = deque(works), dict[Any, work.Work]()
    last_news = time.monotonic()
    try:
        while queue or futures:
            # No more runs than workers: when one dies, Dask blames all runs that wait at this worker for its death.
            free = max(1, len(_workers(client))) - len(futures)
            for item in [queue.popleft() for _ in range(min(free, len(queue)))]:
                needed = {"GPU": 1} if item.needs_gpu else None
                futures[
                    client.submit(work.run_on_worker, item, mark, pure=False, resources=needed)
                ] = item
            try:
                future = next(
                    distributed.as_completed(list(futures), timeout=SECONDS_UNTIL_COUNTED)
                )
            except TimeoutError:
                if not _workers(client) and time.monotonic() - last_news > SECONDS_WITHOUT_NEWS:
                    logger.warning(NO_WORKER, len(queue) + len(futures))
                    last_news = time.monotonic()
                continue
            if future.cancelled():
                raise ConnectionError(LOST)
            yield futures.pop(future), _outcome(future)
            last_news = time.monotonic()
    finally:
        if client.status == "running":
            client.cancel(list(futures))


def _outcome(future: Any) -> work.JobResult | Exception:
    """Return the result or the error of a finished future; ConnectionError if the scheduler is lost."""
    try:
        done: work.JobResult = future.result()
        return done
    except Exception as error:
        if future.status != "error":
            raise ConnectionError(LOST) from error
        return _explained(error)


def _explained(error: Exception) -> Exception:
    """Return the error of a run; those of Dask are replaced by what they mean and what to do."""
    import distributed

    if isinstance(error, distributed.scheduler.KilledWorker):
        return MemoryError(
            f"{error.allowed_failures + 1} workers died while they did this run, the last one at "
            f"{error.last_worker.address}. Most likely it needs more memory than a worker has: use fewer workers on "
            "this machine or give them more memory, and start the same runs again to continue"
        )
    if isinstance(error, distributed.scheduler.NoWorkerError):
        return ConnectionError(
            "no worker could be started for some minutes, most likely for lack of memory or of space for temporary "
            "files; mend that and start the same runs again, with or without a scheduler, to continue"
        )
    return error


def _require_suitable(client: Client, works: Sequence[work.Work]) -> None:
    """Raise ValueError if a worker does several runs at a time, or none has a GPU although one is needed."""
    workers = _workers(client)
    several = [address for address, worker in workers.items() if worker["nthreads"] > 1]
    if several:
        raise ValueError(
            f"scheduler: the worker at {several[0]} does {workers[several[0]]['nthreads']} runs at a time, needs one; "
            f"start workers with {WORKER}"
        )
    without_gpu = workers and not any(
        worker["resources"].get("GPU") for worker in workers.values()
    )
    needing = [item.label for item in works if item.needs_gpu]
    if without_gpu and needing:
        raise ValueError(
            f"scheduler: no worker has a GPU for {needing[0]}; start one for each GPU with {GPU_WORKER}, "
            "or use 'local:1'"
        )


def _workers(client: Client) -> Mapping[str, Any]:
    """Return the workers of a client; ConnectionError if it is closed, since it could not connect again."""
    workers: Mapping[str, Any] | None = client.scheduler_info().get("workers")
    if workers is None:
        raise ConnectionError(LOST)
    return workers
