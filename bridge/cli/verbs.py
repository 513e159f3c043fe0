"""The verbs that have no other home: show, errata, check and fit, with the arguments of the commands of these names."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from bridge.search.find import Hits, find
from closedform import checks
from closedform.suggestions import unknown

if TYPE_CHECKING:
    from bridge.results.analyses import Fit
    from theory.core.facade.closed_form import ClosedForm
    from theory.core.facade.family import Family
    from theory.core.ledger.checked_entry import CheckedEntry
    from theory.core.proof.verdict import Verdict


def show(name: str, **parameters: Any) -> ClosedForm | Family | Hits | tuple[Any, ...]:
    """Return the closed form or family of a name, or what fits some words.

    Args:
        name: name of a closed form or family, such as ``"two_point.final_distance"``, or words, such as ``"ricci"``.
        parameters: those of a family, such as ``activation="erf"``.

    Returns:
        The closed form, the family, the value of a function without arguments, such as
        ``"two_point.fixed_points"``, or a list of what fits; ``print`` shows all of them, and
        a prompt a line or two of a form.

    Raises:
        ValueError: if nothing fits.

    >>> show("two_point.final_distance").name
    'two_point.final_distance'
    """
    import theory

    catalogue = theory.catalogue()
    if checks.text("name", name) not in catalogue and name not in catalogue.families:
        hits = find(name)
        if hits.only_form is None:
            value: tuple[Any, ...] | None = hits.only_value
            return hits if value is None else value
        name = hits.only_form
    entry: ClosedForm | Family = catalogue[name]
    return catalogue.families[name](**parameters) if parameters else entry


class Errata(tuple["CheckedEntry", ...]):
    """Entries of the ledger with computed verdicts; printed, corrected and witness are in their text."""

    __slots__ = ()

    def __repr__(self) -> str:
        from bridge.cli import ledger

        with redirect_stdout(io.StringIO()) as text:
            ledger.show_errata(self)
        return text.getvalue().rstrip()


class Named(Errata):
    """One entry that was asked for, whatever its verdict; its text is whole."""

    __slots__ = ()

    def __repr__(self) -> str:
        from bridge.cli import console

        with redirect_stdout(io.StringIO()) as text:
            console.entry(self[0])
        return text.getvalue().rstrip()


def errata(paper: str | None = None, label: str | None = None) -> Errata:
    """Return the printed statements that are wrong, disagree with others, lack a condition, or mislead, with verdicts.

    The verdicts are those that are recorded with the papers, where they are of the current ledger.

    Args:
        paper: key of a paper, such as ``"zavatoneveth2023"``, or its arXiv number. Default: all papers.
        label: an entry of the paper, such as ``"(7)"``, ``"7"`` or ``"Eq. (7)"``, whatever its verdict. Default: all
            that are wrong.

    Returns:
        The entries; their text has what is printed, what holds, and a number that tells them apart.

    Raises:
        ValueError: for an unknown paper or label.
    """
    from bridge.cli import console
    from theory.ledger_records import checked_erratum, recorded_errata

    checks.require(
        label is None or paper is not None, "label", repr(label), "the paper of the entry as well"
    )
    if label is not None:
        return Named(checked_erratum(str(paper), label))
    with console.Bar("entries") as bar:
        return Errata(recorded_errata(paper, progress=bar.reach))


def check(*names: str) -> dict[str, dict[str, Verdict]]:
    """Check every step of derivations.

    Args:
        names: closed forms, families or subjects. Default: all.

    Returns:
        The verdict of every step by closed form and claim.

    Raises:
        ValueError: for an unknown name.

    >>> sorted(check("two_point.conserved_quantity"))
    ['two_point.conserved_quantity']
    """
    import theory
    from bridge.cli.formulas import names_of

    return {name: dict(theory.catalogue()[name].check()) for name in names_of(list(names))}


def fit(
    name: str,
    file: Any,
    *,
    column: Mapping[str, str] | None = None,
    time: str | None = None,
    **options: Any,
) -> Fit:
    """Fit the theory to a log.

    Args:
        name: name of a fit, such as ``"two-point"``.
        file: whatever :func:`bridge.table` reads.
        column: our name -> name in the log. Default: none.
        time: name of the time in the log. Default: ``t``, ``step``, ``epoch`` or ``time``.
        options: those of the fit, such as ``dx2`` and ``target2``.

    Raises:
        ValueError: for an unknown fit, or data that it cannot take.
    """
    from bridge.results.analyses import FITS
    from bridge.tables.reader import load

    if name not in FITS:
        raise ValueError(unknown("fit", name, FITS))
    function = FITS[name]
    columns = dict(checks.mapping("column", column)) | ({"t": time} if time else {})
    if not function.__module__.startswith("bridge."):  # a guest's fit takes the name of a file
        checks.require(
            not columns, "column, time", repr(columns), "none, as this fit reads its file itself"
        )
        return function(file, **options)
    return function(load(file, columns), **options)
