"""The figures of Zavatone-Veth et al. (2023), with the plans by which our numbers are compared; it has no tables."""

from bridge.results.printed_figure import PrintedFigure
from closedform.measured import Relation
from papers.zavatoneveth2023 import digit_figures
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.digit_figures import HULLS, OF_FLOATS

SINUSOID_RELEASED, XOR_RELEASED = "geometry-sinusoid-released", "geometry-xor-released"
RESNET_RELEASED = "geometry-resnet-released"
CONTROL = "a control of ours: volume and entropy both change with the position, which is in the sentence's trend"
RANDOM, SINUSOID, XOR = "geometry-random-networks", "geometry-sinusoid", "geometry-xor"
RESNET, UNSUPERVISED = "geometry-resnet", "geometry-self-supervised"
# in the order of G.27 to G.29
TRIPLES = ("horse, frog and car", "dog, frog and horse", "dog, frog and car")
PLANES = (1, 3, 2)  # numbers of these planes in the study
FLOAT32 = -37.93  # log10 of the smallest normal number
OF_ZERO = "ours: one eigenvalue in a hundred is zero to rounding"
DEAD = 0.01
# the activations of Figure 1, and those that we add
PRINTED, OTHERS = (("erf", "quadratic"), ("GELU", "sine"))
FEWER = "a tenth of the images at a quarter of the pixels, a ResNet-18 of an eighth of the width, 16 epochs"
NARROW = "a ResNet-18 of an eighth of the width, with more units that are zero around an image"
UNLABELLED = FEWER.replace("16 epochs", "12 epochs instead of 1000")
OPEN = (
    f"{UNLABELLED}; linear probes are far less accurate than the paper's, and the networks differ"
)

CONVERGES = (
    "show convergence of the empirical geometry of finite networks with random Gaussian parameters to the "
    "infinite-width results."
)
SMOOTH = (
    "This generalizes the results of Cho and Saul [8] for threshold-power law functions to arbitrary smooth activation "
    "functions."
)
SAME_VICINITY = (
    "As the network’s decision boundary is gradually molded to conform to the true boundary, the volume element "
    "develops peaks in the same vicinity."
)
TREND = "In both 1-D and 2-D slices, we see a clear trend of large volume elements near decision boundaries"
LESS_CLEAR = "along decision boundaries we observe large volume elements but is less clear"
RESNET_ACCURACY = (
    "At the final epoch the training accuracy reaches above 99% and testing accuracy around 92%."
)
RELU = "observe qualitatively similar expansion of the volume element."
RELU_NEAR = "consistent prediction as in the GELU cases where the volume element expands near the decision boundaries."
BARLOW = (
    "we observe expansion of areas near the decision boundaries of a linear probe trained "
    "on top of this feature map"
)
PROBE = "is able to reach 84% accuracy on training set and 70% accuracy on testing set."
SIMCLR = "The volume element is now dipping at decision boundaries."
DISTORTED = (
    "pulling back the Euclidean metric from embedding space is no longer appropriate, and one should instead pull back "
    "the flat metric on the sphere."
)
SPHERICAL = (
    "As we increase the width of the hidden layer, both Ricci and volume elements get "
    "spherically symmetric as expected"
)
LAYERS = "The metrics induced by the feature maps of all three hidden layers all show the same qualitative behavior"
CONTRAST = (
    "As one progresses deeper into the network, the contrast between regions of low and high magnification factor "
    "increases."
)
FULL = "the Jacobian of this mapping is full-rank (Figure G.14)"
NO_ISSUES = "does not flag any numerical issues in computations"
ENLARGES = (
    "the volume element enlarges when traversing the decision boundaries and stays small within a class prediction "
    "region."
)
ENTROPY = "not only delineate the decision boundaries but also correspond to places with large volume element."
ONE_CLASS = (
    "the volume element expansion is only pronounced when there is an explicit decision boundary"
)


def _hulls(
    first: int, study: str, network: str, label: str, sentence: str, reason: str = "", entry: str = "",
    relation: Relation = ">", suffix: str = "",
) -> tuple[PrintedFigure, ...]:  # fmt: skip
    """Return the three figures of planes through images of three classes."""
    return tuple(
        PrintedFigure(
            f"G.{first + i}{suffix}", f"{HULLS} the convex hull of {triple}, {network}", study, sentence,
            quantity=q.HULL, configurations=f"{label}, plane {plane}", value=0.0, relation=relation, reason=reason,
            entry=entry,
        )
        for i, (triple, plane) in enumerate(zip(TRIPLES, PLANES, strict=True))
    )  # fmt: skip


FIGURES = (
    PrintedFigure("1", "volume of random networks against its limit at infinite width", RANDOM, CONVERGES,
                  quantity=q.VOLUME_LIMIT, configurations=PRINTED, entry="IV.B and Figure 1"),
    PrintedFigure("1 (curvature)", "the same of the curvature, whose limit is a third of Eq. (7)", RANDOM, CONVERGES,
                  quantity=q.CURVATURE_LIMIT, configurations=PRINTED, entry="IV.B and Figure 1"),
    PrintedFigure("1 (GELU and sine)", "the same of the volume element for activations that Figure 1 does not have",
                  RANDOM, SMOOTH, quantity=q.VOLUME_LIMIT, configurations=OTHERS),
    PrintedFigure("1 (curvature, GELU and sine)", "the same of the curvature", RANDOM, SMOOTH,
                  quantity=q.CURVATURE_LIMIT, configurations=OTHERS,
                  cause="for the sine, what is extrapolated in the width is off by several of its small errors, but by "
                  "far less than what matters"),
    PrintedFigure("2", "volume element during training on the sinusoid task", SINUSOID, SAME_VICINITY,
                  quantity=q.CHANGE, configurations="2 → 20 → 2", value=0.0, relation="<", entry="V.A and Figure 2"),
    *digit_figures.FIGURE_3,
    PrintedFigure("4", "volume and entropy of a GELU ResNet-34 between images of CIFAR-10",
                  RESNET, TREND, quantity=q.TRAINED, configurations="GELU", value=0.0, relation=">",
                  entry="VI.A and Figure 4", reason=FEWER),
    *(
        PrintedFigure(f"{number} (same position)", "the same correlation with the position on a line held fixed, since "
                      "entropy and volume both change with it", study, sentence, quantity=q.BEYOND,
                      configurations=network, value=0.0, relation=">", reason=reason, unsaid=CONTROL)
        for number, study, sentence, network, reason in (
            (4, RESNET, TREND, "GELU", FEWER), (5, RESNET, RELU, "ReLU", FEWER),
            (6, UNSUPERVISED, BARLOW, "Barlow Twins", OPEN),
        )
    ),
    PrintedFigure("4 (accuracy)", "accuracy of the GELU ResNet", RESNET, RESNET_ACCURACY, quantity=q.TEST_ACCURACY,
                  configurations="GELU", value=0.92, reason=FEWER),
    PrintedFigure("4 (training accuracy)", "training accuracy of the GELU ResNet", RESNET, RESNET_ACCURACY,
                  quantity=q.TRAINING_ACCURACY, configurations="GELU", value=0.99, relation=">", reason=FEWER),
    PrintedFigure("5", "the same for a ReLU ResNet-34", RESNET, RELU, quantity=q.TRAINED, configurations="ReLU",
                  value=0.0, relation=">", entry="VI.B and Figure 5", reason=FEWER),
    PrintedFigure("6", "the same for Barlow Twins", UNSUPERVISED, BARLOW, quantity=q.TRAINED,
                  configurations="Barlow Twins", value=0.0, relation=">", reason=OPEN),
    PrintedFigure("6 (accuracy)", "accuracy of the linear probe of Barlow Twins", UNSUPERVISED, PROBE,
                  quantity=q.TEST_ACCURACY, configurations="Barlow Twins", value=0.70, reason=UNLABELLED),
    PrintedFigure("6 (training accuracy)", "training accuracy of the linear probe of Barlow Twins", UNSUPERVISED,
                  PROBE, quantity=q.TRAINING_ACCURACY, configurations="Barlow Twins", value=0.84, reason=UNLABELLED),
    PrintedFigure("B.1", "curvature of erf networks with three units on the circle, which is Eq. (B.70) over three",
                  "geometry-symmetric-units", "the Ricci curvature has a similar expansion in terms of Gaussian bumps",
                  quantity=q.SYMMETRIC_CURVATURE),
    PrintedFigure("B.1 (volume)", "volume element of the same networks, which is Eq. (B.68)",
                  "geometry-symmetric-units", "the volume element has a three-fold rotational symmetry for b > 0, and "
                  "six-fold symmetry for b = 0.", quantity=q.SYMMETRIC_VOLUME,
                  revised="both quantities had been computed before this row was written"),
    PrintedFigure("C.1", "curvature of monomial networks at infinite width against the norm", "geometry-monomials",
                  "Ricci curvature scalar R (C.46) as a function of input modulus", quantity=q.CURVATURE_LIMIT,
                  revised="200 networks, seeds 1000 to 1199, were too blunt for degrees 2 and 3 in the plane (-0.238 ± "
                  "0.011 for -0.225), so that 800 from 2000 on were run; they are too blunt for degree 3 at |x| = "
                  "0.25 (-0.248 ± 0.009 for -0.269), so that 1,000 from 4000 on were run"),
    PrintedFigure("C.1 (volume)", "volume element of the same networks, which is Eq. (C.45)", "geometry-monomials",
                  "yielding the volume element", quantity=q.VOLUME_LIMIT,
                  revised="both quantities had been measured before this row was written"),
    PrintedFigure("E.1", "the factor χ of the Bayesian correction against the overlap, quadratic networks",
                  "geometry-bayesian", "as p increases from zero to one, y increases monotonically", quantity=q.CHI,
                  configurations="q = 2, d = 5",
                  revised="all networks were one row: those of degree 3 take too long, and χ is blunt where the target "
                  "is near the scale at which the correction vanishes"),
    PrintedFigure("E.1 (linear networks)", "the same of linear networks, of which it is d + 2", "geometry-bayesian",
                  "At small order, we have ... for linear networks", quantity=q.CHI, configurations="q = 1, d = 2",
                  revised="as of Figure E.1; forty batches, seeds 1000 to 1039, were too blunt (3.74 ± 0.13), so that "
                  "a hundred from 2000 on decide"),
    PrintedFigure("G.1", "volume element of two units that learn exclusive or", XOR, SAME_VICINITY, quantity=q.CHANGE,
                  configurations="2 → 2 → 2", value=0.0, relation="<",
                  unsaid="another task: the sentence is about the sinusoid",
                  cause="two slopes multiply: the volume of every network that learns it peaks between the two "
                  "lines of its boundary, away from it; the paper states nothing of this figure itself"),
    *(
        PrintedFigure(f"G.{number}", f"{field} for exclusive or, widths 10 to 500", XOR, SPHERICAL, quantity=quantity,
                      configurations=("2 → 10 → 2 to 2 → 100 → 2", "2 → 100 → 2 to 2 → 250 → 2",
                                      "2 → 250 → 2 to 2 → 500 → 2"),
                      value=0.0, relation=">", entry="G.1 wide networks")
        for number, field, quantity in ((2, "curvature", q.GAIN_CURVATURE), (3, "volume element", q.GAIN_VOLUME))
    ),
    PrintedFigure("G.4", "predictions for exclusive or, widths 10 to 500", XOR),
    PrintedFigure("2 (released)", "the same with the released settings, over the printed grid", SINUSOID_RELEASED,
                  SAME_VICINITY, quantity=q.GRID_CHANGE, configurations="2 → 20 → 2", value=0.0, relation="<"),
    PrintedFigure("G.1 (released)", "volume element of two units that learn exclusive or, with the released initial "
                  "weights, over the printed grid", XOR_RELEASED, SAME_VICINITY, quantity=q.GRID_CHANGE,
                  configurations="2 → 2 → 2", value=0.0, relation="<",
                  unsaid="another task: the sentence is about the sinusoid"),
    *(
        PrintedFigure(f"G.{number} (released)", f"{field} for exclusive or, widths 10 to 500, with the released "
                      "initial weights", XOR_RELEASED, SPHERICAL, quantity=quantity,
                      configurations=("2 → 10 → 2 to 2 → 100 → 2", "2 → 100 → 2 to 2 → 250 → 2",
                                      "2 → 250 → 2 to 2 → 500 → 2"),
                      value=0.0, relation=">")
        for number, field, quantity in ((2, "curvature", q.GAIN_CURVATURE), (3, "volume element", q.GAIN_VOLUME))
    ),
    PrintedFigure("G.5", "volume element for the sinusoid task, other widths", SINUSOID, SAME_VICINITY,
                  quantity=q.CHANGE, configurations=tuple(f"2 → {width} → 2" for width in (5, 100, 250, 500)),
                  value=0.0, relation="<", entry="V.A and Figure 2"),
    PrintedFigure("G.6", "curvature for the sinusoid task", SINUSOID,
                  "However, the patterns here are harder to interpret than those in the volume element."),
    PrintedFigure("G.7", "volume element of every layer of a deep network, sinusoid task", SINUSOID, LAYERS,
                  quantity=q.CHANGE, configurations="2 → 20 → 20 → 20 → 2", value=0.0, relation="<",
                  entry="VI.A and Figure G.7"),
    PrintedFigure("G.7 (contrast)", "contrast of the volume element, each hidden layer less the one before", SINUSOID,
                  CONTRAST, quantity=q.CONTRAST_GAIN, configurations="2 → 20 → 20 → 20 → 2", value=0.0, relation=">",
                  entry="VI.A three layers"),
    *digit_figures.APPENDIX,
    PrintedFigure("G.13", "volume and entropy of a GELU ResNet between images", RESNET, LESS_CLEAR, quantity=q.TRAINED,
                  configurations="GELU", value=0.0, relation=">"),
    PrintedFigure("G.14", "eigenvalues of its metric", RESNET,
                  "all eigenvalues are in a reasonable range (shown in Figure G.14), bounded away from the smallest "
                  "positive number", quantity=q.LOWEST_EIGENVALUE, configurations="GELU", value=FLOAT32, relation=">",
                  origin=OF_FLOATS, entry="G.3 spectrum"),
    PrintedFigure("G.14 (rank)", "share of its eigenvalues that are zero to rounding", RESNET, FULL,
                  quantity=q.ZERO_EIGENVALUES, configurations="GELU", value=0.0, resolution=DEAD, origin=OF_ZERO),
    *_hulls(15, RESNET, "GELU ResNet", "GELU", ENLARGES, entry="G.3 boundaries"),
    PrintedFigure("G.18", f"{HULLS} an affine hull, GELU ResNet", RESNET, ENTROPY, quantity=q.AFFINE,
                  configurations="GELU, plane 2", value=0.0, relation=">", entry="G.3 entropy and volume"),
    PrintedFigure("G.19", f"{HULLS} a hull of one class: the rise between two classes beyond that within one", RESNET,
                  ONE_CLASS, quantity=q.RISE, configurations="GELU", value=0.0, relation=">", entry="G.3 one class"),
    PrintedFigure("G.20", "volume and entropy of a ReLU ResNet between images", RESNET, RELU_NEAR, quantity=q.TRAINED,
                  configurations="ReLU", value=0.0, relation=">"),
    PrintedFigure("G.21", "share of its eigenvalues that are zero to rounding", RESNET, NO_ISSUES,
                  quantity=q.ZERO_EIGENVALUES, configurations="ReLU", value=0.0, resolution=DEAD, origin=OF_ZERO,
                  reason=NARROW),
    *_hulls(22, RESNET, "ReLU ResNet", "ReLU", RELU_NEAR, entry="VI.B and Figure 5"),
    PrintedFigure("G.25", f"{HULLS} an affine hull, ReLU ResNet", RESNET, RELU_NEAR, quantity=q.AFFINE,
                  configurations="ReLU, plane 2", value=0.0, relation=">", entry="VI.B and Figure 5"),
    PrintedFigure("5 (released)", "the same for the network that the authors released", RESNET_RELEASED, RELU,
                  quantity=q.TRAINED, configurations="ReLU", value=0.0, relation=">", reason=FEWER),
    PrintedFigure("5 (same position, released)", "the same with the position held fixed", RESNET_RELEASED, RELU,
                  quantity=q.BEYOND, configurations="ReLU", value=0.0, relation=">", reason=FEWER, unsaid=CONTROL),
    PrintedFigure("G.20 (released)", "the same as Figure 5 of the released network", RESNET_RELEASED, RELU_NEAR,
                  quantity=q.TRAINED, configurations="ReLU", value=0.0, relation=">"),
    PrintedFigure("G.21 (released)", "the same share of the released network", RESNET_RELEASED, NO_ISSUES,
                  quantity=q.ZERO_EIGENVALUES, configurations="ReLU", value=0.0, resolution=DEAD, origin=OF_ZERO),
    *_hulls(22, RESNET_RELEASED, "released ReLU ResNet", "ReLU", RELU_NEAR, suffix=" (released)"),
    PrintedFigure("G.25 (released)", f"{HULLS} an affine hull, released ReLU ResNet", RESNET_RELEASED, RELU_NEAR,
                  quantity=q.AFFINE, configurations="ReLU, plane 2", value=0.0, relation=">"),
    PrintedFigure("G.26", "volume and entropy of Barlow Twins between images", UNSUPERVISED, BARLOW,
                  quantity=q.TRAINED, configurations="Barlow Twins", value=0.0, relation=">", reason=OPEN),
    *_hulls(27, UNSUPERVISED, "Barlow Twins", "Barlow Twins", BARLOW, OPEN),
    PrintedFigure("G.30", "share of its eigenvalues that are zero to rounding", UNSUPERVISED,
                  "does not indicate any numerical issues.", quantity=q.ZERO_EIGENVALUES,
                  configurations="Barlow Twins", value=0.0, resolution=DEAD, origin=OF_ZERO),
    PrintedFigure("G.31", f"{HULLS} an affine hull, Barlow Twins", UNSUPERVISED, BARLOW, quantity=q.AFFINE,
                  configurations="Barlow Twins, plane 2", value=0.0, relation=">", reason=OPEN),
    *_hulls(32, UNSUPERVISED, "SimCLR", "SimCLR", SIMCLR, OPEN, relation="<"),
    PrintedFigure("Section G.4, SimCLR on the unit sphere", "volume of the features divided by their length, and "
                  "entropy", UNSUPERVISED, DISTORTED, quantity=q.SPHERE, configurations="SimCLR", value=0.0,
                  relation=">", reason=OPEN, unsaid="a conjecture, on what is possible"),
    PrintedFigure("Section G.4, linear probe of Barlow Twins", "test accuracy beyond that of the untrained network",
                  UNSUPERVISED, "we report the model performance at initialization, 200 epochs, and 1000 epochs "
                  "respectively.", quantity=q.ACCURACY_GAIN, configurations="Barlow Twins", value=0.0, relation=">",
                  unsaid="a setting: it says at which epochs performance is reported"),
)  # fmt: skip
