"""The figures of Zavatone-Veth et al. (2023), which has no tables."""

from __future__ import annotations

from empirics.runs.printed_figure import PrintedFigure

ALL_OVER = "volumes grow near the decision boundary"
HULLS = "predictions, entropy and volume over"
TRIPLES = ("horse, frog and car", "dog, frog and horse", "dog, frog and car")  # in the order of G.27 to G.29
PLANES = (1, 3, 2)  # numbers of these planes in the study
MEETING = "volume is large where decision boundaries meet"
DIPS = "volumes dip at decision boundaries"
FLOAT32, FLOAT64 = -37.93, -307.65  # log10 of the smallest normal numbers
DEAD = 0.01  # smallest relevant share of eigenvalues that are zero to rounding
FULL_RANK = "no numerical issues: no eigenvalue is zero to rounding"
PRINTED, OTHERS = ("erf", "quadratic"), ("GELU", "sine")  # the activations of Figure 1, and those that we add
FEWER_DIGITS = "6,000 images instead of 45,000 and 10 epochs instead of 200"
FEWER = "a tenth of the images at a quarter of the pixels, a ResNet-18 of an eighth of the width, 16 epochs"
NARROW = "a ResNet-18 of an eighth of the width, of whose units a larger share is zero around an image"
UNLABELLED = (
    "a tenth of the images at a quarter of the pixels, a ResNet-18 of an eighth of the width, 12 epochs instead of 1000"
)
OPEN = f"{UNLABELLED}; linear probes are far less accurate than the paper's, and the networks differ"


def _above(
    label: str,
    shows: str,
    stated: str,
    quantity: str,
    labels: str | tuple[str, ...] = "",
    value: float = 0.0,
    reason: str = "",
    study: str = "",
    *,
    entry: str = "",
) -> PrintedFigure:
    """Return a figure of which the paper says that a quantity lies above a value."""
    return PrintedFigure(label, shows, stated, quantity, labels, value, study, reason, ">", entry=entry)


def _below(
    label: str,
    shows: str,
    stated: str,
    quantity: str,
    labels: str | tuple[str, ...],
    reason: str = "",
    cause: str = "",
    *,
    study: str = "",
    entry: str = "",
) -> PrintedFigure:
    """Return a figure of which the paper says that a quantity is negative."""
    return PrintedFigure(label, shows, stated, quantity, labels, 0.0, study, reason, "<", cause, entry)


def _hulls(first: int, network: str, labels: str, reason: str = "", entry: str = "") -> tuple[PrintedFigure, ...]:
    """Return the three figures of planes through images of three classes."""
    return tuple(
        _above(
            f"G.{first + i}",
            f"{HULLS} the convex hull of {triple}, {network}",
            ALL_OVER,
            f"hull_{plane}",
            labels,
            reason=reason,
            entry=entry,
        )
        for i, (triple, plane) in enumerate(zip(TRIPLES, PLANES, strict=True))
    )


FIGURES = (
    PrintedFigure("1", "volume and curvature of random networks against their limits at infinite width",
                  "both approach the limit as the width grows", "volume element", PRINTED),
    PrintedFigure("1 (curvature)", "the same of the curvature, whose limit is a third of Eq. (7)",
                  "both approach the limit as the width grows", "scalar curvature", PRINTED,
                  study="geometry-random-networks"),
    PrintedFigure("1 (GELU and sine)", "the same of the volume element for activations that Figure 1 does not have",
                  "the limit holds for any smooth activation", "volume element", OTHERS,
                  study="geometry-random-networks"),
    PrintedFigure("1 (curvature, GELU and sine)", "the same of the curvature",
                  "the limit holds for any smooth activation", "scalar curvature", OTHERS,
                  study="geometry-random-networks",
                  cause="for the sine, what is extrapolated in the width is off by several of its small errors, but by "
                  "far less than what matters"),
    _below("2", "volume element during training on the sinusoid task", ALL_OVER, "change", "2 → 20 → 2, ",
           entry="V.A and Figure 2"),
    _above("3", "volume element of a network on MNIST between images and over a triangle",
           "bulges in the middle, near the decision boundary", "final_bulge", "784 → 2000 → 10",
           entry="V.B and Figure 3"),
    _above("3 (training)", "rise of the volume element in the middle between images, after training less before",
           "as training progresses, areas near the centre of the path are expanded", "bulge_gain", "784 → 2000 → 10",
           study="geometry-mnist", entry="V.B and Figure 3"),
    *(
        PrintedFigure(label, f"{kind} accuracy of the network on MNIST", "training and test accuracy exceed 95 %",
                      f"{kind}_accuracy", "784 → 2000 → 10", 0.95, "geometry-mnist", FEWER_DIGITS, relation=">")
        for label, kind in (("3 (accuracy)", "test"), ("3 (training accuracy)", "train"))
    ),
    PrintedFigure("3 (initialisation)", "volume element before training against the entropy after it, over triangles",
                  "no clear structure along paths at initialisation (over triangles, a correlation of zero)",
                  "before_triangle", "784 → 2000 → 10",
                  0.0, "geometry-mnist", resolution=0.2,
                  cause="before training, too, volume is largest at blends of images, of which the trained network is "
                  "least certain", entry="V.B initialisation"),
    _above("4", "volume element of a GELU ResNet-34 between images of CIFAR-10", ALL_OVER, "trained", "GELU",
           entry="VI.A and Figure 4"),
    PrintedFigure("4 (accuracy)", "accuracy of the GELU ResNet", "test accuracy about 92 %", "test_accuracy", "GELU",
                  0.92, "geometry-resnet", FEWER),
    PrintedFigure("4 (training accuracy)", "training accuracy of the GELU ResNet", "above 99 %", "train_accuracy",
                  "GELU", 0.99, "geometry-resnet", FEWER, relation=">"),
    _above("5", "the same for a ReLU ResNet-34", ALL_OVER, "trained", "ReLU", entry="VI.B and Figure 5"),
    _above("6", "the same for Barlow Twins", ALL_OVER, "trained", "Barlow Twins", reason=OPEN),
    PrintedFigure("6 (accuracy)", "accuracy of the linear probe of Barlow Twins", "test accuracy 70 %",
                  "test_accuracy", "Barlow Twins", 0.70, "geometry-self-supervised", UNLABELLED),
    PrintedFigure("6 (training accuracy)", "training accuracy of the linear probe of Barlow Twins",
                  "training accuracy 84 %", "train_accuracy", "Barlow Twins", 0.84, "geometry-self-supervised",
                  UNLABELLED),
    PrintedFigure("B.1", "volume and curvature of erf networks with three units on the circle",
                  "as Eqs. (B.69) and (B.70), over three; symmetric under turns by a third, without bias by a sixth",
                  "scalar curvature"),
    PrintedFigure("C.1", "curvature of monomial networks at infinite width against the norm",
                  "as the closed form, lowest at ‖x‖ = 0.42 ζ/σ for degree 2 in two dimensions", "scalar curvature"),
    PrintedFigure("E.1", "the factor χ of the Bayesian correction against the overlap",
                  "as the closed form, which rises with the overlap", "χ"),
    _below("G.1", "volume element of two units that learn exclusive or",
           f"nothing of this figure; in general, {ALL_OVER}", "change",
           "2 → 2 → 2", cause="two slopes multiply: the volume of every network that learns it peaks between the two "
           "lines of its boundary, away from it"),
    *(
        _above(f"G.{number}", f"{what} for exclusive or, widths 10 to 500",
               "patterns become spherically symmetric as the width grows", f"gain_{field}",
               ("2 → 10 → 2 to", "2 → 100 → 2 to", "2 → 250 → 2 to"), entry="G.1 wide networks")
        for number, what, field in ((2, "curvature", "curvature"), (3, "volume element", "volume"))
    ),
    PrintedFigure("G.4", "predictions for exclusive or, widths 10 to 500"),
    _below("G.5", "volume element for the sinusoid task, other widths", ALL_OVER, "change",
           tuple(f"2 → {width} → 2," for width in (5, 100, 250, 500)), entry="V.A and Figure 2"),
    PrintedFigure("G.6", "curvature for the sinusoid task",
                  "structure of the task is visible at the end of training, harder to interpret than the volume's"),
    _below("G.7", "volume element of every layer of a deep network, sinusoid task", ALL_OVER, "change",
           "2 → 20 → 20 → 20 → 2, ", entry="VI.A and Figure G.7"),
    _above("G.7 (contrast)", "contrast of the volume element, each hidden layer less the one before",
           "the contrast of magnification increases with the layer", "contrast_gain", "2 → 20 → 20 → 20 → 2, ",
           study="geometry-sinusoid", entry="VI.A three layers"),
    _above("G.8", "volume element between images of MNIST", ALL_OVER, "final_bulge", "784 → 2000 → 10"),
    _below("Section G.2, distance", "correlation of volume and distance to the boundary between images",
           "the volume element grows large near the decision boundary", "distance_correlation", "784 → 2000 → 10",
           study="geometry-mnist", entry="G.2 boundary"),
    _below("Section G.2, eigenvalues", "change of the mean logarithm of the eigenvalues",
           "eigenvalues tend to become small as training progresses", "eigenvalue_shift", "784 → 2000 → 10",
           study="geometry-mnist", entry="G.2 spectrum"),
    *(
        _above(f"G.{number}", f"{HULLS} triangles of images of MNIST", MEETING, f"triangle_{i}", "784 → 2000 → 10",
               entry="V.B planes")
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    *(
        _above(f"G.{number} (growth)", "correlation of volume with entropy after training less that before", ALL_OVER,
               f"gain_triangle_{i}", "784 → 2000 → 10", study="geometry-mnist")
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    _above("G.12", "eigenvalues of the metric at images of MNIST", "all within the range of float64",
           "smallest_eigenvalue", "784 → 2000 → 10", FLOAT64),
    _above("G.13", "volume element of a GELU ResNet between images", ALL_OVER, "trained", "GELU"),
    _above("G.14", "eigenvalues of its metric", "all within the range of float32", "lowest_eigenvalue", "GELU",
           FLOAT32, entry="G.3 spectrum"),
    PrintedFigure("G.14 (rank)", "share of its eigenvalues that are zero to rounding", "the Jacobian has full rank",
                  "zero_eigenvalues", "GELU", 0.0, "geometry-resnet", resolution=DEAD),
    *_hulls(15, "GELU ResNet", "GELU", entry="G.3 boundaries"),
    _above("G.18", f"{HULLS} an affine hull, GELU ResNet", "entropy and volume are high in the same places", "affine_2",
           "GELU", entry="G.3 entropy and volume"),
    _above("G.19", f"{HULLS} a hull of one class",
           "no expansion without a decision boundary (the rise between two classes beyond that within one)",
           "rise", "GELU", entry="G.3 one class"),
    _above("G.20", "volume element of a ReLU ResNet between images", ALL_OVER, "trained", "ReLU"),
    PrintedFigure("G.21", "share of its eigenvalues that are zero to rounding", FULL_RANK, "zero_eigenvalues", "ReLU",
                  0.0, "geometry-resnet", NARROW, resolution=DEAD),
    *_hulls(22, "ReLU ResNet", "ReLU", entry="VI.B and Figure 5"),
    _above("G.25", f"{HULLS} an affine hull, ReLU ResNet", ALL_OVER, "affine_2", "ReLU", entry="VI.B and Figure 5"),
    _above("G.26", "volume element of Barlow Twins between images", ALL_OVER, "trained", "Barlow Twins", reason=OPEN),
    *_hulls(27, "Barlow Twins", "Barlow Twins", OPEN),
    PrintedFigure("G.30", "share of its eigenvalues that are zero to rounding", FULL_RANK, "zero_eigenvalues",
                  "Barlow Twins", 0.0, "geometry-self-supervised", resolution=DEAD),
    _above("G.31", f"{HULLS} an affine hull, Barlow Twins", ALL_OVER, "affine_2", "Barlow Twins", reason=OPEN),
    *(
        _below(f"G.{number}", f"{HULLS} the convex hull of {triple}, SimCLR", DIPS, f"hull_{plane}", "SimCLR", OPEN)
        for number, triple, plane in zip((32, 33, 34), TRIPLES, PLANES, strict=True)
    ),
    PrintedFigure("Section G.4, SimCLR on the unit sphere", "volume element of the features divided by their length",
                  "the metric of the sphere may be the appropriate one (on it, volume grows with the entropy)",
                  "sphere", "SimCLR", 0.0, "geometry-self-supervised", OPEN, relation=">"),
    PrintedFigure("Section G.4, linear probe of Barlow Twins", "test accuracy beyond that of the untrained network",
                  "reported before training and after 200 and 1000 epochs (held against no gain)",
                  "accuracy_gain", "Barlow Twins", 0.0,
                  "geometry-self-supervised", relation=">"),
)  # fmt: skip
