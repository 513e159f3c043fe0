"""The figures and tables of Cheong (2025)."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

DRAWING = "a drawing, which has no measured numbers"
LAYERS = "collapse-layers"
SCENARIOS = (("f₊", "CIFAR-10", 0.753, 0.757), ("f₋", "CIFAR-10", 0.626, 1.260),
             ("f₊", "Fashion-MNIST", 0.910, 0.323), ("f₋", "Fashion-MNIST", 0.884, 0.387))  # fmt: skip

FIGURES = (
    PrintedFigure("1.1", "a network that fits random labels", "100 % of random training labels are fitted",
                  "train_accuracy", "random labels", 1.0),
    PrintedFigure("1.2", "bins of the entries of a representation", reason=DRAWING),
    PrintedFigure("1.3", "an invented penultimate layer early and late in training", reason=DRAWING),
    PrintedFigure("2.1", "the relabelling function of Algorithm 2", reason=DRAWING),
    PrintedFigure("2.2", "the network that decodes a representation", reason=DRAWING),
    PrintedFigure("2.3", "the architectures of f₊ and f₋", study=LAYERS),
    PrintedFigure("2.4", "the timeline of one epoch", reason=DRAWING),
    PrintedFigure("3.1", "accuracy and loss against the epoch", "all four networks reach 100 % training accuracy",
                  "train_accuracy", value=1.0),
    *(
        PrintedFigure(f"Section 3.1, {kind} of {network} on {images}", f"test {kind} at the end of training",
                      f"{100 * value:.1f} %" if kind == "accuracy" else f"{value}", f"test_{kind}",
                      f"{network} on {images}", value, LAYERS)
        for network, images, accuracy, loss in SCENARIOS
        for kind, value in (("accuracy", accuracy), ("loss", loss))
    ),
    PrintedFigure("3.2", "NC1 of every layer against the epoch", "training values lie below test values"),
    PrintedFigure("3.3", "compression gap against generalisation gap", "at most mildly correlated"),
    PrintedFigure("3.4", "correlation of log NC1 with the layer", "log NC1 is linear in the layer: steps are equal",
                  "log NC1, step"),
    PrintedFigure("3.5", "sufficiency and minimality of f₊ against the epoch", "log2(10) = 3.32 bits where saturated",
                  "sufficiency_last", value=3.3219),
    PrintedFigure("3.6", "information planes of f₊", "no compression phase"),
    PrintedFigure("3.7", "sufficiency and minimality of f₋ against the epoch", "f₋ compresses more than f₊"),
    PrintedFigure("3.8", "information planes of f₋", "no compression phase"),
    PrintedFigure("Section 3.3, table", "dimensions of the layers", "64 x 16 x 16 to 256 x 3 x 3", study=LAYERS),
)  # fmt: skip
