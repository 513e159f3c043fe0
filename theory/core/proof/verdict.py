"""Verdicts on statements, the causes of those that are open, and the store of those that are not."""

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from theory.core.proof.store import stored, using


class Verdict(enum.Enum):
    """The result of checking a statement.

    >>> [verdict.name for verdict in Verdict]
    ['HOLDS', 'UNDECIDED', 'FAILS']
    """

    HOLDS = "holds"
    """The statement is proved or, for a :class:`Check`, its program returned True."""
    UNDECIDED = "undecided"
    """The statement is neither proved nor refuted; it does not count as holding."""
    FAILS = "fails"
    """The statement is refuted by a point at which the two sides clearly differ, or its program said False."""

    @classmethod
    def all(cls, verdicts: Iterable["Verdict"]) -> "Verdict":
        """Return the verdict on the conjunction of several statements."""
        distinct = set(verdicts)
        return (
            cls.FAILS
            if cls.FAILS in distinct
            else cls.UNDECIDED
            if cls.UNDECIDED in distinct
            else cls.HOLDS
        )


@dataclass(frozen=True)
class Decision:
    """The verdict on a statement, and if it is UNDECIDED, what ended the proof and the search in words."""

    verdict: Verdict
    cause: str = ""


OUT_OF_TIME = "out of processor time"
_LONGEST_CAUSE = 200


def in_words(error: Exception) -> str:
    """Return one line that says what was raised."""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    return text if len(text) <= _LONGEST_CAUSE else f"{text[:_LONGEST_CAUSE]}..."


def decision_of(
    version: str | None,
    kind: str,
    content: str | None,
    decide: Callable[[], Decision],
    fresh: bool,
) -> Decision:
    """Return the verdict from the store, or decide and store it; UNDECIDED is not stored."""
    parts = None if content is None else (kind, content)
    settled = {Verdict.HOLDS.name, Verdict.FAILS.name}
    causes: list[str] = []

    def computed() -> str:
        decision = decide()
        causes.append(decision.cause)
        return decision.verdict.name

    with using(read=not fresh):
        verdict = Verdict[stored(version, parts, computed, keep=settled.__contains__)]
    return Decision(verdict, causes[0] if causes else "")
