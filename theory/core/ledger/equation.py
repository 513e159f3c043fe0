"""The entries of the equation ledger: a printed statement, and the ruling of a program that reads that statement."""

import dis
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from closedform import checks
from theory.core.formula.provenance import reference
from theory.core.ledger.checked_entry import EFFECTS
from theory.core.ledger.evidence import evidence
from theory.core.ledger.measurement import Measurement
from theory.core.ledger.printed import Claim, Conditional, PrintedRelation, Statement, relations
from theory.core.ledger.relation_kinds import has_same_order
from theory.core.ledger.rulings import (
    MEASURED,
    UNCHECKED,
    Outcome,
    Reading,
    Ruling,
    Witness,
)
from theory.core.ledger.shown_letters import refuse_shared_glyphs
from theory.core.ledger.source import Search
from theory.core.ledger.typesetting import in_html, typeset
from theory.core.proof.derivation import Check, Step
from theory.core.proof.verdict import Decision, Verdict
from theory.core.text.measured_conditions import measured_conditions

Prover = Callable[[Any], Iterable[Step | Check]]

NEEDS = {
    Ruling.CONFIRMED: ("printed", "prove"),
    Ruling.MISPRINT: ("printed", "corrected", "prove", "witness", "consequence"),
    Ruling.CONDITIONAL: ("printed", "condition", "looked_for", "prove", "witness", "consequence"),
    Ruling.FOLLOWS: ("printed", "condition", "assumed", "prove"),
    Ruling.REMARK: ("printed", "prove", "consequence"),
    Ruling.INCONSISTENT: ("printed", "prove", "witness", "consequence"),
    Ruling.ILLEGIBLE: ("inferred",),
    **dict.fromkeys(MEASURED, ("measurement",)),
}

# of a form (printed, ...), the claim of a step, its decision
Decisions = tuple[tuple[str, str, Decision], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Equation:
    """One equation, or one checkable sentence, of a paper.

    Args:
        paper: key of the paper in ``references.bib``.
        label: label of the statement, unique within the paper, such as "(10)" or "3.1 quoted exponent".
        statement: the statement in words.
        verdict: the ruling that ``check`` is expected to return.
        evidence: how the ruling is reached, or why no program can decide the statement.
        printed: the statement as printed, in the paper's notation: a sympy object, a ``Claim`` or an ``Algorithm``; a
            string of LaTeX where nothing is checked.
        prove: function that takes a statement, printed or corrected, and returns the steps and checks that hold if it
            is right. It must read the formula, or the values, from its argument.
        corrected: for a MISPRINT, the correct statement, of the same kind as ``printed``, or a ``Conditional`` of it.
        condition: for a CONDITIONAL, the formula or claim without which ``printed`` fails; for a FOLLOWS, an assumption
            that the paper states elsewhere; a string for other verdicts.
        looked_for: where in the paper the condition was looked for. Default: None.
        assumed: where in the paper the assumption of a FOLLOWS is stated, and its words. Default: None.
        inferred: for an ILLEGIBLE, the statement that is probably printed there; ``evidence`` gives the reasons.
        witness: a point at which the printed statement is wrong, with an independent computation of the number there.
        measurement: for a SUPPORTED, CONTRADICTED or UNRESOLVED, the measurement that decides it.
        where: place in the text that was read, such as "Section 3.2.1".
        edition: edition that was read.
        consequence: results that depend on the difference between printed and correct statement, or what a REMARK
            warns of.
        effect: what an erratum changes, one of :data:`EFFECTS`. Default: not said.
        finding: the erratum in one sentence, if it is one of the main ones of its paper. Default: none.
        priority: place of the finding, from 1 on. Default: 0, no finding.
        heirs: labels of the entries that inherit the error.
        root: label of the entry whose error this one inherits. Default: None.
        harmless: change of the statement, in the words of ``survivors`` -> reason (a symmetry) why the changed
            statement is still right. The second change in the same words ends in " (2)", and so on.
        closed_form: name of the corresponding closed form in the catalogue, if there is one.
        letters: the paper's LaTeX for symbols and functions, by their names in this package.

    Raises:
        ValueError: if a field that the verdict requires is missing, or ``prove`` does not read the statement.
        TypeError: if the verdict is not a ``Ruling``, or ``prove`` is given for a string.

    >>> import theory
    >>> entry = theory.equations("zavatoneveth2023")["(7)"]
    >>> entry.verdict.name, entry.root
    ('MISPRINT', '(A.18)')
    """

    paper: str
    label: str
    statement: str
    verdict: Ruling
    evidence: str
    printed: Statement | str = ""
    prove: Prover | None = None
    corrected: Any = ""
    condition: Any = ""
    looked_for: Search | None = None
    inferred: Statement | None = None
    witness: Any = None
    measurement: Measurement | None = None
    where: str = ""
    edition: str = ""
    assumed: Search | None = None
    consequence: str = ""
    effect: str = ""
    finding: str = ""
    priority: int = 0
    heirs: tuple[str, ...] = ()
    root: str | None = None
    harmless: Mapping[str, str] = field(default_factory=dict)
    closed_form: str | None = None
    letters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        reference(self.paper)  # raises an error for an unknown one
        if self.statement == "" and isinstance(self.printed, Claim):
            object.__setattr__(self, "statement", str(self.printed))
        for text in ("label", "statement", "evidence"):
            if not getattr(self, text).strip():
                raise ValueError(f"{text} of {self.paper} {self.label}: got no text, needs some")
        if not isinstance(self.verdict, Ruling):
            raise TypeError(
                f"verdict of {self.paper} {self.label}: got {checks.shown(self.verdict)}, needs a Ruling"
            )
        self._require()

    def _require(self) -> None:
        name = f"{self.paper} {self.label}: a {self.verdict.name}"
        for need in NEEDS.get(self.verdict, ()):
            if _is_missing(getattr(self, need)):
                raise ValueError(f"{name} needs {need}")
        if self.effect and self.effect not in EFFECTS:
            raise ValueError(f"effect of {name}: got {self.effect!r}, needs {', '.join(EFFECTS)}")
        if self.verdict in (Ruling.CONDITIONAL, Ruling.FOLLOWS):
            object.__setattr__(self, "corrected", Conditional(self.printed, self.condition))
        for shown in ("printed", "corrected", "condition", "inferred"):
            refuse_shared_glyphs(f"{shown} of {name}", getattr(self, shown), self.letters)
        if self.prove is None:
            return
        if self.verdict in (*UNCHECKED, *MEASURED):
            raise ValueError(
                f"{name} takes no prove: a statement that a program decides needs another verdict"
            )
        for shown in (
            ("inferred",) if self.verdict is Ruling.ILLEGIBLE else ("printed", "corrected")
        ):
            if isinstance(getattr(self, shown), str) and not _is_missing(getattr(self, shown)):
                raise TypeError(
                    f"{shown} of {name}: got a string, needs a formula or a Claim that prove reads"
                )
            _refuse_tautology(name, getattr(self, shown))
        if not _reads_its_argument(self.prove):
            raise ValueError(
                f"prove of {name}: got one that ignores its argument, needs one that reads the statement"
            )

    @property
    def key(self) -> tuple[str, str]:
        """The paper and the label, which identify an entry of the ledger."""
        return self.paper, self.label

    @property
    def printed_latex(self) -> str:
        """The LaTeX of the printed statement, in the notation of the paper."""
        return typeset(self.printed, self.letters)

    @property
    def corrected_latex(self) -> str:
        """The LaTeX of the corrected statement, or of the statement with its condition, in the paper's notation."""
        return typeset(self.corrected, self.letters)

    @property
    def latex(self) -> str:
        """The LaTeX of what holds: of the corrected statement if there is one, otherwise of the printed one."""
        return self.corrected_latex or self.printed_latex

    @property
    def lacks_condition(self) -> bool:
        """Whether the corrected statement is the printed one under a condition."""
        return isinstance(self.corrected, Conditional) and bool(
            self.corrected.statement == self.printed
        )

    @property
    def programs(self) -> tuple[Step | Check, ...]:
        """The steps and checks that decide the printed (or, if illegible, the inferred) statement."""
        shown = self.inferred if self.verdict is Ruling.ILLEGIBLE else self.printed
        return evidence(self.prove, shown) if self.prove is not None else ()

    @property
    def measured_conditions(self) -> dict[str, str]:
        """Where networks were measured to follow it or its closed form, ``{name of the recorded map: sentence}``."""
        return measured_conditions(self.closed_form, " ".join(self.key))

    def check(self) -> Ruling:
        """Run the programs of this entry and return their ruling, independently of ``verdict``."""
        return self.outcome().ruling

    def outcome(self) -> Outcome:
        """Run the programs and return the ruling, the verdict on each step, and the three numbers at the witness."""
        if self.measurement is not None:
            return Outcome(self.measurement.ruling)
        if self.prove is None:
            return Outcome(self.verdict)
        if self.inferred is not None:
            inferred = self._decisions("inferred", self.inferred)
            return _outcome(
                Ruling.ILLEGIBLE if _all(inferred) is Verdict.HOLDS else Ruling.OPEN, inferred
            )
        if self.verdict is Ruling.FOLLOWS:
            follows = self._decisions("corrected", self.corrected)
            return _outcome(
                Ruling.FOLLOWS if _all(follows) is Verdict.HOLDS else Ruling.OPEN, follows
            )
        decisions = self._decisions("printed", self.printed)
        printed = _all(decisions)
        if self.verdict is Ruling.REMARK:
            return _outcome(Ruling.REMARK if printed is Verdict.HOLDS else Ruling.OPEN, decisions)
        if self.verdict is Ruling.INCONSISTENT:
            reading = self.reading()
            differs = reading is not None and reading.contradicts_printed
            disagrees = differs and printed is Verdict.FAILS
            return _outcome(Ruling.INCONSISTENT if disagrees else Ruling.OPEN, decisions, reading)
        if printed is not Verdict.FAILS or _is_missing(self.corrected):
            return _outcome(
                Ruling.CONFIRMED if printed is Verdict.HOLDS else Ruling.OPEN, decisions
            )
        corrected = self._decisions("corrected", self.corrected)
        reading = self.reading()
        return _outcome(self._weigh(_all(corrected), reading), decisions + corrected, reading)

    def reading(self) -> Reading | None:
        """Return the printed, the corrected and the independent number at the witness; None without a witness."""
        if not isinstance(self.witness, Witness):
            return None
        corrected = (
            self.corrected.statement if isinstance(self.corrected, Conditional) else self.corrected
        )
        is_missing = self.lacks_condition or _is_missing(corrected)
        return self.witness.reading(self.printed, None if is_missing else corrected)

    def _weigh(self, corrected: Verdict, reading: Reading | None) -> Ruling:
        if corrected is not Verdict.HOLDS or reading is None:
            return Ruling.OPEN
        if self.lacks_condition:
            return Ruling.CONDITIONAL if reading.contradicts_printed else Ruling.OPEN
        if not has_same_order(self.printed, self.corrected):
            return (
                Ruling.OPEN
            )  # the numbers are those of the sides, and say nothing of the relation
        return Ruling.MISPRINT if reading.sides_with_corrected else Ruling.OPEN

    def _decisions(self, name: str, statement: Any) -> Decisions:
        assert self.prove is not None
        return tuple((name, step.claim, step.decide()) for step in evidence(self.prove, statement))

    @property
    def _shown(self) -> dict[str, Any]:
        """What is printed, what is right, the missing condition and what is inferred, by title."""
        is_corrected = not self.lacks_condition
        shown = {
            "printed": self.printed,
            "corrected": getattr(self.corrected, "statement", self.corrected)
            if is_corrected
            else "",
            "holds if": getattr(self.corrected, "condition", self.condition),
            "inferred": self.inferred,
        }
        return {
            title: statement for title, statement in shown.items() if not _is_missing(statement)
        }

    def _repr_html_(self) -> str:
        """Return the entry with what is printed and what is right, whose formulas a notebook typesets."""
        rows = "".join(
            f"<p><i>{title}</i></p>{in_html(statement, self.letters)}"
            for title, statement in self._shown.items()
        )
        follows = f"<p>{escape(self.consequence)}</p>" if self.consequence else ""
        return f"<p><b>{escape(str(self))}</b></p>{rows}{follows}"

    def __str__(self) -> str:
        return f"{self.paper} {self.label}: {self.verdict.value}. {self.statement}"

    def __repr__(self) -> str:
        return f"<{self}>"


def _all(decisions: Decisions) -> Verdict:
    return Verdict.all(decision.verdict for *_, decision in decisions)


def _outcome(ruling: Ruling, decisions: Decisions, reading: Reading | None = None) -> Outcome:
    verdicts = tuple((name, claim, decision.verdict) for name, claim, decision in decisions)
    causes = tuple(
        f"{claim}: {decision.cause}" for _, claim, decision in decisions if decision.cause
    )
    return Outcome(ruling, verdicts, reading, causes)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (str, tuple)) and not value)


def _refuse_tautology(name: str, statement: Any) -> None:
    kinds = (sp.Eq, PrintedRelation, sp.Tuple, sp.And)
    for relation in relations(statement) if isinstance(statement, kinds) else ():
        if not isinstance(relation, BooleanFunction) and relation.lhs == relation.rhs:
            raise ValueError(
                f"{name}: got {relation}, whose two sides are the same object; it is true trivially"
            )


def _reads_its_argument(program: Any) -> bool:
    """Return whether the first argument occurs in the code of a function; True for other callables."""
    code = getattr(program, "__code__", None)
    if code is None:
        return True
    first = int(hasattr(program, "__self__"))
    names = [
        line.argval if isinstance(line.argval, tuple) else (line.argval,)
        for line in dis.get_instructions(code)
    ]
    return code.co_argcount > first and any(code.co_varnames[first] in used for used in names)
