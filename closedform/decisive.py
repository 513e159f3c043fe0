"""The number that decides a statement about several measured numbers: all, most, or the way that they go.

A plan says by one word of :data:`HOLDS` what its statement claims of several numbers, and the decisive number has the
joint verdict.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from closedform.measured import Measured
from closedform.verdicts import DISAGREES

Holds = Literal["all", "most", "rises", "falls", "approaches", "from below", "from above"]
HOLDS: dict[Holds, str] = {
    "all": "every number has to agree; the statement fails if one of them disagrees at the joint limit for all",
    "most": "more than half of the numbers have to agree; the others, those that disagree most, are left out",
    "rises": "the last number has to lie above the first, in the order of the study; nothing is predicted for them",
    "falls": "the last number has to lie below the first, in the order of the study; nothing is predicted for them",
    "approaches": "the last number has to be nearer to the predicted one than the first, in the order of the study",
    "from below": "as approaches, and no number may lie above the predicted one at the joint limit for all",
    "from above": "as approaches, and no number may lie below the predicted one at the joint limit for all",
}


def decisive(measured: Iterable[Measured], holds: Holds = "all") -> Measured:
    """Return the number that contradicts a statement about several numbers most, or else leaves most room for that.

    Room is counted in units of the resolution, or for a bound of the limit; ``among`` is set to the count. A word of
    :data:`HOLDS` says what the statement claims; ValueError if the numbers do not decide it, see :func:`decides`.
    """
    rows = list(measured)
    if holds not in get_args(Holds):
        raise ValueError(f"holds: got {holds!r}, needs one of {', '.join(HOLDS)}")
    if not decides(rows, holds):
        got = f"{len(rows)} numbers{', one without a verdict' if rows else ''}"
        raise ValueError(
            f"measured: got {got}, needs at least one, all with a prediction and an error, two for a way"
        )
    if holds in ("rises", "falls"):
        return _ahead(rows, holds, [row.value if holds == "rises" else -row.value for row in rows])
    if holds in ("all", "most"):
        return _worst(rows, (len(rows) - 1) // 2 if holds == "most" else 0)
    if holds != "approaches":
        side = _worst(
            [replace(row, relation="<" if holds == "from below" else ">") for row in rows]
        )
        if side.verdict == DISAGREES:
            return side
    return _ahead(rows, "nearer", [-abs(row.deviation) for row in rows])


def decides(rows: Sequence[Measured], holds: Holds = "all") -> bool:
    """Return whether the numbers decide a statement: there are some, with what the statement needs of them."""
    if holds in ("rises", "falls"):
        return len(rows) > 1 and all(row.error for row in rows)
    return (
        bool(rows)
        and all(row.verdict for row in rows)
        and (holds in ("all", "most") or len(rows) > 1)
    )


def _worst(rows: Sequence[Measured], left_out: int = 0) -> Measured:
    """Return the decisive number about all numbers but the ``left_out`` worst ones."""
    exact = [row for row in rows if not row.is_compared]
    compared = [row for row in rows if row.is_compared]
    number = len(compared)
    against = sorted(
        compared, key=lambda row: -math.inf if _is_close(row) else _significance(row, number)
    )
    kept = against[: max(number - left_out, 0)]
    if not kept:
        return exact[0]
    row = kept[-1]
    if _is_close(row) or _significance(row, number) <= 1:
        row = max(kept, key=_room)
    return replace(row, among=number if _significance(row, 1) > 1 else 1)


def _ahead(rows: Sequence[Measured], word: str, scores: Sequence[float]) -> Measured:
    """Return by how much the score of the last number is above that of the first, which has to be positive."""
    first, last = rows[0], rows[-1]
    known = [row.n for row in (first, last) if row.n is not None]
    return Measured(
        first.quantity, f"{first.label} to {last.label}, {word} by", scores[-1] - scores[0],
        math.hypot(first.total_error, last.total_error), min(known, default=None), 0.0, ">",
    )  # fmt: skip


def _significance(row: Measured, among: int) -> float:
    """Return how far a number is on the wrong side, in units of its limit."""
    deviation = {"=": abs(row.deviation), "<": row.deviation, ">": -row.deviation}[row.relation]
    return deviation / row.allowed_among(among)


def _is_close(row: Measured) -> bool:
    """Return whether all that a number allows lies within its resolution, so that it cannot contradict."""
    return row.relation == "=" and row.largest <= row.smallest_relevant


def _room(row: Measured) -> float:
    """Return the room for a contradiction, which is positive where the number alone is too blunt to say."""
    if row.relation == "=":
        largest = abs(row.deviation) + row.allowed_among(1)
        return largest / row.smallest_relevant - 1.0
    return _significance(row, 1) + 1.0
