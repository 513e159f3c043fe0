"""Whether the verdict of an entry follows what it shows: errors planted in it must change the verdict."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from theory.core.equation import Equation
from theory.core.findings import Finding, Outcome
from theory.core.mutation import Mutant, is_equivalent, mutants, mutants_of_condition

DECIDED = (Finding.CONFIRMED, Finding.MISPRINT, Finding.CONDITIONAL)


def planted_errors(entry: Equation) -> Iterator[tuple[str, Mutant]]:
    """Every error in what the entry shows: its field, "printed", "corrected" or "condition", and what was changed."""
    if entry.verdict is Finding.ILLEGIBLE and entry.prove is not None:
        yield from (("inferred", mutant) for mutant in mutants(entry.inferred))
    if entry.verdict not in DECIDED:
        return
    yield from (("printed", mutant) for mutant in mutants(entry.printed))
    if entry.verdict is Finding.MISPRINT:
        yield from (("corrected", mutant) for mutant in mutants(entry.corrected))
    if entry.verdict is Finding.CONDITIONAL:
        yield from (("condition", mutant) for mutant in mutants_of_condition(entry.condition))


def survivors(entry: Equation, sample: int | None = None, seed: int = 0) -> list[str]:
    """The planted errors that leave the verdict as it is, in words, but for those that say the same.

    Those are proved to do so, or listed in ``entry.harmless``; what is listed there and does change the verdict counts
    as a survivor as well, so that the list holds nothing else.

    Args:
        entry: of a ledger.
        sample: how many errors to plant, drawn with ``seed``; default all.
        seed: of the draw.
    """
    planted = list(planted_errors(entry))
    if sample is not None and sample < len(planted):
        planted = random.Random(f"{seed} {entry.key}").sample(planted, sample)
    before = entry.outcome() if planted else Outcome(entry.verdict)
    words = {f"{field}: {mutant.change}": _survives(entry, field, mutant, before) for field, mutant in planted}
    return [change for change, survives in words.items() if survives is not (change in entry.harmless)]


def _survives(entry: Equation, field: str, mutant: Mutant, before: Outcome) -> bool:
    try:
        after = replace(entry, **{field: mutant.statement}).outcome()
    except Exception:  # refused: the program cannot even read it
        return False
    changed = after.finding is not before.finding
    if entry.verdict is Finding.MISPRINT and field == "printed":
        changed = after.differs_from(before)  # one misprint made into another: the shown numbers must follow
    if changed:
        return False
    shown = getattr(entry, field)
    # A stronger condition makes a statement that says less, and so does a weaker formula.
    said, planted = (mutant.statement, shown) if field == "condition" else (shown, mutant.statement)
    return not is_equivalent(said, planted)
