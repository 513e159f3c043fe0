r"""Derivation of Hamilton's equations from the cost, with symbolic matrices of two neurons and two samples.

There is a bias, and the activation may have any slopes. It enters as a mask: :math:`\sigma(A) = M \odot A` with a row
of ones appended, *M* fixed between kinks. The derivation does not use that the entries of *M* are 0 or 1, so it also
holds for leaky ReLUs, absolute values and linear networks. Across a kink *A* and *B* are continuous, *H* is a
continuous function of both, and the velocity of *A* does not contain the slope; hence a quantity that is conserved on
both sides of a kink is conserved across it.
"""

import sympy as sp

from theory.core import Step, differentiated
from theory.engine import Flow, Lagrangian
from theory.leaky_resnet.symbols import depth, position


def matrix(letter: str, rows: int = 2, columns: int = 2) -> sp.Matrix:
    """Return a matrix of real symbols."""
    return sp.Matrix(
        rows, columns, sp.symbols(f"{letter}_1:{rows + 1}_1:{columns + 1}", real=True)
    )


def masked(M: sp.Matrix, X: sp.Matrix) -> sp.Matrix:
    """Return the entrywise product."""
    return sp.Matrix(*X.shape, [m * x for m, x in zip(M, X, strict=True)])


def squared(X: sp.Matrix) -> sp.Expr:
    """Return the squared Frobenius norm."""
    return sum(x**2 for x in X)


def inner(X: sp.Matrix, Y: sp.Matrix) -> sp.Expr:
    """Return the Frobenius inner product, Tr X Y'."""
    return sum(x * y for x, y in zip(X, Y, strict=True))


A, B, MASK = matrix("a"), matrix("b"), matrix("m")
ONES = sp.ones(1, 2)
features = masked(MASK, A).col_join(ONES)
K = features.T * features
weights = depth * B * features.T
bias = weights[:, 2]
hamiltonian = depth / 2 * squared(B * features.T) - depth * inner(B, A)
A_rate = depth * (B * K - A)
# B has no row for the appended row of ones, whose derivative is zero.
B_rate = -depth * (masked(MASK, (features * B.T * B)[:2, :]) - B)


HAMILTON = (
    differentiated("A moves along the derivative in B", A_rate, hamiltonian, B),
    differentiated(
        "B moves against the derivative in A",
        -B_rate,
        hamiltonian,
        A,
        because="differentiation; the mask stays",
    ),
)
FLOW = Flow(dict(zip([*A, *B], [*A_rate, *B_rate], strict=True)), position, uses=HAMILTON)
CONSERVED = (*HAMILTON, FLOW.moving(hamiltonian, claim="H does not change"))
BACKWARD = Step(
    "backward pass",
    -masked(MASK, (weights.T * B)[:2, :]) + depth * B,
    B_rate,
    because="critical weights W = depth B sigma(A)'",
)
BALANCED = (
    *HAMILTON,
    FLOW.moving(
        squared(weights),
        2 * depth * squared(bias),
        "squared weights grow by 2 depth times the squared bias",
    ),
    # depth times H is half the squared weights minus that
    FLOW.moving(
        2 * depth**2 * inner(B, A),
        2 * depth * squared(bias),
        "so does depth^2 times twice Tr B A'",
    ),
)

# One neuron is enough, because rows decouple in every norm; K may be any symmetric positive definite matrix.
a, b = matrix("alpha", 1), matrix("beta", 1)
moved = matrix("delta", 1)
k11, k12, k22 = sp.symbols("k_11 k_12 k_22", real=True)
kernel = sp.Matrix([[k11, k12], [k12, k22]])
gamma = sp.Symbol("gamma", positive=True)


def kernel_norm(x: sp.Matrix, y: sp.Matrix, shift: sp.Expr = sp.S.Zero) -> sp.Expr:
    """Return the scalar product of two rows under (K + shift I)^-1, as a ratio of polynomials."""
    shifted = kernel + shift * sp.eye(2)
    return (x * shifted.adjugate() * y.T)[0] / shifted.det()


row_velocity = depth * (b * kernel - a)
row_hamiltonian = depth / 2 * (b * kernel * b.T)[0] - depth * inner(b, a)
stable_hamiltonian = kernel_norm(row_velocity, row_velocity, gamma) / (
    2 * depth
) - depth / 2 * kernel_norm(a, a, gamma)
row_lagrangian = kernel_norm(depth * a + moved, depth * a + moved) / (2 * depth)
LEGENDRE = (
    Lagrangian(row_lagrangian, dict(zip(a, moved, strict=True)), position)
    .hamiltonian(
        dict(zip(a, b, strict=True)), dict(zip(a, row_velocity, strict=True)), row_hamiltonian
    )
    .steps
)
ENERGIES = Step(
    "kinetic plus potential",
    kernel_norm(row_velocity, row_velocity) / (2 * depth) - depth / 2 * kernel_norm(a, a),
    row_hamiltonian,
    because="K has an inverse on the row space of sigma(A), where A is",
)
IDENTITY = Step(
    "velocity plus gamma B",
    kernel_norm(row_velocity / depth + gamma * b, row_velocity / depth + gamma * b, gamma),
    2 / depth * row_hamiltonian + gamma * inner(b, b) + kernel_norm(a, a, gamma),
    because="velocity/depth + gamma B = B (K + gamma) - A",
)
STABLE = Step(
    "the stable Hamiltonian is off by",
    2 / depth * (stable_hamiltonian - row_hamiltonian),
    gamma * inner(b, b)
    - gamma**2 * kernel_norm(b, b, gamma)
    - 2 * gamma / depth * kernel_norm(row_velocity, b, gamma),
    because="the identity before, expanded",
)
# gamma |B|^2 - |gamma B|^2 under (K + gamma)^-1 is gamma |B sigma'|^2 in the same norm: never negative.
SMALL = Step(
    "the norm of gamma B",
    gamma * inner(b, b) - gamma**2 * kernel_norm(b, b, gamma),
    gamma * kernel_norm(b * kernel, b, gamma),
    because="K (K + gamma)^-1 = 1 - gamma (K + gamma)^-1, and both commute",
)
