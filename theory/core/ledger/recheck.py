"""Execution of the programs of one ledger entry, with its content and their results as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from closedform.measured import to_rows
from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness
from theory.core.ledger.equation import Equation
from theory.core.ledger.measurement import Measurement
from theory.core.ledger.presentation import condition_lines, is_condition, lines
from theory.core.ledger.rulings import Outcome, Reading
from theory.core.ledger.typesetting import typeset
from theory.core.proof.budget import OutOfTime, budget

LONGEST = 600.0  # seconds of processor time for the programs of one entry; the slowest need a tenth of it


def recheck(entry: Equation, seconds: float = LONGEST) -> CheckedEntry:
    """Return the entry with its computed verdict.

    If a program raises an error or runs out of time, the verdict is OPEN and the field ``error`` states the reason.

    Args:
        entry: entry of the ledger.
        seconds: limit of the processor time of its programs, in seconds. Default: 600.
    """
    outcome, error = Outcome(type(entry.verdict).OPEN), ""
    try:
        with budget(seconds):
            outcome = entry.outcome()
    except OutOfTime:
        error = f"its programs need more than {seconds:g} s of processor time"
    except (Exception, SystemExit) as problem:  # the program of an entry may raise anything
        error = f"{type(problem).__name__}: {problem}"
    reading, printed = outcome.reading, lines(entry.printed, entry.letters)
    corrected = None if entry.lacks_condition or is_condition(entry.corrected) else entry.corrected
    return CheckedEntry(
        paper=entry.paper,
        label=entry.label,
        statement=printed[0].text if entry.statement == str(entry.printed) else entry.statement,
        where=entry.where,
        edition=entry.edition,
        declared=entry.verdict.name,
        verdict=outcome.ruling.name,
        printed=printed,
        corrected=lines(corrected, entry.letters),
        condition=condition_lines(entry.condition, entry.corrected, entry.letters),
        looked_for=str(entry.looked_for or ""),
        inferred=lines(entry.inferred, entry.letters),
        evidence=entry.evidence,
        consequence=entry.consequence,
        heirs=entry.heirs,
        closed_form=entry.closed_form or "",
        steps=tuple((shown, claim, verdict.name) for shown, claim, verdict in outcome.verdicts),
        witness=_witness(entry, reading) if reading is not None else None,
        measurement=_measurement(entry.measurement) if entry.measurement is not None else {},
        error=error,
    )


def _measurement(measurement: Measurement) -> dict[str, Any]:
    """Return the measurement as data, with its number, what follows from it, and its text."""
    (row,) = to_rows([measurement.measured])
    return measurement.as_json() | {"measured": row, "text": str(measurement)}


def _witness(entry: Equation, reading: Reading) -> CheckedWitness:
    at = getattr(entry.witness, "at", entry.witness) or {}
    return CheckedWitness(
        at={str(name): _text(value) for name, value in at.items()},
        printed=_plain(reading.printed),
        corrected=_plain(reading.corrected),
        independent=_plain(reading.independent),
        tolerance=float(reading.tolerance),
        letters={str(name): letter for name in at if (letter := _letter(name, entry.letters))},
    )


def _letter(name: Any, letters: Mapping[str, str]) -> str:
    """Return the LaTeX of a symbol or of its name, such as "alpha" or "x_1"; an empty string for words."""
    if isinstance(name, sp.Basic):
        return typeset(name, letters)
    if "#" not in (known := letters.get(name, "#")):
        return known
    latex = sp.latex(sp.Symbol(name))
    is_letter = re.fullmatch(r"[A-Za-z](_\w+)?", name) or (re.fullmatch(r"\w+", name) and latex.startswith("\\"))
    return latex if is_letter else ""


def _text(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value).replace("'", "")  # numbers that are kept as text


def _plain(value: Any) -> Any:
    """Return a number, or nested lists of numbers, for JSON, which has no infinity; None for a missing value."""
    array = np.asarray(value, dtype=float)
    if array.ndim:
        return [_plain(part) for part in array]
    number = float(array)
    return None if np.isnan(number) else number if np.isfinite(number) else str(number)
