"""The ledger of Cheong (2025), in the order of the thesis."""

from __future__ import annotations

from theory.papers.cheong2025 import (
    algorithm_lines,
    architectures,
    bottleneck,
    collapse_metrics,
    decodable,
    deterministic,
    experiments,
    proof_of_trace,
    proofs,
    relabellings,
    total_covariance,
    two_passes,
    usable,
)
from theory.papers.cheong2025.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *bottleneck.EQUATIONS,
    *deterministic.EQUATIONS,
    *collapse_metrics.EQUATIONS,
    *usable.EQUATIONS,
    *decodable.EQUATIONS,
    *two_passes.STORAGE,
    *algorithm_lines.EQUATIONS,
    *two_passes.ONE_PASS,
    *relabellings.EQUATIONS,
    *architectures.EQUATIONS,
    *experiments.EQUATIONS,
    *proofs.EQUATIONS,
    *proof_of_trace.EQUATIONS,
    *total_covariance.EQUATIONS,
)
