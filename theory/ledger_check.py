"""Checks of the ledger, with verdicts from the store of proofs where it has them.

If all verdicts are stored, neither a ledger nor computer algebra is imported.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from closedform.suggestions import UnknownNameError
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.ledger.labels import label_among
from theory.core.proof.store import checker, look_up, paper_digest, stored, using
from theory.core.proof.workers import answers, number_of_processes
from theory.ledger import LEDGERS, checked_key, entries_of

# A process takes a second to import computer algebra and a ledger, so each process should check several entries.
_ENTRIES_PER_PROCESS = 8

Progress = Callable[[CheckedEntry, int], None]


def check_ledger(
    paper: str | None = None,
    label: str | None = None,
    *,
    fresh: bool = False,
    processes: int | None = None,
    progress: Progress = lambda entry, total: None,
) -> tuple[CheckedEntry, ...]:
    """Compute the verdict of every entry, or read it from the store of proofs.

    A stored verdict belongs to the current files of the ledger and of the theory without the other ledgers, and to the
    current versions of Python and of the packages.

    Args:
        paper: key or arXiv number of one paper, to check its entries only. Default: all papers.
        label: label of one entry, with or without brackets, to check only this entry of ``paper`` or, without
            ``paper``, of all papers. Default: all entries.
        fresh: whether to recompute all verdicts and store them again. Default: False.
        processes: number of parallel processes. Default: the number of cores available to this process.
        progress: function that is called with each checked entry, in order, as soon as it is available, and with the
            number of entries. Default: none.

    Returns:
        The entries in the order of the ledger, with their computed verdicts.

    Raises:
        ValueError: if the paper or the label does not exist, or ``processes`` is not positive.

    >>> [(entry.label, entry.verdict) for entry in check_ledger("paccolat2021", "(2)")]
    [('(2)', 'CONDITIONAL')]
    """
    count = number_of_processes(processes)
    with using(read=not fresh):
        if paper is None:
            known = dict(LEDGERS.each(_labels))
        else:
            key = checked_key(paper)
            with LEDGERS.visit(key):
                known = {key: _labels(key)}
        digests = {key: paper_digest(LEDGERS.targets[key]) for key in known}
        if label is not None:
            try:
                label = label_among(chain.from_iterable(known.values()), label)
            except UnknownNameError as problem:
                raise ValueError(str(problem)) from None
        names = [
            (key, name_of_entry, digests[key])
            for key, labels in known.items()
            for name_of_entry in labels
            if label in (None, name_of_entry)
        ]
        kept = {name: entry for name in names if (entry := _kept(*name)) is not None}
        missing = [name for name in names if name not in kept]
        checked = []
        for name, fields in answers(
            names, missing, f"{__name__}:answer", count, _ENTRIES_PER_PROCESS
        ):
            checked.append(
                kept.get(name)
                or (_checked(*name) if fields is None else CheckedEntry.from_dict(fields))
            )
            progress(checked[-1], len(names))
    return tuple(checked)


def _labels(paper: str) -> Sequence[str]:
    """Return the labels of a paper's entries; they are stored, so that no ledger needs to be read for them."""
    digest = paper_digest(LEDGERS.targets[paper])
    parts = None if digest is None else ("ledger", paper, digest)
    return list(stored(checker(), parts, lambda: [entry.label for entry in entries_of(paper)]))


def answer(name: Sequence[Any]) -> dict[str, Any]:
    """Return the checked entry for (paper, label, digest) as plain data; this function runs in a worker process."""
    paper, label, digest = name
    return _checked(paper, label, digest).as_dict()


def _checked(paper: str, label: str, digest: str | None) -> CheckedEntry:
    from theory.core.ledger.recheck import recheck

    entry = recheck(_entries(paper, LEDGERS.targets[paper])[label])
    return CheckedEntry.from_dict(
        stored(
            checker(), _parts(paper, label, digest), entry.as_dict, keep=lambda _: entry.is_settled
        )
    )


@cache
def _entries(paper: str, _module: str) -> Mapping[str, Any]:
    return {entry.label: entry for entry in entries_of(paper)}


def _kept(paper: str, label: str, digest: str | None) -> CheckedEntry | None:
    kept = look_up(checker(), _parts(paper, label, digest))
    try:
        return None if kept is None else CheckedEntry.from_dict(kept[0])
    except (TypeError, KeyError, AttributeError):
        return None


def _parts(paper: str, label: str, digest: str | None) -> tuple[str, ...] | None:
    return None if digest is None else ("entry", paper, label, digest)
