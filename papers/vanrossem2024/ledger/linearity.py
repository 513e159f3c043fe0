"""Sections 2.1 and 2.2: whether maps are smooth, and whether they are linear between two points, Eq. (5)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger.flows import column, printed
from theory.core import Program, Programs, deciding, evaluate, stating
from theory.core.ledger.proving import declaring

# The exponent of an error from distances that differ by a factor of two; the next order shifts it by the distance.
DISTANCES = (0.02, 0.01)
EXPONENT_TOLERANCE = 0.1
CENTRE = (0.3, -0.4)
ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "tanh": np.tanh,
    "leaky ReLU": lambda z: np.where(z > 0, z, 0.01 * z),
}
SINES = {"close": 0.0105, "far apart": 4.0}  # distances of two inputs of a sine
SAME = 0.01  # distance of their representations
DIFFERENCE = 1e-5  # central differences of smooth functions: truncation 1e-10, rounding 1e-11


def jacobian(function: Callable[[Any], Any], point: Any) -> Any:
    """Slopes of a smooth function of a column by central differences, ``[output, input]``."""
    steps = DIFFERENCE * np.eye(len(point))
    return (function(point + steps) - function(point - steps)) / (2 * DIFFERENCE)


def random_maps(distance: float, activation: str = "tanh") -> list[dict[str, Any]]:
    """Two points at a distance, in the letters of Eq. (5): a random encoder, and a smooth decoder.

    Between the points the argument of one activation of the encoder is zero.
    """
    draw = np.random.default_rng(3)
    first, shift, second, read = (
        draw.normal(size=shape) for shape in ((4, 2), (4, 1), (2, 4), (3, 2))
    )
    shift[0] = -first[0] @ CENTRE

    def encode(x: Any) -> Any:
        return second @ ACTIVATIONS[activation](first @ x + shift)

    def decode(h: Any) -> Any:
        return read @ np.tanh(h)

    centre, step = column(CENTRE), distance / 2 * column([0.6, 0.8])
    middle = encode(centre)
    shared = {"h_phi_middle": middle, "y_psi_middle": decode(middle),
              "D_h": jacobian(encode, centre), "D_y": jacobian(decode, middle)}  # fmt: skip
    points = (centre - step, centre + step)
    return [
        {
            **shared,
            "x_i": at,
            "x_other": other,
            "h_phi_i": encode(at),
            "y_psi_i": decode(encode(at)),
        }
        for at, other in (points, points[::-1])
    ]


def order_of_error(relation: Any, activation: str = "tanh") -> float:
    """Exponent with which the error of a line of Eq. (5) falls with the distance of the points."""

    def error(distance: float) -> float:
        return max(
            float(np.abs(evaluate(relation.lhs - relation.rhs, at)).max())
            for at in random_maps(distance, activation)
        )

    farther, closer = map(error, DISTANCES)
    return float(np.log2(farther / closer))


def is_of_first_order(relation: Any) -> bool:
    """Random smooth maps: the error falls as the square of the distance of the points."""
    return abs(order_of_error(relation) - 2) < EXPONENT_TOLERANCE


def maps(activation: str = "leaky ReLU") -> str:
    """Smooth if the error of Eq. (5) is of second order, where an argument of the activation is zero on the way."""
    order = order_of_error(printed("(5) h"), activation)
    return "smooth maps" if abs(order - 2) < EXPONENT_TOLERANCE else "maps with kinks"


def error_of_sine(distance: float) -> float:
    """Error of Eq. (5) for two inputs of a sine, over the distance of their representations, ``SAME``."""
    centre = np.arccos(SAME / (2 * np.sin(distance / 2)))
    first, second = (np.array([[centre + sign * distance / 2]]) for sign in (-1, 1))
    values = {"x_i": first, "x_other": second, "h_phi_i": np.sin(first),
              "h_phi_middle": np.array([[np.sin(centre)]]), "D_h": np.array([[np.cos(centre)]])}  # fmt: skip
    line = printed("(5) h")
    return float(np.abs(evaluate(line.lhs - line.rhs, values)).item() / SAME)


def approximation(inputs: str = "far apart") -> str:
    """Two inputs of a sine whose representations differ by 0.01: is the error of Eq. (5) below a tenth of that."""
    return "reasonable" if error_of_sine(SINES[inputs]) < 0.1 else "not reasonable"


def difference_of_outputs(connections: str = "jump") -> float:
    """Of two inputs with the same representation in the first of two random layers, with or without a skip over it."""
    draw = np.random.default_rng(8)
    first, second = draw.normal(size=(3, 1)), draw.normal(size=(2, 3))
    inputs = np.array([[0.7, 0.7], [-1.2, 0.4]])
    # the layer sees the first coordinate only
    hidden = np.tanh(first @ inputs[:1])
    outputs = second @ hidden + {"jump": 1.0, "do not jump": 0.0}[connections] * inputs
    return float(np.linalg.norm(outputs[:, 1] - outputs[:, 0]))


def number_of_outputs(connections: str = "jump") -> str:
    """Outputs of two inputs with the same representation in a layer, with and without a connection over it."""
    return "a" if difference_of_outputs(connections) < 1e-12 else "more than one"


PROGRAMS: Programs = {
    "2.1 smooth maps": Program(
        stating(maps=maps),
        lambda activation: order_of_error(printed("(5) h"), activation),
        lambda _: 2.0,
        1e-2,
        at={"activation": "leaky ReLU"},
        quantity="exponent of the error of Eq. (5) in the distance of the points",
    ),
    "2.1 decoder": Program(
        stating(number=number_of_outputs),
        difference_of_outputs,
        lambda _: 0.0,
        at={"connections": "jump"},
        quantity="difference of the outputs of two inputs with the same representation",
    ),
    "2.2 close representations": Program(
        stating(what=approximation),
        error_of_sine,
        lambda _: 0.0,
        1e-2,
        at={"distance": 4.0},
        quantity="error of Eq. (5) over the distance of the representations, for a sine of inputs at this distance",
    ),
    "(5) h | (5) y": declaring(deciding(is_of_first_order), "≈"),
}
