"""Section 1.3, first half: from weights to representations, and the three terms of the Lagrangian."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry

ROUNDING = 1e-9

# Square sigma(A), so that the printed product exists: as many neurons as samples.
S, M, N_ = c.matrix("s"), c.matrix("m"), c.matrix("n")
inverse_kernel = (S.T * S).inv()


def _weights_from_activations() -> bool:
    """Weights of more neurons than samples, replaced by the smallest that give the same velocity."""
    for seed in range(5):
        A, _ = nets.random_state(seed, width=5, samples=3)
        W = np.random.default_rng(seed).normal(size=(5, 6))
        features = nets.activation(A, bias=True)
        velocity = W @ features - 2.0 * A
        smallest = (2.0 * A + velocity) @ np.linalg.pinv(features)
        same = np.abs(smallest @ features - W @ features).max() < ROUNDING
        if not same or np.linalg.norm(smallest) >= np.linalg.norm(W):
            return False
    return True


def _scalar_product() -> Reading:
    A, M_ = np.array([[1.0, 0.5], [0.2, 1.0]]), np.array([[1.0, 2.0], [-1.0, 0.5]])
    features = nets.activation(A, bias=False)
    inverse = np.linalg.inv(features.T @ features)
    independent = float((nets.smallest_weights(M_, A, bias=False) ** 2).sum())
    return Reading(np.trace(M_ @ inverse @ M_), np.trace(M_ @ inverse @ M_.T), independent)


def _decomposition() -> Reading:
    """Middle term at depth 3, as what is left of the whole without the other two."""
    A, V = np.array([[1.0, 0.5], [0.2, 1.0]]), np.array([[1.0, 2.0], [-1.0, 0.5]])

    def norm(X: np.ndarray) -> float:
        return float((nets.smallest_weights(X, A, bias=False) ** 2).sum())

    product = (norm(A + V) - norm(A - V)) / 4
    independent = norm(3 * A + V) / 6 - 3 / 2 * norm(A) - norm(V) / 6
    return Reading(3 * product, product, independent)


def _bias_counts() -> bool:
    """With the row of ones the sum over the neurons is not K."""
    A = np.array([[1.0, 2.0]])
    features = nets.activation(A, bias=True)
    return not np.allclose(features.T @ features, np.outer(A, A))


product_2 = c.kernel_norm(c.a, c.moved)
three_terms = (
    depth / 2 * c.kernel_norm(c.a, c.a) + product_2 + c.kernel_norm(c.moved, c.moved) / (2 * depth)
)  # fmt: skip
whole = c.kernel_norm(depth * c.a + c.moved, depth * c.a + c.moved) / (2 * depth)
WITNESS = {"A": "[[1, 0.5], [0.2, 1]]", "M": "[[1, 2], [-1, 0.5]]", "bias": "none"}

EQUATIONS = (
    entry(
        "1.3 weights",
        "1.3",
        "At a minimiser the weights are the smallest that give the velocity.",
        Finding.CONFIRMED,
        "Replaced by them, random weights give the same path and are smaller.",
        printed=r"W_p = (\tilde{L} A_p + \partial_p A_p) \sigma(A_p)^+",
        steps=(Check("same velocity, smaller norm", _weights_from_activations, "pseudo-inverse"),),
    ),
    entry(
        "1.3 cost over representations",
        "1.3",
        "The equivalent optimisation over paths of representations.",
        Finding.DEFINITION,
        "The cost of Section 1.1 with the weights above.",
        printed=r"\min_{A_p: A_0 = X} \frac{1}{N} \|f^*(X) - A_1\|^2 + \frac{\lambda}{2\tilde{L}} \int_0^1 \|\tilde{L} "
        r"A_p + \partial_p A_p\|^2_{K_p} dp",
    ),
    entry(
        "1.3 scalar product",
        "1.3",
        "The norm belongs to a scalar product with the pseudo-inverse of K.",
        Finding.MISPRINT,
        "The second matrix has to be transposed: only then is the product defined for any width, and the norm's. "
        "Least-squares weights agree.",
        printed=r"\langle A, B \rangle_{K_p} = \operatorname{Tr}[A K_p^+ B]",
        corrected=r"\langle A, B \rangle_{K_p} = \operatorname{Tr}[A K_p^+ B^\top]",
        steps=(
            Step(
                "product of the smallest weights",
                (M * inverse_kernel * N_.T).trace(),
                c.inner(M * S.inv(), N_ * S.inv()),
                because="K^-1 = S^-1 S^-1'",
            ),
        ),
        printed_steps=(Step("without transpose", (M * inverse_kernel * M).trace(), c.squared(M * S.inv())),),
        witness=WITNESS,
        oracle=_scalar_product,
        consequence="None later on: the norm is used as defined in the same sentence.",
    ),
    entry(
        "1.3 infinite norm",
        "1.3",
        "The norm is infinite where the rows of M do not lie in the image of K.",
        Finding.DEFINITION,
        "A pseudo-inverse returns a finite number there; theory.leaky_resnet.cost_of_identity returns infinity.",
        printed=r"\|M\|_{K_p} = \infty \text{ if } \operatorname{Im} M^\top \not\subseteq \operatorname{Im} K_p",
    ),
    entry(
        "1.3 neurons",
        "1.3",
        "The loss is a sum over neurons.",
        Finding.CONFIRMED,
        "Squared norms are sums over rows; so is the norm under K.",
        steps=(
            Step(
                "two rows",
                c.squared(M * S.inv()),
                sum((c.squared(M[i, :] * S.inv()) for i in range(2)), sp.S.Zero),
                because="row by row",
            ),
        ),
    ),
    entry(
        "1.3 covariance",
        "1.3",
        "K is the sum over the w neurons of the outer products of their activations.",
        Finding.CONDITIONAL,
        "sigma(A) has w + 1 rows; the last one adds a matrix of ones.",
        printed=r"K_p = \sum_{i=1}^w \sigma(A_i) \sigma(A_i)^\top",
        condition="there is no bias",
        steps=(
            Step(
                "two neurons",
                c.features[:2, :].T * c.features[:2, :],
                sum((c.features[i, :].T * c.features[i, :] for i in range(2)), sp.zeros(2, 2)),
                because="matrix product",
            ),
            Step("with bias", c.K - c.features[:2, :].T * c.features[:2, :], sp.ones(2, 2), because="row of ones"),
        ),
        counterexample=_bias_counts,
        consequence="With bias the sum needs the term 11', as the appendix writes it (beta^2 11').",
    ),
    entry(
        "1.3 decomposition",
        "1.3",
        "The Lagrangian is the sum of three terms.",
        Finding.MISPRINT,
        "Expanding the square gives the middle term without a factor of the depth, as the next sentence has it.",
        printed=r"\frac{1}{2\tilde{L}} \|\tilde{L}A_p + \partial_p A_p\|^2 = \frac{\tilde{L}}{2} \|A_p\|^2 + \tilde{L} "
        r"\langle \partial_p A_p, A_p \rangle + \frac{1}{2\tilde{L}} \|\partial_p A_p\|^2",
        corrected=r"\frac{1}{2\tilde{L}} \|\tilde{L}A_p + \partial_p A_p\|^2 = \frac{\tilde{L}}{2} \|A_p\|^2 + \langle "
        r"\partial_p A_p, A_p \rangle + \frac{1}{2\tilde{L}} \|\partial_p A_p\|^2",
        steps=(Step("three terms", whole, three_terms, because="expansion of the square"),),
        printed_steps=(Step("with the factor", whole, three_terms + (depth - 1) * product_2),),
        witness={**WITNESS, "depth": 3, "velocity": "M"},
        oracle=_decomposition,
        consequence="The middle term does not grow with the depth, while the cost of identity does: the balance that "
        "is described afterwards rests on that.",
    ),
    entry(
        "1.3 footnote 1",
        "1.3",
        "In linear nets the middle term is the derivative of the log pseudo-determinant, so only the ends matter.",
        Finding.CONFIRMED,
        "For square and for wide matrices. The rank of A cannot change along p, for A obeys a linear equation. With a "
        "row of ones half the log determinant of K takes the place of log|A|.",
        printed=r"\int_0^1 \operatorname{Tr}[\partial_p A_p \sigma(A_p)^+ \sigma(A_p)^{+\top} A_p^\top] dp = "
        r"\log|A_1|_+ - \log|A_0|_+",
        steps=(
            Step(
                "two neurons, two samples",
                (M * (S.T * S).inv() * S.T).trace(),
                sum((sp.Derivative(sp.log(S.det() ** 2) / 2, s) * v for s, v in zip(S, M, strict=True)), sp.S.Zero),
                because="Jacobi's formula",
            ),
            Step(
                "one neuron, two samples",
                c.inner(c.moved, c.a) / c.squared(c.a),
                sum(
                    (sp.Derivative(sp.log(c.squared(c.a)) / 2, x) * v for x, v in zip(c.a, c.moved, strict=True)),
                    sp.S.Zero,
                ),
                because="A^+ = A'/|A|^2; the pseudo-determinant is |A|",
            ),
            Step(
                "with a row of ones",
                (M * (S.T * S + sp.ones(2, 2)).inv() * S.T).trace(),
                sum(
                    (
                        sp.Derivative(sp.log((S.T * S + sp.ones(2, 2)).det()) / 2, s) * v
                        for s, v in zip(S, M, strict=True)
                    ),
                    sp.S.Zero,
                ),
                because="Jacobi's formula for K",
            ),
        ),
    ),
)
