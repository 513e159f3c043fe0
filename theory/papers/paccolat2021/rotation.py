r"""Appendix A: rotated inputs; Eqs. (11) to (13)."""

from __future__ import annotations

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.papers.paccolat2021.rotated_networks import (
    DIFFERENCE,
    by_small_steps,
    group_members,
    independent,
    mean_performance,
    turned_networks,
    unaffected,
)

differentiated = numerically(group_members, "differences", tolerance=DIFFERENCE, scale=1.0)
networks = numerically(turned_networks, "differences", tolerance=1e-6, scale=1.0)
NETWORKS = "Small networks and the same networks with inputs and hidden weights turned, gradients by differences."

PROGRAMS: Programs = {
    "A rotated inputs": Program(
        unaffected,
        lambda: mean_performance(1, True) / mean_performance(1, False),
        value=lambda claim: 1.0 if claim["effect"] == "doesn't affect" else 0.0,
    ),
    "A lemma": differentiated,
    "(11)": by_small_steps,
    "(12)": by_small_steps,
    "(13)": differentiated,
    "A loss": networks,
    "A weights": networks,
    "A expected performance": independent,
}
