"""The figures of Zavatone-Veth et al. (2023), which has no tables."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

ALL_OVER = "volumes grow near the decision boundary"
HULLS = "predictions, entropy and volume over"

FIGURES = (
    PrintedFigure("1", "volume and curvature of random networks against their limits at infinite width",
                  "both approach the limit as the width grows", "volume element"),
    PrintedFigure("2", "volume element during training on the sinusoid task", ALL_OVER),
    PrintedFigure("3", "volume element of a network on MNIST between images and over a triangle",
                  "training and test accuracy exceed 95 %", "test_accuracy", value=0.95),
    PrintedFigure("4", "volume element of a GELU ResNet-34 between images of CIFAR-10", "test accuracy about 92 %",
                  "test_accuracy", "GELU", 0.92),
    PrintedFigure("5", "the same for a ReLU ResNet-34", ALL_OVER),
    PrintedFigure("6", "the same for Barlow Twins", "test accuracy 70 %", "test_accuracy", "Barlow Twins", 0.70),
    PrintedFigure("B.1", "volume and curvature of erf networks with three units on the circle",
                  "symmetric under turns by a third, without bias by a sixth", "scalar curvature"),
    PrintedFigure("C.1", "curvature of monomial networks at infinite width against the norm",
                  "lowest at ‖x‖ = 0.42 ζ/σ for degree 2 in two dimensions", "scalar curvature"),
    PrintedFigure("E.1", "the factor χ of the Bayesian correction against the overlap",
                  "χ rises with the overlap", "χ"),
    PrintedFigure("G.1", "volume element of two units that learn exclusive or", ALL_OVER),
    *(
        PrintedFigure(f"G.{number}", f"{what} for exclusive or, widths 10 to 500",
                      "patterns become spherically symmetric as the width grows")
        for number, what in ((2, "curvature"), (3, "volume element"), (4, "predictions"))
    ),
    *(PrintedFigure(f"G.{number}", "volume and curvature for the sinusoid task, other widths") for number in (5, 6, 7)),
    PrintedFigure("G.8", "volume element between images of MNIST", ALL_OVER),
    *(PrintedFigure(f"G.{number}", f"{HULLS} triangles of images of MNIST") for number in (9, 10, 11)),
    PrintedFigure("G.12", "eigenvalues of the metric at images of MNIST"),
    PrintedFigure("G.13", "volume element of a GELU ResNet between images", ALL_OVER),
    PrintedFigure("G.14", "eigenvalues of its metric", "all within the range of float32"),
    *(PrintedFigure(f"G.{number}", f"{HULLS} convex hulls, GELU ResNet") for number in (15, 16, 17)),
    PrintedFigure("G.18", f"{HULLS} an affine hull, GELU ResNet"),
    PrintedFigure("G.19", f"{HULLS} a hull of one class", "no expansion without a decision boundary"),
    PrintedFigure("G.20", "volume element of a ReLU ResNet between images", ALL_OVER),
    PrintedFigure("G.21", "eigenvalues of its metric"),
    *(PrintedFigure(f"G.{number}", f"{HULLS} convex hulls, ReLU ResNet") for number in (22, 23, 24)),
    PrintedFigure("G.25", f"{HULLS} an affine hull, ReLU ResNet"),
    PrintedFigure("G.26", "volume element of Barlow Twins between images", ALL_OVER),
    *(PrintedFigure(f"G.{number}", f"{HULLS} hulls, Barlow Twins") for number in (27, 28, 29)),
    PrintedFigure("G.30", "eigenvalues of its metric"),
    PrintedFigure("G.31", f"{HULLS} an affine hull, Barlow Twins"),
    *(PrintedFigure(f"G.{n}", f"{HULLS} hulls, SimCLR", "volumes dip at decision boundaries") for n in (32, 33, 34)),
)  # fmt: skip
