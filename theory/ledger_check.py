"""Checks of the ledger, with verdicts from the store of proofs where it has them.

If all verdicts are stored, neither a ledger nor computer algebra is imported.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from closedform.suggestions import unknown
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.proof.imports import digest_of_all, module_digest, paper_digest
from theory.core.proof.many import cores
from theory.core.proof.sources import checker
from theory.core.proof.store import look_up, stored, using
from theory.core.proof.workers import Workers
from theory.ledger import LEDGERS, checked_key, entries_of

# A process takes a second to import computer algebra and a ledger, so each process should check several entries.
_ENTRIES_PER_PROCESS = 8

Progress = Callable[[CheckedEntry, int], None]
Place = tuple[str, str | None]  # label of an entry, and the digest of everything that determines its verdict


def check_ledger(
    paper: str | None = None,
    label: str | None = None,
    *,
    fresh: bool = False,
    processes: int | None = None,
    progress: Progress = lambda entry, total: None,
) -> tuple[CheckedEntry, ...]:
    """Compute the verdict of every entry, or read it from the store of proofs.

    A stored verdict belongs to the current source code of the entry's module and of everything in the theory that it
    imports, and to the current versions of Python and of the packages.

    Args:
        paper: key of one paper, to check its entries only. Default: all papers.
        label: label of one entry, to check only this entry of ``paper`` or, without ``paper``, of all papers. Default:
            all entries.
        fresh: whether to recompute all verdicts and store them again. Default: False.
        processes: number of parallel processes. Default: the number of cores available to this process.
        progress: function that is called with each checked entry, in order, as soon as it is available, and with the
            number of entries. Default: none.

    Returns:
        The entries in the order of the ledger, with their computed verdicts.

    Raises:
        ValueError: if the paper or the label does not exist, or ``processes`` is not positive.

    >>> [(entry.label, entry.verdict) for entry in check_ledger("paccolat2021", "(3)")]
    [('(3)', 'CONDITIONAL')]
    """
    if processes is not None and processes < 1:
        raise ValueError(f"processes: got {processes}, needs at least 1")
    with using(read=not fresh):
        if paper is None:
            known = dict(LEDGERS.each(_places))
        else:
            with LEDGERS.visit(key := checked_key(paper)):
                known = {key: _places(key)}
        places = {key: [place for place in found if label in (None, place[0])] for key, found in known.items()}
        if not any(places.values()):
            labels = [place[0] for found in known.values() for place in found]
            raise ValueError(unknown("label", str(label), list(dict.fromkeys(labels))))
        total = sum(map(len, places.values()))
        checked = []
        for entry in _in_order(places, processes or cores()):
            checked.append(entry)
            progress(entry, total)
    return tuple(checked)


def _places(paper: str) -> Sequence[Place]:
    """Return the labels of a paper's entries with their digests; the list is stored under the digest of its sources."""
    parts = None if (digest := paper_digest(LEDGERS.targets[paper])) is None else ("ledger", paper, digest)
    kept = stored(checker(), parts, lambda: _read_places(paper), keep=lambda places: all(d for _, d in places))
    return [(label, digest) for label, digest in kept]


def _read_places(paper: str) -> list[Place]:
    found = _modules_of(paper)
    digests = {name: module_digest(name) for name in sorted({name for names in found.values() for name in names})}
    return [
        (entry.label, _digest([digests[name] for name in found[entry.label]], entry.measurement))
        for entry in entries_of(paper)
    ]


def _digest(modules: Sequence[str | None], measurement: Any) -> str | None:
    """Return the digest of everything that determines a verdict: the sources and, if there is one, the measurement.

    Args:
        modules: digests of the modules that contain the entry.
        measurement: the measurement, or None.
    """
    measured = [] if measurement is None else [hashlib.sha256(repr(measurement).encode()).hexdigest()]
    return digest_of_all([*modules, *measured])


def _modules_of(paper: str) -> Mapping[str, tuple[str, ...]]:
    """Return label of an entry -> the modules with a tuple that contains it, or the whole ledger if there are none."""
    package, entries = LEDGERS.targets[paper], entries_of(paper)
    places: dict[str, set[str]] = {entry.label: set() for entry in entries}
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            tuples = (value for value in vars(module).values() if isinstance(value, tuple))
            for entry in chain.from_iterable(tuples):
                if getattr(entry, "paper", None) == paper and getattr(entry, "label", None) in places:
                    places[entry.label].add(name)
    return {label: tuple(sorted(names)) or (package,) for label, names in places.items()}


def _in_order(places: Mapping[str, Sequence[Place]], processes: int) -> Iterator[CheckedEntry]:
    names = [(paper, label, digest) for paper, found in places.items() for label, digest in found]
    kept = {name: entry for name in names if (entry := _kept(*name)) is not None}
    missing = [name for name in names if name not in kept]
    count = min(processes, len(missing) // _ENTRIES_PER_PROCESS)
    if count < 2:
        yield from (kept[name] if name in kept else _checked(*name) for name in names)
        return
    with Workers(count, f"{__name__}:answer") as workers:
        waiting = {name: workers.submit(name) for name in missing}
        for name in names:
            answer = waiting[name].result() if name in waiting else None
            entry = kept.get(name) or (_checked(*name) if answer is None else CheckedEntry.from_dict(answer))
            yield entry


def answer(name: Sequence[Any]) -> dict[str, Any]:
    """Return the checked entry for (paper, label, digest) as plain data; this function runs in a worker process."""
    paper, label, digest = name
    return _checked(paper, label, digest).as_dict()


def _checked(paper: str, label: str, digest: str | None) -> CheckedEntry:
    from theory.core.ledger.recheck import recheck

    entry = recheck(_entries(paper, LEDGERS.targets[paper])[label])
    return CheckedEntry.from_dict(
        stored(checker(), _parts(paper, label, digest), entry.as_dict, keep=lambda _: entry.is_settled)
    )


@cache
def _entries(paper: str, _module: str) -> Mapping[str, Any]:
    return {entry.label: entry for entry in entries_of(paper)}


def _kept(paper: str, label: str, digest: str | None) -> CheckedEntry | None:
    found = look_up(checker(), _parts(paper, label, digest))
    try:
        return None if found is None else CheckedEntry.from_dict(found[0])
    except (TypeError, KeyError, AttributeError):
        return None


def _parts(paper: str, label: str, digest: str | None) -> tuple[str, ...] | None:
    return None if digest is None else ("entry", paper, label, digest)
