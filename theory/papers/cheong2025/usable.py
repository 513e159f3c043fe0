r"""Section 1.3: usable information, up to the sufficiency term."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, stating
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.finite_alphabets import LOPSIDED, bits, information_between
from theory.papers.cheong2025.notation import letters
from theory.papers.cheong2025.sign_flips import best_decoder_is_lost

I = letters("I")


h, moved, label = letters("rep_h_any moved label_any")


POINTS = 20  # equally likely inputs of the networks below


def renamed() -> Iterator[dict[str, Any]]:
    """Three values of a representation, and the same under every invertible map of them."""
    outcomes = list(LOPSIDED)
    between = information_between(list(LOPSIDED.values()))
    values, labels = (tuple(outcome[k] for outcome in outcomes) for k in (0, 1))
    for names in itertools.permutations(range(3)):
        yield {"I": between, "rep_h": values, "moved": tuple(names[v] for v in values), "label": labels}


LOST = {"no longer being": 1.0, "still being": 0.0}
"""Whether no weights separate points whose signs are flipped in two of three entries."""
EQUIVALENT = {"equivalent to": True, "different from": False}


def separability() -> str:
    """Linear programming for such weights, 40 points."""
    return next(word for word, lost in LOST.items() if lost == best_decoder_is_lost())


# Label of each of 20 inputs, and the representations of two encoders; each has two values.
ANSWERS = (0,) * 15 + (1,) * 5


ENCODERS = {
    "sure of half": (0,) * 10 + (1,) * 10,
    "right more often": (0,) * 13 + (1, 1, 0, 0, 1, 1, 1),
}


DECODERS = np.linspace(0.01, 0.99, 99)


def least_loss(encoder: str, kind: str) -> float:
    """The smallest expected loss of decoders of an encoder: cross-entropy in bits, or the share of wrong labels."""
    total = 0.0
    for seen in (0, 1):
        ones = [answer for answer, code in zip(ANSWERS, ENCODERS[encoder], strict=True) if code == seen]
        share = sum(ones) / len(ones)
        if kind == "cross-entropy":
            costs = -share * np.log2(DECODERS) - (1 - share) * np.log2(1 - DECODERS)
        else:
            costs = np.where(DECODERS > 0.5, 1 - share, share)
        total += len(ones) / POINTS * float(costs.min())
    return total


def best_encoder(kind: str) -> str:
    """The encoder whose network has the smallest loss."""
    return min(ENCODERS, key=lambda encoder: least_loss(encoder, kind))


def most_sufficient() -> str:
    """The encoder of the largest usable information: entropy of the label less the smallest cross-entropy."""
    entropy = bits((0.25, 0.75))
    return max(ENCODERS, key=lambda encoder: entropy - least_loss(encoder, "cross-entropy"))


def trains(sentence: Claim | Given) -> tuple[Check, ...]:
    """Which encoder wins, for the kinds of error that the condition allows."""
    claim, condition = apart(sentence)
    kinds = allowed_words(condition, "kind", ("cross-entropy", "share of wrong labels"))

    def agrees(kind: str) -> bool:
        return (best_encoder(kind) == most_sufficient()) is chosen(claim, "is", EQUIVALENT)

    return (Check("two encoders", lambda: for_all(kinds, agrees), "all decoders on a grid"),)


PROGRAMS: Programs = {
    "1.3 invariance": numerically(renamed, "sums over outcomes"),
    "1.3 sign flips": Program(
        stating({"is": separability}, "linear programming"),
        best_decoder_is_lost,
        value=lambda claim: chosen(claim, "is", LOST),
    ),
    "1.3 second term": Program(
        trains,
        lambda: least_loss("right more often", "share of wrong labels"),
        value=lambda claim: (
            least_loss(most_sufficient(), "share of wrong labels") if chosen(claim, "is", EQUIVALENT) else 0.0
        ),
    ),
}
