"""``find``: what fits some words, by name, meaning, source and synonym."""

from __future__ import annotations

import re
from typing import Any, TypedDict

from bridge.search.things import Thing, things
from closedform import checks
from closedform.activation_names import DEFINITIONS, named
from closedform.subjects import load
from closedform.suggestions import unknown

# what people call a thing -> words of its name or meaning here; all of one alternative are needed
SYNONYMS = {
    "ricci": ("scalar curvature",),
    "attractor": ("fixed point", "attractor"),
    "attractors": ("fixed point", "attractor"),
    "beta": ("learning curve exponent", "exponent"),
    "learning rate": ("time constant", "rate"),
    "learning rates": ("time constant", "rate"),
    "relu": ("relu", "activation"),
    "bottleneck": ("rank",),
    "metric volume": ("volume element",),
    "tangent kernel": ("tangent kernel", "ntk"),
    "ntk": ("tangent kernel", "ntk"),
    "nngp": ("nngp", "kernel"),
    "nc1": ("nc1", "neural collapse"),
    "neural collapse": ("collapse", "nc1"),
    "bound": ("bound",),
    "entropy": ("entropy", "information"),
    "distance": ("distance",),
    "speed": ("velocity", "rate"),
    "escape": ("escape", "plateau"),
    "feature learning": ("amplification", "compression"),
}
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")
# of a thing of which a word stands in the name, in the meaning, in the source; of a synonym half of it
IN_NAME, IN_MEANING, IN_SOURCE = 4.0, 2.0, 1.0
RANK = {"form": 0, "family": 0, "function": 1, "claim": 2, "entry": 3}
PARAMETER = "activation=..."  # in the call of a family
SHOWN = 12  # rows of a ``repr``


class Hit(TypedDict):
    """One thing that fits."""

    name: str
    kind: str
    meaning: str
    call: str


class Hits(list[Hit]):
    """What fits, the best first; its ``repr`` is a short table."""

    @property
    def only_form(self) -> str | None:
        """The name of the closed form or family, if nothing else fits; None otherwise."""
        is_form = len(self) == 1 and self[0]["kind"] in ("form", "family")
        return self[0]["name"] if is_form else None

    @property
    def only_value(self) -> Any:
        """What a function of the theory without arguments returns, if nothing else fits; None otherwise."""
        if len(self) != 1 or not re.fullmatch(r"theory\.[\w.]+\(\)", self[0]["call"]):
            return None
        room, _, function = self[0]["name"].rpartition(".")
        return load(f"{room}:{function}")()

    def __repr__(self) -> str:
        lines = [
            f"{hit['name']}  ({hit['kind']})\n    {hit['meaning']}\n    {hit['call']}"
            for hit in self[:SHOWN]
        ]
        more = [f"... and {len(self) - SHOWN} more"] if len(self) > SHOWN else []
        return "\n".join([*lines, *more])


def find(words: str) -> Hits:
    """Return what fits words: closed forms, families, functions, claims and entries of the ledger.

    Args:
        words: words of a name, a meaning, a source or a synonym, such as ``"fixed point"``, ``"ricci"``, ``"Eq. (10)"``
            or ``"2402.09142"``, with the name of an activation if they need one, ``"ricci gelu"``; upper and lower
            case are the same.

    Returns:
        What fits all words, the best first: name, kind, meaning, and how it is called.

    Raises:
        ValueError: if nothing fits, with similar names.

    >>> [hit["name"] for hit in find("ricci")][:1]
    ['geometry.scalar_curvature']
    """
    wanted = checks.text("words", words).strip().lower()
    scored = [(_score(wanted, thing), thing) for thing in things()]
    fitting = [(score, thing) for score, thing in scored if score > 0]
    if not fitting:
        members = _of_activation(wanted)
        if members:
            return members
        names = [*(thing.name for _, thing in scored), *SYNONYMS, *DEFINITIONS]
        raise ValueError(unknown("thing that fits", words, names))
    fitting.sort(key=lambda pair: (RANK[pair[1].kind] > 1, -pair[0], RANK[pair[1].kind]))
    return Hits(Hit(name=t.name, kind=t.kind, meaning=t.meaning, call=t.call) for _, t in fitting)


def _of_activation(wanted: str) -> Hits:
    """Return the members of families that fit words of which one names an activation; empty if none do."""
    for activation in filter(_is_activation, wanted.split()):
        rest = " ".join(word for word in wanted.split() if word != activation)
        try:
            families = [hit for hit in find(rest) if PARAMETER in hit["call"]]
        except ValueError:
            continue
        return Hits(
            Hit(
                name=f"{hit['name']}.{activation}",
                kind="form",
                meaning=hit["meaning"],
                call=hit["call"].replace(PARAMETER, f'activation="{activation}"'),
            )
            for hit in families
        )
    return Hits()


def _is_activation(word: str) -> bool:
    try:
        return named(word) is not None
    except ValueError:
        return False


def _score(wanted: str, thing: Thing) -> float:
    """Return how well a thing fits: all words of the query, or all of one of its synonyms."""
    whole = _fit(wanted, thing)
    others = [0.5 * _fit(synonym, thing) for synonym in SYNONYMS.get(wanted, ())]
    return max([whole, *others])


def _fit(words: str, thing: Thing) -> float:
    """Return the sum over words of the place in which each stands, 0 if one stands nowhere."""
    total = 0.0
    for word in _WORD.findall(words):
        best = max(
            weight * _stands(word, text)
            for weight, text in (
                (IN_NAME, thing.name), (IN_MEANING, thing.meaning), (IN_SOURCE, thing.source)
            )
        )  # fmt: skip
        if best == 0:
            return 0.0
        total += best
    return total / max(len(_WORD.findall(words)), 1)


def _stands(word: str, text: str) -> float:
    """Return 1 if a word stands in a text, less if only as the beginning of one, and 0 otherwise."""
    there = _WORD.findall(text.lower().replace("_", " "))
    if word in there or word.rstrip("s") in there or f"{word}s" in there:
        return 1.0
    parts = [part for entry in there for part in entry.split(".")]
    return (
        0.9
        if word in parts
        else 0.5 * any(len(word) > 3 and part.startswith(word) for part in parts)
    )
