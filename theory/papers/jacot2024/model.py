"""Abstract and Section 1.1: what a Leaky ResNet is."""

from __future__ import annotations

from theory.core import Finding, Step
from theory.leaky_resnet import symmetries as y
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024.paper import entry

EQUATIONS = (
    entry(
        "abstract interpolation",
        "Abstract",
        "Leaky ResNets interpolate between ResNets (effective depth 0) and fully connected nets (effective depth to "
        "infinity).",
        Finding.CONFIRMED,
        "One layer of the net of Section 3. With L equal steps the skip connection is gone at effective depth L "
        "exactly, which grows without bound as the layers do.",
        steps=(
            y.FULLY_CONNECTED,
            Step(
                "without leakage",
                y.leaky_layer(0, y.step, y.before, y.weight, y.offset),
                y.before + y.step * (y.weight * y.slope * y.before + y.offset),
                because="the residual layer",
            ),
        ),
    ),
    entry(
        "1.1 NeuralODE",
        "1.1",
        "Activations follow an equation in p, from the input at p = 0.",
        Finding.DEFINITION,
        "The equation without leakage.",
        printed=r"\partial_p \alpha_p(x) = W_p \sigma(\alpha_p(x))",
    ),
    entry(
        "1.1 activation",
        "1.1",
        "The nonlinearity rectifies each entry and appends a 1; the last column of the weights is the bias.",
        Finding.DEFINITION,
        "With N samples, sigma(A) has one row more than A. B has no row for it, and its derivative is zero.",
        printed=r"\sigma(z) = ([z_1]_+, \dots, [z_w]_+, 1)",
    ),
    entry(
        "1.1 ResNet",
        "1.1",
        "The continuous net is a version of the traditional ResNet.",
        Finding.CONFIRMED,
        "An Euler step of length one.",
        printed=r"\alpha_{\ell+1}(x) = \alpha_\ell(x) + W_\ell \sigma(\alpha_\ell(x))",
        steps=(
            Step(
                "state and rate",
                y.leaky_layer(0, 1, y.before, y.weight, y.offset),
                y.before + y.leaky_rate(0, y.before, y.weight, y.offset),
                because="Euler step",
            ),
        ),
    ),
    entry(
        "1.1 leaky equation",
        "1.1",
        "Leaky skip connections.",
        Finding.DEFINITION,
        "The equation that everything else is about; a hat over L stands for the tilde in places.",
        printed=r"\partial_p \alpha_p(x) = -\tilde{L} \alpha_p(x) + W_p \sigma(\alpha_p(x))",
    ),
    entry(
        "1.1 leaky ResNet",
        "1.1",
        "It is the continuous version of layers with a leaky skip connection.",
        Finding.CONFIRMED,
        "An Euler step of length one; Section 3 has steps of any length.",
        printed=r"\alpha_{\ell+1}(x) = (1 - \tilde{L}) \alpha_\ell(x) + W_\ell \sigma(\alpha_\ell(x))",
        steps=(
            Step(
                "state and rate",
                y.leaky_layer(depth, 1, y.before, y.weight, y.offset),
                y.before + y.leaky_rate(depth, y.before, y.weight, y.offset),
                because="Euler step",
            ),
        ),
    ),
    entry(
        "1.1 cost",
        "1.1",
        "Mean over samples of the squared error, plus lambda/(2 depth) times the integrated squared weights.",
        Finding.DEFINITION,
        "The squared error is summed over outputs: d_out times what is usually called the mean squared error.",
        printed=r"\min_{W_p} \frac{1}{N} \sum_{i=1}^N \|f^*(x_i) - \alpha_1(x_i)\|^2 + \frac{\lambda}{2\tilde{L}} "
        r"\int_0^1 \|W_p\|_F^2 \, dp",
    ),
)
