"""Every figure and table of the papers beside our results: its command, what it states, our numbers, a verdict.

Numbers and verdicts come from recorded results alone (:mod:`bridge.recorded`), at the largest scale that is current.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import bridge
from bridge.changed_options import command
from bridge.deciding import undecided
from bridge.recorded import Number, Recorded, load
from bridge.verdicts import AGREES, BLUNT, DISAGREES, bound
from empirics.experiments.study import SCALES

if TYPE_CHECKING:
    from bridge.comparison import Comparison
    from empirics.experiments.printed_figure import PrintedFigure
    from empirics.experiments.study import Scale

NO_COMMAND, NOT_RUN, STALE, DRAWN = "no command", "not run", "stale", "drawn, no number to compare"
UNKNOWN = "no verdict (nothing to compare it with, or no error)"
ROUNDING = 1e-6  # relative, of the errors in a record


def studies_of(figure: PrintedFigure, paper: str) -> tuple[str, ...]:
    """Return the names of the studies that reproduce a figure, in the order in which they are announced."""
    from empirics.experiments import STUDIES

    if figure.study:
        return (figure.study,)
    home = _home(paper)
    return tuple(name for name in STUDIES if STUDIES.targets[name].startswith(home) and figure.label in labels(name))


def labels(study: str) -> tuple[str, ...]:
    """Return the labels of the figures that a study reproduces."""
    from empirics.experiments import STUDIES

    return STUDIES[study].figures


def _home(paper: str) -> str:
    """Return the package of the subject that announces the paper, with its dot."""
    from empirics.experiments import FIGURES

    return FIGURES.targets[paper].partition(":")[0].rpartition(".")[0] + "."


def rows(paper: str | None = None) -> list[dict[str, Any]]:
    """Return one row for each figure and table.

    Args:
        paper: key of a paper; None for all.

    Returns:
        Mappings with ``paper``, ``figure``, ``shows``, ``command`` (that made these numbers, with
        the options that were changed; None without a study), ``scales`` (those with
        current results), ``stated``, ``ours``, ``error`` (numbers, lists of numbers, or None), ``quantity`` (empty
        where they differ in it), ``of`` (labels of these numbers, with the quantity where they differ in it),
        ``verdict``, ``undecided`` (for each of these numbers that is too blunt to say: ``of``, ``repetitions``,
        ``needed``, ``error``, ``needed_error`` and ``needs``, see :class:`bridge.deciding.Undecided`), ``reason``,
        ``changed`` and ``seconds``.
    """
    from empirics.experiments import FIGURES

    def of_paper(key: str) -> list[dict[str, Any]]:
        return [row(key, figure) for figure in FIGURES[key]]

    return of_paper(paper) if paper else [one for _, found in FIGURES.each(of_paper) for one in found]


def row(paper: str, figure: PrintedFigure) -> dict[str, Any]:
    """Return the row of one figure, see :func:`rows`."""
    studies = studies_of(figure, paper)
    current = {study: _current(study) for study in studies}
    result = _chosen(current, (figure,))
    study = result.study if result else next(iter(studies), "")
    numbers = selected(result, figure) if result else []
    quantities = list(dict.fromkeys(number.quantity for number in numbers))
    names = [number.label if len(quantities) == 1 else f"{number.quantity}: {number.label}" for number in numbers]
    verdict = _verdict(figure, studies, result, numbers, is_stale=any(map(load, studies)))
    is_open = any(word in verdict for word in (DISAGREES, BLUNT))
    scale = result.scale if result else "laptop"
    is_smaller = scale != SCALES[-1] and is_open
    reasons = (figure.reason if not studies or is_smaller else "", figure.cause if is_open else "")
    return {
        "paper": paper,
        "figure": figure.label,
        "shows": figure.shows,
        "command": command(study, scale, result.changed if result else None) if study else None,
        "scales": list(current.get(study, {})),
        "stated": figure.stated,
        "ours": _plain([number.ours for number in numbers]),
        "error": _plain([number.error for number in numbers]),
        "quantity": quantities[0] if len(quantities) == 1 else "",
        "of": names,
        "verdict": verdict,
        "undecided": _undecided(names, numbers, figure),
        "reason": "; ".join(filter(None, reasons)),
        "changed": dict(result.changed) if result else {},
        "seconds": result.seconds if result else None,
    }


def result_for(
    paper: str, figure: PrintedFigure, *, beside: Sequence[PrintedFigure] = (), complete: bool = False
) -> Recorded | None:
    """Return the current results with the numbers for a figure, or else any for it; of the largest scale.

    Args:
        paper: key of the paper.
        figure: one of its figures.
        beside: figures of the same study that need to have their numbers in the same results. Default: none.
        complete: whether to leave out results without all configurations of their study. Default: False.
    """
    current = {study: _current(study) for study in studies_of(figure, paper)}
    if complete:
        current = {
            study: {scale: result for scale, result in results.items() if not result.missing}
            for study, results in current.items()
        }
    return _chosen(current, (figure, *beside))


def _chosen(current: Mapping[str, Mapping[Scale, Recorded]], figures: Sequence[PrintedFigure]) -> Recorded | None:
    results = [kept[scale] for scale in reversed(SCALES) for kept in current.values() if scale in kept]
    whole = (result for result in results if all(selected(result, figure) for figure in figures))
    return next(whole, next(iter(results), None))


def _current(study: str) -> dict[Scale, Recorded]:
    """Return the recorded results of a study that has the same configurations today, by scale."""
    return {scale: result for scale, result in load(study).items() if result.is_current}


def selected(result: Recorded, figure: PrintedFigure) -> list[Number]:
    """Return the recorded numbers that are compared with a figure; those compared with the theory before all others.

    A number that the paper states is not compared with the smallest scale, whose networks and data are other ones.
    """
    if not figure.quantity or (figure.value is not None and result.scale == "smoke"):
        return []
    is_whole = any(number.quantity == figure.quantity for number in result.numbers)
    numbers = [
        number
        for number in result.numbers
        if (number.quantity == figure.quantity if is_whole else number.quantity.startswith(figure.quantity))
        and number.label.startswith(figure.configurations)
    ]
    return [number for number in numbers if number.verdict] or numbers


def _verdict(
    figure: PrintedFigure, studies: Sequence[str], result: Recorded | None, numbers: list[Number], *, is_stale: bool
) -> str:
    if not studies:
        return NO_COMMAND
    if result is None:
        return STALE if is_stale else NOT_RUN
    if not numbers:
        return DRAWN
    verdicts = Counter(_against(number, figure) for number in numbers)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    return "; ".join(f"{verdict}: {count} of {len(numbers)}" for verdict, count in verdicts.items())


def _against(number: Number, figure: PrintedFigure) -> str:
    """Return the verdict on a number and what the paper states, or the recorded one on what the theory predicts."""
    if _is_of_theory(figure):
        return number.verdict or UNKNOWN
    is_side, comparison = figure.relation != "=", comparison_with(number, figure)
    if comparison is None:
        return AGREES if number.ours == figure.value and not is_side else UNKNOWN
    return bound(comparison.z, comparison.limit, figure.relation) if is_side else str(comparison.verdict)


def _undecided(names: Sequence[str], numbers: Sequence[Number], figure: PrintedFigure) -> list[dict[str, Any]]:
    """Return what would decide each number that is too blunt to say."""
    deciding = ((name, _deciding(number, figure)) for name, number in zip(names, numbers, strict=True))
    return [{"of": name, **found} for name, found in deciding if found]


def _deciding(number: Number, figure: PrintedFigure) -> dict[str, Any]:
    """Return what would decide a number that is too blunt to say; nothing for any other."""
    comparison = comparison_with(number, figure) if _against(number, figure) == BLUNT else None
    if comparison is None:
        return {}
    deciding = undecided(comparison, relation_of(number, figure))
    return asdict(deciding) | {"needs": deciding.needs} if deciding else {}


def _is_of_theory(figure: PrintedFigure) -> bool:
    """Return whether a figure takes both the number and its side from the recorded comparison with the theory."""
    return figure.value is None and figure.relation == "="


def relation_of(number: Number, figure: PrintedFigure) -> str:
    """Return on which side of the stated or predicted number this one should lie: "=", ">" or "<"."""
    return number.relation if _is_of_theory(figure) else figure.relation


def comparison_with(number: Number, figure: PrintedFigure) -> Comparison | None:
    """Return the comparison of a number with what the paper states or the theory predicts; None without an error."""
    stated = number.predicted if figure.value is None else figure.value
    fixed = number.prediction_error if figure.value is None else 0.0
    if stated is None or number.error <= 0:
        return None
    scatter = math.sqrt(max(number.error**2 - fixed**2, (ROUNDING * number.error) ** 2))
    resolution = number.resolution if figure.value is None else figure.resolution
    if figure.relation != "=":
        resolution = 1.0  # a side does not depend on it
    return bridge.compare(
        stated, number.ours, error=scatter, repetitions=number.repetitions, prediction_error=fixed,
        resolution=resolution,
    )  # fmt: skip


def _plain(values: list[float]) -> float | list[float] | None:
    return values[0] if len(values) == 1 else values or None
