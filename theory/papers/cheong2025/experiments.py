r"""Abstract, Sections 3.1 and 3.2: accuracy and geometric compression."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Claim, Equation, Finding, Witness, Word, equal, identity
from theory.core.printed import solved
from theory.papers.cheong2025.paper import entry
from theory.papers.cheong2025.result_programs import (
    LAYERS,
    MEASURED_LAYERS,
    RESULTS,
    compares,
    ends_at,
    figures,
    is_rounded,
    repeats_the_table,
)

metric = sp.Function("metric")
l, L = sp.symbols("l L", integer=True, positive=True)
ratio, first = sp.symbols("ratio first", positive=True)
last_layer = sp.Symbol("last_layer", integer=True, positive=True)
LAYERS_STUDY = "A matter of measurement: the study collapse-layers."


def _open(label: str, section: str, statement: str, evidence: str, **rest: Any) -> Equation:
    return entry(label, section, statement, Finding.OPEN, evidence, **rest)


ABSTRACT = (
    _open(
        "abstract compression",
        "Abstract",
        "Compression is not necessary for generalisation, but networks compress, the more so the deeper the layer.",
        LAYERS_STUDY + " For the information-theoretic part collapse-information.",
    ),
    _open(
        "Figure 1.1",
        "1",
        "A network fits randomly labelled data perfectly, which reaches 91 % test accuracy with the true labels.",
        "A matter of measurement: the study collapse-random-labels.",
    ),
)
ACCURACY = (
    entry(
        "2.4 related work",
        "2.4",
        "Which earlier works measure the metric and the information terms, and how.",
        Finding.NOTE,
        "Quoted.",
    ),
    _open(
        "3.1 training accuracy",
        "3.1",
        "All four scenarios reach 100 % training accuracy; f_- on CIFAR-10 misses 0.02.",
        LAYERS_STUDY,
    ),
    _open(
        "3.1 test accuracy and loss",
        "3.1",
        "Final test accuracy and loss of the four scenarios.",
        LAYERS_STUDY,
        printed=r"f_+\colon 75.3\,\%,\ 0.757, \quad f_-\colon 62.6\,\%,\ 1.260 \text{ (CIFAR-10)}; \quad "
        r"f_+\colon 91.0\,\%,\ 0.323, \quad f_-\colon 88.4\,\%,\ 0.387 \text{ (Fashion-MNIST)}",
    ),
    entry(
        "3.1 rounding",
        "3.1",
        "",
        Finding.MISPRINT,
        "The printed table: 1.260 has four significant figures. The accuracies have three.",
        printed=Claim(
            "Test losses are rounded to {count} {places}.",
            {"count": sp.Integer(3), "places": Word("significant figures", ("decimals",))},
        ),
        corrected=Claim(
            "Test losses are rounded to {count} {places}.",
            {"count": sp.Integer(3), "places": Word("decimals", ("significant figures",))},
        ),
        prove=is_rounded,
        witness=Witness(
            {"loss": "1.260", "quantity": "significant figures"},
            lambda: float(figures(RESULTS["f_-", "CIFAR-10"][1])),
            value=lambda claim: float(claim["count"]) + (claim["places"] == "decimals"),
        ),
        consequence="None but for the number of digits that can be compared.",
    ),
    entry(
        "3.1 comparison",
        "3.1",
        "",
        Finding.CONFIRMED,
        "The numbers of the printed table; that they are right is the entry before.",
        printed=Claim(
            "f_- performs {than} than f_+ on both datasets, with a {difference} difference on Fashion-MNIST.",
            {"than": Word("worse", ("better",)), "difference": Word("smaller", ("larger",))},
        ),
        prove=compares,
    ),
    entry(
        "Figure 1.1, accuracy",
        "1",
        "",
        Finding.CONFIRMED,
        "The table of Section 3.1 has 91.0 % for f_+ on Fashion-MNIST.",
        printed=Claim(
            "The same network achieves a test accuracy of {accuracy} % on nonrandom labels.",
            {"accuracy": sp.Integer(91)},
        ),
        prove=repeats_the_table,
    ),
    _open(
        "3.1 overfitting",
        "3.1",
        "The test loss of f_- starts to increase after the tenth epoch, in particular on CIFAR-10.",
        LAYERS_STUDY,
    ),
)
GEOMETRY = (
    _open(
        "3.2 compression gap",
        "3.2",
        "Training NC1 is lower than test NC1; the gap hardly follows the generalisation gap, but for layers 2 and 3 of "
        "f_- on CIFAR-10.",
        LAYERS_STUDY,
    ),
    _open(
        "3.2 layers diverge",
        "3.2",
        "NC1 is roughly the same for all layers at the beginning of training; then deeper layers compress more.",
        LAYERS_STUDY,
    ),
    entry(
        "3.2 law of equi-separation",
        "3.2",
        "A constant ratio of NC1 from layer to layer makes compression exponential in depth.",
        Finding.CONFIRMED,
        "The metric as an exponential of the layer. The law is stated for all layers up to the output; the metric is "
        "measured for the layers before it: see '3.2 layers'.",
        closed_form="collapse.linear_depth_nc1",
        printed=equal(ratio, metric(l + 1) / metric(l)),
        prove=identity({metric: lambda layer: first * ratio**layer}, "an exponential"),
    ),
    entry(
        "3.2 layers",
        "3.2",
        "The last of the layers over which the correlation is taken, for l uniform on 1 to L.",
        Finding.MISPRINT,
        "Section 2.3 computes the metric for l = 1, 2, 3, and L is 4: the layers before the last.",
        printed=equal(last_layer, L),
        corrected=equal(last_layer, L - 1),
        prove=ends_at,
        witness=Witness(
            {L: LAYERS},
            lambda: float(max(MEASURED_LAYERS)),
            value=lambda statement: float(solved(statement, last_layer).subs(L, LAYERS)),
        ),
        consequence="Figure 3.4 shows correlations of three values, which are close to -1 for nearly anything that "
        "falls.",
        heirs=("3.2 perfectly linear",),
    ),
    _open(
        "3.2 perfectly linear",
        "3.2",
        "The logarithm of NC1 is perfectly linear in the layer, as Pearson's r shows.",
        LAYERS_STUDY + " And r of three layers is a blunt one: anything that falls twice has |r| of at least 0.866, "
        "and two random steps have 0.99 or more one time in four. The two log-ratios say more.",
        closed_form="collapse.three_layer_correlation",
    ),
    entry(
        "3.2 proven elsewhere",
        "3.2",
        "A version of the law was proven for tr Sigma_W / tr Sigma_B.",
        Finding.NOTE,
        "Quoted.",
    ),
    _open(
        "3.2 sooner than collapse",
        "3.2",
        "The law of equi-separation comes into effect much sooner than neural collapse itself.",
        LAYERS_STUDY,
    ),
)
