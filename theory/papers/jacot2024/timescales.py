"""Section 2.1, Theorem 4 aside: kinetic plus potential energy, and the sentences on time scales and the bottleneck."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.linear_modes import mode_hamiltonian
from theory.leaky_resnet.symbols import depth, end, start
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry

SPEED = Step(
    "square of the speed",
    c.kernel_norm(c.row_velocity, c.row_velocity),
    depth**2 * (c.kernel_norm(c.a, c.a) + 2 / depth * c.row_hamiltonian),
    because="the sum of both energies, solved for it",
)
s, gamma, length, bound = sp.symbols("s gamma length c", positive=True)


def _gamma() -> Reading:
    features = nets.activation(np.array([[1.0, 2.0], [0.5, -1.0]]), bias=False)
    kernel = features.T @ features
    independent = np.linalg.svd(features, compute_uv=False)[0] ** 2
    largest = float(np.linalg.eigvalsh(kernel)[-1])
    return Reading(largest**2, largest, independent)


def _weights_grow() -> bool:
    """With bias the squared weights grow several times along p."""
    A, B = nets.random_state(3, size=0.5)
    path = nets.joint_path(A, B, 2.0, bias=True)
    norms = [float(((2.0 * b @ nets.activation(a, True).T) ** 2).sum()) for a, b in zip(*path, strict=True)]
    return bool(norms[-1] > 1.5 * norms[0])


def _ends_apart() -> bool:
    """A linear mode that grows by exp(depth/2): B stays below 3/2, and -2H/depth at 3/4, while the cost is 1."""
    for effective in (10.0, 40.0, 160.0):
        rate = -2 / effective * mode_hamiltonian()(1.0, np.exp(effective / 2), effective)
        largest_momentum = (effective + effective / 2) / effective
        smallest_cost = 1 / (1 + 1 / effective)  # gamma = 1/depth at s = 1
        if abs(rate - 0.75) > 1e-9 or largest_momentum > 1.5 or smallest_cost - rate < 0.1:
            return False
    return True


def _between_integers() -> bool:
    """A singular value of the size of the root of gamma counts one half; with bias a constant row less than one."""
    A = np.diag([1.0, 1e-3])
    half = float(leaky_resnet.cost_of_identity(A, bias=False, gamma=1e-6))
    biased = float(leaky_resnet.cost_of_identity(np.ones((1, 3))))
    return bool(abs(half - 1.5) < 1e-5 and abs(biased - 0.5) < 1e-9)


def _stable_varies() -> bool:
    A, B = nets.random_state(1, width=6, samples=4)
    path = leaky_resnet.flow(A, B, 2.0, np.linspace(0, 1, 11))
    velocity = leaky_resnet.velocity(path[:, 0], path[:, 1], 2.0)
    exact = leaky_resnet.hamiltonian(path[:, 0], path[:, 1], 2.0)
    stable = leaky_resnet.stable_hamiltonian(path[:, 0], velocity, 2.0, gamma=0.1)
    return bool(np.ptp(exact) < 1e-9 < 1e-3 < np.ptp(stable))


EQUATIONS = (
    entry(
        "2.1 energies",
        "2.1",
        "Where the rows of A lie in the image, the Hamiltonian is kinetic plus potential energy.",
        Finding.CONFIRMED,
        "For any symmetric K that has an inverse on that space.",
        printed=r"\mathcal{H} = \frac{1}{2\tilde{L}} \|\partial_p A_p\|^2_{K_p} - \frac{\tilde{L}}{2} \|A_p\|^2_{K_p}",
        steps=(c.ENERGIES,),
    ),
    entry(
        "2.1 speed",
        "2.1",
        "The speed is depth times the root of the cost beyond -2H/depth.",
        Finding.CONFIRMED,
        "The same, solved for the speed. So the cost is never below -2H/depth.",
        printed=r"\|\partial_p A_p\|_{K_p} = \tilde{L} \sqrt{\|A_p\|^2_{K_p} + \tfrac{2}{\tilde{L}} \mathcal{H}}",
        steps=(SPEED,),
    ),
    entry(
        "2.1 image condition",
        "2.1",
        "Kinetic energy and cost of identity often appear to be infinite in practice.",
        Finding.ASSUMPTION,
        "An observation; empirics measures the image residual.",
    ),
    entry(
        "2.1 gamma",
        "2.1",
        "A gamma for each p, proportional to the squared operator norm of sigma(A), which is that of K.",
        Finding.MISPRINT,
        "The squared operator norm of sigma(A) is the operator norm of K, not its square.",
        printed=r"\gamma_p = \gamma_0 \|\sigma(A_p)\|_{op}^2 = \gamma_0 \|K_p\|_{op}^2",
        corrected=r"\gamma_p = \gamma_0 \|\sigma(A_p)\|_{op}^2 = \gamma_0 \|K_p\|_{op}",
        steps=(
            Step("one sample", (sp.Matrix([s, 1]).T * sp.Matrix([s, 1]))[0], s**2 + 1, because="K is a number"),
            Check("two samples", lambda: _gamma().sides_with_corrected, "singular values"),
        ),
        printed_steps=(Step("one sample, squared", (sp.Matrix([s, 1]).T * sp.Matrix([s, 1]))[0] ** 2, s**2 + 1),),
        witness={"A": "[[1, 2], [0.5, -1]]", "bias": "none"},
        oracle=_gamma,
        consequence="With the square gamma would not scale as K does, which the next sentence asks for. Use the "
        "squared largest singular value of sigma(A).",
    ),
    entry(
        "2.1 weights",
        "2.1",
        "The weights are of approximately constant size, thanks to balancedness.",
        Finding.CONDITIONAL,
        "Appendix A.3 with its factor: they grow by 2 depth times the squared bias, and without bias not at all.",
        condition="the bias is small or absent",
        steps=c.BALANCED,
        counterexample=_weights_grow,
        consequence="With bias the size of B times that of sigma(A) is not constant along p.",
    ),
    entry(
        "2.1 limit",
        "2.1",
        "For large depth and gamma = 1/depth the Hamiltonian is close to the smallest cost.",
        Finding.CONDITIONAL,
        "Both bounds of Theorem 4 (corrected) go to zero.",
        condition="the length stays bounded, or at least grows more slowly than the depth",
        steps=(
            Step(
                "lower bound, gamma = 1/depth",
                sp.Limit((length / depth + sp.sqrt(bound / depth)) ** 2, depth, sp.oo),
                sp.S.Zero,
                because="fixed length and momenta",
            ),
            Step("upper bound", sp.Limit(bound / depth, depth, sp.oo), sp.S.Zero, because="fixed momenta"),
        ),
        counterexample=_ends_apart,
        consequence="The paper assumes a finite length a paragraph later. Bounded momenta alone, as in Theorem 4, "
        "leave a gap: a linear mode between ends at a ratio of exp(depth/2) keeps -2H/depth at 3/4.",
    ),
    entry(
        "2.1 finite length",
        "2.1",
        "If the length is finite, the speed is finite at almost all layers.",
        Finding.CONFIRMED,
        "Markov's inequality: the layers faster than v make up at most length/v.",
        steps=(
            Step(
                "one fast stretch",
                sp.Integral(s, (gamma, 0, length / s)),
                length,
                because="a share length/s of the layers at speed s uses up the length",
            ),
        ),
    ),
    entry(
        "2.1 countable jumps",
        "2.1",
        "Only a countable number of short jumps through representations of high cost.",
        Finding.OPEN,
        "Needs a limit of the paths as the depth grows, whose existence is not shown.",
    ),
    entry(
        "2.1 jumps at the ends",
        "2.1",
        "Jumps are seen at the beginning and the end, never in the middle.",
        Finding.ASSUMPTION,
        "An observation.",
    ),
    entry(
        "Proposition 5",
        "2.1",
        "Where the velocity stays bounded as the depth grows, the limit of local minima is non-negative.",
        Finding.OPEN,
        "The construction in its proof is right to the order in which it is used, without bias and with four "
        "corrections (entries of Appendix A.2); its last step, a bound of Gronwall type, is only indicated.",
    ),
    entry(
        "2.1 bottleneck rank",
        "2.1",
        "The smallest stable cost is close to the dimension of the limit, an integer k*, and H to -depth k*/2.",
        Finding.CONDITIONAL,
        "Each singular value s of a non-negative limit counts s^2/(s^2 + gamma).",
        printed=r"\mathcal{H} \approx -\tfrac{\tilde{L}}{2} k^*",
        condition="no singular value of A is of the size of the root of gamma, and the bias carries no part of A",
        steps=(
            Step("large singular values", sp.Limit(s**2 / (s**2 + gamma), gamma, 0), sp.S.One, because="limit"),
            Step(
                "one linear mode, fixed ends",
                sp.Limit(-2 / depth * mode_hamiltonian().expression, depth, sp.oo),
                sp.S.One,
                because="the closed form of the geodesic",
            ),
            Step(
                "and how fast",
                depth**2 * (1 + 2 / depth * mode_hamiltonian().expression),
                sp.log(end / start) ** 2,
                because="from below, as the square of the inverse depth",
            ),
        ),
        counterexample=_between_integers,
        consequence="A measured minimum between integers may be a singular value near the root of gamma or, with bias, "
        "a constant direction: rank - tau/(1 + tau).",
    ),
    entry(
        "2.1 stable Hamiltonian",
        "2.1",
        "Kinetic plus potential energy with K + gamma in place of K; not exactly constant.",
        Finding.CONFIRMED,
        "How much it is off, exactly, and a trajectory on which it varies.",
        printed=r"\mathcal{H}_\gamma = \frac{1}{2\tilde{L}} \|\partial_p A_p\|^2_{(K_p + \gamma I)} - "
        r"\frac{\tilde{L}}{2} \|A_p\|^2_{(K_p + \gamma I)}",
        steps=(c.STABLE, c.SMALL, Check("it varies where H does not", _stable_varies, "integration")),
    ),
    entry(
        "2.1 from below",
        "2.1",
        "The Hamiltonians approach k* from below, the smallest cost from above; ranks may differ by 1 or 2 between "
        "runs.",
        Finding.ASSUMPTION,
        "Observations on trained nets; for one linear mode the first is in the entry on the bottleneck rank.",
    ),
)
