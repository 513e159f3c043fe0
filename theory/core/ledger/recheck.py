"""Execution of the programs of one ledger entry; its content and their results as plain data, for display."""

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.str import StrPrinter

from closedform.interruption import OutOfTime, budget
from closedform.measured import to_rows
from theory.core.ledger.algorithm import Algorithm
from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness
from theory.core.ledger.equation import Equation
from theory.core.ledger.measurement import Measurement
from theory.core.ledger.printed import Claim, Conditional, PrintedRelation, Word
from theory.core.ledger.rulings import Outcome, Reading
from theory.core.ledger.typesetting import Letters, matrix_terms, typeset
from theory.core.text.plain_letters import plain

LONGEST = 600.0  # seconds of processor time for the programs of one entry; the slowest need a tenth of it


def recheck(entry: Equation, seconds: float = LONGEST) -> CheckedEntry:
    """Return the entry with its computed verdict: OPEN, with an ``error``, if a program fails or takes too long.

    What left a step UNDECIDED is an ``error`` as well, where the verdict is not the declared one.
    """
    outcome, error = Outcome(type(entry.verdict).OPEN), ""
    try:
        with budget(seconds):
            outcome = entry.outcome()
    except OutOfTime:
        error = f"its programs need more than {seconds:g} s of processor time"
    except (Exception, SystemExit) as problem:  # the program of an entry may raise anything
        error = f"{type(problem).__name__}: {problem}"
    if outcome.causes and outcome.ruling is not entry.verdict:
        error = "; ".join(outcome.causes)
    reading, printed = outcome.reading, lines(entry.printed, entry.letters)
    return CheckedEntry(
        paper=entry.paper,
        label=entry.label,
        statement=printed[0].text if entry.statement == str(entry.printed) else entry.statement,
        where=entry.where,
        edition=entry.edition,
        declared=entry.verdict.name,
        verdict=outcome.ruling.name,
        printed=printed,
        corrected=lines(None if entry.lacks_condition else entry.corrected, entry.letters),
        condition=lines(getattr(entry.corrected, "condition", entry.condition), entry.letters),
        looked_for=str(entry.looked_for or entry.assumed or ""),
        inferred=lines(entry.inferred, entry.letters),
        evidence=entry.evidence,
        consequence=entry.consequence,
        effect=entry.effect,
        finding=entry.finding,
        priority=entry.priority,
        heirs=entry.heirs,
        closed_form=entry.closed_form or "",
        steps=tuple((shown, claim, verdict.name) for shown, claim, verdict in outcome.verdicts),
        witness=_witness(entry, reading) if reading is not None else None,
        measurement=_measurement(entry.measurement) if entry.measurement is not None else {},
        error=error,
    )


def _measurement(measurement: Measurement) -> dict[str, Any]:
    (row,) = to_rows([measurement.measured])
    return measurement.as_json() | {"measured": row, "text": str(measurement)}


def _witness(entry: Equation, reading: Reading) -> CheckedWitness:
    values = entry.witness.shown(entry.printed)
    letters = {name: _letter(name, entry.letters) for name in values}
    letters = {name: letter for name, letter in letters.items() if letter}
    words = {name: name if name in letters else _BLANK.sub(" ", name) for name in values}
    texts = {words[name]: _text(value) for name, value in values.items()}
    at = {name: text for name, text in texts.items() if text}
    if entry.witness.quantity:
        at["number"] = entry.witness.quantity
    return CheckedWitness(
        at=at,
        printed=_plain(reading.printed),
        corrected=_plain(reading.corrected),
        independent=_plain(reading.independent),
        tolerance=float(reading.tolerance),
        letters=letters,
    )


def _letter(name: Any, letters: Mapping[str, str]) -> str:
    """Return the LaTeX of a symbol or of its name, such as "alpha" or "x_1"; an empty string for words."""
    if isinstance(name, sp.Basic):
        return typeset(name, letters)
    if "#" not in (known := letters.get(name, "#")):
        return known
    latex = sp.latex(sp.Symbol(name))
    is_letter = re.fullmatch(r"[A-Za-z](_\w+)?", name) or (
        re.fullmatch(r"\w+", name) and latex.startswith("\\")
    )
    return latex if is_letter else ""


_BLANK = re.compile(r"(?<=[a-z]{2})_(?=[a-z]{2})")  # between two words of a name
LONGEST_ARRAY = 12  # entries that are shown; of a larger array the shape


def _text(value: Any) -> str:
    """Return a value of a point as text: numbers to twelve digits, those of an array to four; none for other data."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.12g}"
    if isinstance(value, (str, int, np.integer, sp.Basic)):
        return str(value)
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        is_text = isinstance(value, (tuple, list)) or is_dataclass(value)
        return str(value).replace("'", "") if is_text else ""
    if not array.ndim:
        return f"{float(array):.12g}"
    if array.size > LONGEST_ARRAY:
        return f"{' × '.join(map(str, array.shape))} numbers"
    squeezed = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    return _nested(squeezed.tolist())


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(_nested, value))})"
    return f"{value:.4g}"


def _plain(value: Any) -> Any:
    """Return a number, or nested lists of numbers, for JSON, which has no infinity; None for a missing value."""
    array = np.asarray(value, dtype=float)
    if array.ndim:
        return [_plain(part) for part in array]
    number = float(array)
    return None if np.isnan(number) else number if np.isfinite(number) else str(number)


FORMULA, SENTENCE, CODE = "formula", "sentence", "code"


class ShownLine(NamedTuple):
    """One line of a displayed statement: its kind (formula, sentence or code), plain text, and LaTeX of the paper."""

    kind: str
    text: str
    latex: str


def lines(statement: Any, letters: Letters) -> tuple[ShownLine, ...]:
    """Return the lines of a statement without its condition; empty if there is no statement."""
    if statement is None or (isinstance(statement, str) and not statement):
        return ()
    if isinstance(statement, Conditional):
        return lines(statement.statement, letters)
    if isinstance(statement, sp.Tuple):
        return tuple(chain.from_iterable(lines(part, letters) for part in statement))
    return (ShownLine(*_kind_and_text(statement, letters), typeset(statement, letters)),)


def _kind_and_text(statement: Any, letters: Letters) -> tuple[str, str]:
    if isinstance(statement, Algorithm):
        return CODE, str(statement)
    if isinstance(statement, Claim):
        values = {
            n: str(v) if isinstance(v, Word) else _TextPrinter(letters).doprint(v)
            for n, v in statement.values.items()
        }
        return SENTENCE, statement.text.format(**values)
    return FORMULA, statement if isinstance(statement, str) else _TextPrinter(letters).doprint(
        statement
    )


class _TextPrinter(StrPrinter):
    """A printer of sympy expressions as text in the paper's letters, with the usual signs of relations."""

    def __init__(self, letters: Letters) -> None:
        super().__init__()
        self._letters = letters

    def doprint(self, expr: Any) -> str:
        return str(super().doprint(expr)).replace("**", "^").replace(".T", "^T")

    def _print_Or(self, expr: sp.Or) -> str:
        return " or ".join(self._print(part) for part in expr.args)

    def _print_And(self, expr: sp.And) -> str:
        return " and ".join(self._print(part) for part in expr.args)

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        latex = self._letters.get(expr.name, "#")
        return plain(sp.latex(sp.Symbol(expr.name)) if "#" in latex else latex)

    _print_MatrixSymbol = _print_Symbol

    def _print_Pi(self, expr: Any) -> str:
        return "π"

    def _print_Infinity(self, expr: Any) -> str:
        return "∞"

    def _print_Order(self, expr: Any) -> str:
        return f"O({self._print(expr.expr)})"

    def _print_Limit(self, expr: sp.Limit) -> str:
        what, variable, place = (self._print(part) for part in expr.args[:3])
        return f"lim_({variable} → {place}) {what}"

    def _print_Function(self, expr: Any) -> str:
        latex = self._letters.get(expr.func.__name__) if isinstance(expr, AppliedUndef) else None
        if latex is None:
            return str(super()._print_Function(expr))
        arguments = [self._print(argument) for argument in expr.args]
        return re.sub(r"#(\d)", lambda place: arguments[int(place[1]) - 1], plain(latex))

    def _print(self, expr: Any, **settings: Any) -> str:
        if not isinstance(expr, PrintedRelation):
            return str(super()._print(expr, **settings))
        sign = {r"\sim": "~", r"\propto": "∝", r"\simeq": "≈", r"\to": "→"}[expr.sign]
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_Relational(self, expr: Relational) -> str:
        signs = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
        return f"{self._print(expr.lhs)} {signs.get(expr.rel_op, expr.rel_op)} {self._print(expr.rhs)}"

    def _as_ordered_terms(self, expr: sp.Expr, order: Any = None) -> list[sp.Expr]:
        return (
            matrix_terms(expr) if expr.is_MatAdd else list(super()._as_ordered_terms(expr, order))
        )

    def _print_Implies(self, expr: sp.Implies) -> str:
        return " ⇒ ".join(self._print(part) for part in expr.args)

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        if isinstance(expr.expr, (AppliedUndef, sp.Symbol)) and len(expr.variable_count) == 1:
            (variable, order) = expr.variable_count[0]
            power = "" if order == 1 else f"^{order}"
            return f"d{power}{self._print(expr.expr)}/d{self._print(variable)}{power}"
        return str(super()._print_Derivative(expr))
