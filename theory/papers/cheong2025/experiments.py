r"""Abstract, Sections 3.1 and 3.2: accuracy and geometric compression."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Equation, Finding, identity
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.transition import programs_of
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
FULL_SIZE = (
    LAYERS_STUDY + " Only its largest scale, with the images and channels of the thesis, can decide; it needs a GPU."
)


def _open(label: str, section: str, statement: str, evidence: str, **rest: Any) -> Equation:
    return entry(label, section, statement, Finding.OPEN, evidence, **rest)


PROGRAMS: Programs = {
    **programs_of(
        (
            _open(
                "abstract compression",
                "Abstract",
                "Compression, both geometric and information-theoretic, is not necessary for generalisation.",
                "A conclusion of the thesis from '3.2 correlation of the gaps' and '3.3 no gap in minimality of f_+'. What is "
                "necessary would take networks that generalise alike and compress differently; no study has them.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "abstract depth",
                "Abstract",
                "Information-theoretic compression increases as one moves deeper into the network.",
                "A matter of measurement: the study collapse-information. Only the numbers of images of the thesis can decide: "
                "of the few images at smaller scales any decoder of the first layers memorises all there is. For geometric "
                "compression see '3.2 layers diverge'.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "Figure 1.1",
                "1",
                "A network perfectly fits randomly labelled data.",
                "A matter of measurement: the study collapse-random-labels, whose networks are smaller in proportion to their "
                "fewer images. All labels are fitted; the loss has an error, too.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.1 training accuracy",
                "3.1",
                "All four scenarios reach 100 % training accuracy.",
                LAYERS_STUDY
                + " Accuracies at this bound have no error that could decide: some networks fit all images with "
                "every seed.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.1 training loss",
                "3.1",
                "f_- on CIFAR-10 is the only scenario that does not achieve a training loss of 0.02.",
                FULL_SIZE,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.1 test accuracy and loss",
                "3.1",
                "Final test accuracy and loss of the four scenarios.",
                FULL_SIZE,
                printed=r"f_+\colon 75.3\,\%,\ 0.757, \quad f_-\colon 62.6\,\%,\ 1.260 \text{ (CIFAR-10)}; \quad "
                r"f_+\colon 91.0\,\%,\ 0.323, \quad f_-\colon 88.4\,\%,\ 0.387 \text{ (Fashion-MNIST)}",
            ),
        )
    ),
    "3.1 rounding": Program(
        is_rounded,
        lambda: float(figures(RESULTS["f_-", "CIFAR-10"][1])),
        value=lambda claim: float(claim["count"]) + (claim["places"] == "decimals"),
    ),
    "3.1 comparison": compares,
    "Figure 1.1, accuracy": repeats_the_table,
    **programs_of(
        (
            _open(
                "3.1 overfitting",
                "3.1",
                "The test loss of f_- starts to increase after the tenth epoch, on both data sets.",
                LAYERS_STUDY,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.1 overfitting on CIFAR-10",
                "3.1",
                "f_- shows signs of overfitting in particular on CIFAR-10.",
                LAYERS_STUDY + " Compared are the rises of the test loss since the tenth epoch.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 compression gap",
                "3.2",
                "Training NC1 is consistently lower than test NC1.",
                LAYERS_STUDY,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 correlation of the gaps",
                "3.2",
                "The difference in compression is only mildly correlated with the generalisation gap, if at all.",
                LAYERS_STUDY
                + " Held against a correlation of 0.5; f_- on CIFAR-10 is the exception that the text makes.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 gaps of f_- on CIFAR-10",
                "3.2",
                "For layers 2 and 3 of f_- on CIFAR-10 the compression gap positively correlates with the generalisation gap.",
                LAYERS_STUDY,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 layers at the beginning",
                "3.2",
                "NC1 is roughly the same for all layers during the beginning of training.",
                LAYERS_STUDY
                + " 'Roughly' names no bound: the range of log NC1 over the layers before training is held "
                "against that after it.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 layers diverge",
                "3.2",
                "The layers diverge such that deeper layers compress more.",
                LAYERS_STUDY + " All steps of log NC1 from layer to layer on training images are compared with zero.",
            ),
        )
    ),
    "3.2 law of equi-separation": identity({metric: lambda layer: first * ratio**layer}, "an exponential"),
    "3.2 layers": Program(
        ends_at,
        lambda: float(max(MEASURED_LAYERS)),
        value=lambda statement: float(solved(statement, last_layer).subs(L, LAYERS)),
    ),
    **programs_of(
        (
            _open(
                "3.2 perfectly linear",
                "3.2",
                "The logarithm of NC1 is perfectly linear in the layer, as Pearson's r shows.",
                LAYERS_STUDY
                + " And r of three layers is a blunt one: anything that falls twice has |r| of at least 0.866, "
                "and two random steps have 0.99 or more one time in four. The two log-ratios say more.",
                closed_form="collapse.three_layer_correlation",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.2 sooner than collapse",
                "3.2",
                "The law of equi-separation comes into effect much sooner than neural collapse itself.",
                LAYERS_STUDY
                + " Neither event has a bound in the thesis: r of three layers is close to -1 wherever NC1 falls "
                "twice, see '3.2 perfectly linear', and how small NC1 of a collapsed layer is remains unsaid.",
            ),
        )
    ),
}
