"""Workers of Dask in the jobs of SLURM, which talk to the scheduler in this process over an encrypted network."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from closedform import checks
from closedform.missing import require
from empirics.sweep.cluster import LOOPBACK

if TYPE_CHECKING:
    from distributed import Client, Security

MOST_JOBS: Final = 10_000


@contextmanager
def jobs(number: int, queue: str | None = None, security: Any = True) -> Iterator[Client]:
    """Return a client of workers in jobs of SLURM, one core and one worker in each, within this context.

    Memory (default 4 GB), wall time and other settings of a job are those of ``jobqueue.slurm`` in Dask's
    configuration. A job that ends is not submitted again. ``security=True`` makes certificates for this context, which
    the jobs read in the current folder or in ``jobqueue.slurm.shared-temp-directory``; with False, whoever reaches this
    machine over the network runs code as this user.
    ModuleNotFoundError without dask-jobqueue and cryptography, FileNotFoundError if this machine cannot submit jobs.
    """
    number = checks.integer("jobs", number, 1, MOST_JOBS)
    require(
        "scheduler: slurm",
        "distributed",
        "dask_jobqueue",
        *(["cryptography"] if security is True else []),
    )
    import dask
    import dask_jobqueue
    import distributed

    if shutil.which("sbatch") is None:
        raise FileNotFoundError(
            "scheduler: slurm needs the command sbatch; start the sweep where jobs are submitted"
        )
    memory = dask.config.get("jobqueue.slurm.memory", None) or "4GB"
    with ExitStack() as contexts:
        if security is True:
            shared = dask.config.get("jobqueue.slurm.shared-temp-directory", None) or Path.cwd()
            folder = contexts.enter_context(
                tempfile.TemporaryDirectory(prefix=".closedform-", dir=shared)
            )
            security = _certificates(Path(folder))
        cluster = dask_jobqueue.SLURMCluster(
            queue=queue, cores=1, processes=1, memory=memory, security=security or None,
            scheduler_options={"dashboard_address": f"{LOOPBACK}:0"},
        )  # fmt: skip
        contexts.enter_context(cluster)
        connected = contexts.enter_context(distributed.Client(cluster))
        cluster.scale(jobs=number)
        yield connected


def _certificates(folder: Path) -> Security:
    """Write a key and its certificate into a folder that only this user reads, and return them for all roles."""
    from distributed import Security

    made = Security.temporary()
    parts = {"cert": made.tls_ca_file, "key": made.tls_client_key}
    for name, text in parts.items():
        (folder / name).write_text(text, encoding="utf-8")
    roles = {
        f"tls_{role}_{part}": str(folder / part)
        for role, part in product(("client", "scheduler", "worker"), parts)
    }
    return Security(require_encryption=True, tls_ca_file=str(folder / "cert"), **roles)
