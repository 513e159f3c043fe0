"""The figures of Zavatone-Veth et al. (2023), which has no tables."""

from __future__ import annotations

from bridge.geometry import quantities as q
from bridge.results.printed_figure import PrintedFigure
from closedform.measured import Relation

ALL_OVER = "volumes grow near the decision boundary"
HULLS = "predictions, entropy and volume over"
RANDOM, SINUSOID, XOR = "geometry-random-networks", "geometry-sinusoid", "geometry-xor"
MNIST, RESNET, UNSUPERVISED = "geometry-mnist", "geometry-resnet", "geometry-self-supervised"
LARGE = "784 → 2000 → 10"  # the network of the paper on MNIST
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


def _hulls(
    first: int, study: str, network: str, label: str, reason: str = "", entry: str = "", stated: str = ALL_OVER,
    relation: Relation = ">",
) -> tuple[PrintedFigure, ...]:  # fmt: skip
    """Return the three figures of planes through images of three classes."""
    return tuple(
        PrintedFigure(
            f"G.{first + i}", f"{HULLS} the convex hull of {triple}, {network}", study, stated, quantity=q.HULL,
            configurations=f"{label}, plane {plane}", value=0.0, relation=relation, reason=reason, entry=entry,
        )
        for i, (triple, plane) in enumerate(zip(TRIPLES, PLANES, strict=True))
    )  # fmt: skip


FIGURES = (
    PrintedFigure("1", "volume and curvature of random networks against their limits at infinite width", RANDOM,
                  "both approach the limit as the width grows", quantity=q.VOLUME_LIMIT, configurations=PRINTED,
                  entry="IV.B and Figure 1"),
    PrintedFigure("1 (curvature)", "the same of the curvature, whose limit is a third of Eq. (7)", RANDOM,
                  "both approach the limit as the width grows", quantity=q.CURVATURE_LIMIT, configurations=PRINTED,
                  entry="IV.B and Figure 1"),
    PrintedFigure("1 (GELU and sine)", "the same of the volume element for activations that Figure 1 does not have",
                  RANDOM, "the limit holds for any smooth activation", quantity=q.VOLUME_LIMIT, configurations=OTHERS),
    PrintedFigure("1 (curvature, GELU and sine)", "the same of the curvature", RANDOM,
                  "the limit holds for any smooth activation", quantity=q.CURVATURE_LIMIT, configurations=OTHERS,
                  cause="for the sine, what is extrapolated in the width is off by several of its small errors, but by "
                  "far less than what matters"),
    PrintedFigure("2", "volume element during training on the sinusoid task", SINUSOID, ALL_OVER, quantity=q.CHANGE,
                  configurations="2 → 20 → 2", value=0.0, relation="<", entry="V.A and Figure 2"),
    PrintedFigure("3", "volume element of a network on MNIST between images and over a triangle", MNIST,
                  "bulges in the middle, near the decision boundary", quantity=q.FINAL_BULGE, configurations=LARGE,
                  value=0.0, relation=">", entry="V.B and Figure 3"),
    PrintedFigure("3 (training)", "rise of the volume element in the middle between images, after training less before",
                  MNIST, "as training progresses, areas near the centre of the path are expanded",
                  quantity=q.BULGE_GAIN, configurations=LARGE, value=0.0, relation=">", entry="V.B and Figure 3"),
    *(
        PrintedFigure(label, f"{kind} accuracy of the network on MNIST", MNIST,
                      "training and test accuracy exceed 95 %", quantity=quantity, configurations=LARGE, value=0.95,
                      relation=">", reason=FEWER_DIGITS)
        for label, kind, quantity in (("3 (accuracy)", "test", q.TEST_ACCURACY),
                                      ("3 (training accuracy)", "train", q.TRAINING_ACCURACY))
    ),
    PrintedFigure("3 (initialisation)", "volume element before training against the entropy after it, over triangles",
                  MNIST, "no clear structure along paths at initialisation (over triangles, a correlation of zero)",
                  quantity=q.TRIANGLE_BEFORE, configurations=LARGE, value=0.0, resolution=0.2,
                  entry="V.B initialisation",
                  cause="before training, too, volume is largest at blends of images, of which the trained network is "
                  "least certain"),
    PrintedFigure("4", "volume element of a GELU ResNet-34 between images of CIFAR-10", RESNET, ALL_OVER,
                  quantity=q.TRAINED, configurations="GELU", value=0.0, relation=">", entry="VI.A and Figure 4"),
    PrintedFigure("4 (accuracy)", "accuracy of the GELU ResNet", RESNET, "test accuracy about 92 %",
                  quantity=q.TEST_ACCURACY, configurations="GELU", value=0.92, reason=FEWER),
    PrintedFigure("4 (training accuracy)", "training accuracy of the GELU ResNet", RESNET, "above 99 %",
                  quantity=q.TRAINING_ACCURACY, configurations="GELU", value=0.99, relation=">", reason=FEWER),
    PrintedFigure("5", "the same for a ReLU ResNet-34", RESNET, ALL_OVER, quantity=q.TRAINED, configurations="ReLU",
                  value=0.0, relation=">", entry="VI.B and Figure 5"),
    PrintedFigure("6", "the same for Barlow Twins", UNSUPERVISED, ALL_OVER, quantity=q.TRAINED,
                  configurations="Barlow Twins", value=0.0, relation=">", reason=OPEN),
    PrintedFigure("6 (accuracy)", "accuracy of the linear probe of Barlow Twins", UNSUPERVISED, "test accuracy 70 %",
                  quantity=q.TEST_ACCURACY, configurations="Barlow Twins", value=0.70, reason=UNLABELLED),
    PrintedFigure("6 (training accuracy)", "training accuracy of the linear probe of Barlow Twins", UNSUPERVISED,
                  "training accuracy 84 %", quantity=q.TRAINING_ACCURACY, configurations="Barlow Twins", value=0.84,
                  reason=UNLABELLED),
    PrintedFigure("B.1", "volume and curvature of erf networks with three units on the circle",
                  "geometry-symmetric-units",
                  "as Eqs. (B.69) and (B.70), over three; symmetric under turns by a third, without bias by a sixth",
                  quantity=q.SYMMETRIC_CURVATURE),
    PrintedFigure("C.1", "curvature of monomial networks at infinite width against the norm", "geometry-monomials",
                  "as the closed form, lowest at ‖x‖ = 0.42 ζ/σ for degree 2 in two dimensions",
                  quantity=q.CURVATURE_LIMIT),
    PrintedFigure("E.1", "the factor χ of the Bayesian correction against the overlap", "geometry-bayesian",
                  "as the closed form, which rises with the overlap", quantity=q.CHI),
    PrintedFigure("G.1", "volume element of two units that learn exclusive or", XOR,
                  f"nothing of this figure; in general, {ALL_OVER}", quantity=q.CHANGE, configurations="2 → 2 → 2",
                  value=0.0, relation="<",
                  cause="two slopes multiply: the volume of every network that learns it peaks between the two "
                  "lines of its boundary, away from it"),
    *(
        PrintedFigure(f"G.{number}", f"{what} for exclusive or, widths 10 to 500", XOR,
                      "patterns become spherically symmetric as the width grows", quantity=quantity,
                      configurations=("2 → 10 → 2 to 2 → 100 → 2", "2 → 100 → 2 to 2 → 250 → 2",
                                      "2 → 250 → 2 to 2 → 500 → 2"),
                      value=0.0, relation=">", entry="G.1 wide networks")
        for number, what, quantity in ((2, "curvature", q.GAIN_CURVATURE), (3, "volume element", q.GAIN_VOLUME))
    ),
    PrintedFigure("G.4", "predictions for exclusive or, widths 10 to 500", XOR),
    PrintedFigure("G.5", "volume element for the sinusoid task, other widths", SINUSOID, ALL_OVER, quantity=q.CHANGE,
                  configurations=tuple(f"2 → {width} → 2" for width in (5, 100, 250, 500)), value=0.0, relation="<",
                  entry="V.A and Figure 2"),
    PrintedFigure("G.6", "curvature for the sinusoid task", SINUSOID,
                  "structure of the task is visible at the end of training, harder to interpret than the volume's"),
    PrintedFigure("G.7", "volume element of every layer of a deep network, sinusoid task", SINUSOID, ALL_OVER,
                  quantity=q.CHANGE, configurations="2 → 20 → 20 → 20 → 2", value=0.0, relation="<",
                  entry="VI.A and Figure G.7"),
    PrintedFigure("G.7 (contrast)", "contrast of the volume element, each hidden layer less the one before", SINUSOID,
                  "the contrast of magnification increases with the layer", quantity=q.CONTRAST_GAIN,
                  configurations="2 → 20 → 20 → 20 → 2", value=0.0, relation=">", entry="VI.A three layers"),
    PrintedFigure("G.8", "volume element between images of MNIST", MNIST, ALL_OVER, quantity=q.FINAL_BULGE,
                  configurations=LARGE, value=0.0, relation=">"),
    PrintedFigure("Section G.2, distance", "correlation of volume and distance to the boundary between images", MNIST,
                  "the volume element grows large near the decision boundary", quantity=q.DISTANCE_CORRELATION,
                  configurations=LARGE, value=0.0, relation="<", entry="G.2 boundary"),
    PrintedFigure("Section G.2, eigenvalues", "change of the mean logarithm of the eigenvalues", MNIST,
                  "eigenvalues tend to become small as training progresses", quantity=q.EIGENVALUE_SHIFT,
                  configurations=LARGE, value=0.0, relation="<", entry="G.2 spectrum"),
    *(
        PrintedFigure(f"G.{number}", f"{HULLS} triangles of images of MNIST", MNIST, MEETING, quantity=q.TRIANGLE,
                      configurations=f"{LARGE}, triangle {i}", value=0.0, relation=">", entry="V.B planes")
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    *(
        PrintedFigure(f"G.{number} (growth)", "correlation of volume with entropy after training less that before",
                      MNIST, ALL_OVER, quantity=q.TRIANGLE_GAIN, configurations=f"{LARGE}, triangle {i}", value=0.0,
                      relation=">")
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    PrintedFigure("G.12", "eigenvalues of the metric at images of MNIST", MNIST, "all within the range of float64",
                  quantity=q.SMALLEST_EIGENVALUE, configurations=LARGE, value=FLOAT64, relation=">"),
    PrintedFigure("G.13", "volume element of a GELU ResNet between images", RESNET, ALL_OVER, quantity=q.TRAINED,
                  configurations="GELU", value=0.0, relation=">"),
    PrintedFigure("G.14", "eigenvalues of its metric", RESNET, "all within the range of float32",
                  quantity=q.LOWEST_EIGENVALUE, configurations="GELU", value=FLOAT32, relation=">",
                  entry="G.3 spectrum"),
    PrintedFigure("G.14 (rank)", "share of its eigenvalues that are zero to rounding", RESNET,
                  "the Jacobian has full rank", quantity=q.ZERO_EIGENVALUES, configurations="GELU", value=0.0,
                  resolution=DEAD),
    *_hulls(15, RESNET, "GELU ResNet", "GELU", entry="G.3 boundaries"),
    PrintedFigure("G.18", f"{HULLS} an affine hull, GELU ResNet", RESNET,
                  "entropy and volume are high in the same places", quantity=q.AFFINE, configurations="GELU, plane 2",
                  value=0.0, relation=">", entry="G.3 entropy and volume"),
    PrintedFigure("G.19", f"{HULLS} a hull of one class", RESNET,
                  "no expansion without a decision boundary (the rise between two classes beyond that within one)",
                  quantity=q.RISE, configurations="GELU", value=0.0, relation=">", entry="G.3 one class"),
    PrintedFigure("G.20", "volume element of a ReLU ResNet between images", RESNET, ALL_OVER, quantity=q.TRAINED,
                  configurations="ReLU", value=0.0, relation=">"),
    PrintedFigure("G.21", "share of its eigenvalues that are zero to rounding", RESNET, FULL_RANK,
                  quantity=q.ZERO_EIGENVALUES, configurations="ReLU", value=0.0, resolution=DEAD, reason=NARROW),
    *_hulls(22, RESNET, "ReLU ResNet", "ReLU", entry="VI.B and Figure 5"),
    PrintedFigure("G.25", f"{HULLS} an affine hull, ReLU ResNet", RESNET, ALL_OVER, quantity=q.AFFINE,
                  configurations="ReLU, plane 2", value=0.0, relation=">", entry="VI.B and Figure 5"),
    PrintedFigure("G.26", "volume element of Barlow Twins between images", UNSUPERVISED, ALL_OVER, quantity=q.TRAINED,
                  configurations="Barlow Twins", value=0.0, relation=">", reason=OPEN),
    *_hulls(27, UNSUPERVISED, "Barlow Twins", "Barlow Twins", OPEN),
    PrintedFigure("G.30", "share of its eigenvalues that are zero to rounding", UNSUPERVISED, FULL_RANK,
                  quantity=q.ZERO_EIGENVALUES, configurations="Barlow Twins", value=0.0, resolution=DEAD),
    PrintedFigure("G.31", f"{HULLS} an affine hull, Barlow Twins", UNSUPERVISED, ALL_OVER, quantity=q.AFFINE,
                  configurations="Barlow Twins, plane 2", value=0.0, relation=">", reason=OPEN),
    *_hulls(32, UNSUPERVISED, "SimCLR", "SimCLR", OPEN, stated=DIPS, relation="<"),
    PrintedFigure("Section G.4, SimCLR on the unit sphere", "volume element of the features divided by their length",
                  UNSUPERVISED,
                  "the metric of the sphere may be the appropriate one (on it, volume grows with the entropy)",
                  quantity=q.SPHERE, configurations="SimCLR", value=0.0, relation=">", reason=OPEN),
    PrintedFigure("Section G.4, linear probe of Barlow Twins", "test accuracy beyond that of the untrained network",
                  UNSUPERVISED, "reported before training and after 200 and 1000 epochs (compared with no gain)",
                  quantity=q.ACCURACY_GAIN, configurations="Barlow Twins", value=0.0, relation=">"),
)  # fmt: skip
