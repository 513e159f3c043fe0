r"""Section 3.3: what is said of the information terms, and the sizes of representations."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Approximates, Claim, Equation, Finding, Witness, Word, decimal
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
LOG_CLASSES = sp.Function("log_base", real=True)(10, 2)


def _open(label: str, section: str, statement: str, evidence: str, **rest: Any) -> Equation:
    return entry(label, section, statement, Finding.OPEN, evidence, **rest)


EQUATIONS = (
    entry(
        "3.3 largest sufficiency",
        "3.3",
        "The largest value of the sufficiency term in bits.",
        Finding.CONFIRMED,
        "Usable information of a representation that determines one of ten equally frequent labels.",
        printed=Approximates(LOG_CLASSES, decimal("3.32")),
        prove=is_the_maximum,
    ),
    _open(
        "3.3 sufficiency and minimality of f_+",
        "3.3",
        "Both terms of h^0, h^1 and to a lesser extent h^2 quickly saturate, so that only h^3 has a train-test gap.",
        MORE_IMAGES,
    ),
    _open(
        "3.3 gap in sufficiency of f_+",
        "3.3",
        "The test sufficiency of h^3 plateaus at a much lower value than the training sufficiency.",
        ON_FASHION,
    ),
    _open(
        "3.3 higher sufficiency",
        "3.3",
        "The sufficiency of f_+ on Fashion-MNIST has a much higher magnitude than that on CIFAR-10.",
        INFORMATION_STUDY + " CIFAR-10 is at its largest scale only, on a GPU. Saturated layers have the same value, "
        "log_2 10, on both.",
    ),
    entry(
        "3.3 easier to predict",
        "3.3",
        "New labels of an unaltered representation are easier to predict than the true label of a jumbled one.",
        Finding.ASSUMPTION,
        "An explanation; the thesis itself finds it contradicted for f_-.",
    ),
    _open(
        "3.3 no gap in minimality of f_+",
        "3.3",
        "The training and test minimality of h^3 do not diverge from each other over the course of training.",
        ON_FASHION + " Held against a tenth of the minimality of the last layer, as for a compression phase.",
    ),
    _open(
        "3.3 low minimality of f_+",
        "3.3",
        "The training and test minimality of h^3 of f_+ remain low throughout the training.",
        INFORMATION_STUDY + " 'Low' names no bound.",
    ),
    entry(
        "3.3 affine last layer",
        "3.3",
        "",
        Finding.MISPRINT,
        "By Section 2.3 the last layer of f_+ pools the maximum over all pixels of h^3, 4 x 4 on CIFAR-10, before the "
        "affine map. Two representations of two pixels: the middle is not mapped to the middle.",
        printed=Claim(
            "The last layer of f_+ is merely an {is} transformation.", {"is": Word("affine", ("affine and pooling",))}
        ),
        corrected=Claim(
            "The last layer of f_+ is an {is} transformation.", {"is": Word("affine and pooling", ("affine",))}
        ),
        prove=is_affine,
        witness=Witness(
            {"pixels": ((1.0, 0.2), (0.1, 0.8)), "weight, bias": (0.7, 0.1), "quantity": "value at the middle"},
            of_the_middle,
            value=lambda claim: middle_of_values() if claim["is"] == "affine" else of_the_middle(),
        ),
        consequence="The decoders of the last layer of f_+ are a little stronger than said, and unlike those of f_-, "
        "which do not pool.",
    ),
    entry(
        "3.3 weights of the last layer",
        "3.3",
        "",
        Finding.CONFIRMED,
        "The channels of Section 2.3; the pool has no weights.",
        printed=Claim(
            "The last layer of f_+ has {inputs} x {outputs} + {bias} = {total} learnable weights.",
            {k: sp.Integer(v) for k, v in {"inputs": 256, "outputs": 10, "bias": 10, "total": 2570}.items()},
        ),
        prove=adds_up,
    ),
    _open(
        "3.3 minimality of f_-",
        "3.3",
        "The minimality term of f_- rises during training, for layer 2 on CIFAR-10 and layer 1 on Fashion-MNIST, where "
        "it drops, sooner than in f_+.",
        MORE_IMAGES,
    ),
    _open(
        "3.3 gap in sufficiency of f_-",
        "3.3",
        "For f_- a small but noticeable train-test gap forms in the sufficiency of h^2, too.",
        MORE_IMAGES,
    ),
    _open(
        "3.3 larger gap of f_-",
        "3.3",
        "The train-test gap in the sufficiency of h^3 is larger for f_- than for f_+.",
        ON_FASHION + " The difference of the gaps of both would decide it.",
    ),
    _open(
        "3.3 no saturation of f_-",
        "3.3",
        "The minimality of h^1 and h^2 of f_- does not saturate, so that f_- compresses more than f_+ overall.",
        MORE_IMAGES,
    ),
    entry(
        "3.3 dimensionalities",
        "3.3",
        "Dimensionality of h^1 to h^3 of both networks on both datasets.",
        Finding.CONFIRMED,
        "From the sizes of the images, the pooling kernels and the channels of Section 2.3.",
        printed=Claim(
            "f_+ on CIFAR-10: {Cplus}, f_- on CIFAR-10: {Cminus}, f_+ on Fashion-MNIST: {Fplus}, f_- on "
            "Fashion-MNIST: {Fminus}, a row for each layer.",
            {
                "Cplus": sp.ImmutableMatrix([[16, 16, 64], [8, 8, 128], [4, 4, 256]]),
                "Cminus": sp.ImmutableMatrix([[10, 10, 16], [3, 3, 32], [1, 1, 64]]),
                "Fplus": sp.ImmutableMatrix([[14, 14, 64], [7, 7, 128], [3, 3, 256]]),
                "Fminus": sp.ImmutableMatrix([[9, 9, 16], [3, 3, 32], [1, 1, 64]]),
            },
        ),
        prove=has_sizes,
    ),
    entry(
        "3.3 smaller representations",
        "3.3",
        "",
        Finding.MISPRINT,
        "Four inputs. A smaller representation can hold what weak decoders need: their product has one bit on new "
        "labels of which linear decoders get nothing from the two entries. The text puts it as an argument, "
        "and objects for another reason.",
        printed=Claim(
            "Much smaller representations {how} result in compression.", {"how": Word("necessarily", ("may",))}
        ),
        corrected=Claim(
            "Much smaller representations {how} result in compression.", {"how": Word("may", ("necessarily",))}
        ),
        prove=compresses,
        witness=Witness(
            {"larger": str(CORNERS.tolist()), "smaller": "product of the entries", "quantity": "usable bits"},
            lambda: by_linear_decoders(PRODUCT),
            value=lambda claim: by_linear_decoders(CORNERS) if claim["how"] == "necessarily" else 1.0,
        ),
        consequence="Dimensions explain the minimality term even less than the thesis says: it depends on the "
        "decoders.",
    ),
    entry(
        "3.3 same size of h^2",
        "3.3",
        "",
        Finding.CONFIRMED,
        "3 x 3 x 32 for both.",
        printed=Claim(
            "The second representation of f_- is the same size on both datasets: {size}.", {"size": sp.Integer(288)}
        ),
        prove=has_the_size,
    ),
    entry(
        "Figure 3.6, corner",
        "3.3",
        "",
        Finding.CONFIRMED,
        "With 1000 samples a class all three relabellings are uniform, so both terms have this maximum.",
        printed=Claim(
            "Saturated layers lie at ({minimality}, {sufficiency}) of the information plane.",
            {"minimality": LOG_CLASSES, "sufficiency": LOG_CLASSES},
        ),
        prove=is_saturated,
    ),
    _open(
        "3.3 information planes",
        "3.3",
        "The information planes of f_+ are uneventful; the fitting phases of h^2 of f_- on CIFAR-10 and of h^1 on "
        "Fashion-MNIST are almost horizontal.",
        MORE_IMAGES,
    ),
    _open(
        "3.3 compression phase",
        "3.3",
        "Neither f_+ nor f_- shows signs of a compression phase.",
        ON_FASHION + " Held against a fall by a tenth of the minimality of the last layer.",
    ),
)
