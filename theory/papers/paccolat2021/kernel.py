r"""Section 5: the tangent kernel after compression, its eigenfunctions; the lemma of appendix A; Eqs. (10) to (13)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.paccolat2021.paper import entry

w, b, beta, x, z, x_perp, z_perp, d, v = sp.symbols("w b beta x z x_perp z_perp d v", positive=True)
POINTS = np.random.default_rng(0).normal(size=(6, 3))
ROTATION = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]


def _neuron(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    return beta * sp.sqrt(2) * ((w * first + v * second) / sp.sqrt(d) + b)


def _contracted() -> sp.Expr:
    pairs = (sp.diff(_neuron(x, x_perp), a) * sp.diff(_neuron(z, z_perp), a) for a in (w, v, b, beta))
    return sum(pairs).subs(v, 0)


def hidden_neuron_breaks_it() -> bool:
    """Two neurons: one large and aligned, one with small hidden weights across and a large output weight."""
    hidden = np.array([[1e6, 0.0], [0.0, 1.0]])
    large = (2 - 1) * (hidden[:, 0] ** 2).sum() / (hidden[:, 1] ** 2).sum()
    output = np.array([1.0, 1e7])
    values = [output @ np.maximum(0, hidden @ np.array(point)) for point in ([1.0, 0.5], [1.0, 1.5])]
    return bool(math.sqrt(large) > 1e5 and abs(values[1] / values[0] - 1) > 0.5)


def any_direction_needs_equal_variances() -> bool:
    """Product measure, centred, variances 1 and 2: x_perp . C u is not parallel to u = (1, 1)."""
    image = np.diag([1.0, 2.0]) @ np.ones(2)
    return bool(abs(image[0] - image[1]) > 0.5)


def norm_of_twice_the_function() -> Reading:
    """Norm of 2y over norm of y: printed sum (4), its root (2), from the Gram matrix of a minimum-norm interpolant."""
    gram = np.exp(-np.abs(POINTS[:, None, 0] - POINTS[None, :, 0]))
    y = POINTS[:, 1]
    norm = [math.sqrt(values @ np.linalg.solve(gram, values)) for values in (y, 2 * y)]
    return Reading(4.0, 2.0, norm[1] / norm[0])


def gradient_is_equivariant() -> bool:
    """An invariant function of three points of a plane, central differences, a rotation."""

    def f(at: np.ndarray) -> float:
        return float(np.linalg.norm(at) ** 3 + np.cos(at @ at))

    def gradient(at: np.ndarray) -> np.ndarray:
        steps = 1e-6 * np.eye(3)
        return np.array([(f(at + step) - f(at - step)) / 2e-6 for step in steps])

    return all(np.abs(gradient(ROTATION @ at) - ROTATION @ gradient(at)).max() < 1e-6 for at in POINTS)


EQUATIONS = (
    entry(
        "5.1 Mercer",
        "5.1",
        "The kernel in its eigenvalues and eigenfunctions; Gram matrix and its components.",
        Finding.DEFINITION,
        "Mercer's theorem; eigenvectors of the Gram matrix are normalised to the number of points.",
    ),
    entry(
        "5.1 RKHS norm",
        "5.1",
        "The norm of a function is the sum of omega^2/lambda.",
        Finding.MISPRINT,
        "A norm doubles with its argument; the sum is its square. From a Gram matrix.",
        printed=r"\|y\|_\Theta = \sum_\lambda \omega_\lambda^2/\lambda",
        corrected=r"\|y\|_\Theta^2 = \sum_\lambda \omega_\lambda^2/\lambda",
        steps=(
            Check(
                "the norm doubles with the function",
                lambda: norm_of_twice_the_function().sides_with_corrected,
                "Gram matrix",
            ),
        ),
        printed_steps=(
            Check("the norm of 2y is four times that of y", lambda: norm_of_twice_the_function()[2] > 3, "it is twice"),
        ),
        witness={"points": 6},
        oracle=norm_of_twice_the_function,
        consequence="None for what follows: the argument only orders functions by it.",
    ),
    entry(
        "5.1 omega",
        "5.1",
        "Estimate of a projection from a training set.",
        Finding.DEFINITION,
        "It introduces the estimate.",
        printed=r"\tilde\omega_\lambda = \frac{1}{p} \sum_\mu \tilde\phi_\lambda(x^\mu) y(x^\mu)",
    ),
    entry(
        "(10)",
        "5.1",
        "After compression the tangent kernel splits into two terms.",
        Finding.CONDITIONAL,
        "Gradients of a neuron with omega_perp = 0: only those of its perpendicular weights see x_perp, linearly.",
        printed=r"\Theta(x, z) = \Theta_1(x_\parallel, z_\parallel) + \Theta_2(x_\parallel, z_\parallel) x_\perp \cdot "
        r"z_\perp",
        condition="every neuron that contributes has omega_perp = 0; a large Lambda of Eq. (9) alone is not enough",
        steps=(
            Step(
                "gradients contracted at omega_perp = 0",
                _contracted(),
                2 * (beta**2 * (x * z / d + 1) + (w * x / sp.sqrt(d) + b) * (w * z / sp.sqrt(d) + b))
                + 2 * beta**2 / d * x_perp * z_perp,
                because="the activity of the neuron does not depend on x_perp",
            ),
        ),
        counterexample=hidden_neuron_breaks_it,
        consequence="Lambda is dominated by the largest weights; neurons that never moved keep those across.",
    ),
    entry(
        "5.1 eigenfunctions",
        "5.1",
        "Eigenfunctions are phi(x_parallel) and phi(x_parallel) u.x_perp for any u.",
        Finding.CONDITIONAL,
        "The integral operator on u.x_perp gives x_perp . C u, C the covariance of x_perp.",
        condition="x_perp is centred, independent of x_parallel, and C is a multiple of the identity",
        steps=(
            Step(
                "x_perp . C u for C the identity",
                sp.Matrix([x_perp, z_perp]).dot(sp.eye(2) * sp.Matrix([x, z])),
                x_perp * x + z_perp * z,
                because="unit variances",
            ),
        ),
        counterexample=any_direction_needs_equal_variances,
        consequence="Footnote 5 asks for the first two only; otherwise u must be an eigenvector of C. Gaussian data of "
        "the paper satisfy all three.",
    ),
    entry(
        "5.1 informative",
        "5.1",
        "After training the top eigenvectors say more about the label.",
        Finding.ASSUMPTION,
        "A prediction that is measured (Figures 9, 10).",
    ),
    entry(
        "(11) to (13)",
        "A",
        "The gradient of an invariant function is equivariant.",
        Finding.CONFIRMED,
        "Chain rule: the gradient of f(Dx) in x is D^T times the gradient at Dx. Central differences under a rotation.",
        printed=r"\nabla f(D(g) x) = D(g)^{-T} \nabla f(x)",
        steps=(
            Check("three dimensions, six points, a random rotation", gradient_is_equivariant, "central differences"),
        ),
    ),
    entry(
        "5.2 effective dimension",
        "5.2",
        "The effective dimension of the last layer on MNIST is about 6.",
        Finding.OPEN,
        "A measurement of a network that is not trained here.",
    ),
    entry(
        "footnote 1",
        "2",
        "MNIST and CIFAR have an effective dimension between 15 and 35.",
        Finding.OPEN,
        "Quoted from another work.",
    ),
)
