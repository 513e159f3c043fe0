r"""Section 1.3: usable information, up to the sufficiency term."""

from __future__ import annotations

import numpy as np

from theory.collapse.usable_information import cross_entropy, mutual_information, sufficiency
from theory.core import Check, Finding, Reading, Step
from theory.papers.cheong2025.finite_alphabets import LOPSIDED, Joint, conditional_entropy, information
from theory.papers.cheong2025.paper import unlinked as entry
from theory.papers.cheong2025.sign_flips import best_decoder_is_lost, features, flip, separates, weights

CLOSE = 1e-12
TABLE = np.array([[LOPSIDED.get((a, b), 0.0) for b in range(2)] for a in range(3)])
POSTERIOR = TABLE / TABLE.sum(axis=1, keepdims=True)
# Three representations, two equally frequent labels.
UNIFORM = np.array([[0.25, 0.0], [0.25, 0.125], [0.0, 0.375]])
ANSWERS = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0, 0.0, 1 / 3, 2 / 3)
FAMILY = [np.column_stack([1 - np.array(p), p]) for p in np.stack(np.meshgrid(*[ANSWERS] * 3), -1).reshape(-1, 3)]


def _invariant_under_renaming() -> bool:
    """Mutual information of a table, and of the same with its rows exchanged."""
    renamed: Joint = {((a + 1) % 3, b): p for (a, b), p in LOPSIDED.items()}
    return abs(information(renamed, 0, 1) - information(LOPSIDED, 0, 1)) < CLOSE


def _posterior_is_best() -> bool:
    """No decoder of a random thousand has a smaller cross-entropy than the posterior, whose is H(b|a)."""
    draw = np.random.default_rng(0)
    best = cross_entropy(TABLE, POSTERIOR)
    others = (cross_entropy(TABLE, draw.dirichlet([1, 1], size=3)) for _ in range(1000))
    return abs(best - conditional_entropy(LOPSIDED, 1, 0)) < CLOSE and min(others) >= best


def _all_decoders_use_all() -> bool:
    """With the posterior in the family usable information is mutual information; without, it is less."""
    all_of_it = abs(sufficiency(UNIFORM, [*FAMILY]) - mutual_information(UNIFORM)) < CLOSE
    return all_of_it and sufficiency(UNIFORM, FAMILY[:40]) < mutual_information(UNIFORM) - 0.01


def _given_reading() -> Reading:
    """Least cross-entropy of predicting b from a; independent: minimised number by number over a fine grid."""
    grid = np.linspace(1e-6, 1 - 1e-6, 200_001)
    least = sum(float(np.min(-row[0] * np.log2(1 - grid) - row[1] * np.log2(grid))) for row in TABLE)
    return Reading(conditional_entropy(LOPSIDED, 0, 1), conditional_entropy(LOPSIDED, 1, 0), least, tolerance=1e-4)


EQUATIONS = (
    entry(
        "1.3 invariance",
        "1.3",
        "Mutual information is invariant under invertible transformations.",
        Finding.CONFIRMED,
        "Renaming the values of a finite variable permutes the terms of the sum.",
        steps=(Check("values renamed", _invariant_under_renaming, "three by two values"),),
    ),
    entry(
        "1.3 sign flips",
        "1.3",
        "Flipping the signs of a fixed set of entries would likely end linear separability.",
        Finding.MISPRINT,
        "A fixed flip is linear and its own inverse: flip the same entries of the weights. What fails is the "
        "classifier that was trained before the flip.",
        printed=r"\text{separable features, signs of fixed entries flipped: not separable}",
        corrected=r"(F w) \cdot (F h) = w \cdot h, \quad F = \mathrm{diag}(\pm 1): \text{ separable}",
        steps=(
            Step(
                "the flipped weights see what the weights saw",
                (flip * weights).dot(flip * features),
                weights.dot(features),
                because="F'F = 1",
            ),
            Check("the old classifier does fail", lambda: not separates(flipped=True, adapted=False), "an example"),
        ),
        printed_steps=(Check("no linear decoder is left", lambda: not separates(True, True), "an example"),),
        witness={"features": "40 points in three dimensions", "flipped": "entries 2 and 3"},
        oracle=lambda: Reading(1.0, 0.0, best_decoder_is_lost()),
        consequence="Usable information of linear decoders does not change under a fixed flip of signs, either. "
        "Encryption, the next example, does change it.",
    ),
    entry(
        "1.3 variational form",
        "1.3",
        "H(b|a) is the least cross-entropy over all decoders; the infimum may be taken inside the average over a.",
        Finding.CONFIRMED,
        "The posterior against a thousand random decoders. Inside or outside makes no difference only because the "
        "family of all functions chooses for every a separately.",
        printed=r"-\mathbb{E}_{a,b}[\log p(b|a)] = \inf_{f \in \mathcal{U}} \mathbb{E}_{a,b}[-\log f[a](b)]",
        steps=(Check("the posterior is best", _posterior_is_best, "random decoders"),),
    ),
    entry(
        "1.3 predicting b given a",
        "1.3",
        "E[-log p(a|b)] is the expected loss of predicting b given a.",
        Finding.MISPRINT,
        "The arguments are exchanged; the line above and the definition below have p(b|a).",
        printed=r"\mathbb{E}_{a,b}[-\log p(a|b)]",
        corrected=r"\mathbb{E}_{a,b}[-\log p(b|a)]",
        steps=(
            Check(
                "H(b|a) is the least cross-entropy of decoders from a to b",
                lambda: abs(cross_entropy(TABLE, POSTERIOR) - conditional_entropy(LOPSIDED, 1, 0)) < CLOSE,
                "a table",
            ),
        ),
        printed_steps=(
            Check(
                "H(a|b) is",
                lambda: abs(cross_entropy(TABLE, POSTERIOR) - conditional_entropy(LOPSIDED, 0, 1)) < CLOSE,
                "the same table",
            ),
        ),
        witness={"p(a, b)": str(LOPSIDED)},
        oracle=_given_reading,
        consequence="None for what follows, which uses the right conditional.",
    ),
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
        steps=(Check("a family with the posterior", _all_decoders_use_all, "decoders on a grid"),),
    ),
    entry(
        "Footnote 2",
        "1.3",
        "The family is finite, so a best decoder exists.",
        Finding.ASSUMPTION,
        "The definition has an infimum and does not need it.",
    ),
)
