r"""Section 3.3: what is said of the information terms, and the sizes of representations."""

from __future__ import annotations

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.cheong2025.result_programs import (
    AFFINE,
    CORNERS,
    NECESSARY,
    PRODUCT,
    adds_up,
    by_linear_decoders,
    compresses,
    has_sizes,
    is_affine,
    is_saturated,
    is_the_maximum,
    middle_of_values,
    of_the_middle,
    size_on_both,
)

PROGRAMS: Programs = {
    "3.3 largest sufficiency": is_the_maximum,
    "3.3 affine last layer": Program(
        is_affine,
        of_the_middle,
        value=lambda claim: middle_of_values() if chosen(claim, "is", AFFINE) else of_the_middle(),
    ),
    "3.3 weights of the last layer": adds_up,
    "3.3 dimensionalities": has_sizes,
    "3.3 smaller representations": Program(
        compresses,
        lambda: by_linear_decoders(PRODUCT),
        value=lambda claim: by_linear_decoders(CORNERS) if chosen(claim, "how", NECESSARY) else 1.0,
    ),
    "3.3 same size of h^2": stating({"size": size_on_both}, "arithmetic of sizes"),
    "Figure 3.6, corner": is_saturated,
}
