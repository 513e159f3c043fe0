"""The figures of Zavatone-Veth et al. (2023), which has no tables."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

ALL_OVER = "volumes grow near the decision boundary"
HULLS = "predictions, entropy and volume over"
TRIPLES = ("horse, frog and car", "dog, frog and horse", "dog, frog and car")  # in the order of G.27 to G.29
PLANES = (1, 3, 2)  # numbers of these planes in the study
DIPS = "volumes dip at decision boundaries"
FLOAT32, FLOAT64 = -37.93, -307.65  # log10 of the smallest normal numbers
FEWER = "a tenth of the images at a quarter of the pixels, a ResNet-18 of an eighth of the width, 16 epochs"
UNLABELLED = (
    "a tenth of the images at a quarter of the pixels, a ResNet-18 of an eighth of the width, 12 epochs instead of 1000"
)
OPEN = f"{UNLABELLED}; linear probes are far less accurate than the paper's, and the networks differ"


def _above(
    label: str, shows: str, stated: str, quantity: str, labels: str = "", value: float = 0.0, reason: str = ""
) -> PrintedFigure:
    """Return a figure of which the paper says that a quantity lies above a value."""
    return PrintedFigure(label, shows, stated, quantity, labels, value, reason=reason, relation=">")


def _below(
    label: str, shows: str, stated: str, quantity: str, labels: str, reason: str = "", cause: str = ""
) -> PrintedFigure:
    """Return a figure of which the paper says that a quantity is negative."""
    return PrintedFigure(label, shows, stated, quantity, labels, 0.0, reason=reason, relation="<", cause=cause)


def _hulls(first: int, network: str, labels: str, reason: str = "") -> tuple[PrintedFigure, ...]:
    """Return the three figures of planes through images of three classes."""
    return tuple(
        _above(
            f"G.{first + i}",
            f"{HULLS} the convex hull of {triple}, {network}",
            ALL_OVER,
            f"hull_{plane}",
            labels,
            reason=reason,
        )
        for i, (triple, plane) in enumerate(zip(TRIPLES, PLANES, strict=True))
    )


FIGURES = (
    PrintedFigure("1", "volume and curvature of random networks against their limits at infinite width",
                  "both approach the limit as the width grows", "volume element"),
    _below("2", "volume element during training on the sinusoid task", ALL_OVER, "change", "2 → 20 → 2"),
    PrintedFigure("3", "volume element of a network on MNIST between images and over a triangle",
                  "training and test accuracy exceed 95 %", "test_accuracy", "784 → 2000 → 10", 0.95,
                  reason="6,000 of 60,000 images and 10 epochs instead of 200", relation=">"),
    PrintedFigure("4", "volume element of a GELU ResNet-34 between images of CIFAR-10", "test accuracy about 92 %",
                  "test_accuracy", "GELU", 0.92, reason=FEWER),
    _above("5", "the same for a ReLU ResNet-34", ALL_OVER, "trained", "ReLU"),
    PrintedFigure("6", "the same for Barlow Twins", "test accuracy 70 %", "test_accuracy", "Barlow Twins", 0.70,
                  reason=UNLABELLED),
    PrintedFigure("B.1", "volume and curvature of erf networks with three units on the circle",
                  "symmetric under turns by a third, without bias by a sixth", "scalar curvature"),
    PrintedFigure("C.1", "curvature of monomial networks at infinite width against the norm",
                  "lowest at ‖x‖ = 0.42 ζ/σ for degree 2 in two dimensions", "scalar curvature"),
    PrintedFigure("E.1", "the factor χ of the Bayesian correction against the overlap",
                  "χ rises with the overlap", "χ"),
    _below("G.1", "volume element of two units that learn exclusive or", ALL_OVER, "change",
           "2 → 2 → 2", cause="two slopes multiply: the volume of every network that learns it peaks between the two "
           "lines of its boundary, away from it"),
    *(
        _above(f"G.{number}", f"{what} for exclusive or, widths 10 to 500",
               "patterns become spherically symmetric as the width grows", f"gain_{field}", "2 → 10 → 2 to")
        for number, what, field in ((2, "curvature", "curvature"), (3, "volume element", "volume"))
    ),
    PrintedFigure("G.4", "predictions for exclusive or, widths 10 to 500"),
    _below("G.5", "volume element for the sinusoid task, other widths", ALL_OVER, "change", "2 → 100 → 2"),
    PrintedFigure("G.6", "curvature for the sinusoid task"),
    _below("G.7", "volume element of every layer of a deep network, sinusoid task", ALL_OVER, "change",
           "2 → 8 → 8 → 2"),
    _above("G.8", "volume element between images of MNIST", ALL_OVER, "final_bulge", "784 → 2000 → 10"),
    *(
        _above(f"G.{number}", f"{HULLS} triangles of images of MNIST", ALL_OVER, f"triangle_{i}", "784 → 2000 → 10")
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    _above("G.12", "eigenvalues of the metric at images of MNIST", "all within the range of float64",
           "smallest_eigenvalue", "784 → 2000 → 10", FLOAT64),
    _above("G.13", "volume element of a GELU ResNet between images", ALL_OVER, "trained", "GELU"),
    _above("G.14", "eigenvalues of its metric", "all within the range of float32", "smallest_eigenvalue", "GELU",
           FLOAT32),
    *_hulls(15, "GELU ResNet", "GELU"),
    _above("G.18", f"{HULLS} an affine hull, GELU ResNet", "entropy and volume are high in the same places", "affine_2",
           "GELU"),
    _above("G.19", f"{HULLS} a hull of one class", "no expansion without a decision boundary", "rise", "GELU"),
    _above("G.20", "volume element of a ReLU ResNet between images", ALL_OVER, "rise", "ReLU"),
    _above("G.21", "eigenvalues of its metric", "no numerical issues", "smallest_eigenvalue", "ReLU", FLOAT32),
    *_hulls(22, "ReLU ResNet", "ReLU"),
    _above("G.25", f"{HULLS} an affine hull, ReLU ResNet", ALL_OVER, "affine_2", "ReLU"),
    _above("G.26", "volume element of Barlow Twins between images", ALL_OVER, "trained", "Barlow Twins", reason=OPEN),
    *_hulls(27, "Barlow Twins", "Barlow Twins", OPEN),
    _above("G.30", "eigenvalues of its metric", "no numerical issues", "smallest_eigenvalue", "Barlow Twins", FLOAT32),
    _above("G.31", f"{HULLS} an affine hull, Barlow Twins", ALL_OVER, "affine_2", "Barlow Twins", reason=OPEN),
    *(
        _below(f"G.{number}", f"{HULLS} the convex hull of {triple}, SimCLR", DIPS, f"hull_{plane}", "SimCLR", OPEN)
        for number, triple, plane in zip((32, 33, 34), TRIPLES, PLANES, strict=True)
    ),
    PrintedFigure("Section G.4, SimCLR on the unit sphere", "volume element of the features divided by their length",
                  "the metric of the sphere may be the appropriate one", "sphere", "SimCLR", 0.0,
                  "geometry-self-supervised", OPEN, relation=">"),
    PrintedFigure("Section G.4, linear probe of Barlow Twins", "test accuracy beyond that of the untrained network",
                  "the probe becomes better, in the end 70 %", "accuracy_gain", "Barlow Twins", 0.0,
                  "geometry-self-supervised", relation=">"),
)  # fmt: skip
