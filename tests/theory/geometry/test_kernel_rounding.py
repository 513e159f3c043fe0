"""Kernel matrices at extreme and nearly degenerate inputs: right to rounding by the exact recursion, or a warning."""

import warnings

import mpmath
import numpy as np
import pytest

from theory import activations
from theory.geometry import kernel_matrix

DIGITS = 660  # covariances of inputs of 1e160 lose 640 of them
ROUNDING = 1e-12  # of an entry, relative to the kernels of both inputs with themselves
KINK = 1e-7  # of the tangent kernel of an activation with a kink at nearly parallel inputs


def expectations(name, a, b, c):
    """E[f f] and E[f' f'] for two Gaussian numbers with the variances a, b and the covariance c."""
    if name == "erf":
        rest = 1 + a + b + (a * b - c * c)
        return 2 / mpmath.pi * mpmath.atan2(c, mpmath.sqrt(rest)), 2 / mpmath.pi / mpmath.sqrt(
            rest
        )
    if name == "relu":
        size = mpmath.sqrt(a * b)
        angle = mpmath.atan2(mpmath.sqrt(max(a * b - c * c, 0)), c)
        along, across = (mpmath.pi - angle) * c, mpmath.sqrt(max(a * b - c * c, 0))
        return (along + across) / (2 * mpmath.pi), (mpmath.pi - angle) / (
            2 * mpmath.pi
        ) if size else 0
    decay = mpmath.exp(-(a + b) / 2)  # sine
    return decay * mpmath.sinh(c), decay * mpmath.cosh(c)


def exact(name, x, y, depth, kind, zeta):
    """The kernel of two inputs by the recursion."""
    bias = mpmath.mpf(zeta) ** 2
    kxx, kyy, kxy = (sum(mpmath.mpf(p) * mpmath.mpf(q) for p, q in zip(*pair, strict=True))
                     for pair in ((x, x), (y, y), (x, y)))  # fmt: skip
    tangent = 1 + kxy
    for level in range(depth):
        a, b, c = kxx + bias, kyy + bias, kxy + bias
        (kxx, _), (kyy, _) = expectations(name, a, a, a), expectations(name, b, b, b)
        kxy, slopes = expectations(name, a, b, c)
        tangent = kxy + slopes * tangent + (level < depth - 1)
    return kxy if kind == "nngp" else tangent


def inputs():
    """Inputs that are ordinary, equal, nearly equal, nearly parallel, tiny, huge and zero."""
    rng = np.random.default_rng(0)
    x, direction = rng.normal(size=(3, 4)), rng.normal(size=(1, 4))
    yield "equal", np.vstack([x, x[:1]])
    for apart in (1e-4, 1e-8, 1e-12, 1e-15):
        yield f"{apart} apart", np.vstack([x, x[:1] * (1 + apart * direction)])
    for factor in (0.5, 1 + 1e-9, -1, -1 - 1e-12):
        yield f"{factor} times", np.vstack([x, x[:1] * factor])
    for scale in (1e-160, 1e-140, 1e-30, 1e-8, 1e8, 1e30, 1e100, 1e150, 1e160):
        yield f"{scale}", np.vstack([x[:2], x[:1] * (1 + 1e-10 * direction)]) * scale
    yield "1e-140 to 1e150", x * [[1e-140], [1e150], [1]]
    yield "1e-8 to 1e8", x * [[1e-8], [1e8], [1]]


CASES = dict(inputs())


@pytest.mark.slow
@pytest.mark.parametrize("zeta", [0.0, 0.5])
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("name", ["erf", "relu", "sin"])
def test_right_to_rounding_or_a_warning(name, depth, kind, zeta):
    tolerance = KINK if (name, kind) == ("relu", "ntk") else ROUNDING
    answers = 0
    for label, x in CASES.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                matrix = kernel_matrix(
                    getattr(activations, name.upper()), x, depth=depth, kind=kind, zeta=zeta
                )
            except ArithmeticError:
                continue
        if caught:
            continue
        answers += 1
        with mpmath.workdps(DIGITS):
            kernel = {
                (i, j): exact(name, x[i], x[j], depth, kind, zeta)
                for i, j in np.ndindex(matrix.shape)
            }
            for i, j in np.ndindex(matrix.shape):
                size = mpmath.sqrt(kernel[i, i] * kernel[j, j])
                assert abs(mpmath.mpf(matrix[i, j]) - kernel[i, j]) <= tolerance * size + 1e-290, (
                    label,
                    i,
                    j,
                )
    assert answers > 10


def test_nearly_parallel_inputs_of_large_variance_are_right():
    x = CASES["100000000.0"]
    for act, kind in (("SIN", "nngp"), ("ERF", "nngp"), ("ERF", "ntk")):
        alone = kernel_matrix(getattr(activations, act), x[:1], x[2:], kind=kind)[0, 0]
        matrix = kernel_matrix(getattr(activations, act), x, kind=kind)
        with mpmath.workdps(DIGITS):
            right = float(exact(act.lower(), x[0], x[2], 1, kind, 0))
        assert alone == matrix[0, 2] == matrix[2, 0] == pytest.approx(right, rel=1e-15)


def test_sine_and_cosine_at_huge_inputs():
    for scale in (1e8, 1e50, 1e100, 1e153):
        x = np.array([[1.0, 2.0], [1.0, 2.0 + 1e-7], [3.0, -1.0]]) * scale
        for name in ("sin", "cos"):
            assert np.diag(kernel_matrix(name, x)) == pytest.approx(0.5, rel=1e-15)
            matrix = kernel_matrix(name, x, kind="ntk")
            assert np.diag(matrix) == pytest.approx(0.5 * (x**2).sum(axis=1), rel=1e-14)
            # decay by the distance of the inputs
            assert abs(matrix - np.diag(np.diag(matrix))).max() < 1e-5


def test_the_kernel_of_a_saturated_input_with_itself():
    with mpmath.workdps(40):
        for scale in (1e4, 1e8, 1e12):
            loss = 1 - mpmath.mpf(kernel_matrix(activations.ERF, [[scale]], [[scale]])[0, 0])
            assert abs(loss - (1 - exact("erf", [scale], [scale], 1, "nngp", 0))) < 1e-15
    assert kernel_matrix(activations.GELU, [[1e12]])[0, 0] == pytest.approx(0.5e24, rel=1e-11)


def test_squares_that_underflow_are_refused():
    with pytest.raises(
        ArithmeticError, match=r"the inputs reach down to 1\.0e-160; their squares underflow"
    ):
        kernel_matrix(activations.RELU, [[1e-160], [1.0]], kind="ntk")
    assert kernel_matrix(activations.RELU, [[1e-160]], zeta=1.0)[0, 0] == 0.5


def test_balls_that_contain_all_numbers_give_no_correlation_of_zero():
    x = CASES["1e+30"]
    matrix = kernel_matrix(activations.ERF, x, depth=3)
    with mpmath.workdps(DIGITS):
        assert matrix[0, 2] == pytest.approx(
            float(exact("erf", x[0], x[2], 3, "nngp", 0)), rel=1e-15
        )
