r"""Sections I to III: metric, volume element, curvature, earlier kernels, Eq. (1)."""

from __future__ import annotations

from theory.core.ledger.ledger import Program, Programs
from theory.papers.zavatoneveth2023.composed_layers import least_rank, rank_is_full
from theory.papers.zavatoneveth2023.geodesic_balls import spheres
from theory.papers.zavatoneveth2023.index_notation import as_printed, d, n
from theory.papers.zavatoneveth2023.kernel_derivatives import from_features, translation_invariant
from theory.papers.zavatoneveth2023.pulled_back import has_the_dimension, has_the_rank, rank_of_jacobian
from theory.papers.zavatoneveth2023.riemann_symmetries import has_components

PROGRAMS: Programs = {
    "II.A submersed": Program(
        has_the_dimension, lambda: rank_of_jacobian(2, 3), lambda claim: int(claim["dimension"].subs({d: 3, n: 2}))
    ),
    "II.A kernel": from_features,
    "II.A degenerate": has_the_rank,
    "II.B geodesic balls": as_printed(spheres, "volumes of geodesic balls"),
    "II.C deep": Program(
        rank_is_full, lambda: least_rank(2, 1, 2), value=lambda claim: 2 if claim["rank"] == "full-rank" else 1
    ),
    "III translation-invariant": translation_invariant,
    "V.B components": has_components(lambda claim: [(size, claim["count"].subs(d, size)) for size in (1, 2, 3, 4)]),
}
