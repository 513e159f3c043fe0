r"""Section 2: the loss, the linearisation and its gradient flow, down to the three-variable system."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.taylor import first_order
from theory.two_point.dynamics import D_h, D_y, dh, linearised_loss, mean_output, targets, u

hidden_mean = sp.Matrix(sp.symbols("c1 c2", real=True))


def _loss_of_outputs(outputs: list[sp.Matrix]) -> sp.Expr:
    """Half the mean squared error, Eq. (1), over two points."""
    return sum(((out - target).dot(out - target) for out, target in zip(outputs, targets, strict=True)), sp.S.Zero) / 4


def _steps_become_time() -> bool:
    """Gradient descent with a step eta is gradient flow with tau = 1/eta, up to an error proportional to eta."""
    problem, weights = random_weights(seed=1)
    errors = []
    for eta, steps in ((0.02, 50), (0.01, 100)):
        flowed = problem.flow(weights, [1 / eta] * 3, [steps])[-1]
        descended = weights
        for _ in range(steps):
            descended = tuple(w - eta * g for w, g in zip(descended, problem.gradient(descended), strict=True))
        errors.append(max(float(np.abs(a - b).max()) for a, b in zip(flowed, descended, strict=True)))
    return errors[0] < 0.1 and 1.8 < errors[0] / errors[1] < 2.2


def _slope_depends_on_parameters() -> bool:
    """One decoder y = 2 h, written as p h and as p q h: its slope moves at different velocities."""
    p, q, h, target = sp.symbols("p q h target", real=True)
    velocities = []
    for slope, point in ((p, {p: 2}), (p * q, {p: 1, q: 2})):
        loss = (slope * h - target) ** 2 / 2
        velocities.append(sum(-slope.diff(x) * loss.diff(x) for x in point).subs(point))
    return sp.simplify(velocities[0] - velocities[1]) != 0


def _uncentred_network_differs() -> bool:
    """The same function as a network on inputs that are not centred: the encoder's gradient is another one."""
    problem, (mean, encoder, decoder) = random_weights(seed=2)
    centre = np.array([1.0, 0.5])

    def network_loss(first: np.ndarray) -> float:
        bias = mean - decoder @ encoder @ centre  # the mean output is the same at this point
        out = [decoder @ first @ (centre + s * problem.u / 2) + bias for s in (-1, 1)]
        return 0.25 * sum(float((o - y) @ (o - y)) for o, y in zip(out, problem.targets, strict=True))

    bump = np.zeros_like(encoder)
    bump[0, 0] = 0.5  # any step: the loss is quadratic
    slope = network_loss(encoder + bump) - network_loss(encoder - bump)
    return not np.isclose(slope, problem.gradient((mean, encoder, decoder))[1][0, 0], rtol=1e-3)


EQUATIONS = (
    entry(
        "(1)",
        "2.1",
        "The loss is half the mean squared error over the data.",
        Finding.DEFINITION,
        "Fixes the factor 1/2.",
        printed=r"L(f_\theta) = \frac{1}{2} \langle \|f_\theta(x_i) - y_i\|^2 \rangle_{\mathcal{D}}",
    ),
    entry(
        "(2)",
        "2.1",
        "The same loss for a network split into an encoder h and a decoder y.",
        Finding.DEFINITION,
        "Eq. (1) with f = y(h(x)).",
        printed=r"L(h_\phi, y_\psi) = \frac{1}{2} \langle \|y_\psi(h_\phi(x_i)) - y_i\|^2 \rangle_{\mathcal{D}}",
    ),
    entry(
        "(3)",
        "2.1",
        "One step of gradient descent on the parameters.",
        Finding.DEFINITION,
        "Names the learning rate eta.",
        printed=r"\Delta\phi = -\eta \nabla_\phi L, \quad \Delta\psi = -\eta \nabla_\psi L",
    ),
    entry(
        "(4)",
        "2.1",
        "For small eta the steps follow gradient flow with tau = 1/eta, time counted in steps.",
        Finding.CONFIRMED,
        "Explicit matrices: the distance between the two halves when eta does.",
        printed=r"\frac{d\phi}{dt} = -\frac{1}{\tau} \nabla_\phi L, \quad \frac{d\psi}{dt} = -\frac{1}{\tau} "
        r"\nabla_\psi L",
        steps=(Check("descent approaches flow in proportion to eta", _steps_become_time, "explicit matrices"),),
    ),
    entry(
        "2.1 footnote 1",
        "2.1",
        "The dynamics of the decoder's gradient depend on how the decoder is parametrised.",
        Finding.CONFIRMED,
        "One linear decoder written in two ways has two velocities of its slope.",
        steps=(Check("two parametrisations, two velocities", _slope_depends_on_parameters, "gradient flow"),),
    ),
    entry(
        "(5)",
        "2.2",
        "Encoder and decoder around the mean of the two points, to first order in their distance.",
        Finding.CONFIRMED,
        "Random smooth maps: the error falls as the square of the distance; that of the differences dh and dy, which "
        "is all the theory uses, as its cube.",
        printed=r"h_\phi(x_i) \approx h_\phi\left(\tfrac{x_2+x_1}{2}\right) + \tfrac{1}{2} D_h (x_i - x_{\neg i}), "
        r"\quad y_\psi(x_i) \approx y_\psi\left(h_\phi\left(\tfrac{x_2+x_1}{2}\right)\right) + \tfrac{1}{2} D_y D_h "
        r"(x_i - x_{\neg i})",
        steps=(
            Check("errors of second order, of third in the differences", first_order, "numerical Taylor expansion"),
        ),
    ),
    entry(
        "2.2 footnote 2",
        "2.2",
        "The mean representation plays no role as a further parameter.",
        Finding.CONFIRMED,
        "It drops out of the linearised loss.",
        steps=(
            Step(
                "the loss does not depend on the mean representation",
                _loss_of_outputs([mean_output + D_y * (hidden_mean + s * dh / 2 - hidden_mean) for s in (-1, 1)]),
                linearised_loss,
                because="only differences from the mean representation enter the decoder",
            ),
        ),
    ),
    entry(
        "(6)",
        "2.2",
        "The linearisation parameters follow gradient descent directly, each with its own rate.",
        Finding.ASSUMPTION,
        "The main modelling assumption, stated as such; tested by measurement in the bridge.",
        printed=r"\frac{d\bar{y}}{dt} = -\frac{1}{\tau_{\bar{y}}} \frac{\partial L}{\partial \bar{y}}, \quad "
        r"\frac{dD_h}{dt} = -\frac{1}{\tau_h} \frac{\partial L}{\partial D_h}, \quad \frac{dD_y}{dt} = "
        r"-\frac{1}{\tau_y} \frac{\partial L}{\partial D_y}",
    ),
    entry(
        "2.2 two-layer network",
        "2.2",
        "These dynamics are those of a two-layer linear network with bias and a learning rate for each layer.",
        Finding.CONDITIONAL,
        "On centred inputs the losses are the same function of the same parameters.",
        condition="the inputs are centred, x1 + x2 = 0, and only the output has a bias",
        steps=(
            Step(
                "the loss of the network on the inputs -u/2 and u/2 is that of the linearisation",
                _loss_of_outputs([D_y * (D_h * (s * u / 2)) + mean_output for s in (-1, 1)]),
                linearised_loss,
                because="substitution",
            ),
        ),
        counterexample=_uncentred_network_differs,
        consequence="With inputs away from the origin the error of the mean output pulls on the encoder as well, until "
        "the mean is learned. Fits are not affected: they use Eq. (7).",
    ),
)
