"""How good the linearisation of Eq. (5) is: its error against the distance of the two points."""

from __future__ import annotations

import numpy as np

# The exponent of an error from distances that differ by a factor of two; the next order shifts it by the distance.
_DISTANCES = (0.02, 0.01)
_EXPONENT_TOLERANCE = 0.1
_DIFFERENCE = 1e-5  # central differences of smooth functions: truncation 1e-10, rounding 1e-11


def _error(distance: float) -> tuple[float, float]:
    """Largest error of the four linearised values of Eq. (5), and of the two differences dh and dy."""
    draw = np.random.default_rng(3)
    first, shift, second, read = (draw.normal(size=shape) for shape in ((4, 2), 4, (3, 4), (2, 3)))

    def encode(x: np.ndarray) -> np.ndarray:
        return second @ np.tanh(first @ x + shift)

    def decode(h: np.ndarray) -> np.ndarray:
        return read @ np.tanh(h)

    centre, direction = np.array([0.3, -0.4]), np.array([0.6, 0.8])
    u = distance * direction
    middle = encode(centre)
    dh = (
        distance
        * (encode(centre + _DIFFERENCE * direction) - encode(centre - _DIFFERENCE * direction))
        / (2 * _DIFFERENCE)
    )
    along = dh / np.linalg.norm(dh)
    dy = (
        np.linalg.norm(dh)
        * (decode(middle + _DIFFERENCE * along) - decode(middle - _DIFFERENCE * along))
        / (2 * _DIFFERENCE)
    )
    h, y = ([encode(centre + s * u / 2) for s in (-1, 1)], [decode(encode(centre + s * u / 2)) for s in (-1, 1)])
    single = [np.abs(h[i] - middle - s * dh / 2).max() for i, s in ((0, -1), (1, 1))]
    single += [np.abs(y[i] - decode(middle) - s * dy / 2).max() for i, s in ((0, -1), (1, 1))]
    return max(single), max(np.abs(h[1] - h[0] - dh).max(), np.abs(y[1] - y[0] - dy).max())


def first_order() -> bool:
    """Errors of second order in the values, of third order in the differences."""
    far, near = (_error(distance) for distance in _DISTANCES)
    exponents = np.log2(np.array(far) / np.array(near))
    return bool(np.allclose(exponents, (2, 3), atol=_EXPONENT_TOLERANCE))
