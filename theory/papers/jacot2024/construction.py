r"""Appendix A.2, proof of Proposition 8 (Proposition 5): a path with one more neuron and smaller weights."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024 import construction_numbers as numbers
from theory.papers.jacot2024.paper import entry

eps, t = sp.symbols("epsilon t", positive=True)
W, S, A = c.matrix("w"), c.matrix("s"), c.matrix("a")
grown = c.matrix("g", 1)  # a_p, the activation of the new neuron over epsilon
x, y = A[:, 0], S[:, 0]  # the sample and its activation
row = (S.T * y).T  # its row of K
velocity = W * S - depth * A


def _changed(power: int) -> sp.Matrix:
    """The new weights, with t or its square in the correction of the old ones."""
    return (
        (W - depth * eps**2 * t**power * x * y.T)
        .row_join(eps * depth * t * x)
        .col_join((eps * depth * t * y.T).row_join(sp.zeros(1, 1)))
    )


def _order(power: int) -> sp.Expr:
    """Coefficient of epsilon^2 in the squared weights."""
    return sp.Subs(sp.Derivative(c.squared(_changed(power)), (eps, 2)), eps, 0) / 2


norms = -c.squared(x) + c.squared(y)
pulled = (x.T * velocity[:, 0])[0]
actual = _changed(2) * S.col_join(eps * grown) - depth * A.col_join(eps * grown)
intended = velocity.col_join(eps * depth * (t * row - grown))
left_over = depth * eps**2 * t * x * (grown - t * row)


p = sp.Symbol("p", positive=True)
bump, kernel_entry = sp.Function("t", real=True), sp.Function("K", real=True)
# depth times the integral is exp(-depth p) G(p), with G' = depth t K exp(depth p).
integral = sp.Function("G", real=True)
source = {sp.Derivative(integral(p), p): depth * bump(p) * kernel_entry(p) * sp.exp(depth * p)}
solution = sp.exp(-depth * p) * integral(p)
negative = sp.Symbol("x_1", positive=True)
WITNESS = {"state": "random_state(4, width=3, samples=3)", "t": 0.5, "depth": 3}

EQUATIONS = (
    entry(
        "Proposition 8, negative entry",
        "A.2",
        "A sample with a negative entry has |A_i|^2 - |sigma(A_i)|^2 > 0.",
        Finding.CONDITIONAL,
        "It is the sum of the squared negative entries, less 1 with bias.",
        printed=r"\|A_{p_0,\cdot i}\|^2 - \|\sigma(A_{p_0,\cdot i})\|^2 = c_0 > 0",
        condition="there is no bias, or the squared negative entries sum to more than 1",
        steps=(
            Step(
                "one negative and one positive entry",
                c.squared(sp.Matrix([-negative, p])) - c.squared(sp.Matrix([0, p])),
                negative**2,
                because="the positive one cancels",
            ),
        ),
        counterexample=numbers.bias_spoils,
        consequence="The construction lowers the weights only under the condition: with bias the proof leaves small "
        "negative entries possible.",
    ),
    entry(
        "Proposition 8, weights",
        "A.2",
        "The new weights, with a triangular function t(p) of p.",
        Finding.MISPRINT,
        "The correction of the old weights needs the square of t: the lines after it, both the norm and the velocity, "
        "have it.",
        printed=r"\begin{pmatrix} W_p - \tilde{L} \epsilon^2 t(p) A_{p,\cdot i} \sigma(A_{p,\cdot i})^\top & \epsilon "
        r"\tilde{L} t(p) A_{p,\cdot i} \\ \epsilon \tilde{L} t(p) \sigma(A_{p,\cdot i})^\top & 0 \end{pmatrix}",
        corrected=r"\begin{pmatrix} W_p - \tilde{L} \epsilon^2 t(p)^2 A_{p,\cdot i} \sigma(A_{p,\cdot i})^\top & "
        r"\epsilon \tilde{L} t(p) A_{p,\cdot i} \\ \epsilon \tilde{L} t(p) \sigma(A_{p,\cdot i})^\top & 0 "
        r"\end{pmatrix}",
        steps=(
            Step(
                "order epsilon^2 of the squared weights, t squared",
                _order(2),
                depth**2 * t**2 * (-2 / depth * (x.T * W * y)[0] + c.squared(x) + c.squared(y)),
                because="differentiation; the line after",
            ),
        ),
        printed_steps=(
            Step(
                "with t",
                _order(1),
                depth**2 * t**2 * (-2 / depth * (x.T * W * y)[0] + c.squared(x) + c.squared(y)),
            ),
        ),
        witness=WITNESS,
        oracle=numbers.second_order,
        consequence="With t itself the path of the old neurons would be off in second order wherever 0 < t < 1.",
    ),
    entry(
        "Proposition 8, simplified norm",
        "A.2",
        "The change of the squared weights with the velocity inserted.",
        Finding.MISPRINT,
        "Inserting W sigma(A_i) = velocity + depth A_i into -2/depth A_i'W sigma(A_i) leaves the factor 2 with the "
        "velocity.",
        printed=r"-\|A_{p,\cdot i}\|^2 + \|\sigma(A_{p,\cdot i})\|^2 - \tfrac{1}{\tilde{L}} A_{p,\cdot i}^\top "
        r"\partial_p A_{p,\cdot i}",
        corrected=r"-\|A_{p,\cdot i}\|^2 + \|\sigma(A_{p,\cdot i})\|^2 - \tfrac{2}{\tilde{L}} A_{p,\cdot i}^\top "
        r"\partial_p A_{p,\cdot i}",
        steps=(Step("factor 2", _order(2), depth**2 * t**2 * (norms - 2 / depth * pulled), because="substitution"),),
        printed_steps=(Step("factor 1", _order(2), depth**2 * t**2 * (norms - 1 / depth * pulled)),),
        witness=WITNESS,
        oracle=numbers.simplified,
        consequence="The velocity term must be smaller than c_0/8 where the proof says c_0/4; for large depth it is.",
    ),
    entry(
        "Proposition 8, new neuron",
        "A.2",
        "What the new neuron does: an integral, and its velocity.",
        Finding.CONFIRMED,
        "The limits of the integral are not legible in the text that was read; from 0 to p it starts at zero and has "
        "the velocity that is given.",
        printed=r"a_p = \tilde{L} \int_0^p t(q) K_{p,i\cdot} e^{\tilde{L}(q-p)} dq, \quad \partial_p (\epsilon a_p) = "
        r"\epsilon \tilde{L} (t(p) K_{p,i\cdot} - a_p)",
        steps=(
            Step(
                "its velocity",
                sp.diff(solution, p).subs(source),
                depth * bump(p) * kernel_entry(p) - depth * solution,
                because="product rule",
            ),
            Step(
                "both velocities",
                (actual - intended),
                left_over.col_join(sp.zeros(1, 2)),
                because="the new row is exact; the old rows differ by the next entry",
            ),
        ),
    ),
    entry(
        "Proposition 8, limit",
        "A.2",
        "As the depth grows the new neuron approaches t(p) K.",
        Finding.CONFIRMED,
        "At a distance of order 1/depth, by integration.",
        printed=r"a_p \to t(p) K_{p,i}",
        steps=(Check("largest distance at depths 20, 80, 320", numbers.approaches, "implicit Euler steps"),),
    ),
    entry(
        "Proposition 8, ends",
        "A.2",
        "At the start the new neuron goes to 0, at the end to 1.",
        Finding.MISPRINT,
        "It goes to 0 at both ends, since t vanishes there. The new path is to have the same ends.",
        printed=r"a_0 \to 0, \quad a_1 \to 1",
        corrected=r"a_0 \to 0, \quad a_1 \to 0",
        steps=(
            Step(
                "after t has ended it decays",
                sp.Limit(sp.exp(-depth * (1 - p)).subs(p, sp.Rational(4, 5)), depth, sp.oo),
                sp.S.Zero,
                because="no source",
            ),
            Check("at depth 200", lambda: numbers.new_neuron(200.0)[-1] < 1e-12, "implicit Euler steps"),
        ),
        printed_steps=(
            Check("at depth 200, one", lambda: abs(numbers.new_neuron(200.0)[-1] - 1) < 0.1, "Euler steps"),
        ),
        witness={"depth": 200, "p_0": 0.5, "r": 0.3, "K": 1},
        oracle=lambda: Reading(2.0, 1.0, 1.0 + numbers.new_neuron(200.0)[-1], tolerance=1e-9),
        consequence="With 1 the ends would not be the same, and the comparison of both paths would not hold.",
    ),
    entry(
        "Proposition 8, positive",
        "A.2",
        "The new neuron is positive for all p.",
        Finding.CONDITIONAL,
        "It is never negative, which is what the proof needs: its activation is itself.",
        condition="p > p_0 - r, and an entry of K in the window is positive",
        steps=(
            Check(
                "never negative, and positive from there on",
                lambda: bool((numbers.new_neuron(20.0) >= 0).all() and (numbers.new_neuron(20.0)[4_001:] > 0).all()),
                "implicit Euler steps",
            ),
        ),
        counterexample=numbers.zero_before,
        consequence="None: zero is as good. Without bias entries of K may vanish, too.",
    ),
    entry(
        "Proposition 8, difference",
        "A.2",
        "By how much the velocity of the old neurons is off.",
        Finding.MISPRINT,
        "The sign of the right-hand side: the two terms on its left are depth epsilon^2 t A_i (a - t K).",
        printed=r"\dots = \tilde{L} \epsilon^2 t(p) A_{p,\cdot i} (t(p) K_{i\cdot} - a_p)",
        corrected=r"\dots = \tilde{L} \epsilon^2 t(p) A_{p,\cdot i} (a_p - t(p) K_{i\cdot})",
        steps=(
            Step(
                "old rows",
                -depth * eps**2 * t**2 * x * row + depth * eps**2 * t * x * grown,
                left_over,
                because="common factor",
            ),
            Step("they are the difference", (actual - intended)[:2, :], left_over, because="matrix product"),
        ),
        printed_steps=(
            Step(
                "with the printed sign", -depth * eps**2 * t**2 * x * row + depth * eps**2 * t * x * grown, -left_over
            ),
        ),
        witness={**WITNESS, "a": "(0.3, 0.1, 0.7)"},
        oracle=numbers.difference,
        consequence="None: only its size matters, depth epsilon^2 times something of order 1/depth.",
    ),
    entry(
        "Proposition 8, Gronwall",
        "A.2",
        "The new path must be very close to the intended one.",
        Finding.OPEN,
        "Indicated in one sentence. The difference above is of order epsilon^2, but so is the gain in the weights; "
        "that correcting the ends costs less is not shown.",
    ),
)
