"""Abstract, Sections 1.3, 3.3 and 4: what follows from usable information, and what does not, for four inputs."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

import numpy as np
import sympy as sp

from papers.cheong2025.ledger.notation import agreed
from papers.cheong2025.ledger.usable import LATER, Table, decoders
from theory.collapse.usable_information import cross_entropy, minimality, sufficiency
from theory.core import Claim, Program, Programs, chosen, deciding, is_close, stating

Values = tuple[int, ...]
"""The value of a representation at each of the four inputs, or at some of them."""
INPUTS = (0, 1, 2, 3)
LABELS: Values = (0, 0, 1, 1)
WHOLE: Values = (0, 1, 0, 1)
"""A representation that tells the two inputs of each class apart."""
CLASSES = 2
REPRESENTATIONS: list[Values] = list(product(range(CLASSES), repeat=len(INPUTS)))
"""All representations of the inputs with two values."""
CERTAIN, CAUTIOUS = (0.0, 0.5, 1.0), (0.3, 0.5, 0.7)
"""What decoders answer to a value: probabilities of the second label."""
WEIGHT = 5.0  # of the sufficiency term in the bottleneck
ROUNDING = 1e-9


def joint(values: Sequence[int], labels: Sequence[int]) -> Table:
    """Shares of pairs of a value, 0 or 1, and a label."""
    table = np.zeros((CLASSES, CLASSES))
    np.add.at(table, (list(values), list(labels)), 1 / len(values))
    return table


def sufficient_bits(values: Values, family: list[Table], labels: Values = LABELS) -> float:
    """The sufficiency term of equally frequent inputs."""
    return sufficiency(joint(values, labels), family)


def minimal_bits(values: Values, family: list[Table]) -> float:
    """The minimality term of the four inputs, by definition."""
    return minimality(values, LABELS, CLASSES, family)


def told_apart(values: Values) -> int:
    """How many of the two pairs of inputs with one label have two values."""
    return sum(values[first] != values[first + 1] for first in (0, 2))


def depth() -> str:
    """The minimality term of every representation of four inputs and of every next layer on it.

    The earlier decoders are all next layers with all later decoders.
    """
    layers, later = list(product(range(CLASSES), repeat=CLASSES)), decoders(*LATER)
    earlier = [decoder[list(layer)] for layer, decoder in product(layers, later)]

    def is_lower(values: Values, layer: Values) -> bool:
        deeper = tuple(layer[value] for value in values)
        return minimal_bits(deeper, later) <= minimal_bits(values, earlier) + ROUNDING

    pairs = product(REPRESENTATIONS, layers)
    return agreed((is_lower(*pair) for pair in pairs), "increasing", "decreasing")


REMAINS = {"on samples of a class": minimal_bits, "on the labels": sufficient_bits}
"""What information is on -> its term."""
AMOUNTS = ("very little", "much")


def what_remains(subject: str = "") -> str:
    """How much information of a kind, or of both, is in the label as a representation, which has no minimality."""
    terms = (term for kind, term in REMAINS.items() if subject in ("", kind))
    family = decoders(CLASSES, *CERTAIN)
    return agreed((abs(term(LABELS, family)) < ROUNDING for term in terms), *AMOUNTS)


def predicts(decoder: Table, value: int, label: int) -> bool:
    """Whether a decoder gives a label more than half of the probability."""
    return bool(decoder[value, label] > 0.5)


def trained(values: Values, labels: Values) -> list[Table]:
    """The decoders with the least cross-entropy on some inputs."""
    family, table = decoders(CLASSES, *CERTAIN), joint(values, labels)
    losses = [cross_entropy(table, decoder) for decoder in family]
    return [decoder for decoder, loss in zip(family, losses, strict=True) if loss == min(losses)]


def of_the_sentence(claim: Claim, values: Values) -> list[Table]:
    """The decoders that the sentence speaks of."""
    is_trained = chosen(claim, "which", {"every": False, "every trained": True})
    return trained(values, LABELS) if is_trained else decoders(CLASSES, *CERTAIN)


@cache
def bottlenecks() -> list[Values]:
    """The representations of four inputs that minimise the objective (1.5)."""
    family = decoders(CLASSES, *CERTAIN)
    objectives = {
        values: minimal_bits(values, family) - WEIGHT * sufficient_bits(values, family)
        for values in REPRESENTATIONS
    }
    least = min(objectives.values()) + ROUNDING
    return [values for values, objective in objectives.items() if objective < least]


def knows_all(decoder: Table, values: Values) -> bool:
    """Whether a decoder predicts the labels of all four inputs."""
    return all(predicts(decoder, *pair) for pair in zip(values, LABELS, strict=True))


def are_right(claim: Claim) -> bool:
    """The decoders of two values, from all representations of four inputs that minimise the objective (1.5)."""
    return all(
        knows_all(decoder, values)
        for values in bottlenecks()
        for decoder in of_the_sentence(claim, values)
    )


TERMS = ("the population", "the training set")
SAMPLED = ("every label", "one label")


@cache
def best_encoders(inputs: Values) -> list[Values]:
    """The representations with the most sufficiency, and of these the least minimality, on some inputs."""
    family = decoders(CLASSES, *CERTAIN)
    labels = tuple(LABELS[index] for index in inputs)

    def within(values: Values, label: int) -> float:
        members = tuple(value for value, own in zip(values, labels, strict=True) if own == label)
        relabellings = product(range(CLASSES), repeat=len(members))
        return float(np.mean([sufficient_bits(members, family, new) for new in relabellings]))

    def terms(representation: Values) -> tuple[float, float]:
        values = tuple(representation[index] for index in inputs)
        least = sum(within(values, label) for label in set(labels))
        return -round(sufficient_bits(values, family, labels), 9), round(least, 9)

    best = min(map(terms, REPRESENTATIONS))
    return [representation for representation in REPRESENTATIONS if terms(representation) == best]


def largest_test_error(training: Values, of: str) -> float:
    """Largest share of wrong labels of the other inputs; of all best encoders and decoders trained on some inputs."""
    rest = [index for index in INPUTS if index not in training]
    labels = tuple(LABELS[index] for index in training)
    measured_on = dict(zip(TERMS, (INPUTS, training), strict=True))
    errors = [
        np.mean([not predicts(decoder, encoder[index], LABELS[index]) for index in rest])
        for encoder in best_encoders(measured_on[of])
        for decoder in trained(tuple(encoder[index] for index in training), labels)
    ]
    return float(max(errors))


def share_of_new_labels(training: Values) -> float:
    """Share of the other inputs whose label no input of the training set has, so that a decoder may give any."""
    seen = {LABELS[index] for index in training}
    return float(np.mean([LABELS[index] not in seen for index in INPUTS if index not in training]))


def minimises(labels: str = "", of: str = "") -> str:
    """All training sets of two or three of four inputs, all best encoders, and decoders that are certain or at chance.

    The least test error is zero: a representation by the label has a decoder without error.
    """
    errors = []
    for training in (*combinations(INPUTS, 2), *combinations(INPUTS, 3)):
        count = len({LABELS[index] for index in training})
        if labels in ("", SAMPLED[2 - count]):
            errors += [largest_test_error(training, term) for term in TERMS if of in ("", term)]
    return "also" if max(errors) == 0 else "not always"


NUMBER = sp.Symbol("number", positive=True)
NUMBERS = {"finitely many": 3.0, "infinitely many": math.inf}
LOSSES = ("expected", "average")


def weight(C: int, inputs: str) -> float:
    """What each of the C^n relabellings of n inputs weighs in their average."""
    return float(C ** -NUMBERS[inputs])


def expectation(inputs: str = "") -> str:
    """An average over C^n relabellings with equal weights has weights where n is finite."""
    numbers = (number for number in NUMBERS if inputs in ("", number))
    return agreed((weight(CLASSES, number) > 0 for number in numbers), *LOSSES)


HEADS = ((0.1, 0.85), (0.35, 0.6))
"""Last layers: probabilities of the second label for each of two values."""


def network_term(encoder: Values, head: tuple[float, float]) -> float:
    """The sufficiency term before the last layer of a network, which is one decoder of the family."""
    own = np.column_stack([1 - np.array(head), head])
    return sufficient_bits(encoder, [*decoders(*LATER), own])


def change_of_least_loss(heads: Sequence[tuple[float, float]]) -> float:
    """How much the least loss in bits of two equally frequent labels changes with the last layer, from its answers."""
    answers = [np.array([*LATER[1:], *head]) for head in heads]
    losses = [float(np.min(-np.log2(p * (1 - p)) / 2)) for p in answers]
    return max(losses) - min(losses)


def changed_layer() -> str:
    """The term before the last layer, of networks with two encoders and two last layers of their own."""
    terms = np.array(
        [[network_term(encoder, head) for head in HEADS] for encoder in (LABELS, WHOLE)]
    )
    with_encoders, with_last_layers = (float(np.ptp(terms, axis=axis).max()) for axis in (0, 1))
    return agreed([with_last_layers > ROUNDING * with_encoders], "the only layer", "not the layer")


OWN = {"the same decoders": (CERTAIN,), "decoders of their own": (CERTAIN, CAUTIOUS)}
"""Whose decoders -> what the decoders of f_+ and of f_- answer, where they differ the last ones."""


def compresses(whose: str = "") -> str:
    """Pairs of representations with the smaller term for f_-: whether f_- tells fewer inputs of a class apart."""
    fewer = []
    for owner, answers in OWN.items():
        for plus, minus in product((WHOLE, LABELS), repeat=2):
            terms = [
                minimal_bits(values, decoders(CLASSES, *own))
                for values, own in ((plus, answers[0]), (minus, answers[-1]))
            ]
            if whose in ("", owner) and terms[1] < terms[0] - ROUNDING:
                fewer.append(told_apart(minus) < told_apart(plus))
    return agreed([all(fewer)], "more", "not more")


def difference_of_terms() -> str:
    """The minimality terms of one representation by two families of decoders."""
    terms = [minimal_bits(WHOLE, decoders(CLASSES, *own)) for own in (CERTAIN, CAUTIOUS)]
    return agreed([is_close(*terms)], "equality", "difference")


SEEN = ("all that the representations hold", "only a part")
HELD: tuple[Values, ...] = ((0, 1, 2, 3), (1, 0, 3, 2), (0, 0, 2, 2))
"""Representations by two bits, of which the first is the label."""


def decoders_that_see(part: str) -> list[Table]:
    """Decoders of four values, or of the first bit of them alone."""
    if part == SEEN[0]:
        return decoders(4, *CERTAIN)
    return [decoder[[0, 0, 1, 1]] for decoder in decoders(2, *CERTAIN)]


def compression(see: str = "") -> str:
    """Pairs of representations with one minimality term: whether both tell as many inputs of a class apart."""
    alike = []
    for part in SEEN:
        terms = [minimal_bits(values, decoders_that_see(part)) for values in HELD]
        for first, second in combinations(range(len(HELD)), 2):
            if see in ("", part) and is_close(terms[first], terms[second]):
                alike.append(told_apart(HELD[first]) == told_apart(HELD[second]))
    return agreed([all(alike)], "equally", "unequally")


PROGRAMS: Programs = {
    "abstract depth": stating(change=depth),
    "1.3 what remains": Program(
        stating(amount=what_remains),
        lambda representation: math.log2(len(set(representation))),
        value=lambda claim: float(chosen(claim, "amount", {"very little": 0.0, "much": 1.0})),
        at={"representation": LABELS},
        quantity="bits on the labels in a representation whose minimality term is zero",
    ),
    "1.3 must generalise": Program(
        deciding(are_right),
        lambda answers: sum(p < 0.5 for p in answers) * sum(p > 0.5 for p in answers) / 9,
        value=lambda claim, values: len(of_the_sentence(claim, values)) / 9,
        at={"values": LABELS, "answers": CERTAIN},
        quantity="share of decoders that predict all labels from the representation by the label",
    ),
    "Theorem 3": Program(
        stating(also=minimises),
        share_of_new_labels,
        value=lambda claim: float(chosen(claim, "also", {"also": 0.0, "not always": 1.0})),
        at={"training": (0, 1)},
        quantity="largest share of wrong labels of the other inputs after training on inputs 0 and 1",
    ),
    "3.3 only layer": Program(
        stating(which=changed_layer),
        lambda heads: float(change_of_least_loss(heads) > ROUNDING),
        value=lambda claim: float(claim["which"] == "the only layer"),
        at={"heads": HEADS},
        quantity="1 if the sufficiency term changes with the last layer of the network, else 0",
    ),
    "3.3 compressing more": Program(
        stating(more=compresses),
        lambda f_plus, f_minus: float(len(set(f_minus)) < len(set(f_plus))),
        value=lambda claim: float(chosen(claim, "more", {"more": 1.0, "not more": 0.0})),
        at={"f_plus": WHOLE, "f_minus": WHOLE},
        quantity="1 if f_- tells fewer inputs apart, where its decoders are weaker and its term is smaller",
    ),
    "3.3 layer 0": stating(what=difference_of_terms),
    "3.3 equal compression": Program(
        stating(how=compression),
        lambda training, test: float(len(set(training)) - len(set(test))),
        value=lambda claim: float(claim["how"] == "unequally"),
        at={"training": HELD[0], "test": HELD[-1]},
        quantity="values of the representation in training less those in test, where both terms are zero",
    ),
    "4 continuous inputs": Program(
        stating(loss=expectation),
        lambda C, inputs: float(sp.limit(sp.Integer(C) ** -NUMBER, NUMBER, NUMBERS[inputs]) != 0),
        value=lambda claim: float(chosen(claim, "loss", {LOSSES[0]: 1.0, LOSSES[1]: 0.0})),
        at={"C": 10, "inputs": "infinitely many"},
        quantity="1 if each relabelling has a weight in their average, else 0",
    ),
}
