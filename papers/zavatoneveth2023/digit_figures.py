"""The figures of Zavatone-Veth et al. (2023) on networks that classify digits."""

from bridge.results.printed_figure import PrintedFigure
from closedform.measured import Relation
from papers.zavatoneveth2023 import quantities as q

HULLS = "predictions, entropy and volume over"
MNIST, MNIST_RELEASED = "geometry-mnist", "geometry-mnist-released"
NO_DECAY = "geometry-mnist-no-decay-released"
LARGE = "784 → 2000 → 10"  # the network of the paper on MNIST
FLOAT64 = -307.65  # log10 of the smallest normal number
OF_FLOATS = "the smallest normal number of the precision that the sentence names"
FEWER_DIGITS = (
    "6,000 images instead of 45,000 and 10 epochs instead of 200, which take 14 processor minutes a network, and lines "
    "with ten times the points one and a half at each checkpoint"
)

BULGE = (
    "As training progresses, the volume elements bulge in the middle (near the decision boundary) and taper off when "
    "travelling towards endpoints."
)
CENTRE = "as training progresses, areas near the center of the path ... are expanded"
ACCURATE = "both training and testing accuracy exceed 95%."
UNCLEAR = "At initialization, the volume element varies without clear structure along the interpolated path."
MEETING = (
    "The volume element becomes large near the centroid of the triangle, where multiple "
    "decision boundaries intersect."
)
GROWS = "this log volume element consistently grows (relatively) large at input images near the decision boundary"
SHRINK = "Eigenvalues of the metric ... tend to become small as training progresses"
IN_RANGE = "all eigenvalues are of reasonable log scale in the float64 paradigm within 200 training epochs."
TWELVE = "eight networks from 1000 on were too blunt for the second triangle, so that twelve from 2000 on were run"

# The rows that hang on the initial weights, with the released ones. "G.12" is left out: float32, in which networks are
# trained, has no weight whose square is below its bound.
RELEASED: tuple[tuple[str, str, str, str, Relation, float, str, str], ...] = (
    ("3 (released)", "volume element in the middle between images, over the higher end", BULGE, q.FINAL_PEAK, ">",
     0.0, "", "V.B and Figure 3"),
    ("3 (lines, released)", "share of the lines whose middle lies above both ends", BULGE, q.PEAKED_SHARE, ">", 0.5,
     "ours: more than half of the lines", ""),
    ("3 (training, released)", "rise of the volume element in the middle, after training less before", CENTRE,
     q.BULGE_GAIN, ">", 0.0, "", "V.B and Figure 3"),
    ("3 (initialisation, released)", "share of the lines whose middle lies above both ends before training", UNCLEAR,
     q.FIRST_PEAKED_SHARE, "<", 0.5, "ours: fewer than half of the lines; three points in no order give a third",
     "V.B initialisation"),
    ("3 (accuracy, released)", "test accuracy", ACCURATE, q.TEST_ACCURACY, ">", 0.95, "", ""),
    ("3 (training accuracy, released)", "training accuracy", ACCURATE, q.TRAINING_ACCURACY, ">", 0.95, "", ""),
    ("Section G.2, distance (released)", "correlation of volume and distance to the boundary between images", GROWS,
     q.DISTANCE_CORRELATION, "<", 0.0, "", ""),
    ("Section G.2, eigenvalues (released)", "change of the mean logarithm of the eigenvalues", SHRINK,
     q.EIGENVALUE_SHIFT, "<", 0.0, "", ""),
)  # fmt: skip
PENALTY = (
    "the printed decay, as a penalty of Adam, shrinks nearly all directions of the weights; networks without it, "
    "which is the default of the released program, bulge more after training than before, and are more accurate than "
    "the bound"
)
CAUSES = dict.fromkeys(("3 (training, released)", "3 (training accuracy, released)"), PENALTY)

WITHOUT_DECAY = (
    *(
        PrintedFigure(f"{label[:-1]}, no decay)", f"{shows}, with the released initial weights and no decay", NO_DECAY,
                      sentence, quantity=quantity, configurations=LARGE, value=value, relation=relation, origin=origin)
        for label, shows, sentence, quantity, relation, value, origin, _ in RELEASED
    ),
    PrintedFigure("3 (volume, released, no decay)", "volume element in the middle between images after training",
                  NO_DECAY, BULGE, quantity=q.FINAL_VOLUME, configurations=LARGE, value=-1110.0, resolution=130.0,
                  origin="ours: the middle and half the length of the axes of Figure 3, from −1240 to −980",
                  unsaid="a level, which the axes of the figure show, and no sentence says"),
)  # fmt: skip
FIGURE_3 = (
    PrintedFigure("3", "volume element of a network on MNIST in the middle between images, over the higher end", MNIST,
                  BULGE, quantity=q.FINAL_PEAK, configurations=LARGE, value=0.0, relation=">",
                  revised="the middle was compared with the mean of the ends, which calls a monotone line a bulge"),
    PrintedFigure("3 (lines)", "share of the lines whose middle lies above both ends", MNIST, BULGE,
                  quantity=q.PEAKED_SHARE, configurations=LARGE, value=0.5, relation=">",
                  origin="ours: more than half of the lines"),
    PrintedFigure("3 (training)", "rise of the volume element in the middle between images, after training less before",
                  MNIST, CENTRE, quantity=q.BULGE_GAIN, configurations=LARGE, value=0.0, relation=">"),
    *(
        PrintedFigure(label, f"{kind} accuracy of the network on MNIST", MNIST, ACCURATE, quantity=quantity,
                      configurations=LARGE, value=0.95, relation=">", reason=FEWER_DIGITS)
        for label, kind, quantity in (("3 (accuracy)", "test", q.TEST_ACCURACY),
                                      ("3 (training accuracy)", "train", q.TRAINING_ACCURACY))
    ),
    PrintedFigure("3 (initialisation)", "volume element before training against the entropy after it, over triangles",
                  MNIST, UNCLEAR, quantity=q.TRIANGLE_BEFORE, configurations=LARGE, value=0.0, resolution=0.2,
                  origin="ours: a rank correlation of a fifth",
                  unsaid="another quantity: the sentence is about paths, and the number about triangles",
                  cause="before training, too, volume is largest at blends of images, of which the trained network is "
                  "least certain"),
    *(
        PrintedFigure(label, f"{shows}, with the released initial weights", MNIST_RELEASED, sentence,
                      quantity=quantity, configurations=LARGE, value=value, relation=relation, origin=origin,
                      entry=entry, cause=CAUSES.get(label, ""))
        for label, shows, sentence, quantity, relation, value, origin, entry in RELEASED
    ),
    *WITHOUT_DECAY,
)  # fmt: skip
APPENDIX = (
    PrintedFigure("G.8", "volume element between other images of MNIST", MNIST, BULGE),
    PrintedFigure("Section G.2, distance", "correlation of volume and distance to the boundary between images", MNIST,
                  GROWS, quantity=q.DISTANCE_CORRELATION, configurations=LARGE, value=0.0, relation="<",
                  entry="G.2 boundary"),
    PrintedFigure("Section G.2, eigenvalues", "change of the mean logarithm of the eigenvalues", MNIST, SHRINK,
                  quantity=q.EIGENVALUE_SHIFT, configurations=LARGE, value=0.0, relation="<", entry="G.2 spectrum"),
    *(
        PrintedFigure(f"G.{number}", f"{HULLS} triangles of images of MNIST", MNIST, MEETING, quantity=q.TRIANGLE,
                      configurations=f"{LARGE}, triangle {i}", value=0.0, relation=">", entry="V.B planes",
                      revised=TWELVE)
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    *(
        PrintedFigure(f"G.{number} (growth)", "correlation of volume with entropy after training less that before",
                      MNIST, CENTRE, quantity=q.TRIANGLE_GAIN, configurations=f"{LARGE}, triangle {i}", value=0.0,
                      relation=">", unsaid="another quantity: the sentence is about paths", revised=TWELVE)
        for i, number in enumerate((9, 10, 11), start=1)
    ),
    PrintedFigure("G.12", "eigenvalues of the metric at images of MNIST", MNIST, IN_RANGE,
                  quantity=q.SMALLEST_EIGENVALUE, configurations=LARGE, value=FLOAT64, relation=">",
                  origin=OF_FLOATS, unsaid="another quantity: eigenvalues below rounding, which alone could be too "
                  "small, are left out"),
)  # fmt: skip
