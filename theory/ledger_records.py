"""The verdicts of errata as they are recorded with each paper, so that nobody waits for what was decided before.

``papers/<paper>/verdicts.json`` has the checked entries that errata list, and a digest of them and of the files of the
ledger, text and programs. Under another digest all are decided anew, and so are they where the file is damaged or the
store of proofs is not read. The digest does not contain the theory that the programs use: for a change of it, the tests
compare each record with what its program decides. ``closedform check --ledger --record`` writes the records.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from closedform.suggestions import UnknownNameError
from closedform.untrusted_files import json_in
from theory.core.ledger.checked_entry import CheckedEntry
from theory.core.ledger.comparison import Comparison, Difference
from theory.core.ledger.labels import label_among
from theory.core.ledger.source import read
from theory.core.proof.store import GROUND, current, files_below
from theory.ledger import LEDGERS, checked_key
from theory.ledger_check import Progress, check_ledger

FILE, COMPARED = "verdicts.json", "transcription.json"


def recorded_errata(
    paper: str | None = None,
    *,
    progress: Progress = lambda entry, total: None,
) -> tuple[CheckedEntry, ...]:
    """Return the entries that errata list, with recorded verdicts where these are of the current ledger.

    Args:
        paper: key or arXiv number of one paper. Default: all papers.
        progress: function that is called with each entry that is decided now, and the number of entries of its paper.
            Default: none.

    Raises:
        ValueError: if the paper does not exist.

    >>> [entry.label for entry in recorded_errata("2301.11375") if entry.priority == 1]
    ['(A.18)']
    """
    keys = list(LEDGERS) if paper is None else [checked_key(paper)]
    errata: list[CheckedEntry] = []
    for key in keys:
        of_paper = recorded(key)
        if of_paper is None:
            of_paper = _listed(check_ledger(key, progress=progress))
        errata += of_paper
    return tuple(errata)


def checked_erratum(paper: str, label: str) -> tuple[CheckedEntry, ...]:
    """Return one entry of a paper, whatever its verdict; the recorded one if there is one.

    Args:
        paper: key or arXiv number of the paper.
        label: label, with or without brackets.

    Raises:
        ValueError: if the paper or the label does not exist.

    >>> [entry.verdict for entry in checked_erratum("zavatoneveth2023", "7")]
    ['MISPRINT']
    """
    key = checked_key(paper)
    known = {entry.label: entry for entry in recorded(key) or ()}
    try:
        return (known[label_among(known, label)],)
    except UnknownNameError:  # an entry that errata do not list, or no label at all
        return check_ledger(key, label)


def recorded(paper: str) -> tuple[CheckedEntry, ...] | None:
    """Return the recorded entries of a paper; None if there are none that hold for its ledger, or none may be read.

    Args:
        paper: key of the paper.

    Returns:
        The entries that errata list; None without a record, if it is damaged or was changed by hand, for another
        ledger, and where the store of proofs is not read.
    """
    path = _path(paper)
    if path is None or not current().read:
        return None
    try:
        records = json_in(path)
        if records["digest"] != digest(paper, records["entries"]):
            return None
        return tuple(map(CheckedEntry.from_dict, records["entries"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def record(entries: Iterable[CheckedEntry]) -> list[Path]:
    """Write the entries that errata list next to the ledgers of their papers, and return the files.

    Args:
        entries: all checked entries of one or several papers.

    Raises:
        ValueError: if a verdict is not the declared one, a paper lacks entries, or its ledger is of another
            distribution.
    """
    checked = list(entries)
    wrong = [f"{entry.paper} {entry.label}" for entry in checked if not entry.agrees]
    if wrong:
        raise ValueError(f"entries: got {', '.join(wrong)}, needs verdicts that are as declared")
    written = []
    for paper in dict.fromkeys(entry.paper for entry in checked):
        path = _path(paper)
        if path is None:
            raise ValueError(f"paper: got {paper}, needs one whose ledger is in this distribution")
        of_paper = [entry for entry in checked if entry.paper == paper]
        blocks = read(LEDGERS.targets[paper]).blocks
        if len(of_paper) < len(blocks):
            raise ValueError(
                f"entries: got {len(of_paper)} of {len(blocks)} of {paper}, needs all of a paper"
            )
        entries_of_errata = [entry.as_dict() for entry in _listed(of_paper)]
        body = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries_of_errata)
        head = f'{{"digest": "{digest(paper, entries_of_errata)}",\n"entries": [\n'
        path.write_text(f"{head}{body}\n]}}\n", encoding="utf-8")
        written.append(path)
    return written


def record_comparison(paper: str, comparison: Comparison) -> Path:
    """Write how the formulas of a ledger compare with the TeX of its paper, and return the file.

    Args:
        paper: key of the paper.
        comparison: what :func:`theory.core.ledger.tex_comparison.compared` returns.

    Raises:
        ValueError: if the ledger of the paper is of another distribution.
    """
    path = _path(paper, COMPARED)
    if path is None:
        raise ValueError(f"paper: got {paper}, needs one whose ledger is in this distribution")
    path.write_text(f"{json.dumps(comparison._asdict(), indent=1)}\n", encoding="utf-8")
    return path


def recorded_comparison(paper: str) -> Comparison | None:
    """Return what :func:`record_comparison` wrote for a paper; None if there is no record."""
    path = _path(paper, COMPARED)
    if path is None or not path.is_file():
        return None
    kept = json_in(path)
    differing = tuple(Difference(*difference) for difference in kept["differing"])
    return Comparison(tuple(kept["equal"]), differing, tuple(kept["without_tex"]))


def digest(paper: str, entries: Any) -> str:
    """Return the digest of recorded entries and of the files of their ledger: its text and its programs.

    Args:
        paper: key of the paper.
        entries: the entries as plain data for JSON.
    """
    total = hashlib.sha256(json.dumps(entries, sort_keys=True).encode())
    for path in files_below(GROUND.parent.joinpath(*LEDGERS.targets[paper].split("."))):
        total.update(path.name.encode() + b"\n" + path.read_bytes())
    return total.hexdigest()


def _path(paper: str, name: str = FILE) -> Path | None:
    """Return a file of the records of a paper; None for one of another distribution."""
    target = LEDGERS.targets[paper]
    if not target.startswith("papers."):
        return None
    return GROUND.parent.joinpath(*target.split(".")[:-1]) / name


def _listed(entries: Iterable[CheckedEntry]) -> tuple[CheckedEntry, ...]:
    return tuple(entry for entry in entries if entry.is_listed)
