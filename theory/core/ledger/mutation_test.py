"""The power of the check of a ledger entry: an error planted in the statement that it shows must change its verdict."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from theory.core.ledger.equation import Equation
from theory.core.ledger.planted_errors import Mutant, is_equivalent, mutants, mutants_of_condition
from theory.core.ledger.rulings import Outcome, Ruling, Witness

DECIDED = (
    Ruling.CONFIRMED,
    Ruling.FOLLOWS,
    Ruling.REMARK,
    Ruling.MISPRINT,
    Ruling.CONDITIONAL,
    Ruling.INCONSISTENT,
)
SHOW_NUMBERS = (Ruling.MISPRINT, Ruling.INCONSISTENT)


def planted_errors(entry: Equation) -> Iterator[tuple[str, Mutant]]:
    """Yield each as (field, mutant), numbered where changes of a field read the same: "sign of x", "sign of x (2)"."""
    for field, changed in _changed_fields(entry):
        occurrences: Counter[str] = Counter()
        for mutant in changed:
            occurrences[mutant.change] += 1
            number = occurrences[mutant.change]
            yield (
                field,
                mutant if number == 1 else replace(mutant, change=f"{mutant.change} ({number})"),
            )


def _changed_fields(entry: Equation) -> Iterator[tuple[str, Iterator[Mutant]]]:
    if entry.verdict is Ruling.ILLEGIBLE and entry.prove is not None:
        yield "inferred", mutants(entry.inferred)
    if entry.verdict not in DECIDED:
        return
    yield "printed", mutants(entry.printed)
    if entry.verdict is Ruling.MISPRINT:
        yield "corrected", mutants(entry.corrected)
    if entry.verdict in (Ruling.CONDITIONAL, Ruling.FOLLOWS):
        yield "condition", mutants_of_condition(entry.condition)
    if isinstance(entry.witness, Witness):
        yield "witness", lost_values(entry.witness)


def lost_values(witness: Witness) -> Iterator[Mutant]:
    """Yield the witness with something in the place of each given value of its point that nothing can compute with."""
    for name in () if callable(witness.at) else witness.at:
        lost = {**witness.point, name: object()}
        yield Mutant(f"{name} lost", replace(witness, at=lost))


def survivors(entry: Equation, sample: int | None = None, seed: int = 0) -> list[str]:
    """Return the planted errors, of all or of a sample, that do not change the verdict, in words.

    Those proved to be equivalent, or listed in ``entry.harmless``, are none of them; a listed one that does change it
    is.
    """
    planted = list(planted_errors(entry))
    if sample is not None and sample < len(planted):
        planted = random.Random(f"{seed} {entry.key}").sample(planted, sample)
    before = entry.outcome() if planted else Outcome(entry.verdict)
    survival = [
        (f"{field}: {mutant.change}", survives(entry, field, mutant, before))
        for field, mutant in planted
    ]
    return [change for change, survives in survival if survives is not (change in entry.harmless)]


def is_unread(entry: Equation, witness: Witness) -> bool:
    """Return whether the numbers can be computed at a point that has lost a value."""
    try:
        reading = replace(entry, witness=witness).reading()
        return reading is not None and reading.contradicts_printed in (True, False)
    except Exception:  # a function needs the value
        return False


def survives(entry: Equation, field: str, mutant: Mutant, before: Outcome) -> bool:
    """Return whether an error in a field leaves the verdict as it was before, and is not proved to be no error."""
    if field == "witness":
        return is_unread(entry, mutant.statement)
    try:
        after = replace(entry, **{field: mutant.statement}).outcome()
    except Exception:  # the program cannot read the changed statement, so the error is caught
        return False
    changed = after.ruling is not before.ruling
    if entry.verdict in SHOW_NUMBERS and field == "printed":
        # one misprint becomes another, so the shown numbers must change
        changed = after.differs_from(before)
    if changed:
        return False
    shown = getattr(entry, field)
    # Strengthening the condition of a statement makes it weaker, and so does weakening its formula.
    stronger, weaker = (
        (mutant.statement, shown) if field == "condition" else (shown, mutant.statement)
    )
    return not is_equivalent(stronger, weaker)
