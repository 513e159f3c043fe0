r"""Appendices G.1 and G.2: tasks, networks and numerical remarks, Eqs. (G.1) to (G.3)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Word, decimal, equal, identity
from theory.papers.zavatoneveth2023.appendix_letters import entry
from theory.papers.zavatoneveth2023.numerical_methods import (
    is_exclusive_or,
    is_expansion,
    is_near_the_smallest,
    is_the_logarithm,
    vanishes,
)

t = sp.Symbol("t", real=True)
plane, x_n = sp.Function("plane"), sp.Function("x_n")


MNIST_STUDY = "A matter of measurement: the study geometry-mnist."

EQUATIONS = (
    entry(
        "(G.1)",
        "G.1",
        "The four points of XOR and their labels.",
        Finding.CONFIRMED,
        "Every pair of signs occurs once; the label is 1 where they differ.",
        printed=Claim(
            "A standard XOR task consists of the points {points}, one a row, with labels {labels}.",
            {"points": sp.ImmutableMatrix([[-1, -1], [-1, 1], [1, -1], [1, 1]]),
             "labels": sp.ImmutableMatrix([[0, 1, 1, 0]])},
        ),
        prove=is_exclusive_or,
        harmless={
            "printed: points: sign of Matrix([[-1, -1], [-1, 1], [1, -1], [1, 1]])": "Both signs change, so that "
            "exclusive or does not."
        },
    ),
    entry(
        "Figure G.1 flat",
        "G.1",
        "",
        Finding.CONFIRMED,
        "The curvature of two units on two inputs by definition, at two inputs.",
        printed=Claim("For {units} hidden units the curvature is identically {curvature}.",
                      {"units": sp.Integer(2), "curvature": sp.Integer(0)}),
        prove=vanishes,
    ),
    entry(
        "G.1 training on XOR",
        "G.1",
        "Widths [2, w, 2], sigmoid, w = 2 and 10, 100, 250, 500; SGD with rate 0.02, momentum 0.9, weight decay 1e-4; "
        "cross entropy, 2000 epochs; float64.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "G.1 wide networks",
        "G.1",
        "As the width increases, curvature and volume element become spherically symmetric.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-xor. Measured by the share of their variance that the norm of the "
        "input explains. That the limit depends on the norm only is confirmed, see (C.12) and (C.23).",
    ),
    entry(
        "(G.2)",
        "G.1",
        "Labels of the sinusoid: 400 points, uniform in the square [-1, 1]^2.",
        Finding.ILLEGIBLE,
        "The amplitude is not legible in the text that was read; the caption of Figure 2 has the same fraction, and "
        "the released code 0.6.",
        printed=r"\begin{cases} 1 & y > \ldots \sin(7x - 1) \\ 0 & y \leq \ldots \sin(7x - 1) \end{cases}",
        inferred=Claim("The label is 1 where y > {amplitude} sin(7x - 1), and 0 elsewhere.",
                       {"amplitude": sp.Rational(3, 5)}),
    ),
    entry(
        "G.1 training on the sinusoid",
        "G.1",
        "Widths [2, 8, 8, 2]; SGD with rate 0.05, momentum 0.9, no weight decay; cross entropy, 10000 epochs.",
        Finding.NOTE,
        "Settings. The caption of Figure 2 has a single hidden layer of 20 units, that of Figure G.7 three hidden "
        "layers; which of the figures have these widths is not said, nor is the size of a batch.",
    ),
    entry(
        "G.1 grid",
        "G.1",
        "1600 points evenly spaced in [-1.5, 1.5]^2.",
        Finding.NOTE,
        "Settings: 40 by 40.",
    ),
    entry(
        "(G.3)",
        "G.1",
        "The metric of the first hidden layer.",
        Finding.DEFINITION,
        "The same as (1).",
        printed=r"g_{\mu\nu} = \partial_\mu \Phi_i \partial_\nu \Phi_i",
    ),
    entry(
        "G.1 differentiation",
        "G.1",
        "Automatic differentiation leads to a consistent overestimation of the Ricci curvature quantities due to "
        "numerical issues.",
        Finding.NOTE,
        "A remark on a program that the paper does not name, so that nothing here could repeat it. That (B.15) as "
        "printed is three times the curvature by definition, at any precision, is another matter: see there.",
    ),
    entry(
        "G.2 expansion",
        "G.2",
        "",
        Finding.CONFIRMED,
        "2000/784 = 2.55.",
        printed=Claim(
            "Widths {inputs} and {hidden} are a {ratio}-fold expansion, for images of {side} by {side} pixels.",
            {"inputs": sp.Integer(784), "hidden": sp.Integer(2000), "ratio": decimal("2.6"), "side": sp.Integer(28)},
        ),
        prove=is_expansion,
        harmless={"printed: hidden: 2000 -> 2001": "It rounds to the same ratio."},
    ),
    entry(
        "G.2 training on MNIST",
        "G.2",
        "60000 images, split 75/25, batches of 1000, 200 epochs, Adam with rate 0.001 and weight decay 1e-4, negative "
        "log-likelihood, float64.",
        Finding.NOTE,
        "Settings: 45 batches an epoch.",
    ),
    entry(
        "G.2 slices",
        "G.2",
        "Lines between two images and planes through three.",
        Finding.DEFINITION,
        "Convex hulls; the affine hull has the same formula without bounds.",
        printed=r"\mathbf{y}(t) = (1 - t) \mathbf{x}_1 + t \mathbf{x}_2, \quad \mathbf{y}(t_1, t_2, t_3) = t_1 "
        r"\mathbf{x}_1 + t_2 \mathbf{x}_2 + t_3 \mathbf{x}_3, \; t_1 + t_2 + t_3 = 1",
    ),
    entry(
        "G.2 edges",
        "G.2",
        "An edge of the triangle is the linear interpolation between two images.",
        Finding.CONFIRMED,
        "From the definition of the plane.",
        printed=equal(plane(1 - t, t, 0), (1 - t) * x_n(1) + t * x_n(2)),
        prove=identity(
            {plane: lambda a, b, c: a * sp.Symbol("x1") + b * sp.Symbol("x2") + c * sp.Symbol("x3"),
             x_n: lambda number: sp.Symbol(f"x{number}")},
            "definition of the plane",
        ),
    ),
    entry(
        "G.2 singular values",
        "G.2",
        "",
        Finding.CONFIRMED,
        "Features scaled by the root of the width; without that the sum is larger by half the number of singular "
        "values times log n.",
        printed=Claim("The logarithm of the volume element is the {operation} of the logarithms of the singular values "
                      "of the Jacobian.", {"operation": Word("sum", ("product",))}),
        prove=is_the_logarithm,
    ),
    entry(
        "G.2 spectrum",
        "G.2",
        "Eigenvalues of the metric tend to become small as training progresses.",
        Finding.OPEN,
        MNIST_STUDY + " Measured by the mean of their logarithms.",
    ),
    entry(
        "G.2 decay of the spectrum",
        "G.2",
        "As training progresses, the decay of the eigenvalues becomes slower initially, and faster at the tails.",
        Finding.OPEN,
        "Neither stretch of the spectrum is delimited. The pixels that never vary have a tail of their own, whose "
        "eigenvalues fall as long as weights decay.",
    ),
    entry(
        "G.2 eigenvalues in float64",
        "G.2",
        "All eigenvalues are of reasonable scale in float64 within 200 training epochs.",
        Finding.OPEN,
        MNIST_STUDY + " Only 200 epochs can decide, since the eigenvalues fall as training goes on.",
    ),
    entry(
        "G.2 boundary",
        "G.2",
        "The logarithm of the volume element grows, relatively, at images near the decision boundary.",
        Finding.OPEN,
        MNIST_STUDY + " Measured by its rank correlation with the distance to the boundary between two images.",
    ),
    entry(
        "G.2 range of float64",
        "G.2",
        "",
        Finding.CONFIRMED,
        "The smallest is 4.9e-324; at 1e-320, which is subnormal, eleven binary digits are left.",
        printed=Claim("10 to the power {power} is close to the smallest positive number of float64.",
                      {"power": sp.Integer(-320)}),
        prove=is_near_the_smallest,
    ),
    entry(
        "G.2 accuracies",
        "G.2",
        "Training and test accuracy exceed 95 % after 200 epochs.",
        Finding.OPEN,
        MNIST_STUDY + " Only all images and epochs can decide.",
    ),
)  # fmt: skip
