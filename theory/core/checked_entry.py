"""An entry of the ledger with the verdict that its programs reached, as plain data; importing this costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

ERRATA = ("MISPRINT", "CONDITIONAL")
SETTLED = frozenset({"HOLDS", "FAILS"})

ShownLine = tuple[str, str, str]  # kind, text, LaTeX: theory.core.presentation.Line


@dataclass(frozen=True)
class CheckedWitness:
    """The point at which a printed statement is wrong, and the three values there.

    Attributes:
        at: name of each symbol -> its value, as text.
        printed: value of the printed statement: a number, or nested lists of them.
        corrected: value of the corrected statement; None where only a condition is missing.
        independent: value by a computation that shares no code with the derivation.
        tolerance: relative accuracy of the independent value, dimensionless.
        letters: LaTeX of the paper for the names in ``at`` that are symbols, and not words.
    """

    at: Mapping[str, str]
    printed: Any
    corrected: Any
    independent: Any
    tolerance: float
    letters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckedEntry:
    """What an entry shows, and what its programs found about it.

    Attributes:
        paper: key of the references.
        label: of the entry.
        statement: in words.
        where: place in the text that was read.
        edition: which text was read.
        declared: the verdict that the author of the entry expects, "MISPRINT".
        verdict: the computed one.
        printed, corrected, condition, inferred: lines of ``(kind, text, LaTeX)``; none where the entry has none.
        evidence: how the verdict is found.
        consequence: what depends on the difference.
        heirs: labels of the entries that inherit the fault.
        closed_form: name in the catalogue; empty for none.
        steps: ``(shown, claim, verdict)`` for each step, with "printed", "corrected" or "inferred" for ``shown``.
        witness: where the printed statement is wrong.
        measurement: fields of the measurement that decides the entry.
        error: what a program raised, or that it ran out of time; empty where nothing went wrong.
    """

    paper: str
    label: str
    statement: str
    where: str
    edition: str
    declared: str
    verdict: str
    printed: tuple[ShownLine, ...] = ()
    corrected: tuple[ShownLine, ...] = ()
    condition: tuple[ShownLine, ...] = ()
    inferred: tuple[ShownLine, ...] = ()
    evidence: str = ""
    consequence: str = ""
    heirs: tuple[str, ...] = ()
    closed_form: str = ""
    steps: tuple[tuple[str, str, str], ...] = ()
    witness: CheckedWitness | None = None
    measurement: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the computed verdict is the declared one, and no program went wrong."""
        return self.verdict == self.declared and not self.error

    @property
    def is_erratum(self) -> bool:
        """Whether the printed statement is wrong, or right only under a condition that is not printed."""
        return self.verdict in ERRATA

    @property
    def is_settled(self) -> bool:
        """Whether the verdict is worth storing: nothing went wrong, and no step is undecided."""
        return not self.error and all(verdict in SETTLED for *_, verdict in self.steps)

    @property
    def failing(self) -> tuple[tuple[str, str, str], ...]:
        """The steps that speak against the declared verdict; for a MISPRINT the printed form is meant to fail."""
        refuted = self.declared in ERRATA
        return tuple(step for step in self.steps if step[2] != "HOLDS" and not (refuted and step[0] == "printed"))

    def as_dict(self) -> dict[str, Any]:
        """All fields, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> CheckedEntry:
        """The entry whose ``as_dict`` went through JSON.

        Raises:
            TypeError: if a field is missing or unknown.
        """
        values = dict(fields)
        for name in ("printed", "corrected", "condition", "inferred", "steps"):
            values[name] = tuple(tuple(line) for line in values[name])
        values["heirs"] = tuple(values["heirs"])
        values["witness"] = CheckedWitness(**values["witness"]) if values["witness"] else None
        return cls(**values)
