"""An entry of the ledger with its computed verdict, as plain data; the module imports no computer algebra."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

ERRATA = ("MISPRINT", "CONDITIONAL", "INCONSISTENT")
LISTED = (*ERRATA, "REMARK")
EFFECTS = ("result", "number", "wording", "none")
"""What an erratum changes, in the order in which an author wants to know: a result of the paper, a number in one, words
or lines alone, or nothing."""
VALUES = {name: name for name in ("printed", "corrected", "independent")}
SETTLED = frozenset({"HOLDS", "FAILS"})

ShownLine = tuple[str, str, str]  # kind, text, LaTeX: theory.core.ledger.recheck.Line


@dataclass(frozen=True)
class CheckedWitness:
    """The point at which a printed statement is wrong, name -> value as text, with three values at this point.

    "number" in ``at`` says what the values are, numbers or nested lists; ``letters`` has the LaTeX of the other names.
    """

    at: Mapping[str, str]
    printed: Any
    corrected: Any
    independent: Any
    tolerance: float
    letters: Mapping[str, str] = field(default_factory=dict)

    @property
    def at_one_place(self) -> "CheckedWitness":
        """The same witness with one number of each value, at the "element" where the printed one is furthest off."""
        import numpy as np  # only here: a list of entries needs no numbers

        errors = np.abs(
            np.asarray(self.printed, dtype=float) - np.asarray(self.independent, dtype=float)
        )
        if not errors.ndim:
            return self
        index = np.unravel_index(np.nanargmax(errors), errors.shape)
        at = {**self.at, "element": str([int(i) + 1 for i in index])}

        def there(value: Any) -> float | None:
            return None if value is None else float(np.asarray(value, dtype=float)[index])

        printed, corrected, independent = (
            there(self.printed),
            there(self.corrected),
            there(self.independent),
        )
        return replace(self, at=at, printed=printed, corrected=corrected, independent=independent)

    def sentence(
        self,
        named: Callable[[str, str], str],
        number: Callable[[Any], str],
        words: Mapping[str, str] = VALUES,
    ) -> str:
        """Return the point and the values: "largest share at x = 2: printed 1, corrected and independent 0"."""
        point = ", ".join(
            named(name, value) for name, value in self.at.items() if name != "number"
        )
        values: dict[str, list[str]] = {}
        for name, word in words.items():
            value = getattr(self, name)
            if value is not None:
                values.setdefault(number(value), []).append(word)
        said = ", ".join(f"{' and '.join(names)} {value}" for value, names in values.items())
        head = " ".join(filter(None, (self.at.get("number", ""), f"at {point}" if point else "")))
        return f"{head}: {said}" if head else said


@dataclass(frozen=True)
class CheckedEntry:
    """The content of an entry, in the words of its fields there, and the results of its programs.

    ``steps`` has ``(shown, claim, verdict)``, ``shown`` being "printed", "corrected" or "inferred".
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
    looked_for: str = ""
    evidence: str = ""
    consequence: str = ""
    effect: str = ""
    finding: str = ""
    priority: int = 0
    heirs: tuple[str, ...] = ()
    closed_form: str = ""
    steps: tuple[tuple[str, str, str], ...] = ()
    witness: CheckedWitness | None = None
    measurement: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def latex(self) -> str:
        """The LaTeX of what holds, a line for each part: of the corrected statement, or of the printed one."""
        return "\n".join(latex for _, _, latex in self.corrected or self.printed)

    @property
    def agrees(self) -> bool:
        """Whether the computed verdict is the declared one, and no program failed."""
        return self.verdict == self.declared and not self.error

    @property
    def is_erratum(self) -> bool:
        """Whether the printed statement is wrong, disagrees with another, or lacks a condition."""
        return self.verdict in ERRATA

    @property
    def is_listed(self) -> bool:
        """Whether the errata list it: it is an erratum, or true and with a warning."""
        return self.verdict in LISTED

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """The place among errata: findings in their order, then by what they change, remarks last."""
        effect = EFFECTS.index(self.effect) if self.effect in EFFECTS else len(EFFECTS)
        return (self.verdict == "REMARK", not self.finding, self.priority, effect)

    @property
    def algorithm(self) -> tuple[str, ...]:
        """The numbered lines of a printed algorithm; "-" marks those that are wrong, "+" those in their places."""
        printed, corrected = (
            list(
                chain.from_iterable(text.splitlines() for kind, text, _ in shown if kind == "code")
            )
            for shown in (self.printed, self.corrected)
        )
        marked = []
        for number, line in enumerate(printed):
            right = corrected[number] if corrected else line
            marked += [f"  {line}"] if right == line else [f"- {line}", f"+ {right}"]
        return tuple(marked)

    @property
    def is_settled(self) -> bool:
        """Whether the verdict can be stored: no program failed, and no step is undecided."""
        return not self.error and all(verdict in SETTLED for *_, verdict in self.steps)

    @property
    def failing(self) -> tuple[tuple[str, str, str], ...]:
        """The steps that contradict the declared verdict; the printed form of a MISPRINT is expected to fail."""
        refuted = self.declared in ERRATA
        return tuple(
            step
            for step in self.steps
            if step[2] != "HOLDS" and not (refuted and step[0] == "printed")
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "CheckedEntry":
        """Return the entry from the data of ``as_dict`` through JSON; TypeError for a missing or unknown field."""
        values = dict(fields)
        for name in ("printed", "corrected", "condition", "inferred", "steps"):
            values[name] = tuple(tuple(line) for line in values[name])
        values["heirs"] = tuple(values["heirs"])
        values["witness"] = CheckedWitness(**values["witness"]) if values["witness"] else None
        return cls(**values)


def by_root(errata: Iterable[CheckedEntry]) -> list[tuple[CheckedEntry, tuple[CheckedEntry, ...]]]:
    """Return each erratum that inherits from no other one, with all that inherit from it, directly or not.

    They are sorted by :attr:`CheckedEntry.rank`, and by their order in the paper among equals.
    """
    errata = list(errata)
    known = {(entry.paper, entry.label): entry for entry in errata}
    children = {
        key: [known[key[0], heir] for heir in entry.heirs if (key[0], heir) in known]
        for key, entry in known.items()
    }
    inherited = {(heir.paper, heir.label) for heirs in children.values() for heir in heirs}

    def family(entry: CheckedEntry) -> list[CheckedEntry]:
        heirs: dict[str, CheckedEntry] = {}
        waiting = list(children[entry.paper, entry.label])
        while waiting:
            heir = waiting.pop(0)
            if heir.label not in heirs and heir is not entry:
                heirs[heir.label] = heir
                waiting += children[heir.paper, heir.label]
        return list(heirs.values())

    found = [
        (entry, tuple(family(entry)))
        for entry in errata
        if (entry.paper, entry.label) not in inherited
    ]
    covered = {id(entry) for root, heirs in found for entry in (root, *heirs)}
    for entry in errata:  # those that inherit from each other
        if id(entry) not in covered:
            found.append((entry, tuple(family(entry))))
            covered |= {id(entry), *map(id, found[-1][1])}
    return sorted(found, key=lambda pair: pair[0].rank)
