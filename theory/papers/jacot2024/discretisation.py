"""Section 3: layers of finite steps, and the three ways of choosing them. Section 4."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.discrete import STEPS as SYMPLECTIC
from theory.leaky_resnet.meshes import adaptive_multiplier
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry
from theory.papers.jacot2024.timescales import SPEED

a, L = sp.Symbol("a", positive=True), sp.Symbol("L", positive=True)
half = sp.Symbol("m", positive=True, integer=True)
index = sp.Symbol("l", integer=True)


def _total(layers: sp.Expr, rising: sp.Expr) -> sp.Expr:
    """Sum of the printed irregular steps; up to ``rising`` the magnitude opens with a minus."""
    first = sp.Sum(sp.Rational(1, 2) - index / layers, (index, 1, rising))
    second = sp.Sum(index / layers - sp.Rational(1, 2), (index, rising + 1, layers))
    return 1 + a / layers * (layers / 4 - first - second)


def printed_steps(layers: int, stretch: float) -> np.ndarray:
    """The irregular steps as printed."""
    share = np.arange(1, layers + 1) / layers
    return 1 / layers + stretch / layers * (0.25 - np.abs(share - 0.5))


def _odd_number_of_layers() -> bool:
    return bool(abs(printed_steps(5, 0.8).sum() - (1 - 0.8 / 100)) < 1e-12)


def _rises_and_falls() -> bool:
    for layers in range(3, 40):
        change = np.diff(printed_steps(layers, 0.7))
        before, after = change[: (layers - 2) // 2], change[(layers - 1) // 2 :]
        between = change[before.size : (layers - 1) // 2]  # both middle steps of an odd number are equal
        if not ((before > 0).all() and (after < 0).all() and (abs(between) < 1e-12).all()):
            return False
    return True


def _longest_step() -> bool:
    """Longest step times layers: at most 1 + a/4, with equality for an even number of layers; also normalised."""
    for layers in range(1, 60):
        for stretch in (0.0, 0.3, 0.99):
            longest = layers * printed_steps(layers, stretch).max()
            ours = layers * leaky_resnet.mesh("irregular", layers, a=stretch).max()
            bound = 1 + stretch / 4
            if max(longest, ours) > bound + 1e-12 or (layers % 2 == 0 and abs(longest - bound) > 1e-12):
                return False
    return True


def _swings() -> bool:
    """Speed 3 in the middle fifth, 1/2 elsewhere: two equal steps are at rest, and what is near them swings."""

    def travelled(x: np.ndarray) -> np.ndarray:
        return np.interp(x, [0, 0.4, 0.6, 1.0], [0, 0.2, 0.8, 1.0])

    steps, swings = np.array([0.501, 0.499]), []
    for _ in range(30):
        moved = np.diff(travelled(np.array([0, steps[0], 1])))
        rates = moved / steps
        steps = (1 / rates) / (1 / rates).sum()
        swings.append(abs(steps[0] - 0.5))
    return bool(swings[-1] > 50 * swings[0])


def _potential() -> Reading:
    A, B = nets.random_state(1, width=5, samples=3)
    velocity, _ = nets.joint_rates(A, B, 2.0, bias=True)
    cost = float((nets.smallest_weights(A, A, bias=True) ** 2).sum())
    kinetic = float((nets.smallest_weights(velocity, A, bias=True) ** 2).sum()) / 4
    return Reading(-1.0 / cost, -cost, nets.energy(A, B, 2.0, bias=True) - kinetic)


cost = sp.Symbol("cost", positive=True)

EQUATIONS = (
    entry(
        "3 layers",
        "3",
        "Activations at the positions rho_1 + ... + rho_l, the steps summing to one, and the regularised cost.",
        Finding.DEFINITION,
        "Euler steps forward; at a critical point forward and backward pass together are the symplectic Euler method "
        "that is implicit in the momenta, of first order.",
        printed=r"\alpha_{p_\ell}(x) = (1 - \rho_\ell \tilde{L}) \alpha_{p_{\ell-1}}(x) + \rho_\ell W_{p_\ell} "
        r"\sigma(\alpha_{p_{\ell-1}}(x)), \quad \mathcal{L}(\theta) = C(\alpha_1(X)) + \frac{\lambda}{2\tilde{L}} "
        r"\sum_{\ell=1}^L \rho_\ell \|W_{p_\ell}\|^2",
        steps=SYMPLECTIC,
    ),
    entry(
        "3 prefactor",
        "3",
        "The prefactor stays positive if a step times the depth stays below 1; for equal steps that is L > depth.",
        Finding.CONFIRMED,
        "1 - depth/L = (L - depth)/L.",
        printed=r"\rho_\ell = \tfrac{1}{L}, \quad L > \tilde{L}",
        steps=(Step("equal steps", 1 - depth / L, (L - depth) / L, because="common denominator"),),
    ),
    entry(
        "3 irregular",
        "3",
        "Irregular steps that sum to one.",
        Finding.CONDITIONAL,
        "Summed exactly for even and odd numbers of layers.",
        printed=r"\rho_\ell = \frac{1}{L} + \frac{a}{L} \Big(\frac14 - \Big|\frac{\ell}{L} - \frac12\Big|\Big)",
        condition="L is even; if L is odd they sum to 1 less a/4 over the square of L",
        steps=(
            Step("even, L = 2m", _total(2 * half, half), sp.S.One, because="arithmetic series"),
            Step(
                "odd, L = 2m + 1",
                _total(2 * half + 1, half),
                1 - a / (4 * (2 * half + 1) ** 2),
                because="arithmetic series",
            ),
        ),
        counterexample=_odd_number_of_layers,
        consequence="With an odd number of layers the last layer is not at p = 1, by at most a/(4 L^2). "
        "theory.leaky_resnet.mesh divides by the sum, which changes nothing if L is even.",
    ),
    entry(
        "3 irregular shape",
        "3",
        "The steps go from small to large and back to small.",
        Finding.CONFIRMED,
        "For every number of layers from 3. Not symmetric: the last step is shorter than the first.",
        steps=(Check("rising, then falling", _rises_and_falls, "numbers"),),
    ),
    entry(
        "3 irregular condition",
        "3",
        "Steps times the depth stay below 1 if L > (1 + a/4) depth.",
        Finding.CONFIRMED,
        "The longest step is (1 + a/4)/L for even L and shorter for odd L.",
        printed=r"L > (1 + \tfrac{a}{4}) \tilde{L}",
        steps=(
            Step(
                "the step at l = L/2",
                1 / L + a / L * (sp.Rational(1, 4) - 0),
                (1 + a / 4) / L,
                because="the magnitude vanishes there",
            ),
            Check("all numbers of layers up to 59", _longest_step, "numbers"),
        ),
    ),
    entry(
        "3 adaptive",
        "3",
        "Steps inversely proportional to the relative speeds make all relative distances equal.",
        Finding.CONFIRMED,
        "As long as the speeds do not change. (Where A_p is in the layer is left open; here it is its end.)",
        printed=r"\rho_\ell = \frac{c_\ell^{-1}}{\sum c_\ell^{-1}}, \quad c_\ell = \frac{\|A_\ell - "
        r"A_{\ell-1}\|}{\rho_\ell \|A_p\|}",
        steps=(
            Step(
                "distance of each of two layers",
                sp.Matrix([x * (1 / x) / (1 / a + 1 / L) for x in (a, L)]),
                sp.ones(2, 1) / (1 / a + 1 / L),
                because="speeds a and L cancel",
            ),
        ),
    ),
    entry(
        "3 adaptive update",
        "3",
        "The update can be made at every training step or every few.",
        Finding.CONDITIONAL,
        "The speeds belong to the old steps, so the update is a fixed-point map; for two layers its multiplier is 1 - "
        "4 c p (1 - p). (The index of the numerator is printed as i.)",
        closed_form="leaky_resnet.adaptive_multiplier",
        condition="the multiplier is smaller than 1 in size, or only part of each update is made",
        steps=adaptive_multiplier().steps,
        counterexample=_swings,
        consequence="On a path that is fast where a layer ends, full updates swing between two meshes. "
        "theory.leaky_resnet.adaptive_fixed_point has a damping.",
    ),
    entry(
        "3 large steps",
        "3",
        "A large adaptive step is only possible where the weights nearly cancel the leakage.",
        Finding.CONFIRMED,
        "The relative speed is the relative size of W sigma(A) - depth A.",
        steps=(
            Step(
                "speed of a layer",
                ((1 - a * depth) * c.A + a * c.weights * c.features - c.A) / a,
                c.weights * c.features - depth * c.A,
                because="the layer, less its input, over its step",
            ),
        ),
    ),
    entry(
        "3 advantage",
        "3",
        "A small but consistent advantage of irregular and adaptive steps in the test error.",
        Finding.ASSUMPTION,
        "A measurement (Figure 2a).",
    ),
    entry(
        "4 potential energy",
        "4",
        "The potential energy is inversely proportional to the cost of identity.",
        Finding.MISPRINT,
        "It is proportional with a negative factor, -depth/2, as Section 1.3 defines it.",
        printed=r"-\frac{\tilde{L}}{2} \frac{1}{\|A_p\|^2_{K_p}}",
        corrected=r"-\frac{\tilde{L}}{2} \|A_p\|^2_{K_p}",
        steps=(c.ENERGIES,),
        printed_steps=(
            Step(
                "one over the cost",
                c.kernel_norm(c.row_velocity, c.row_velocity) / (2 * depth) - depth / 2 / c.kernel_norm(c.a, c.a),
                c.row_hamiltonian,
            ),
        ),
        witness={"state": "random_state(1, width=5, samples=3)", "depth": 2, "bias": "yes"},
        oracle=_potential,
        consequence="A sentence of the conclusion; none for the rest.",
    ),
    entry(
        "4 kinetic energy",
        "4",
        "Where the dimension is minimal the kinetic energy is finite; where it is higher it scales with the depth.",
        Finding.CONFIRMED,
        "The kinetic energy is depth/2 times the cost beyond -2H/depth.",
        steps=(SPEED,),
    ),
)
