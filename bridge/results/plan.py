"""Plans: how a number will be compared with a sentence, fixed by a hash before the number is measured.

A row of ``papers/<paper>/figures.py`` is a plan. ``closedform run`` notes the hashes of the plans of a study before
anything is trained, and ``closedform record`` keeps them with the verdicts. A plan that has changed since then makes a
verdict *superseded*, and fresh seeds confirm the new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from bridge.results import settings
from bridge.results.analyses import FIGURES
from bridge.results.comparison import compared
from bridge.results.quantity import version, words
from bridge.results.record import FRESH
from closedform.decisive import HOLDS
from closedform.suggestions import unknown
from closedform.verdicts import RESOLUTION, THRESHOLD
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

STOPPING = "all seeds of the configurations, none left out or added after a look"
STATISTIC = "mean over the seeds with its standard error, Student's t"
# as :meth:`.PrintedFigure.has_own_bound` says
OF_CODE = "the bound in the code of the study, which is ours unless it is zero"
KINDS = CONFIRMATORY, PLANNED, EXPLORATORY = "confirmatory", "planned", "exploratory"


def rows() -> Iterator[tuple[str, PrintedFigure]]:
    """Yield every row that is compared with a number, with the key of its paper."""
    for paper in FIGURES:
        yield from ((paper, figure) for figure in FIGURES[paper] if figure.quantity)


def digest(figure: PrintedFigure) -> str:
    """Return the hash of a row's plan, of all that decides its comparison, and not of comments on it.

    That is the row's own part, the versions of its statistics, what the code of its study compares the numbers with
    (:mod:`bridge.results.comparison`), and the limits of the verdicts.
    """
    fields = (
        "study",
        "sentence",
        "configurations",
        "value",
        "relation",
        "resolution",
        "origin",
        "holds",
        "counter",
        "within",
        "unsaid",
    )
    content = {name: getattr(figure, name) for name in fields}
    content["statistics"] = {name: version(name) for name in figure.quantities}
    content["comparison"] = compared(figure.study, figure.quantities)
    content["limits"] = [RESOLUTION, THRESHOLD]
    return hashed(content)


def hashed(content: Any) -> str:
    """Return the hash of a plan's content, or of several plans."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def of_study(study: str) -> dict[str, str]:
    """Return the hashes of the plans of a study's rows, by label."""
    return {figure.label: digest(figure) for _, figure in rows() if figure.study == study}


def resolution(figure: PrintedFigure) -> str:
    """Return what deviation matters, and where this comes from."""
    if figure.relation != "=":
        return figure.origin or (
            "the number in the sentence" if figure.value else "the side alone"
        )
    size = f"{figure.resolution:g}" if figure.resolution else ""
    usual = f"that of the theory's prediction, or {RESOLUTION:g} of the predicted number"
    return ", ".join(filter(None, (size, figure.origin))) or usual


def expected(figure: PrintedFigure) -> str:
    """Return the number or the bound with which a row is compared, or whose it is."""
    if figure.value is not None:
        return f"{figure.value:.6g}"
    return "what the theory predicts" if figure.relation == "=" else OF_CODE


def described(paper: str, figure: PrintedFigure) -> dict[str, Any]:
    """Return a plan in full: every field, as ``closedform plan`` prints it."""
    from empirics.experiments import STUDIES

    scales = SCALES if figure.value is None else SCALES[1:]
    seeds = {scale: _seeds(STUDIES[figure.study].configs(scale).values()) for scale in scales}
    return {
        "plan": digest(figure),
        "paper": paper,
        "figure": figure.label,
        "where": figure.where,
        "sentence": figure.sentence,
        "quantity": {
            name: f"{words(name)} (version {version(name)})" for name in figure.quantities
        },
        "statistic": STATISTIC,
        "relation": f"{figure.relation} {expected(figure)}",
        "resolution": resolution(figure),
        "families": [name for name in figure.names if name]
        or ["every configuration with this quantity"],
        "holds": f"{figure.holds}: {HOLDS[figure.holds]}",
        "study": figure.study,
        "seeds": seeds,
        "stopping": STOPPING,
        "counter": figure.counter,
        "within": figure.within,
        "unsaid": figure.unsaid,
        "entry": figure.entry,
        "revised": figure.revised,
        "settings": [str(setting) for setting in settings.touching(figure)],
        "as theirs": settings.as_theirs(figure, SCALES[-1]),
    }


def _seeds(configs: Iterable[Any]) -> str:
    counts = {
        getattr(config, "realisations", getattr(config, "seeds", 0)) for config in configs
    } - {0}
    if not counts:
        return "none, the numbers are computed"
    return f"{', '.join(map(str, sorted(counts)))} from 0 on, to confirm from {FRESH} on"


def named(name: str | None) -> list[dict[str, Any]]:
    """Return the plans of a paper, a figure (``"5"``, ``"Figure 5"``, ``"5 (mean)"``) or an entry; all by default."""
    listed = [
        (paper, figure)
        for paper, figure in rows()
        if name is None
        or name
        in (paper, figure.label, figure.where, figure.entry, figure.where.removeprefix("Figure "))
    ]
    if not listed:
        names = chain.from_iterable(
            (paper, figure.label, figure.entry) for paper, figure in rows()
        )
        known = {text for text in names if text}
        raise ValueError(unknown("paper, figure or entry", str(name), sorted(known)))
    return [described(paper, figure) for paper, figure in listed]


def kind(planned: Mapping[str, str], figure: PrintedFigure, first_seed: int) -> str:
    """Return whether a run confirms a plan: the plan was noted before the run, and its seeds are fresh.

    On the study's own seeds it is "planned", whose numbers join those of fresh seeds as long as the plan is the same.
    """
    if planned.get(figure.label) != digest(figure):
        return EXPLORATORY
    return CONFIRMATORY if first_seed >= FRESH else PLANNED
