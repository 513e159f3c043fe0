r"""The Hamiltonian of a Leaky ResNet, its kinetic and potential energy, and the cost of identity of a layer.

.. math:: H = \tfrac{\tilde L}{2} \|B \sigma(A)^\top\|^2 - \tilde L \operatorname{Tr} B A^\top
   = \tfrac{1}{2 \tilde L} \|\partial_p A\|_K^2 - \tfrac{\tilde L}{2} \|A\|_K^2 ,

where the second form holds if the rows of *A* lie in the row space of :math:`\sigma(A)`. *H* is constant along a
geodesic. The stable Hamiltonian has :math:`K + \gamma I` in place of *K* in the second form and is not conserved:
:math:`\tfrac{2}{\tilde L} (H_\gamma - H) = \gamma \|B\|^2 - \gamma^2 \|B\|^2_{K+\gamma} - \tfrac{2 \gamma}{\tilde L}
\langle \partial_p A, B \rangle_{K+\gamma}`.

The cost of identity :math:`\|A \sigma(A)^+\|_F^2` is the squared norm of the smallest weights with
:math:`W \sigma(A) = A`. It is bounded below by a ratio of norms, continuous and cheap. Deviation from Proposition 1:
:math:`\|\sigma(A)\|_F` includes the row of ones; without it the bound fails.

Of a non-negative *A* it is the rank without bias. With bias, :math:`K = A^\top A + 1 1^\top` and the cost is
:math:`\operatorname{rank} K - 1^\top K^+ 1`. If the constant vector is not in the row space of *A* that is again the
rank of *A*. If it is, the bias carries part of it: with :math:`\tau = 1^\top (A^\top A)^+ 1` the cost is
:math:`\operatorname{rank} A - \tau/(1 + \tau)`, not an integer. It falls as *A* is scaled down, so with bias such an
*A* is never a local minimum. Deviation from the paper, which states that the cost of a bottleneck is an integer: this
holds without bias, or if the constant vector is not in the row space.
"""

from __future__ import annotations

import warnings

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from closedform.checks import boolean
from closedform.checks.arrays import Array
from closedform.rounding import is_nonzero
from theory.core import Argument, ClosedForm, Premise, Source, Status, Step
from theory.core.numbers.arguments import matrices, one_for_each, positive_array, same_shape
from theory.leaky_resnet.norms import EPS, PROMISED, IllConditionedWarning, activated, norms

rank = sp.Symbol("rank", positive=True, integer=True)
tau = sp.Symbol("tau", nonnegative=True)
RANK = Argument(rank, "rank of the representation", sample=(1, 10), latex="r")
TAU = Argument(tau, "squared norm of the smallest v with A'v = 1", sample=(0, 20), latex=r"\tau")
cost_expression = rank - 1 + 1 / (1 + tau)  # rank - tau/(1 + tau), without a difference for rank 1
ASSUMPTIONS = ("the representation is non-negative", "the constant vector lies in its row space")
COST = "the cost of identity of A, {size} x {size}, is the squared norm of A σ(A)⁺; σ rectifies and adds a row of ones"


def _state(A: ArrayLike, B: ArrayLike, depth: ArrayLike) -> tuple[Array, Array, Array]:
    representations, momenta = matrices("A", A), matrices("B", B)
    same_shape("A", representations, "B", momenta)
    return (
        representations,
        momenta,
        one_for_each("depth", positive_array("depth", depth), representations.shape[:-2]),
    )


def velocity(A: ArrayLike, B: ArrayLike, depth: ArrayLike, bias: bool = True) -> Array:
    r"""Return :math:`\partial_p A = \tilde L (B K - A)`, the velocity of the representations along a geodesic.

    Args:
        A: representations, ``[..., width, N]``.
        B: momenta, of the shape of A.
        depth: effective depth, positive: a number, or one for each matrix.
        bias: whether σ appends a row of ones. Default: True.

    Returns:
        The velocity, with the shape and unit of A.

    Raises:
        TypeError, ValueError: for a value of the wrong type or shape, or one that is not finite, or a depth of at most
            0.

    Source: Section 1.5.

    >>> velocity([[1.0, -1.0]], [[0.5, 0.0]], depth=2, bias=False).tolist()
    [[-1.0, 2.0]]
    """
    representations, momenta, effective = _state(A, B, depth)
    features = activated(representations, boolean("bias", bias))
    weights = momenta @ np.swapaxes(features, -1, -2)
    return effective[..., None, None] * (weights @ features - representations)


def hamiltonian(
    A: ArrayLike, B: ArrayLike, depth: ArrayLike, bias: bool = True
) -> Array | np.float64:
    r"""Return :math:`H = \tfrac{\tilde L}{2} \|B \sigma(A)^\top\|_F^2 - \tilde L \operatorname{Tr} B A^\top`.

    Args:
        A: representations, [..., width, samples].
        B: momenta, the same shape: -1/strength times the gradient of the cost with respect to A.
        depth: effective depth, > 0, one number or one for each matrix.
        bias: whether sigma appends a row of ones (B has no row for it).

    Returns:
        One number for each matrix, dimensionless.

    Warns:
        IllConditionedWarning: if both terms cancel so far that the relative error may exceed 1e-12.

    Source: Section 1.5.

    >>> float(hamiltonian([[1.0, -1.0]], [[0.5, 0.0]], depth=2, bias=False))
    -0.75
    """
    representations, momenta, effective = _state(A, B, depth)
    features = activated(representations, boolean("bias", bias))
    weights = momenta @ np.swapaxes(features, -1, -2)
    magnitudes = np.abs(momenta) @ np.swapaxes(features, -1, -2)
    kept, pull = (
        (weights**2).sum(axis=(-2, -1)) / 2,
        (momenta * representations).sum(axis=(-2, -1)),
    )
    value = kept - pull
    # The rounding error of a sum of n products is about sqrt(n) times that of a term.
    terms = (np.abs(weights) * magnitudes).sum(axis=(-2, -1)) + np.abs(
        momenta * representations
    ).sum(axis=(-2, -1))
    error = np.sqrt(representations.shape[-1]) * EPS * terms
    if (error > PROMISED * np.abs(value)).any():
        with np.errstate(divide="ignore", invalid="ignore"):
            condition = np.nanmax(np.where(terms > 0, terms / np.abs(value), 0.0))
        warnings.warn(
            f"condition number {condition:.1e}: the two terms of the Hamiltonian cancel",
            IllConditionedWarning,
            2,
        )
    return (effective * value)[()]


def kinetic_energy(
    A: ArrayLike, velocity: ArrayLike, depth: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0
) -> Array | np.float64:
    r"""Return the kinetic energy :math:`\tfrac{1}{2 \tilde L} \|\partial_p A\|_{K + \gamma}^2`.

    Args:
        A, bias, gamma: as for ``squared_norm``.
        velocity: :math:`\partial_p A`, the same shape as A.
        depth: effective depth, > 0, one number or one for each matrix.

    Returns:
        One number for each matrix, dimensionless; ``inf`` at ``gamma`` = 0 off the row space of sigma(A).

    Warns:
        IllConditionedWarning: if the relative error may exceed 1e-12.

    Source: Section 1.3.

    >>> round(float(kinetic_energy([[1.0, 2.0]], [[0.5, 1.0]], depth=2, bias=False)), 4)
    0.0625
    """
    squared = np.asarray(norms(A, bias, gamma, ("velocity", velocity)))
    return (squared / (2 * one_for_each("depth", positive_array("depth", depth), squared.shape)))[
        ()
    ]


def cost_of_identity(
    A: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0
) -> Array | np.float64:
    r"""Return the cost of identity :math:`\|A \sigma(A)^+\|_F^2`, or the stable one with :math:`(K + \gamma I)^{-1}`.

    Args:
        A, bias, gamma: as for ``squared_norm``.

    Returns:
        One number for each matrix, dimensionless; ``inf`` at ``gamma`` = 0 where the rows of A do not lie in the row
        space of sigma(A), so that no weights map sigma(A) to A.

    Warns:
        IllConditionedWarning: if the relative error may exceed 1e-12; the warning states the condition number.

    Source: Section 1.3.

    >>> round(float(cost_of_identity([[1.0, 2.0], [2.0, 1.0]], bias=False)), 4)
    2.0
    """
    return norms(A, bias, gamma)


def stable_hamiltonian(
    A: ArrayLike, velocity: ArrayLike, depth: ArrayLike, bias: bool = True, *, gamma: ArrayLike
) -> Array | np.float64:
    r"""Return :math:`H_\gamma`, the stable kinetic energy minus :math:`\tilde L/2` times the stable cost of identity.

    Args:
        A: representations, [..., width, samples].
        velocity: :math:`\partial_p A`, the same shape.
        depth: effective depth, > 0, one number or one for each matrix.
        bias: whether sigma appends a row of ones.
        gamma: regulariser, > 0, one number or one for each matrix, in the unit of A^2.

    Returns:
        One number for each matrix, dimensionless.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.

    Warns:
        IllConditionedWarning: if the relative error of a part may exceed 1e-12.

    Source: Section 2.1.

    >>> round(float(stable_hamiltonian([[1.0, 2.0]], [[0.5, 1.0]], depth=2, bias=False, gamma=0.1)), 4)
    -0.9191
    """
    strength = positive_array("gamma", gamma)
    kinetic = kinetic_energy(A, velocity, depth, bias, strength)
    kept = cost_of_identity(A, bias, strength)
    return kinetic - positive_array("depth", depth) / 2 * kept


def cost_lower_bound(
    A: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0
) -> Array | np.float64:
    r"""Return the lower bound :math:`\|A\|_*^2 / (\|\sigma(A)\|_F^2 + \gamma N)` on the cost of identity.

    Args:
        A: representations, ``[..., width, N]``.
        bias: whether σ appends a row of ones. Default: True.
        gamma: the γ of the stable cost, a number, or one for each matrix. Default: 0.

    Returns:
        One number for each matrix, dimensionless, 0 for A = 0.

    Raises:
        TypeError, ValueError: for a value of the wrong type or shape, or one that is not finite, or a negative gamma.

    Source: Proposition 1, which has ||A||_F^2 in the denominator and holds without bias.

    >>> round(float(cost_lower_bound([[1.0, 2.0], [2.0, 1.0]], bias=False)), 4)
    1.6
    """
    representations = matrices("A", A)
    features = activated(representations, boolean("bias", bias))
    strength = one_for_each(
        "gamma", positive_array("gamma", gamma, or_zero=True), representations.shape[:-2]
    )
    nuclear = np.linalg.svd(representations, compute_uv=False).sum(axis=-1)
    _, exponents = np.frexp(features.max(axis=(-2, -1)))
    with np.errstate(over="ignore"):  # a bound beyond the range of float64 is infinite or zero
        size = np.linalg.norm(np.ldexp(features, -exponents[..., None, None]), axis=(-2, -1))
        size = np.hypot(
            size, np.ldexp(np.sqrt(strength) * np.sqrt(representations.shape[-1]), -exponents)
        )
        return np.square(
            np.divide(np.ldexp(nuclear, -exponents), size, out=np.zeros_like(size), where=size > 0)
        )[()]


def _explicit(size: int) -> Step:
    A = sp.Matrix(size, size, sp.symbols(f"a_1:{size + 1}_1:{size + 1}", positive=True))
    ones = sp.ones(size, 1)
    # Adjugates are used so that both sides are ratios of polynomials.
    kernel, plain = A.T * A + ones * ones.T, A.T * A
    cost = (A * kernel.adjugate() * A.T).trace() / kernel.det()
    projected = (ones.T * plain.adjugate() * ones)[0] / plain.det()
    return Step(
        f"{size} neurons, {size} samples, full rank",
        cost,
        sp.Subs(cost_expression, (rank, tau), (size, projected)),
        because="Sherman and Morrison",
        uses=(Premise(COST.format(size=size), cost), *ASSUMPTIONS),
    )


# Any rank: A = U S V' with the constant vector V c, and w = c/s. Then K = V S (I + w w') S V' and tau = |w|^2.
first, second, which = sp.symbols("first second which", integer=True, positive=True)
w, c = (sp.IndexedBase(name, real=True) for name in ("w", "c"))
s = sp.IndexedBase("s", positive=True)
w_first, w_second = sp.symbols("w_first w_second", real=True)
size2 = sp.Sum(w[which] ** 2, (which, 1, rank))
on_diagonal = 1 - w[which] ** 2 / (1 + tau)
SINGULAR = Premise(
    "singular values s of A and components c of the constant vector along the right singular vectors: in their "
    "coordinates K = A'A + 1 1' has the entries c c' beside the squares of s on the diagonal, and the cost of identity "
    "is the trace of S K^-1 S",
    c[first] * c[second],
)
TAU_OF_W = Premise("tau = 1'(A'A)^+ 1 is the squared length of w = c/s", size2)
OUTER, LESS = w_first * w_second, w_first * w_second / (1 + tau)
"""An entry of w w', and what the inverse of I + w w' has less than I there."""
entry, other = sp.symbols("entry other", real=True)


def _at(rule: sp.Expr, row: sp.Symbol, column: sp.Symbol) -> sp.Expr:
    return sp.Subs(rule, (w_first, w_second, tau), (w[row], w[column], size2))


FACTORED = Step(
    "K = S (I + w w') S",
    sp.Subs(
        s[first] * entry * s[second],
        entry,
        sp.Subs(OUTER, (w_first, w_second), (c[first] / s[first], c[second] / s[second])),
    ),
    c[first] * c[second],
    because="an entry of w w'; those of I become the squares of s",
    uses=(SINGULAR, *ASSUMPTIONS),
)
INVERSE = Step(
    "(I + w w')^-1 = I - w w'/(1 + |w|^2): an entry of the product of both less I",
    sp.Subs(entry - other, (entry, other), (_at(OUTER, first, second), _at(LESS, first, second))),
    sp.Sum(_at(OUTER, first, which) * _at(LESS, which, second), (which, 1, rank)),
    because="Sherman and Morrison",
    uses=(FACTORED, TAU_OF_W),
)
ENTRY = Step(
    "the entries of the inverse on its diagonal",
    sp.Subs(1 - entry, entry, sp.Subs(LESS, (w_first, w_second), (w[which], w[which]))),
    on_diagonal,
    because="the indices are equal, and tau = |w|^2",
    uses=(INVERSE, TAU_OF_W),
)


def nonnegative_cost_form() -> ClosedForm:
    """Return the cost of identity, with bias, of a non-negative representation whose rows span the constant vector."""
    few = (_explicit(1), _explicit(2))
    return ClosedForm(
        name="leaky_resnet.nonnegative_cost",
        meaning="Cost of identity, with bias, of a non-negative representation whose rows span the constant vector.",
        arguments=(RANK, TAU),
        expression=cost_expression,
        assumptions=ASSUMPTIONS,
        steps=(
            *few,
            FACTORED,
            INVERSE,
            ENTRY,
            Step(
                "trace of the inverse, any rank",
                sp.Subs(cost_expression, tau, size2),
                sp.Sum(sp.Subs(on_diagonal, tau, size2), (which, 1, rank)),
                because="S K^-1 S is the inverse of I + w w'",
                uses=(*few, ENTRY, TAU_OF_W, SINGULAR),
            ),
        ),
        sources=(
            Source("jacot2024", "Section 1.3, cost of identity; the value with bias is new"),
        ),
        status=Status.DERIVED,
    )


def nonnegative_cost(A: ArrayLike, bias: bool = True) -> Array | np.float64:
    """Return the cost of identity of non-negative representations, independently of ``cost_of_identity``.

    Args:
        A: representations of at least 0, ``[..., width, N]``.
        bias: whether σ appends a row of ones. Default: True.

    Returns:
        One number for each matrix, dimensionless.

    Raises:
        TypeError, ValueError: for a value of the wrong type or shape, or one that is negative or not finite.

    >>> round(float(nonnegative_cost([[1.0, 2.0], [2.0, 1.0]], bias=False)), 4)
    2.0
    """
    representations = matrices("A", A)
    with_bias = boolean("bias", bias)
    if representations.min() < 0:
        raise ValueError(f"A: got {representations.min():g}, needs numbers of at least 0")
    stack = representations.shape[:-2]
    result = np.empty(stack)
    for index in np.ndindex(stack):
        _, values, right = np.linalg.svd(representations[index], full_matrices=False)
        kept = is_nonzero(values, *representations.shape[-2:])
        inside = right[kept].sum(axis=1)  # components of the constant vector in the row space
        samples = representations.shape[-1]
        left_over = np.linalg.norm(np.ones(samples) - inside @ right[kept])
        condition = values[0] / values[kept][-1] if kept.any() else 1.0
        carried = 0.0
        if with_bias and left_over <= 8 * samples * EPS * condition * np.sqrt(samples):
            size = float(((inside / values[kept]) ** 2).sum())
            carried = size / (1 + size)
        result[index] = kept.sum() - carried
    return result[()]
