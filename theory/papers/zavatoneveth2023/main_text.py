r"""Sections IV to VI: the kernel at infinite width and the sentences that can be checked."""

from __future__ import annotations

from theory.core.ledger.ledger import Program, Programs
from theory.papers.zavatoneveth2023.kernel_limit import (
    limit_of_features,
    mean_square,
    number_of_units,
)
from theory.papers.zavatoneveth2023.piecewise_linear import counts_pixels, linear_networks, relu_regions

PROGRAMS: Programs = {
    "IV.B NNGP kernel": Program(limit_of_features, mean_square, number_of_units),
    "V deep linear": linear_networks,
    "VI.A counts": counts_pixels,
    "VI.B ReLU": relu_regions,
}
