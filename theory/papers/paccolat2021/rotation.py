r"""Appendix A: rotated inputs; Eqs. (11) to (13)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal, numerically
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.rotated_networks import (
    DIFFERENCE,
    D,
    D_w,
    by_small_steps,
    direction,
    f,
    gradient,
    group_members,
    h,
    independent,
    inner,
    loss_gradient,
    mean_performance,
    moved_gradient,
    moved_loss_gradient,
    moved_weights,
    point,
    turned_networks,
    u_grad,
    unaffected,
    weights,
)

differentiated = numerically(group_members, "differences", tolerance=DIFFERENCE, scale=1.0)
networks = numerically(turned_networks, "differences", tolerance=1e-6, scale=1.0)
inverse_direction = D.inv() * direction
NETWORKS = "Small networks and the same networks with inputs and hidden weights turned, gradients by differences."
MEMBERS = "An invariant function of a group that is not orthogonal: a plane squeezed along its axes, and a reflection."

EQUATIONS = (
    entry(
        "A rotated inputs",
        "A",
        "",
        Finding.CONDITIONAL,
        "Small networks in the plane, trained and tested on data and on turned data, from one start and from a set of "
        "starts that the turn maps onto itself.",
        printed=Claim(
            "To rotate the input of the network {effect} its performance.",
            {"effect": Word("does not affect", ("affects",))},
        ),
        condition=Claim(
            "it is the mean over a {start} distribution of initial weights",
            {"start": Word("rotation-invariant", ("degenerate",))},
        ),
        prove=unaffected,
        witness=Witness(
            {"test loss": "on turned data over that on the data, from one start"},
            lambda: mean_performance(1, True) / mean_performance(1, False),
            value=lambda claim: 1.0 if claim["effect"] == "does not affect" else 0.0,
        ),
        consequence="A single network performs differently on rotated data unless its initial weights are rotated too.",
    ),
    entry(
        "A lemma",
        "A",
        "The gradient of an invariant function is equivariant.",
        Finding.CONFIRMED,
        MEMBERS,
        printed=equal(moved_gradient, D.inv().T * gradient),
        prove=differentiated,
    ),
    entry(
        "(11)",
        "A",
        "The derivative in a direction at the moved point.",
        Finding.CONFIRMED,
        MEMBERS,
        printed=equal(u_grad, sp.Limit((f(D * point + h * direction) - f(D * point)) / h, h, 0, "+-")),
        prove=by_small_steps,
    ),
    entry(
        "(12)",
        "A",
        "The same, by invariance.",
        Finding.CONFIRMED,
        MEMBERS,
        printed=equal(u_grad, sp.Limit((f(point + h * inverse_direction) - f(point)) / h, h, 0, "+-")),
        prove=by_small_steps,
    ),
    entry(
        "(13)",
        "A",
        "The same as a product of vectors, in both forms.",
        Finding.CONFIRMED,
        MEMBERS,
        printed=sp.Tuple(
            equal(u_grad, inner(inverse_direction, gradient)), equal(u_grad, inner(direction, D.inv().T * gradient))
        ),
        prove=differentiated,
    ),
    entry(
        "A loss",
        "A",
        "The gradient of the loss in the weights turns with weights and inputs, for a network that starts with a "
        "fully-connected layer.",
        Finding.CONFIRMED,
        NETWORKS,
        printed=equal(moved_loss_gradient, D_w * loss_gradient),
        prove=networks,
    ),
    entry(
        "A dynamics",
        "A",
        "The weights follow minus the gradient, summed over the training set.",
        Finding.DEFINITION,
        "Without the factor 1/p of Eq. (2), which changes the unit of time only.",
        printed=r"\dot{w}(t) = -\sum_\mu \nabla_w \mathcal{L}(w, x_\mu)",
    ),
    entry(
        "A weights",
        "A",
        "A network initialised to turned weights and trained on turned inputs has turned weights at all times.",
        Finding.CONFIRMED,
        "Small networks after 40 steps of gradient descent.",
        printed=equal(moved_weights, D_w * weights),
        prove=networks,
    ),
    entry(
        "A expected performance",
        "A",
        "",
        Finding.CONFIRMED,
        "Means over starts that a quarter turn maps onto each other, and over one start. Gaussian weights are of the "
        "first kind, so that the output of the network is statistically invariant, as Section 2.2 says.",
        printed=Claim(
            "If the distribution of initial weights is {distribution} for D_w w as for w, the expected performance is "
            "{performance} of the global orientation of the inputs.",
            {
                "distribution": Word("the same", ("another one",)),
                "performance": Word("independent", ("not independent",)),
            },
        ),
        prove=independent,
    ),
)
