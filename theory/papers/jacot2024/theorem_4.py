"""Theorem 4 (Section 2.1) and Theorem 7 (Appendix A.2), which are one."""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from theory.core import Equation, Finding, Witness
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import stable_states as states
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, A_dot, H, L, S, c, gamma, norm_gamma

ell, smallest = sp.symbols("ell smallest", nonnegative=True)
extra = sp.Symbol("extra", real=True)
middle = -2 * H / L - smallest
ROOT = -L * sp.sqrt(norm_gamma(A, S, gamma) ** 2 + 2 * H / L)
speed = norm_gamma(A_dot, S, gamma) + ROOT
FIRST, CORRECTED = (sp.Le(-((ell / L + sp.sqrt(gamma) * power) ** 2), middle) for power in (c, sp.sqrt(c)))
LOWER, UPPER = sp.Le(-L * sp.sqrt(gamma * c), speed), sp.Le(speed, 2 * L * sp.sqrt(gamma * c))


def _above_the_bound(relation: Any) -> float:
    """How far the difference is above the printed bound; a relation that bounds from above says nothing of it."""
    is_lower = isinstance(relation, sp.LessThan)
    return float(evaluate(relation.rhs - relation.lhs, states.witness())) if is_lower else float("nan")


def hamiltonian_chain(name: str, section: str, both: bool) -> tuple[Equation, ...]:
    """The two inequalities of the first chain.

    Args:
        name: of the theorem.
        section: where it stands.
        both: whether A is bounded by c, too.
    """
    proof = bounded(partial(states.paths, both), "ridge regression")
    return (
        PAPER.entry(
            f"{name}, Hamiltonian",
            section,
            "A lower bound on how far -2H/depth is from the smallest stable cost, for squared momenta of at most c and "
            "any gamma > 0.",
            Finding.MISPRINT,
            "Integrated paths, dead neurons, which reach the bound, and neurons at rest. The proof has sqrt(gamma c), "
            "the bound on the norm of gamma B. With sqrt(gamma) c a dead neuron with c < 1 violates the bound. With "
            "sqrt(gamma c) it holds for every gamma.",
            printed=FIRST,
            corrected=CORRECTED,
            prove=proof,
            witness=Witness(
                {
                    "A": "-exp(-p/10)/2",
                    "B": "exp(p/10)/2",
                    "depth": 0.1,
                    "gamma": 0.5,
                    "number": "distance from the bound",
                },
                states.above_the_bound,
                value=_above_the_bound,
            ),
            consequence="Only for c < 1 is the printed bound too tight; for c > 1 it is true and weaker than need be. "
            "theory.leaky_resnet.rank_bounds has sqrt(gamma c), and gamma may depend on p.",
        ),
        PAPER.entry(
            f"{name}, Hamiltonian, upper bound",
            section,
            "The upper bound of the same difference.",
            Finding.CONFIRMED,
            "Integrated paths, dead neurons, and neurons at rest, which reach the bound.",
            printed=sp.Le(middle, gamma * c),
            prove=proof,
            harmless={
                "printed: -2 -> -1": "Half of -2H/depth is at most the greater of it and zero, and the smallest cost "
                "is not negative: it says less.",
            },
        ),
    )


def speed_chain(name: str, section: str) -> tuple[Equation, ...]:
    """The two inequalities of the second chain."""

    def bound(label: str, statement: str, printed: Any, **fields: Any) -> Equation:
        return PAPER.entry(
            label,
            section,
            statement,
            Finding.CONDITIONAL,
            "Random states, slow neurons, and dead neurons, which reach the bound. The extra cost may be as low as "
            "-gamma |B|^2. With its positive part under the root the bound holds for every gamma > 0. (One index is "
            "printed as gamma i.)",
            printed=printed,
            condition=sp.Ge(extra, 0),
            prove=bounded(states.pointwise, "ridge regression"),
            witness=Witness(
                {"A": 1, "B": 1, "gamma": 0.5, "depth": 3, "number": "stable cost, at least -2H/depth"},
                states.cost_at_rest,
                value=lambda chain: evaluate(-2 * H / L, states.at_rest()),
            ),
            consequence="At rest in a bottleneck the stable cost is below -2H/depth for every gamma > 0 and the root "
            "is imaginary. theory.leaky_resnet.rank_bounds takes the positive part.",
            **fields,
        )

    return (
        bound(
            f"{name}, speed",
            "The speed is at least depth times the root of the extra cost, less a slack.",
            LOWER,
            harmless={f"printed: sign of {ROOT}": "With the root added the difference is larger: it says less."},
        ),
        bound(
            f"{name}, speed, upper bound",
            "And at most that plus twice the slack.",
            UPPER,
            harmless={f"printed: {ROOT} twice": "With more subtracted the difference is smaller: it says less."},
        ),
    )


PROGRAMS: Programs = {
    **programs_of(hamiltonian_chain("Theorem 4", "2.1", both=False)),
    **programs_of(speed_chain("Theorem 4", "2.1")),
    **programs_of(hamiltonian_chain("Theorem 7", "A.2", both=True)),
    **programs_of(speed_chain("Theorem 7", "A.2")),
}
