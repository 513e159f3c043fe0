"""The model and its gradient flow: Sections 2.1 and 2.2, and Eqs. (9), (15) to (25), (37) to (40) and (43)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger import flows
from papers.vanrossem2024.ledger.explicit_matrices import random_weights
from papers.vanrossem2024.ledger.flows import (
    along,
    in_eq_6,
    letters,
    moments,
    printed,
    twice,
    wrong,
)
from theory.core import (
    Program,
    Programs,
    deciding,
    evaluate,
    is_close,
    numerically,
    solved,
    stating,
)
from theory.core.numbers.differences import slopes

rate, rate_primed = letters("rate rate_primed")
CENTRES = {"centred": np.zeros(2), "not centred": np.array([1.0, 0.5])}


def follows_descent(block: int, parameters: str) -> Any:
    """Explicit matrices: the distance of descent and printed flow halves when the learning rate does."""

    def distance(relation: Any, eta: float, steps: int) -> float:
        velocity = solved(relation, rate(letters(parameters)))
        slope, other = (
            float(
                evaluate(
                    velocity,
                    {
                        "tau": 1 / eta,
                        "L": 0.0,
                        f"grad_{parameters}": lambda loss, at=at: at + loss,
                    },
                )
            )
            / at
            for at in (0.6, 1.7)
        )
        time = -slope * steps  # of the flow with tau = 1 for all blocks
        # the velocity is proportional to the gradient
        if not (0 < time < 3 and is_close(slope, other)):
            return float("nan")
        problem, weights = random_weights(seed=1)
        flowed = problem.flow(weights, (1.0, 1.0, 1.0), [time])[-1]
        for _ in range(steps):
            weights = tuple(
                w - eta * g for w, g in zip(weights, problem.gradient(weights), strict=True)
            )
        return float(np.abs(flowed[block] - weights[block]).max())

    def approaches(relation: Any) -> bool:
        farther, closer = distance(relation, 0.02, 50), distance(relation, 0.01, 100)
        return farther < 0.1 and 1.8 < farther / closer < 2.2

    return deciding(approaches)


def dependence_on_parameters() -> str:
    """Whether a linear decoder that learns the slope 3 moves differently if the slope is p, or p q; at the slope 2."""

    def velocity(*point: float) -> float:
        total = 0.0
        for unit in 1e-3 * np.eye(len(point)):
            ahead, behind = np.prod(point + unit), np.prod(point - unit)
            total -= (0.5 * (ahead - 3) ** 2 - 0.5 * (behind - 3) ** 2) * (ahead - behind) / 4e-6
        return total

    return "do not depend" if is_close(velocity(2.0), velocity(1.0, 2.0)) else "depend"


def role_of_mean() -> str:
    """It drops out of the linearised loss: explicit matrices with the mean representation at two places."""
    problem, (output, encoder, decoder) = random_weights(seed=3)

    def loss(mean: Any) -> float:
        steps = [decoder @ (mean + sign * encoder @ problem.u / 2 - mean) for sign in (-1, 1)]
        return sum(
            float(np.sum((output + s - y) ** 2)) / 4
            for s, y in zip(steps, problem.targets, strict=True)
        )

    return "not play" if is_close(loss(np.zeros(2)), loss(np.array([1.0, -2.0]))) else "play"


def encoder_slope(inputs: str, linear_network: bool) -> float:
    """Derivative of the loss in one weight of the encoder, of the linearisation or of a two-layer linear network."""
    problem, (mean, encoder, decoder) = random_weights(seed=2)
    if not linear_network:
        return float(problem.gradient((mean, encoder, decoder))[1][0, 0])
    centre = CENTRES[inputs]
    bias = mean - decoder @ encoder @ centre  # the mean output is the same at this point

    def loss(first: Any) -> float:
        outputs = [decoder @ first @ (centre + s * problem.u / 2) + bias for s in (-1, 1)]
        return 0.25 * sum(
            float((o - y) @ (o - y)) for o, y in zip(outputs, problem.targets, strict=True)
        )

    bump = np.zeros_like(encoder)
    bump[0, 0] = 0.5  # any step: the loss is quadratic
    return loss(encoder + bump) - loss(encoder - bump)


def same_dynamics(inputs: str = "not centred") -> str:
    """On centred inputs the losses are the same function of the same parameters; on others the gradients differ."""
    return (
        "the same as"
        if is_close(encoder_slope(inputs, True), encoder_slope(inputs, False))
        else "different from"
    )


same_targets = partial(moments, same_targets=True)


def affine_maps() -> Iterator[dict[str, Any]]:
    """Affine maps of explicit matrices, at both points."""
    problem, (_, encoder, decoder) = random_weights(seed=5)
    middle_h, middle_y = np.array([[0.3], [-0.8]]), np.array([[1.0], [2.0], [-0.5]])
    inputs = problem.inputs[:, :, None]
    for at, other in (inputs, inputs[::-1]):
        step = encoder @ (at - other) / 2
        yield {"x_i": at, "x_other": other, "D_h": encoder, "D_y": decoder, "y_middle": middle_y,
               "h_i": middle_h + step, "h_other": middle_h - step, "y_out_i": middle_y + decoder @ step}  # fmt: skip


def is_the_gradient(relation: Any) -> bool:
    """Central differences of the quantity that is differentiated, in every entry of X; it is quadratic in each."""
    draw = np.random.default_rng(11)
    values = {
        symbol.name: draw.normal(size=symbol.shape)
        for symbol in sorted(relation.free_symbols, key=str)
    }
    gradient = slopes(
        lambda X: np.sum(evaluate(relation.lhs.args[0], {**values, "X": X})), values["X"], 0.5
    )
    return is_close(gradient, evaluate(relation.rhs, values))


def unprimed(side: Any) -> Any:
    """A side of Eq. (43) in the old variables, by the definitions of Eq. (42); the last of them is that of the time."""
    *variables, time = printed("(42)")
    old = side.xreplace({definition.lhs: definition.rhs for definition in variables})
    return old.replace(rate_primed, lambda quantity: rate(quantity) * letters("t") / time.rhs)


def at_random_weights() -> dict[str, Any]:
    """A moment of a flow along which dh turns."""
    return flows.moment(*random_weights(seed=6), (1.0, 2.0, 3.0))


def case(number: int, **options: Any) -> Any:
    """A moment on the way, with the time constants of the corrected lines."""
    return list(moments(flows.IN_EQ_21, **options))[number]


PRIMED = twice(meaning=unprimed)

PROGRAMS: Programs = {
    "(4) encoder": follows_descent(1, "phi"),
    "(4) decoder": follows_descent(2, "psi"),
    "2.1 footnote 1": stating(verb=dependence_on_parameters),
    "2.2 footnote 2": stating(role=role_of_mean),
    "2.2 two-layer network": Program(
        stating(relation=same_dynamics),
        lambda inputs: encoder_slope(inputs, True),
        lambda _, inputs: encoder_slope(inputs, False),
        at={"inputs": "not centred"},
        quantity="slope of the loss in a weight of the encoder; the inputs are (1, 1/2) -+ (x_2 - x_1)/2",
    ),
    "(15) y, second line | (15) y, third line": numerically(affine_maps),
    "(16) | (17) y_bar, second line | (17) y_bar | (17) D_h, second line | (17) D_y, second line": in_eq_6,
    "(17) D_h": wrong("(17) D_h", at_random_weights, in_eq_6),
    "(17) D_y": wrong("(17) D_y", at_random_weights, in_eq_6),
    "A.1 first identity | A.1 second identity": deciding(is_the_gradient),
    "(18)": along(tolerance=1e-8),
    "(20) dh2, line 1 | (20) dh2, line 2 | (20) dy2, line 1 | (20) dy2, line 2 | (20) dy2, line 3": in_eq_6,
    "(20) dy2, line 4 | (20) w, line 1": in_eq_6,
    "(20) dh2, line 3 | (20) dh2, line 4 | (20) dy2, line 5 | (20) dy2, line 6 | (20) w, line 2": twice(),
    "(20) w, line 3 | (7) dh2 | (7) dy2 | (7) w | (21) dh2 | (21) dy2 | (21) w | (25) dh2 | (25) w": twice(),
    "(9) | (22) line 1 | (22) line 2 | (22) line 3 | (22) line 4 | (22) line 5 | (22) line 6 | (24)": in_eq_6,
    "(23)": twice(sides=lambda chain: (chain[0].lhs, chain[2].lhs)),
    "A.4 alignment": along(same_targets),
    "(37) dh2 | (37) dy2 | (38)": twice(same_targets),
    "(39)": wrong("(39)", partial(case, 2, same_targets=True), along(same_targets)),
    "(40)": wrong("(40)", partial(case, 2, same_targets=True), along(same_targets)),
    "(43) dh2 | (43) dy2": PRIMED,
    "(43) w": wrong("(43) w", partial(case, 1), PRIMED.prove, meaning=unprimed),
}
