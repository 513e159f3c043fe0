r"""Section 1.3: usable information, up to the sufficiency term."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import Given
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.finite_alphabets import LOPSIDED, bits, information_between
from theory.papers.cheong2025.paper import entry
from theory.papers.cheong2025.sign_flips import best_decoder_is_lost

I = sp.Function("I", real=True)


h, moved, label = sp.symbols("rep_h moved label")


POINTS = 20  # equally likely inputs of the networks below


def renamed() -> Iterator[dict[str, Any]]:
    """Three values of a representation, and the same under every invertible map of them."""
    outcomes = list(LOPSIDED)
    between = information_between(list(LOPSIDED.values()))
    values, labels = (tuple(outcome[k] for outcome in outcomes) for k in (0, 1))
    for names in itertools.permutations(range(3)):
        yield {"I": between, "rep_h": values, "moved": tuple(names[v] for v in values), "label": labels}


def loses_separability(claim: Claim) -> tuple[Check, ...]:
    """Linear programming for weights that separate points whose signs are flipped in two of three entries."""
    lost = best_decoder_is_lost() == 1.0
    return (Check("40 points", lambda: lost is (claim["is"] == "no longer linearly separable"), "linear programming"),)


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
        return (best_encoder(kind) == most_sufficient()) is (claim["is"] == "equivalent")

    return (Check("two encoders", lambda: for_all(kinds, agrees), "all decoders on a grid"),)


EQUATIONS_1 = (
    entry(
        "1.3 invariance",
        "1.3",
        "Mutual information is invariant under invertible transformations.",
        Finding.CONFIRMED,
        "All invertible maps of three values; they permute the terms of the sum.",
        printed=equal(I(moved, label), I(h, label)),
        prove=numerically(renamed, "sums over outcomes"),
    ),
    entry(
        "1.3 sign flips",
        "1.3",
        "",
        Finding.MISPRINT,
        "A fixed flip F is linear and its own inverse: (F w).(F h) = w.h, so the flipped weights see what the weights "
        "saw. What fails is the classifier that was trained before the flip.",
        printed=Claim(
            "Flipping the signs of a fixed set of entries would likely leave the representation {is}.",
            {"is": Word("no longer linearly separable", ("linearly separable",))},
        ),
        corrected=Claim(
            "Flipping the signs of a fixed set of entries would leave the representation {is}.",
            {"is": Word("linearly separable", ("no longer linearly separable",))},
        ),
        prove=loses_separability,
        witness=Witness(
            {
                "features": "40 points in three dimensions",
                "flipped": "entries 2 and 3",
                "quantity": "1 if not separable, else 0",
            },
            best_decoder_is_lost,
            value=lambda claim: float(claim["is"] == "no longer linearly separable"),
        ),
        consequence="Usable information of linear decoders does not change under a fixed flip of signs, either. "
        "Encryption, the next example, does change it.",
    ),
    entry(
        "1.3 encryption",
        "1.3",
        "In practice no information on a text can be extracted from its encrypted form.",
        Finding.NOTE,
        "An illustration. The map is invertible, so mutual information does not change.",
    ),
    entry(
        "1.3 all decoders",
        "1.3",
        "U, the family of all maps from representations to distributions over the labels.",
        Finding.DEFINITION,
        "f[a](b) is the probability of b given a.",
        printed=r"\mathcal{U} = \{\mathcal{H} \to \mathbb{P}(\mathcal{Y})\}",
    ),
)
EQUATIONS = (
    entry(
        "1.3 sufficiency",
        "1.3",
        "The sufficiency term: entropy of the label less the least cross-entropy over the family.",
        Finding.DEFINITION,
        "Equals mutual information if the family contains the posterior. May be negative if the family lacks the "
        "constant decoder; elsewhere the entropy term is the least cross-entropy of constant decoders of the same "
        "family.",
        closed_form="collapse.two_class_information",
        printed=r"I_{\mathcal{V}}(h \to y) = \mathbb{E}_y[-\log p(y)] - \inf_{f \in \mathcal{V}} "
        r"\mathbb{E}_{h,y}[-\log f[h](y)]",
    ),
    entry(
        "1.3 family of a layer",
        "1.3",
        "The decoders of layer l: the later layers with all their parameters.",
        Finding.DEFINITION,
        "The text at hand has a hat on the parameters inside the braces as well; it belongs to the best ones only.",
        printed=r"\mathcal{V}^l \triangleq \{f_{\theta}^{L:l+1}\}_\theta",
    ),
    entry(
        "1.3 second term",
        "1.3",
        "",
        Finding.CONDITIONAL,
        "Two encoders of twenty inputs and all decoders on a grid. The encoder with the larger usable information is "
        "wrong more often: it is sure of half of the inputs.",
        printed=Claim(
            "Minimising -I_V(h -> y) over encoders is {is} to minimising the expected error of the whole network.",
            {"is": Word("equivalent", ("not equivalent",))},
        ),
        condition=Claim("the error is the {kind}", {"kind": Word("cross-entropy", ("share of wrong labels",))}),
        prove=trains,
        witness=Witness(
            {"encoders": 2, "inputs": POINTS, "quantity": "share of wrong labels of the best network"},
            lambda: least_loss("right more often", "share of wrong labels"),
            value=lambda claim: (
                least_loss(most_sufficient(), "share of wrong labels") if claim["is"][0] == "e" else 0.0
            ),
        ),
        consequence="None for the experiments, which train with cross-entropy. Accuracy can rise while usable "
        "information falls.",
    ),
    entry(
        "1.3 information on the input",
        "1.3",
        "I_V(h -> x) is undefined, because inputs are no labels.",
        Finding.NOTE,
        "It motivates relabellings.",
    ),
    entry(
        "Footnote 2",
        "1.3",
        "The family is finite, so a best decoder exists.",
        Finding.ASSUMPTION,
        "The definition has an infimum and does not need it.",
    ),
)
