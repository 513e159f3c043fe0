r"""Reference values with 30 digits, written out in mpmath and shared with no other code of this package.

NC1 is :math:`\mathrm{tr}(\Sigma_W \Sigma_B^+)`; ``"samples"`` weights the classes in :math:`\Sigma_B` by their numbers
of samples, ``"equal"`` equally, about the mean of the class means, and ``"per class"`` divides the first by the number
of classes. CKA has the unbiased HSIC of Song et al. (2012). The kernels are those of one infinitely wide hidden layer
of ReLUs, the tangent kernel with trained biases in the hidden layer and none in the readout. The scalar curvature is
that of the metric :math:`g = J^T J` of one hidden layer :math:`\tanh(W x + b)`, by Christoffel symbols.
"""

import itertools
from typing import Any

import mpmath as mp

DIGITS = 30
Rows = list[list[str]]


def nc1(features: Rows, labels: list[int], normalisation: str) -> Any:
    """Return NC1 of ``features [N][D]``, whose class means span fewer than D directions or all of them."""
    points = [mp.matrix(row) for row in features]
    classes, size = sorted(set(labels)), len(features[0])
    grand = sum(points, mp.zeros(size, 1)) / len(points)
    within, between = mp.zeros(size), mp.zeros(size)
    equal = normalisation == "equal"
    own = {
        c: [point for point, label in zip(points, labels, strict=True) if label == c]
        for c in classes
    }
    means = {c: sum(own[c], mp.zeros(size, 1)) / len(own[c]) for c in classes}
    if equal:
        grand = sum(means.values(), mp.zeros(size, 1)) / len(classes)
    for c in classes:
        weight = mp.mpf(1) / len(classes) if equal else mp.mpf(len(own[c])) / len(points)
        between += weight * (means[c] - grand) * (means[c] - grand).T
    for point, label in zip(points, labels, strict=True):
        within += (point - means[label]) * (point - means[label]).T / len(points)
    values, vectors = mp.eigsy(between)
    total = mp.mpf(0)
    for i in range(size):
        if values[i] > max(values) * mp.mpf(10) ** (-mp.mp.dps // 2):
            direction = vectors[:, i]
            total += (direction.T * within * direction)[0] / values[i]
    return total / len(classes) if normalisation == "per class" else total


def cka(x: Rows, y: Rows) -> Any:
    """Return debiased CKA of two representations of the same points."""
    n = len(x)

    def products(rows: Rows) -> Any:
        matrix = mp.matrix(rows) * mp.matrix(rows).T
        for i in range(n):
            matrix[i, i] = 0
        return matrix

    def hsic(k: Any, m: Any) -> Any:
        ones = mp.ones(n, 1)
        trace = sum((k * m)[i, i] for i in range(n))
        sums = (ones.T * k * ones)[0] * (ones.T * m * ones)[0] / ((n - 1) * (n - 2))
        return (trace + sums - 2 * (ones.T * k * m * ones)[0] / (n - 2)) / (n * (n - 3))

    k, m = products(x), products(y)
    return hsic(k, m) / mp.sqrt(hsic(k, k) * hsic(m, m))


def relu_kernel(x: list[str], y: list[str], kind: str) -> Any:
    """Return the kernel of one wide layer of ReLUs, ``"nngp"`` or ``"ntk"``."""
    a, b = mp.matrix(x), mp.matrix(y)
    product, lengths = (a.T * b)[0], mp.norm(a) * mp.norm(b)
    angle = mp.acos(product / lengths)
    nngp = lengths * (mp.sin(angle) + (mp.pi - angle) * mp.cos(angle)) / (2 * mp.pi)
    return nngp if kind == "nngp" else nngp + (product + 1) * (mp.pi - angle) / (2 * mp.pi)


def curvature(weights: Rows, biases: list[str], x: list[str]) -> Any:
    """Return the scalar curvature at ``x [d]`` of the metric of one hidden layer of tanh units, ``weights [n][d]``."""
    w, d = mp.matrix(weights), range(len(x))
    z = w * mp.matrix(x) + mp.matrix(biases)
    first = [1 - mp.tanh(each) ** 2 for each in z]
    second = [-2 * mp.tanh(each) * slope for each, slope in zip(z, first, strict=True)]

    def moment(slopes: list[Any], *directions: int) -> Any:
        return mp.fsum(
            slope * mp.fprod(w[k, i] for i in directions) for k, slope in enumerate(slopes)
        )

    inverse = (
        mp.matrix([[moment([slope**2 for slope in first], i, j) for j in d] for i in d]) ** -1
    )
    products = [one * two for one, two in zip(first, second, strict=True)]
    # Christoffel symbols of the first kind
    lower = [[[moment(products, i, j, k) for k in d] for j in d] for i in d]
    total = mp.mpf(0)
    for i, j, k, m, a, b in itertools.product(d, repeat=6):
        bent = lower[a][j][k] * lower[b][i][m] - lower[a][j][m] * lower[b][i][k]
        total += inverse[i, k] * inverse[j, m] * inverse[a, b] * bent
    return total


def build() -> list[dict[str, Any]]:
    """Return all vectors: quantity, options, inputs as decimal text, and the value as text of 30 digits."""
    import random

    drawn = random.Random(0)

    def rows(count: int, size: int) -> Rows:
        return [[f"{drawn.gauss(0, 1):.3f}" for _ in range(size)] for _ in range(count)]

    def vector(
        quantity: str, value: Any, options: dict[str, str], **inputs: Any
    ) -> dict[str, Any]:
        return {
            "quantity": quantity,
            "options": options,
            "inputs": inputs,
            "value": mp.nstr(value, DIGITS),
        }

    found = []
    with mp.workdps(2 * DIGITS):
        for size, labels in (
            (3, [0] * 5 + [1] * 4 + [2] * 3),
            (2, [0, 1, 2, 3] * 3),
            (6, [0] * 4 + [1] * 8),
        ):
            features = rows(len(labels), size)
            for name in ("samples", "equal", "per class"):
                value = nc1(features, labels, name)
                found.append(
                    vector("nc1", value, {"normalisation": name}, features=features, labels=labels)
                )
        for sizes in ((3, 4), (8, 2), (1, 12)):
            x, y = rows(9, sizes[0]), rows(9, sizes[1])
            found.append(vector("cka", cka(x, y), {}, x=x, y=y))
        for kind in ("nngp", "ntk"):
            for size in (2, 3, 10):
                one, two = rows(2, size)
                found.append(
                    vector(kind, relu_kernel(one, two, kind), {"activation": "relu"}, x=one, y=two)
                )
        for units, size in ((3, 2), (8, 2), (6, 3)):
            weights, (biases, point) = rows(units, size), (rows(1, units)[0], rows(1, size)[0])
            value = curvature(weights, biases, point)
            found.append(
                vector(
                    "curvature",
                    value,
                    {"activation": "tanh"},
                    weights=weights,
                    biases=biases,
                    x=point,
                )
            )
    return found
