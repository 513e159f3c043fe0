r"""Appendices G.3 to G.5: experiments on CIFAR-10, with labels and without."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word
from theory.core.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.appendix_letters import entry

SMALLEST32 = {"normal": float(np.finfo(np.float32).tiny), "subnormal": float(np.finfo(np.float32).smallest_subnormal)}
BATCHES, RECORDS = {"train": 5, "test": 1}, 10_000
"""Files of the published data set and images in each."""
ON_THE_SPHERE = ("0.3", "-0.4")
SUPERVISED = "A matter of measurement: the study geometry-resnet."
SELF_SUPERVISED = "A matter of measurement: the study geometry-self-supervised."


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


def curvature_stated(claim: Claim) -> float:
    """Scalar curvature of the unit sphere in three dimensions with the metric that is named."""
    return {"flat": 0.0, "round": 2.0}[claim["metric"]]


def curvature_of_the_sphere() -> float:
    """By definition, in stereographic coordinates."""
    return christoffel.scalar(explicit_metrics.sphere, ON_THE_SPHERE)


def is_the_metric_of_the_sphere(claim: Claim) -> tuple[Check, ...]:
    """The curvature of the sphere, by definition."""
    return (Check("curvature", lambda: is_close(curvature_of_the_sphere(), curvature_stated(claim)), "definition"),)


SIZES = "CIFAR-10 contains {train} train and {test} test images."
PULL_BACK = "One should instead pull back the {metric} metric on the sphere."

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
        SUPERVISED,
    ),
    entry(
        "G.3 boundaries",
        "G.3",
        "Volume elements are large along decision boundaries, where the entropy is high, and do not grow away from "
        "them, between images of one class; for GELU and for ReLU.",
        Finding.OPEN,
        SUPERVISED,
    ),
    entry(
        "G.3 spectrum",
        "G.3",
        "Eigenvalues of the metric stay in the range of float32.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "G.3 memory",
        "G.3",
        "The volume element of ResNet-50 and ResNet-101 at one image needs more than 80 GB.",
        Finding.OPEN,
        "True of the whole Jacobian at once, with its graph; rows by rows it needs the Jacobian and one backward pass. "
        "A matter of measurement.",
    ),
    entry(
        "G.4 training without labels",
        "G.4",
        "Barlow Twins and SimCLR with ResNet-34, a projector of dimension 256; SGD with rate 0.01, weight decay 1e-4, "
        "batches of 1024, 1000 epochs; logistic regression on 512 features as the read-out.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.4 augmentation",
        "G.4",
        "Crops, flips, colour jitter, grayscale, blur and solarisation with their probabilities; channels shifted and "
        "scaled.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.4 accuracies",
        "G.4",
        "The read-out reaches 84 % on training and 70 % on test images.",
        Finding.OPEN,
        SELF_SUPERVISED,
    ),
    entry(
        "G.4 Barlow Twins",
        "G.4",
        "The volume element of Barlow Twins is large along decision boundaries of the read-out.",
        Finding.OPEN,
        SELF_SUPERVISED,
    ),
    entry(
        "G.4 SimCLR",
        "G.4",
        "The volume element of SimCLR dips at decision boundaries, perhaps because its embeddings lie on a sphere.",
        Finding.OPEN,
        SELF_SUPERVISED,
    ),
    entry(
        "G.4 sphere",
        "G.4",
        "",
        Finding.MISPRINT,
        "The scalar curvature of the unit sphere in three dimensions is 2, by definition; a sphere of two or more "
        "dimensions has no flat metric.",
        printed=Claim(PULL_BACK, {"metric": Word("flat", ("round",))}),
        corrected=Claim(PULL_BACK, {"metric": Word("round", ("flat",))}),
        prove=is_the_metric_of_the_sphere,
        witness=Witness({"sphere": "unit sphere in three dimensions", "coordinates": ON_THE_SPHERE},
                        curvature_of_the_sphere, value=curvature_stated),
        consequence="The round metric of the sphere is what the Euclidean metric of the embedding space induces on it, "
        "so that for normalised embeddings both pullbacks are the same; they differ for embeddings before "
        "normalisation.",
    ),
    entry(
        "G figures",
        "G",
        "Figures G.1 to G.34.",
        Finding.OPEN,
        "A matter of measurement: the studies geometry-xor, geometry-sinusoid, geometry-mnist, geometry-resnet and "
        "geometry-self-supervised. The curvatures of Figures G.2 and G.6 carry the factor 3 of (B.15).",
    ),
    entry(
        "G.5 code",
        "G.5",
        "The code is public; models were trained on GPUs with 80 GB.",
        Finding.NOTE,
        "Settings.",
    ),
)  # fmt: skip
