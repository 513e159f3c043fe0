r"""The norm that a representation induces on its velocity.

.. math:: \|M\|^2_{K+\gamma} = \operatorname{Tr} M (K + \gamma I)^{-1} M^\top, \quad K = \sigma(A)^\top \sigma(A).

At :math:`\gamma = 0` it is :math:`\|M \sigma(A)^+\|_F^2`, and infinite unless the rows of *M* lie in the row space of
:math:`\sigma(A)`. The norm is computed from one thin singular value decomposition :math:`\sigma(A) = U \Sigma V^\top`.
*K* is never formed, so that the condition number is not squared. With :math:`A = [A]_+ - [A]_-` the first part needs no
division, since :math:`[A]_+ V = U_{1:w} \Sigma`.

The relative accuracy is 1e-12. Where rounding may exceed that, the norm is computed again in ball arithmetic and is
right to the last digit, unless the matrices are large or their rank is in doubt; then an ``IllConditionedWarning``
states the condition number.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_mat
from numpy.typing import ArrayLike

from closedform.checks import boolean
from closedform.checks.arrays import Array
from closedform.rounding import singular_value_rounding
from theory.core.numbers.arguments import matrices, one_for_each, positive_array, same_shape
from theory.core.numbers.backends.ball_backend import nearest

# Guaranteed relative accuracy; a result whose estimated error exceeds it comes with a warning.
PROMISED = 1e-12
EPS = float(np.finfo(np.float64).eps)
# A singular value within this factor of the rounding error of the largest cannot be distinguished from zero.
_DOUBTFUL = 1e3
_UNEVEN = 1e-8  # size of a row relative to the largest singular value
LARGEST_ROOT = 1e154  # whose square is finite
MOST_OPERATIONS = 20_000_000  # of balls, less than a second


class IllConditionedWarning(RuntimeWarning):
    """Warning that a result is less accurate than 1e-12, or depends on which singular values count as zero."""


def activated(A: Array, bias: bool) -> Array:
    """Return the ReLU of ``A`` [..., width, samples], with a row of ones appended if ``bias``."""
    positive_part = np.maximum(A, 0.0)
    if not bias:
        return positive_part
    return np.concatenate([positive_part, np.ones_like(A[..., :1, :])], axis=-2)


@dataclass(frozen=True)
class Rows:
    """The row space of one ``sigma(A)``, given by its thin singular value decomposition and its numerical rank."""

    features: Array  # sigma(A), [features, samples]
    left: Array  # singular vectors U, [features, rank]
    values: Array  # singular values above rounding error, [rank]
    right: Array  # singular vectors V, [samples, rank]
    largest: float  # singular value, 0 if there is none
    rounding: float  # the largest error of a singular value
    missing: int  # number of singular values that count as zero
    doubtful: bool  # whether a singular value is close to the rounding error of the largest, or a row so much smaller

    @classmethod
    def of(cls, features: Array) -> Rows:
        """Decompose ``features`` = sigma(A), [features, samples]."""
        left, values, right = np.linalg.svd(features, full_matrices=False)
        largest = float(values[0])
        rounding = singular_value_rounding(*features.shape[-2:]) * largest
        rank = int((values > rounding).sum())
        # Exact zeros give singular values at rounding level; values just above that level are doubtful, and zeros next
        # to a row that is far larger than another, such as that of the bias.
        doubtful = bool(((values > rounding) & (values < _DOUBTFUL * rounding)).any())
        missing = len(values) - rank
        kept = left[:, :rank], values[:rank], right[:rank].T
        rows = np.abs(features).max(axis=1, initial=0.0)
        doubtful |= missing > 0 and bool(((rows > 0) & (rows < _UNEVEN * largest)).any())
        return cls(features, *kept, largest if rank else 0.0, rounding, missing, doubtful)

    def condition(self, gamma: float) -> float:
        """Return the condition number of [sigma(A); sqrt(gamma) I]; at gamma = 0, of sigma(A) on its row space."""
        if not self.values.size:
            return 1.0
        smallest = (
            gamma
            if self.values.size < self.right.shape[0] and gamma > 0
            else self.values[-1] ** 2 + gamma
        )
        return float(np.sqrt((self.largest**2 + gamma) / smallest))

    @property
    def fills_space(self) -> bool:
        """Return whether the row space is the whole space, where a residual is only rounding error."""
        return len(self.right) == self.values.size

    def norm(self, whole: Array, inside: Array | None, rest: Array, gamma: float) -> float:
        """Return the squared norm of ``whole`` = ``inside`` + ``rest``, where ``inside`` V is U[:width] Sigma."""
        # If ``whole`` is zero, only the number of singular values matters.
        doubtful = self.doubtful and gamma == 0 and bool(np.any(whole))
        exact = self._exact(whole, gamma) if doubtful else None
        if exact is not None:
            return exact
        scales = np.sqrt(self.values**2 + gamma)
        along = rest @ self.right
        across = np.zeros_like(rest) if self.fills_space else rest - along @ self.right.T
        coefficients = divided = along / scales
        if inside is not None:
            coefficients = divided + self.left[: len(rest)] * (self.values / scales)
        across_norm = float(np.linalg.norm(across))
        condition = self.condition(gamma)
        if gamma == 0 and across_norm > self._rounding_of_projection(rest):
            if doubtful or condition * EPS * max(rest.shape) > 1e-6:
                _warn(condition, np.inf, doubtful)
            return np.inf
        total = float((coefficients**2).sum()) + (
            across_norm * (across_norm / gamma) if gamma else 0.0
        )
        # M (K + gamma)^-1
        response = coefficients / scales @ self.right.T + (across / gamma if gamma else 0.0)
        error = (
            self._error(coefficients / scales, response, inside, rest, gamma) / total
            if total
            else 0.0
        )
        if error > PROMISED / 10 and (gamma or self.fills_space):  # the estimate may be too small
            exact = self._exact(whole, gamma)
            if exact is not None:
                return exact
        if error > PROMISED or doubtful:
            _warn(condition, error, doubtful)
        return total

    def _exact(self, whole: Array, gamma: float) -> float | None:
        """Return the squared norm of a matrix right to the last digit; None if that takes too long."""
        samples = len(self.right)
        if samples**2 * (samples + len(whole) + len(self.features)) > MOST_OPERATIONS:
            return None

        def trace() -> arb:
            columns = arb_mat(self.features.T.tolist())
            kernel = columns * columns.transpose() + arb_mat(np.diag([gamma] * samples).tolist())
            targets = arb_mat(whole.T.tolist())
            pairs = zip(targets.entries(), kernel.solve(targets).entries(), strict=True)
            return sum((one * other for one, other in pairs), arb(0))

        return nearest(trace)

    def _error(
        self, along: Array, response: Array, inside: Array | None, rest: Array, gamma: float
    ) -> float:
        """Return the error to first order in roundings; ``response`` is M (K + gamma)^-1, ``along`` times V."""
        # with respect to sigma(A), halved
        gradient = -self.left @ (self.values[:, None] * along.T) @ response
        if inside is not None:
            gradient[: len(response)] += response
        moved = self.largest * np.linalg.norm(gradient) + np.linalg.norm(rest) * np.linalg.norm(
            response
        )
        if not (self.missing and gamma):
            return float(2 * EPS * moved)
        unseen = self.rounding**2 * (
            1 / (self.rounding**2 + gamma) + np.linalg.norm(response) ** 2
        )
        return float(2 * EPS * moved + self.missing * unseen)

    def _rounding_of_projection(self, rest: Array) -> float:
        """Return the largest residual outside the row space that rounding can cause."""
        return (
            8
            * max(self.left.shape[0], *rest.shape)
            * EPS
            * float(np.linalg.norm(rest))
            * self.condition(0.0)
        )


def _warn(condition: float, error: float, doubtful: bool) -> None:
    doubt = "; it rests on which singular values are called zero" if doubtful else ""
    warnings.warn(
        f"condition number {condition:.1e}: estimated relative error {error:.0e}{doubt}. A gamma > 0 is better "
        "conditioned",
        IllConditionedWarning,
        stacklevel=5,
    )


def squared_norm(
    M: ArrayLike, A: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0
) -> Array | np.float64:
    r"""Return the squared norm of *M* under :math:`(K + \gamma I)^{-1}`, :math:`K = \sigma(A)^\top \sigma(A)`.

    Args:
        M: matrices, [..., width, samples].
        A: representations, in the shape of M.
        bias: whether sigma appends a row of ones (the default).
        gamma: regulariser gamma >= 0, one number or one for each matrix, in the unit of A^2; 0 by default.

    Returns:
        One number for each matrix, in units of M^2/A^2; infinite at ``gamma`` = 0 off the row space of sigma(A).

    Warns:
        IllConditionedWarning: if the relative error may exceed 1e-12; the warning states the condition number.

    Source: Section 1.3.

    >>> round(float(squared_norm([[1.0, 0.0]], [[1.0, 2.0]], bias=False, gamma=0.5)), 4)
    1.6364
    """
    return norms(A, bias, gamma, ("M", M))


def norms(
    A: ArrayLike, bias: bool, gamma: ArrayLike, named: tuple[str, ArrayLike] | None = None
) -> Array | np.float64:
    """Return ``squared_norm`` of a named matrix, or of A itself with better accuracy than ``squared_norm(A, A)``."""
    representations = matrices("A", A)
    with_bias = boolean("bias", bias)
    strength = positive_array("gamma", gamma, or_zero=True)
    stack = representations.shape[:-2]
    other = None if named is None else matrices(*named)
    if named is not None and other is not None:
        same_shape("A", representations, named[0], other)
    strengths = one_for_each("gamma", strength, stack)
    result = np.empty(stack)
    for index in np.ndindex(stack):
        representation, gamma_of_one = representations[index], float(strengths[index])
        features = activated(representation, with_bias)
        # then units of the samples drop out, and singular values of balanced ones are known best
        if gamma_of_one == 0:
            largest = features.max(axis=0)
            _, exponents = np.frexp(
                np.where(largest > 0, largest, np.abs(representation).max(axis=0))
            )
        else:  # then one unit does, and squares of its numbers stay in the range of float64
            _, exponents = np.frexp(features.max())
            with np.errstate(over="ignore"):
                scaled = float(np.ldexp(gamma_of_one, -2 * exponents))
            exponents, gamma_of_one = (exponents, scaled) if scaled < np.inf else (0, gamma_of_one)
        features, representation = (
            np.ldexp(features, -exponents),
            np.ldexp(representation, -exponents),
        )
        whole = representation if other is None else np.ldexp(other[index], -exponents)
        if np.abs(whole).max() / math.sqrt(features.size + gamma_of_one) > LARGEST_ROOT:
            # at least the square of this ratio, since K is at most the squared size of sigma(A)
            result[index] = np.inf
            continue
        rows = Rows.of(features)
        if other is not None:
            result[index] = rows.norm(whole, None, whole, gamma_of_one)
            continue
        size = rows.values.min(initial=np.inf) ** 2 + gamma_of_one
        # For a small A the rounding error of U would exceed the cost, so that all of A is projected instead.
        inside = np.maximum(representation, 0.0) if (representation**2).sum() > size else None
        rest = representation if inside is None else np.minimum(representation, 0.0)
        result[index] = rows.norm(representation, inside, rest, gamma_of_one)
    return result[()]
