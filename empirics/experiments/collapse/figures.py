"""The figures and tables of Cheong (2025)."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

DRAWING = "a drawing, which has no measured numbers"
LAYERS, CHANNELS, CONTROLS = "collapse-layers", "collapse-channels", "collapse-controls"
FEWER = "a fifth of the images, and f₊ with a quarter of the channels"
NARROW = "both networks have a quarter of the channels of those of the thesis, and a fifth of the images"
SCENARIOS = (("f₊", "CIFAR-10", 0.753, 0.757), ("f₋", "CIFAR-10", 0.626, 1.260),
             ("f₊", "Fashion-MNIST", 0.910, 0.323), ("f₋", "Fashion-MNIST", 0.884, 0.387))  # fmt: skip
PHASE = -0.33  # bits: a fall of minimality by a tenth of log2(10) would be a compression phase
SATURATED = 2.99  # bits: nine tenths of log2(10)

FIGURES = (
    PrintedFigure("1.1", "a network that fits random labels", "100 % of random training labels are fitted",
                  "train_accuracy", "random labels", 1.0),
    PrintedFigure("1.2", "bins of the entries of a representation", reason=DRAWING),
    PrintedFigure("1.3", "an invented penultimate layer early and late in training", reason=DRAWING),
    PrintedFigure("2.1", "the relabelling function of Algorithm 2", reason=DRAWING),
    PrintedFigure("2.2", "the network that decodes a representation", reason=DRAWING),
    PrintedFigure("2.3", "the architectures of f₊ and f₋, by the dimension of f₋'s first layer on CIFAR-10",
                  "10 x 10 x 16", "dimension", "f₋ on CIFAR-10, 1", 1600, LAYERS),
    PrintedFigure("2.4", "the timeline of one epoch", reason=DRAWING),
    PrintedFigure("3.1", "accuracy and loss against the epoch", "all four networks reach 100 % training accuracy",
                  "train_accuracy", value=1.0),
    *(
        PrintedFigure(f"Section 3.1, {kind} of {network} on {images}", f"test {kind} at the end of training",
                      f"{100 * value:.1f} %" if kind == "accuracy" else f"{value}", f"test_{kind}",
                      f"{network} on {images}", value, LAYERS, FEWER)
        for network, images, accuracy, loss in SCENARIOS
        for kind, value in (("accuracy", accuracy), ("loss", loss))
    ),
    *(
        PrintedFigure(f"Section 3.1, f₊ over f₋ on {images}", "lead in test accuracy",
                      f"f₊ is ahead by {points} points", "lead", f"f₊ over f₋ on {images}", 0.0, CHANNELS, NARROW,
                      relation=">")
        for images, points in (("CIFAR-10", 12.7), ("Fashion-MNIST", 2.6))
    ),
    PrintedFigure("Section 3.1", "lead in test accuracy on CIFAR-10 minus that on Fashion-MNIST",
                  "smaller on the easier Fashion-MNIST", "lead", "lead on CIFAR-10", 0.0, CHANNELS, NARROW,
                  relation=">"),
    PrintedFigure("3.2", "NC1 of every layer against the epoch", "training values lie below test values", "log_nc1_gap",
                  value=0.0, relation=">"),
    PrintedFigure("3.3", "compression gap against generalisation gap", "at most mildly correlated: below 0.5",
                  "gap_correlation", "f₊", 0.5, relation="<"),
    *(
        PrintedFigure(f"Section 3.2, f₋ on CIFAR-10, layer {layer}", "the two gaps", "positively correlated",
                      "gap_correlation", f"f₋ on CIFAR-10, {layer}", 0.0, LAYERS, relation=">")
        for layer in (2, 3)
    ),
    PrintedFigure("3.4", "correlation of log NC1 with the layer", "log NC1 is linear in the layer: steps are equal",
                  "log NC1, step",
                  cause="the thesis tests the correlation alone, which is close to −1 for any fall over three layers; "
                  "the two steps differ all the same"),
    PrintedFigure("3.5", "sufficiency and minimality of f₊ against the epoch", "log2(10) = 3.32 bits where saturated",
                  "sufficiency_last", "f₊ on Fashion-MNIST, train, 0", SATURATED, relation=">"),
    PrintedFigure("3.6", "information planes of f₊", "no compression phase", "later_change", "f₊ on", PHASE,
                  relation=">"),
    PrintedFigure("3.7", "sufficiency and minimality of f₋ against the epoch", "f₋ compresses more than f₊", "lead",
                  "f₊ on Fashion-MNIST over f₋", 0.0,
                  reason="layers 1 and 2 saturate in both networks, whose channels are as many here", relation=">"),
    PrintedFigure("3.8", "information planes of f₋", "no compression phase", "later_change", "f₋ on", PHASE,
                  relation=">"),
    PrintedFigure("Section 4", "NC1 of the last layer, classes 10 : 1 over equal classes, test images",
                  "balanced data sets generalise better; what if there is class imbalance?", "log_nc1_rise",
                  "classes 10 : 1 over", 0.0, relation=">"),
    PrintedFigure("Section 2.2, balanced classes", "test accuracy, classes 10 : 1 minus equal classes",
                  "networks trained on balanced data sets generalise better", "accuracy_rise", "classes 10 : 1 over",
                  0.0, CONTROLS, relation="<"),
    PrintedFigure("Section 3.2, simplified metric", "steps of log tr Σ_W / tr Σ_B from layer to layer, equal classes",
                  "the law of equal steps has been proven for tr Σ_W / tr Σ_B", "log tr Σ_W / tr Σ_B, step",
                  "classes 1 : 1", study=CONTROLS,
                  reason="three layers of different sizes, 12 epochs on a tenth of the images"),
    PrintedFigure("Section 3.3, table", "dimension of f₋'s last layer on Fashion-MNIST", "1 x 1 x 64", "dimension",
                  "f₋ on Fashion-MNIST, 3", 64, LAYERS),
)  # fmt: skip
