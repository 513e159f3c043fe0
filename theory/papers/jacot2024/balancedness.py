r"""Appendix A.3: balancedness, Proposition 9."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024 import balancedness_numbers as numbers
from theory.papers.jacot2024.paper import entry

factor, inward, outward = sp.symbols("alpha x y", positive=True)
q, slope, size = sp.symbols("q slope size", positive=True)
r, path = sp.Function("r", real=True), sp.Function("A", real=True)
V, b = sp.Function("V", real=True), sp.Function("b", real=True)
at = r(q)
swelling = sp.exp(depth * (at - q))
new_path = swelling * path(at)
velocity = -depth * path(at) + slope * V(at) * path(at) + b(at)
speed = sp.Derivative(at, q)
new_V, new_b = speed * V(at), speed * swelling * b(at)

# First variation of the integral of r'^2 (f(r) + exp(2 depth (r - q)) g(r)) at r = q, in the direction of a function.
f, g, change = (sp.Function(name, real=True) for name in ("f", "g", "h"))
moved = q + size * change(q)
integrand = sp.diff(moved, q) ** 2 * (f(moved) + sp.exp(2 * depth * (moved - q)) * g(moved))
variation = sp.Subs(sp.Derivative(integrand, size), size, 0)
whole = f(q) + g(q)


dh = sp.Derivative(change(q), q)
WITNESS = {"state": "random_state(3, size=0.5)", "depth": 2, "bias": "yes"}

EQUATIONS = (
    entry(
        "A.3 scaling a neuron",
        "A.3",
        "In fully connected nets the norm is least where the incoming weights of a neuron equal the outgoing ones.",
        Finding.CONFIRMED,
        "Stationary in the factor, and convex.",
        printed=r"\|W_{\ell,i\cdot}\|^2 + \|b_{\ell,i}\|^2 = \|W_{\ell+1,\cdot i}\|^2",
        steps=(
            Step(
                "slope at factor 1",
                sp.Subs(sp.Derivative(factor**2 * inward + outward / factor**2, factor), factor, 1),
                2 * (inward - outward),
                because="differentiation; it vanishes where both are equal",
            ),
            Step(
                "distance from the minimum",
                factor**2 * inward + inward / factor**2 - 2 * inward,
                inward * (factor - 1 / factor) ** 2,
                because="a square: it is the minimum",
            ),
        ),
    ),
    entry(
        "A.3 norms grow",
        "A.3",
        "Summed over neurons the squared weights grow from layer to layer by the squared bias.",
        Finding.CONFIRMED,
        "Telescoping; without bias they are equal. (Not all of the formula is legible in the text that was read.)",
        printed=r"\|W_\ell\|_F^2 = \|W_1\|_F^2 + \sum_{k=1}^{\ell-1} \|b_k\|_F^2",
        steps=(
            Step(
                "three layers",
                (inward + outward) + factor - inward,
                outward + factor,
                because="each layer adds its squared bias",
            ),
        ),
    ),
    entry(
        "Proposition 9",
        "A.3",
        "At a critical point the squared weights grow by depth times the integrated squared bias.",
        Finding.MISPRINT,
        "By twice that. It follows from Hamilton's equations, for any slopes of the activation, and an integrated path "
        "agrees. With finitely many layers step/depth times the squared bias is what Tr B A' grows by, exactly.",
        printed=r"\|W_p\|^2 = \|W_0\|^2 + \tilde{L} \int_0^p \|W_{q,\cdot(w+1)}\|^2 dq",
        corrected=r"\|W_p\|^2 = \|W_0\|^2 + 2 \tilde{L} \int_0^p \|W_{q,\cdot(w+1)}\|^2 dq",
        steps=c.BALANCED,
        printed_steps=(
            Step(
                "growth with the factor 1",
                c.along_the_flow(c.squared(c.weights)),
                depth * c.squared(c.bias),
            ),
        ),
        witness=WITNESS,
        oracle=numbers.proposition,
        consequence="A balancedness residual measured with the printed factor does not vanish in trained nets.",
    ),
    entry(
        "A.3 reparametrised path",
        "A.3",
        "Weights r' V and biases r' exp(depth (r - q)) b lead along exp(depth (r - q)) A.",
        Finding.CONFIRMED,
        "First, second and last line of the derivation.",
        printed=r"\partial_q \tilde{A}_q = \tilde{L} (r'(q) - 1) \tilde{A}_q + e^{\tilde{L}(r(q)-q)} r'(q) \partial_p "
        r"A_{r(q)} = \dots = \tilde{V}_q \sigma(\tilde{A}_q) + \tilde{b}_q - \tilde{L} \tilde{A}_q",
        steps=(
            Step(
                "first and last line",
                depth * (speed - 1) * new_path + swelling * speed * velocity,
                new_V * slope * new_path + new_b - depth * new_path,
                because="the activation is homogeneous",
            ),
            Step(
                "first line",
                sp.Derivative(swelling, q) * path(at),
                depth * (speed - 1) * new_path,
                because="derivative of the exponential; the chain rule gives the other term",
            ),
            Check("a net of two neurons", numbers.reparametrised, "midpoint steps"),
        ),
    ),
    entry(
        "A.3 third line",
        "A.3",
        "The third line of that derivation.",
        Finding.MISPRINT,
        "The factor of the activation is V at r(q), as before and after, and not A; its Z is the new path.",
        printed=r"-\tilde{L} \tilde{Z}_q + r'(q) A_{r(q)} \sigma(\tilde{Z}_q) + e^{\tilde{L}(r(q)-q)} r'(q) b_{r(q)}",
        corrected=r"-\tilde{L} \tilde{A}_q + r'(q) V_{r(q)} \sigma(\tilde{A}_q) + e^{\tilde{L}(r(q)-q)} r'(q) b_{r(q)}",
        steps=(
            Step(
                "with V",
                depth * (speed - 1) * new_path + swelling * speed * velocity,
                -depth * new_path + speed * V(at) * slope * new_path + swelling * speed * b(at),
                because="substitution",
            ),
        ),
        printed_steps=(
            Step(
                "with A",
                depth * (speed - 1) * new_path + swelling * speed * velocity,
                -depth * new_path + speed * path(at) * slope * new_path + swelling * speed * b(at),
            ),
        ),
        witness={"A": 0.3, "V": 2, "b": 0.5, "leakage": 1, "r'": 1.5, "r - q": 0.2},
        oracle=numbers.third_line,
        consequence="None: a line of algebra between two correct ones.",
    ),
    entry(
        "A.3 parameter norm",
        "A.3",
        "The squared weights of the reparametrised path.",
        Finding.CONFIRMED,
        "(W stands for V here, as in the lines that follow.)",
        printed=r"\int_0^1 \|\tilde{W}_q\|^2 + \|\tilde{b}_q\|^2 dq = \int_0^1 r'(q)^2 (\|W_{r(q)}\|^2 + "
        r"e^{2\tilde{L}(r(q)-q)} \|b_{r(q)}\|^2) dq",
        steps=(
            Step(
                "integrand",
                new_V**2 + new_b**2,
                speed**2 * (V(at) ** 2 + sp.exp(2 * depth * (at - q)) * b(at) ** 2),
                because="squares",
            ),
        ),
    ),
    entry(
        "A.3 first variation",
        "A.3",
        "Its first variation about r(q) = q.",
        Finding.MISPRINT,
        "The weights are taken at r(q): dr also multiplies the derivative of their squared norm.",
        printed=r"\int_0^1 2\, dr'(p) (\|W_p\|^2 + \|b_p\|^2) + 2 \tilde{L}\, dr(p) \|b_p\|^2 dp = 0",
        corrected=r"\int_0^1 2\, dr'(p) (\|W_p\|^2 + \|b_p\|^2) + dr(p)\, \partial_p (\|W_p\|^2 + \|b_p\|^2) + 2 "
        r"\tilde{L}\, dr(p) \|b_p\|^2 dp = 0",
        steps=(
            Step(
                "integrand",
                variation,
                2 * dh * whole + change(q) * sp.Derivative(whole, q) + 2 * depth * change(q) * g(q),
                because="differentiation in the size of the variation",
            ),
        ),
        printed_steps=(Step("without that term", variation, 2 * dh * whole + 2 * depth * change(q) * g(q)),),
        witness={"f": "exp(q)", "g": "1 + q^2", "depth": 2, "dr": "sin(pi q)"},
        oracle=numbers.first_variation,
        consequence="The missing term halves the result: the source of the factor in Proposition 9.",
    ),
    entry(
        "A.3 integration by parts",
        "A.3",
        "The derivative of dr is moved over.",
        Finding.CONFIRMED,
        "dr vanishes at both ends.",
        printed=r"\int_0^1 dr'(p) (\|W_p\|^2 + \|b_p\|^2) dp = -\int_0^1 dr(p)\, \partial_p (\|W_p\|^2 + \|b_p\|^2) dp",
        steps=(
            Step(
                "difference of the integrands",
                dh * whole + change(q) * sp.Derivative(whole, q),
                sp.Derivative(change(q) * whole, q),
                because="product rule: a total derivative",
            ),
        ),
    ),
    entry(
        "A.3 conclusion",
        "A.3",
        "So the derivative of the squared weights is depth times the squared bias.",
        Finding.MISPRINT,
        "Twice that, by the corrected variation, and by Hamilton's equations.",
        printed=r"\partial_p (\|W_p\|^2 + \|b_p\|^2) = \tilde{L} \|b_p\|^2",
        corrected=r"\partial_p (\|W_p\|^2 + \|b_p\|^2) = 2 \tilde{L} \|b_p\|^2",
        steps=(
            Step(
                "variation, integrated by parts",
                variation - 2 * sp.Derivative(change(q) * whole, q),
                change(q) * (-sp.Derivative(whole, q) + 2 * depth * g(q)),
                because="it must vanish for every dr",
            ),
            *c.BALANCED,
        ),
        printed_steps=(Step("factor 1", c.along_the_flow(c.squared(c.weights)), depth * c.squared(c.bias)),),
        witness=WITNESS,
        oracle=numbers.proposition,
        consequence="See Proposition 9.",
    ),
)
