"""A sequence of entries of the ledger that says what it holds instead of printing all of it."""

from collections import Counter
from collections.abc import Callable
from html import escape
from typing import Any, SupportsIndex, overload

from closedform.missing import imported
from closedform.suggestions import UnknownNameError, unknown
from theory.core.ledger.equation import Equation
from theory.core.ledger.labels import label_among
from theory.core.ledger.rulings import Ruling

SHOWN = 5  # entries in a __repr__
LISTED = 200  # entries in a notebook
LONGEST = 90  # characters of an entry in a __repr__
HEADS = ("paper", "label", "verdict", "statement")


class Entries(tuple[Equation, ...]):
    """Entries of the ledger: a tuple with a short ``repr``, a table for notebooks, and :meth:`to_records`."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex) -> Equation: ...
    @overload
    def __getitem__(self, index: slice) -> "Entries": ...
    @overload
    def __getitem__(self, index: str) -> Equation: ...
    def __getitem__(self, index: SupportsIndex | slice | str) -> "Equation | Entries":
        """Return one entry by its place or its label, or several that say what they hold.

        Raises:
            KeyError: if no entry has the label (the message suggests similar ones), or entries of several papers have.
        """
        if isinstance(index, str):
            return self._labelled(index)
        return (
            Entries(super().__getitem__(index))
            if isinstance(index, slice)
            else super().__getitem__(index)
        )

    def _labelled(self, label: str) -> Equation:
        meant = label_among((entry.label for entry in self), label)
        labelled = [entry for entry in self if entry.label == meant]
        if len(labelled) > 1:
            papers = ", ".join(entry.paper for entry in labelled)
            raise UnknownNameError(
                f"several papers have the label {label!r}: {papers}; take the entries of one, equations(paper)"
            )
        return labelled[0]

    def filter(
        self, keep: Callable[[Equation], bool] | Ruling | str | None = None, **values: Any
    ) -> "Entries":
        """Return the entries that a function keeps and whose fields have some values.

        Args:
            keep: function of an entry that says whether it stays, or a verdict. Default: all stay.
            values: value by field, such as ``verdict="confirmed"`` (a ``Ruling``, its name or its value) or
                ``root="(A.18)"``.

        Raises:
            ValueError: for an unknown field or verdict.

        >>> import theory
        >>> len(theory.equations("zavatoneveth2023").filter(verdict="misprint", root="(A.18)"))
        18
        """
        fields = list(Equation.__dataclass_fields__)
        for name in values:
            if name not in fields:
                raise ValueError(unknown("field", name, fields))
        if isinstance(keep, Ruling | str):
            if "verdict" in values:
                raise ValueError(f"keep, verdict: got {keep!r} and another verdict, needs one")
            keep, values = None, {"verdict": keep, **values}
        if "verdict" in values:
            values["verdict"] = _ruling(values["verdict"])
        return Entries(
            entry
            for entry in self
            if (keep is None or keep(entry))
            and all(getattr(entry, name) == value for name, value in values.items())
        )

    def summary(self) -> str:
        """Return one line for each paper with its entries and their verdicts."""
        lines = [f"{len(self)} {'entry' if len(self) == 1 else 'entries'} of the ledger"]
        for paper in dict.fromkeys(entry.paper for entry in self):
            verdicts = Counter(entry.verdict.value for entry in self if entry.paper == paper)
            lines.append(
                f"  {paper}: "
                + ", ".join(f"{count} {name}" for name, count in verdicts.most_common())
            )
        return "\n".join(lines)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the entries as dictionaries of texts, which ``pandas.DataFrame`` takes as rows."""
        return [
            {"paper": entry.paper, "label": entry.label, "where": entry.where, "verdict": entry.verdict.value,
             "statement": entry.statement, "printed": entry.printed_latex, "corrected": entry.corrected_latex,
             "effect": entry.effect, "consequence": entry.consequence}
            for entry in self
        ]  # fmt: skip

    def to_dataframe(self) -> Any:
        """Return a ``pandas.DataFrame`` with a row for each entry; ``printed`` and ``corrected`` are LaTeX.

        Raises:
            MissingPackageError: if pandas is not installed.
        """
        return imported("a table of entries", "pandas").DataFrame(self.to_records())

    @property
    def _findings(self) -> list[str]:
        """The main findings in their order, with numbers and labels, of entries of one paper; of several none."""
        if len({entry.paper for entry in self}) > 1:
            return []
        ranked = sorted((entry for entry in self if entry.finding), key=lambda e: e.priority)
        return [f"{entry.priority}. {entry.finding} [{entry.label}]" for entry in ranked]

    def __repr__(self) -> str:
        findings = [f"  {finding}" for finding in self._findings]
        shown = [f"  {str(entry)[:LONGEST]}" for entry in self[:SHOWN]]
        more = [f"  ... {len(self) - SHOWN} more"] if len(self) > SHOWN else []
        return "\n".join([self.summary(), *findings, *shown, *more])

    def _repr_html_(self) -> str:
        """Return the findings and a table of the first :data:`LISTED` entries; a single entry with its forms."""
        if len(self) == 1:
            return self[0]._repr_html_()
        findings = "".join(f"<p>{escape(finding)}</p>" for finding in self._findings)
        cells = [[record[name] for name in HEADS] for record in self[:LISTED].to_records()]
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in cells
        )
        head = "".join(f"<th>{name}</th>" for name in HEADS)
        return f"<pre>{escape(self.summary())}</pre>{findings}<table><tr>{head}</tr>{rows}</table>"


def _ruling(verdict: Ruling | str) -> Ruling:
    """Return the ruling of this name or value, in capital letters or not."""
    text = verdict.value if isinstance(verdict, Ruling) else str(verdict)
    for ruling in Ruling:
        if text.lower() in (ruling.name.lower(), ruling.value.lower()):
            return ruling
    raise ValueError(unknown("verdict", text, [ruling.value for ruling in Ruling]))
