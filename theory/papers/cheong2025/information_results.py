r"""Section 3.3: what is said of the information terms, and the sizes of representations."""

from __future__ import annotations

from typing import Any

from theory.core import Equation, Finding
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.cheong2025.paper import entry
from theory.papers.cheong2025.result_programs import (
    CORNERS,
    PRODUCT,
    adds_up,
    by_linear_decoders,
    compresses,
    has_sizes,
    has_the_size,
    is_affine,
    is_saturated,
    is_the_maximum,
    middle_of_values,
    of_the_middle,
)

INFORMATION_STUDY = "A matter of measurement: the study collapse-information."
MORE_IMAGES = (
    INFORMATION_STUDY + " Only the numbers of images of the thesis can decide: of the few images at smaller scales any "
    "decoder of the first layers memorises all there is."
)
ON_FASHION = INFORMATION_STUDY + " It has Fashion-MNIST; CIFAR-10 is at the largest scale only, on a GPU."


def _open(label: str, section: str, statement: str, evidence: str, **rest: Any) -> Equation:
    return entry(label, section, statement, Finding.OPEN, evidence, **rest)


PROGRAMS: Programs = {
    "3.3 largest sufficiency": is_the_maximum,
    **programs_of(
        (
            _open(
                "3.3 sufficiency and minimality of f_+",
                "3.3",
                "Both terms of h^0, h^1 and to a lesser extent h^2 quickly saturate, so that only h^3 has a train-test gap.",
                MORE_IMAGES,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 gap in sufficiency of f_+",
                "3.3",
                "The test sufficiency of h^3 plateaus at a much lower value than the training sufficiency.",
                ON_FASHION,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 higher sufficiency",
                "3.3",
                "The sufficiency of f_+ on Fashion-MNIST has a much higher magnitude than that on CIFAR-10.",
                INFORMATION_STUDY
                + " CIFAR-10 is at its largest scale only, on a GPU. Saturated layers have the same value, "
                "log_2 10, on both.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 no gap in minimality of f_+",
                "3.3",
                "The training and test minimality of h^3 do not diverge from each other over the course of training.",
                ON_FASHION + " Held against a tenth of the minimality of the last layer, as for a compression phase.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 low minimality of f_+",
                "3.3",
                "The training and test minimality of h^3 of f_+ remain low throughout the training.",
                INFORMATION_STUDY + " 'Low' names no bound.",
            ),
        )
    ),
    "3.3 affine last layer": Program(
        is_affine, of_the_middle, value=lambda claim: middle_of_values() if claim["is"] == "affine" else of_the_middle()
    ),
    "3.3 weights of the last layer": adds_up,
    **programs_of(
        (
            _open(
                "3.3 minimality of f_-",
                "3.3",
                "The minimality term of f_- rises during training, for layer 2 on CIFAR-10 and layer 1 on Fashion-MNIST, where "
                "it drops, sooner than in f_+.",
                MORE_IMAGES,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 gap in sufficiency of f_-",
                "3.3",
                "For f_- a small but noticeable train-test gap forms in the sufficiency of h^2, too.",
                MORE_IMAGES,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 larger gap of f_-",
                "3.3",
                "The train-test gap in the sufficiency of h^3 is larger for f_- than for f_+.",
                ON_FASHION + " The difference of the gaps of both would decide it.",
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 no saturation of f_-",
                "3.3",
                "The minimality of h^1 and h^2 of f_- does not saturate, so that f_- compresses more than f_+ overall.",
                MORE_IMAGES,
            ),
        )
    ),
    "3.3 dimensionalities": has_sizes,
    "3.3 smaller representations": Program(
        compresses,
        lambda: by_linear_decoders(PRODUCT),
        value=lambda claim: by_linear_decoders(CORNERS) if claim["how"] == "necessarily" else 1.0,
    ),
    "3.3 same size of h^2": has_the_size,
    "Figure 3.6, corner": is_saturated,
    **programs_of(
        (
            _open(
                "3.3 information planes",
                "3.3",
                "The information planes of f_+ are uneventful; the fitting phases of h^2 of f_- on CIFAR-10 and of h^1 on "
                "Fashion-MNIST are almost horizontal.",
                MORE_IMAGES,
            ),
        )
    ),
    **programs_of(
        (
            _open(
                "3.3 compression phase",
                "3.3",
                "Neither f_+ nor f_- shows signs of a compression phase.",
                ON_FASHION + " Held against a fall by a tenth of the minimality of the last layer.",
            ),
        )
    ),
}
