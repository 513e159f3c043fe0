r"""Appendices G.4 and G.5: experiments on CIFAR-10 without labels."""

from __future__ import annotations

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics

ON_THE_SPHERE = ("0.3", "-0.4")


def curvature_stated(claim: Claim) -> float:
    """Scalar curvature of the unit sphere in three dimensions with the metric that is named."""
    return {"flat": 0.0, "round": 2.0}[claim["metric"]]


def curvature_of_the_sphere() -> float:
    """By definition, in stereographic coordinates."""
    return christoffel.scalar(explicit_metrics.sphere, ON_THE_SPHERE)


def is_the_metric_of_the_sphere(claim: Claim) -> tuple[Check, ...]:
    """The curvature of the sphere, by definition."""
    return (Check("curvature", lambda: is_close(curvature_of_the_sphere(), curvature_stated(claim)), "definition"),)


PROGRAMS: Programs = {
    "G.4 sphere": Program(is_the_metric_of_the_sphere, curvature_of_the_sphere, value=curvature_stated),
}
