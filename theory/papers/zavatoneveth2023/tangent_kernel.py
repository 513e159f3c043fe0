r"""Appendix D: the metric of the shallow NTK, Eqs. (D.1) to (D.20).

As in Appendix C, the identities are bilinear in the activation function, and are shown for two exponential features
:math:`e^{tz}`, :math:`e^{t_2 z}` with any exponents.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.stein import determinant, hessian, hessian_in_second, x
from theory.papers.zavatoneveth2023.symbols import r, sigma
from theory.papers.zavatoneveth2023.tangent_averages import (
    RADIUS,
    crossed_10,
    diagonal_6,
    empirical_kernel,
    matrix,
    mean,
    metric,
    metric_12,
    metric_17,
    metric_19,
    norm2,
    psi,
    psi_of_r,
    stein_step,
    theta,
    theta_on_diagonal,
    turning_both_inputs_changes_nothing,
    weighted,
    xi,
)

EQUATIONS = (
    entry(
        "(D.1)",
        "D",
        "A shallow network with a linear read-out.",
        Finding.DEFINITION,
        "Scaled by the root of the width.",
        printed=r"f(\mathbf{x}) = \frac{1}{\sqrt n} \sum_{j=1}^n v_j \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j)",
    ),
    entry(
        "(D.2)",
        "D",
        "Its empirical NTK.",
        Finding.CONFIRMED,
        "Gradients in all weights, biases and read-outs by differences.",
        printed=r"\Theta_e(\mathbf{x}, \mathbf{y}) = \frac1n \sum_{j=1}^n \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j) "
        r"\phi(\mathbf{w}_j \cdot \mathbf{y} + b_j) + \frac1n \sum_{j=1}^n v_j^2 \phi'(\mathbf{w}_j \cdot \mathbf{x} + "
        r"b_j) \phi'(\mathbf{w}_j \cdot \mathbf{y} + b_j) (1 + \mathbf{x}\cdot\mathbf{y})",
        steps=(Check("gradients", empirical_kernel, "central differences"),),
    ),
    entry(
        "(D.3)",
        "D",
        "The NTK at infinite width.",
        Finding.DEFINITION,
        "The average of (D.2), with read-outs of variance xi^2.",
        printed=r"\Theta(\mathbf{x}, \mathbf{y}) = \mathbb{E}[\phi(\mathbf{w}\cdot\mathbf{x} + b) "
        r"\phi(\mathbf{w}\cdot\mathbf{y} + b)] + \xi^2 \mathbb{E}[\phi'(\mathbf{w}\cdot\mathbf{x} + b) "
        r"\phi'(\mathbf{w}\cdot\mathbf{y} + b)] (1 + \mathbf{x}\cdot\mathbf{y})",
    ),
    entry(
        "(D.4) to (D.6)",
        "D",
        "Second derivatives of the kernel of an input with itself.",
        Finding.CONFIRMED,
        "Two exponential features, two inputs.",
        printed=r"\frac{\partial^2 \Theta(\mathbf{x}, \mathbf{x})}{\partial x_\mu \partial x_\nu} = 2 "
        r"\mathbb{E}[\{\phi'(z)^2 + \phi(z) \phi''(z)\} w_\mu w_\nu] + 2\xi^2 \mathbb{E}[\{\phi''(z)^2 + \phi'(z) "
        r"\phi'''(z)\} w_\mu w_\nu] (1 + \|\mathbf{x}\|^2) + 4\xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\mu] x_\nu + "
        r"4\xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\nu] x_\mu + 2\xi^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu}",
        steps=(Step("differentiated", hessian(theta_on_diagonal, x), matrix(diagonal_6), because="chain rule"),),
    ),
    entry(
        "(D.7) to (D.10)",
        "D",
        "Second derivatives in the second input.",
        Finding.CONFIRMED,
        "Two exponential features, two inputs.",
        printed=r"\left[\frac{\partial^2 \Theta(\mathbf{x}, \mathbf{y})}{\partial y_\mu \partial "
        r"y_\nu}\right]_{\mathbf{y} = \mathbf{x}} = \mathbb{E}[\phi(z) \phi''(z) w_\mu w_\nu] + \xi^2 "
        r"\mathbb{E}[\phi'(z) \phi'''(z) w_\mu w_\nu] (1 + \|\mathbf{x}\|^2) + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) "
        r"w_\mu] x_\nu + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\nu] x_\mu",
        steps=(Step("differentiated", hessian_in_second(theta), matrix(crossed_10), because="chain rule"),),
    ),
    entry(
        "(D.11) and (D.12)",
        "D",
        "The metric.",
        Finding.CONFIRMED,
        "Half of (D.6) less (D.10).",
        printed=r"g_{\mu\nu} = \mathbb{E}[\phi'(z)^2 w_\mu w_\nu] + \xi^2 \mathbb{E}[\phi''(z)^2 w_\mu w_\nu] (1 + "
        r"\|\mathbf{x}\|^2) + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\mu] x_\nu + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) "
        r"w_\nu] x_\mu + \xi^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu}",
        steps=(Step("from the kernel", metric, matrix(metric_12), because="(D.6) and (D.10)"),),
    ),
    entry(
        "(D.13)",
        "D",
        "Stein's lemma as for the NNGP.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi'(z)^2 w_\mu w_\nu] = \sigma^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu} + 2\sigma^4 "
        r"\mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] x_\mu x_\nu",
        steps=(stein_step(1, 1, ((2, 2), (1, 3))),),
    ),
    entry(
        "(D.14)",
        "D",
        "The same for second derivatives.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi''(z)^2 w_\mu w_\nu] = \sigma^2 \mathbb{E}[\phi''(z)^2] \delta_{\mu\nu} + 2\sigma^4 "
        r"\mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] x_\mu x_\nu",
        steps=(stein_step(2, 2, ((3, 3), (2, 4))),),
    ),
    entry(
        "(D.15)",
        "D",
        "The same with one weight.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi'(z) \phi''(z) w_\mu] = \sigma^2 \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] x_\mu",
        steps=(
            Step(
                "one weight",
                sp.Matrix([weighted(1, 2, 0), weighted(1, 2, 1)]),
                sigma**2 * (mean(2, 2) + mean(1, 3)) * sp.Matrix(x),
                because="Stein's lemma",
            ),
        ),
    ),
    entry(
        "(D.16) and (D.17)",
        "D",
        "The metric as a multiple of the identity and one of the projection on x.",
        Finding.CONFIRMED,
        "(D.12) with (D.13) to (D.15).",
        printed=r"g_{\mu\nu} = [(\sigma^2 + \xi^2) \mathbb{E}[\phi'(z)^2] + \sigma^2\xi^2 \mathbb{E}[\phi''(z)^2] (1 + "
        r"\|\mathbf{x}\|^2)] \delta_{\mu\nu} + 2\sigma^2 \{(\sigma^2 + \xi^2) \mathbb{E}[\phi''(z)^2 + \phi'(z) "
        r"\phi'''(z)] + \sigma^2\xi^2 \mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] (1 + \|\mathbf{x}\|^2)\} x_\mu "
        r"x_\nu",
        steps=(Step("from the kernel", metric, matrix(metric_17), because="(D.13) to (D.15)"),),
    ),
    entry(
        "(D.18)",
        "D",
        "The derivative of the coefficient of the identity.",
        Finding.CONFIRMED,
        "Price's theorem.",
        printed=r"\frac{d\psi}{d\|\mathbf{x}\|^2} = \sigma^2 \{(\sigma^2 + \xi^2) \mathbb{E}[\phi''(z)^2 + \phi'(z) "
        r"\phi'''(z)] + \sigma^2\xi^2 \mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] (1 + \|\mathbf{x}\|^2) + \xi^2 "
        r"\mathbb{E}[\phi''(z)^2]\}",
        steps=(
            Step(
                "differentiated",
                sp.Derivative(psi_of_r, r),
                (
                    sigma**2
                    * (
                        (sigma**2 + xi**2) * (mean(2, 2) + mean(1, 3))
                        + sigma**2 * xi**2 * (mean(3, 3) + mean(2, 4)) * (1 + norm2)
                        + xi**2 * mean(2, 2)
                    )
                ).subs(RADIUS),
                because="Price's theorem and the product rule",
            ),
        ),
    ),
    entry(
        "(D.19) and (D.20)",
        "D",
        "The metric with that coefficient: not quite of the form of the NNGP's.",
        Finding.CONFIRMED,
        "(D.17) with (D.18). Its derivatives are therefore not symmetric, and the simplified Riemann tensor of "
        "Appendix A does not apply to it.",
        printed=r"g_{\mu\nu} = \psi(\|\mathbf{x}\|^2) \delta_{\mu\nu} + 2 [\psi'(\|\mathbf{x}\|^2) - \sigma^2\xi^2 "
        r"\mathbb{E}[\phi''(z)^2]] x_\mu x_\nu, \quad \psi = (\sigma^2 + \xi^2) \mathbb{E}[\phi'(z)^2] + \sigma^2\xi^2 "
        r"\mathbb{E}[\phi''(z)^2] (1 + \|\mathbf{x}\|^2)",
        steps=(Step("from the kernel", metric, matrix(metric_19), because="(D.17) and (D.18)"),),
    ),
    entry(
        "D and IV.B symmetry",
        "D",
        "The volume element of the NTK depends on the norm only, and the deep NNGP shares this symmetry.",
        Finding.CONFIRMED,
        "A kernel of the three dot products is unchanged when both inputs are turned; so is its metric. Three layers "
        "of error functions as a case.",
        steps=(
            Check("turned inputs", turning_both_inputs_changes_nothing, "composed arc sine kernels"),
            Step(
                "determinant with two inputs",
                determinant(matrix(metric_19)),
                psi * (psi + 2 * norm2 * (psi_of_r.diff(r).subs(r, norm2) - sigma**2 * xi**2 * mean(2, 2))),
                because="matrix determinant lemma; psi is a function of the norm",
            ),
        ),
    ),
)
