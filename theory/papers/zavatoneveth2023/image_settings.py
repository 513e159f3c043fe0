r"""Appendix G.3: experiments on CIFAR-10 with labels."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023.appendix_letters import entry

SMALLEST32 = {"normal": float(np.finfo(np.float32).tiny), "subnormal": float(np.finfo(np.float32).smallest_subnormal)}
BATCHES, RECORDS = {"train": 5, "test": 1}, 10_000
"""Files of the published data set and images in each."""
SUPERVISED = "A matter of measurement: the study geometry-resnet."
LARGEST = " Only its largest scale, a ResNet-34 on all images, can decide; it needs a GPU."


def counts_images(claim: Claim) -> tuple[Check, ...]:
    """The files of the data set."""

    def agrees(part: str) -> bool:
        return bool(claim[part] == BATCHES[part] * RECORDS)

    return tuple(Check(part, partial(agrees, part), "files of the data set") for part in BATCHES)


def is_the_range(claim: Claim) -> tuple[Check, ...]:
    """The entropy is largest for equal probabilities and smallest for a certain class."""

    def entropy(probabilities: list[float]) -> float:
        return -sum(p * math.log(p) for p in probabilities if p) / math.log(float(claim["base"]))

    classes = int(claim["classes"])
    return (
        Check("largest", lambda: is_close(entropy([1 / classes] * classes), float(claim["high"])), "equal chances"),
        Check("smallest", lambda: bool(abs(entropy([1.0]) - float(claim["low"])) < 1e-12), "a certain class"),
    )


def is_the_order_of_magnitude(statement: Any) -> tuple[Check, ...]:
    """Of the smallest number of the kind that the condition names, or of all numbers; powers of ten are rounded."""
    claim = statement.statement if isinstance(statement, Given) else statement
    kind = statement.condition["kind"] if isinstance(statement, Given) else "subnormal"
    order = round(math.log10(SMALLEST32[kind]))
    return (Check("order of magnitude", lambda: claim["power"] == order, "machine constants"),)


SIZES = "CIFAR-10 contains {train} train and {test} test images."

EQUATIONS = (
    entry(
        "G.3 images",
        "G.3",
        "",
        Finding.MISPRINT,
        "The published data set consists of five files of training images and one of test images, 10,000 in each: "
        "60,000 images in all.",
        printed=Claim(SIZES, {"train": sp.Integer(60_000), "test": sp.Integer(10_000)}),
        corrected=Claim(SIZES, {"train": sp.Integer(50_000), "test": sp.Integer(10_000)}),
        prove=counts_images,
        witness=Witness(
            {"data set": "CIFAR-10, training and test images"},
            lambda: [RECORDS * BATCHES["train"], RECORDS * BATCHES["test"]],
            value=lambda claim: [float(claim["train"]), float(claim["test"])],
        ),
        consequence="The number of batches in an epoch follows from it: 49 of 1024 images, not 59.",
    ),
    entry(
        "G.3 entropy",
        "G.3",
        "",
        Finding.CONFIRMED,
        "It is largest for equal probabilities.",
        printed=Claim(
            "The entropy is computed with the logarithm to base {base} to scale values between {low} and {high} for "
            "{classes} classes.",
            {"base": sp.Integer(10), "low": sp.Integer(0), "high": sp.Integer(1), "classes": sp.Integer(10)},
        ),
        prove=is_the_range,
    ),
    entry(
        "G.3 range of float32",
        "G.3",
        "",
        Finding.CONDITIONAL,
        "The smallest normal number is 1.2e-38. Appendix G.2 counts subnormal numbers for float64.",
        printed=Claim("The smallest positive number of float32 is 10 to the power {power}.",
                      {"power": sp.Integer(-38)}),
        condition=Claim("only {kind} numbers are counted", {"kind": Word("normal", ("subnormal",))}),
        prove=is_the_order_of_magnitude,
        witness=Witness(
            {"value": "logarithm to base 10 of the smallest positive number"},
            lambda: float(np.round(np.log10(SMALLEST32["subnormal"]))),
            value=lambda claim: float(claim["power"]),
        ),
        consequence="Subnormal numbers go down to 1.4e-45, with fewer digits.",
    ),
    entry(
        "G.3 training on CIFAR-10",
        "G.3",
        "ResNet-34 with GELU or ReLU; SGD with rate 0.01, momentum 0.9, weight decay 1e-4; batches of 1024, 200 "
        "epochs; padding by 4, random crops and flips; channels shifted and scaled.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.3 accuracies",
        "G.3",
        "Training accuracy above 99 %, test accuracy around 92 %.",
        Finding.OPEN,
        SUPERVISED + LARGEST,
    ),
    entry(
        "G.3 boundaries",
        "G.3",
        "Over the convex hull of three images of three classes the volume element enlarges along decision boundaries.",
        Finding.OPEN,
        SUPERVISED + " Measured by its rank correlation with the entropy of the prediction. For ReLU see 'VI.B and "
        "Figure 5'.",
    ),
    entry(
        "G.3 entropy and volume",
        "G.3",
        "Over the affine hull, places with high entropy also correspond to places with a large volume element.",
        Finding.OPEN,
        SUPERVISED,
    ),
    entry(
        "G.3 one class",
        "G.3",
        "Between images of one class, away from decision boundaries, the volume element does not expand.",
        Finding.OPEN,
        SUPERVISED + " Compared is its rise between images of two classes with that between images of one.",
    ),
    entry(
        "G.3 spectrum",
        "G.3",
        "All eigenvalues of the metric of a GELU network are bounded away from the smallest number of float32.",
        Finding.OPEN,
        SUPERVISED,
    ),
    entry(
        "G.3 falling spectrum",
        "G.3",
        "As training proceeds, the eigenvalues of the metric at three images fall, and with them the volume element.",
        Finding.OPEN,
        SUPERVISED + " It has the shift of their mean logarithm by training. The sentence is what the text at hand has "
        "left of a caption, and does not say of which network, GELU or ReLU.",
    ),
    entry(
        "G.3 spectrum for ReLU",
        "G.3",
        "The eigenvalues of the metric of a ReLU network do not flag any numerical issues.",
        Finding.OPEN,
        SUPERVISED + " Only the paper's width can decide: narrow networks have units that are zero around an image, "
        "and so are their eigenvalues.",
    ),
    entry(
        "G.3 memory",
        "G.3",
        "The volume element of ResNet-50 and ResNet-101 at one image needs more than 80 GB.",
        Finding.OPEN,
        "How the Jacobian is computed is not said. With the activations for all of its rows at once, a ResNet-50 needs "
        "about as much, and details of the count decide; row by row automatic differentiation needs the Jacobian and "
        "one backward pass, which is far less.",
    ),
)  # fmt: skip
