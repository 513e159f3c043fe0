"""The figures of Jacot and Kaiser (2024), with the plans by which our numbers are compared; it has no tables."""

import math
from itertools import product

from bridge.results.printed_figure import PrintedFigure
from papers.jacot2024 import quantities as q

BOTTLENECK, DEPTHS, RANKS = "leaky-resnet-bottleneck", "leaky-resnet-depths", "leaky-resnet-ranks"
MESHES, ADAPTIVE, CODES = "leaky-resnet-meshes", "leaky-resnet-adaptive", "leaky-resnet-codes"
GEODESICS, CONTINUATION = "leaky-resnet-geodesics", "leaky-resnet-continuation"
LARGE_CODES = tuple(
    f"{code}, k* = {k}" for code, k in product(("signed", "nonnegative"), (2, 3, 4, 5))
)  # the paper's size


def of_all_numbers(mesh: str) -> tuple[str, ...]:
    """Return the configurations of a mesh with every number of layers."""
    return tuple(f"{mesh}, L = {n}" for n in (6, 9, 12, 15, 18))


MEAN = (
    "one direction more is the mean, which keeps a code non-negative at less than the cost of a dimension, and which "
    "fades only at larger L̃, as leaky_resnet.depth_of_mean derives"
)
PRODUCT = (
    "the weights are of constant size, as the argument needs, but the product of the sizes of the momenta and of σ(A) "
    "is so in the middle only; towards the inputs and the outputs, where the weights have more dimensions, it grows"
)
PATH = (
    "the representations grow, and so does the path; in units of the largest of them it is long after the optimiser of "
    "appendix B, which leaves networks far from critical points, and far shorter at L̃ = 7 in critical ones of the same "
    "teachers"
)
FACTOR = "ours: much less, or clear, is by a factor of ten"
TYPICAL = (
    "a heuristic: what is typical, and should then follow, is the motivation of a choice of γ"
)
HALF = "ours: constant is a growth by less than the square root of L̃"
MOST = "ours: most is more than half of them"

APPROACH = "approach the rank $k^* = 3$ from below, while the minimal COI approaches it from above"
STABLE = "(and the stable Hamiltonians ... approach the rank $k^* = 3$ from below"
BY_ONE_OR_TWO = "the number of dimensions that are kept inside the bottleneck can vary by 1 or 2"
LARGE_VALUES = "then the spectra reveals a clear separation between k^* number of large values as the rest decay."
VARIES_LESS = "it still varies much less than its components, the kinetic and potential energies."
ADVANTAGE = "we see a small but consistent ... advantage in the test error when using adaptive or irregular"
LARGER = (
    "Figure 2a shows how larger L, which have better separation between large and small singular values, lead to "
    "improved test performance."
)
MORE_STEPS = (
    "result in more steps especially in the beginning of the network, ... but also at the end."
)
BOUNDED = "Figure 3 shows how their respective magnitudes remains relatively constant as the effective depth"
RAPID = "for large depths it becomes optimal for the network to rapidly move to a"
INSIDE = "remain for most of the layers inside the space of low-dimensional representations"
SLOW = (
    "As the effective ... depth of the network grows, the potential energy dominates and we observe a separation of "
    "timescales."
)
OFTEN = "to rarely be true in practice, and both kinetic and COI appear to be often infinite in practice."
INVERSE = "the size of B_p is inversely proportional to that of"
SAME_SIZE = "should keep roughly the same size for all p."
ENDS = "there will often be fast regions close to the beginning and end of the network."
NEVER = "We have actually never observed any jump in the middle of the network"
LARGE_ENDS = (
    "they are both large towards the beginning and end of the network where the weights "
    "W_p are higher dimensional."
)

FIGURES = (
    PrintedFigure("1a", "-2H/L̃ against L̃, L̃ = 1 to 7, networks of the optimiser of appendix B", DEPTHS, APPROACH,
                  quantity=q.RANK, configurations="default", value=3.0, holds="from below",
                  revised="one number at the largest critical L̃ was compared with the limit; that has its own row"),
    PrintedFigure("1a (limit)", "the same at the largest L̃ with only critical networks, against the limit", DEPTHS,
                  APPROACH, quantity=q.CRITICAL_RANK, configurations="deep", value=3.0,
                  unsaid="another quantity: the numbers approach the limit, and nothing says that they reach it",
                  cause="a limit of large L̃: critical networks rise towards it, but are still below it at ours"),
    PrintedFigure("1a (continuation)", "the same at larger L̃, of networks that continue those of a smaller one",
                  CONTINUATION, APPROACH, quantity=q.RANK, value=3.0, holds="from below",
                  configurations=tuple(f"continued, L̃ = {depth}" for depth in (9, 12, 16, 21))),
    PrintedFigure("1a (continuation, limit)", "the limit of these, extrapolated in 1/L̃² from L̃ = 12 on", CONTINUATION,
                  APPROACH, quantity=q.RANK_LIMIT, value=3.0),
    PrintedFigure("1a (stable H)", "-2H/L̃ with K + γ in both of its parts against L̃, the same networks", DEPTHS, STABLE,
                  quantity=q.STABLE_RANK, configurations="default", value=3.0, holds="from below"),
    PrintedFigure("1a (least cost)", "least cost of identity against L̃, in its order", DEPTHS, APPROACH,
                  quantity=q.MINIMAL_COST, value=3.0, holds="from above",
                  revised="it was compared at each L̃ alone, and not whether it approaches k*"),
    PrintedFigure("1b", "directions of the weights beyond k*, L̃ = 7", RANKS, LARGE_VALUES,
                  quantity=q.DIRECTIONS_BEYOND, counter=BY_ONE_OR_TWO, within=2.0, cause=MEAN),
    PrintedFigure("1b (one network)", "spectra along the layers of the network nearest to a critical point",
                  BOTTLENECK, LARGE_VALUES),
    PrintedFigure("1b (paper's size)", "least cost of identity along the layers, 30-3-30, L̃ = 7, against k*", CODES,
                  LARGE_VALUES, quantity=q.MINIMAL_COST, configurations=LARGE_CODES, cause=MEAN,
                  unsaid="another quantity: the sentence is about spectra of weights, not about costs of identity"),
    PrintedFigure("1c", "how many times less -2H/L̃ varies along the layers than its parts", BOTTLENECK, VARIES_LESS,
                  quantity=q.RATIO, value=10.0, relation=">", origin=FACTOR, entry="2.1 varies less"),
    PrintedFigure("1c (paper's size)", "the same for 30-3-30, signed and non-negative codes", CODES, VARIES_LESS,
                  quantity=q.RATIO, value=10.0, relation=">", origin=FACTOR),
    PrintedFigure("2a", "test error against the number of layers for both meshes, mean over the numbers", MESHES,
                  ADVANTAGE, quantity=q.MEAN_ADVANTAGE, relation=">"),
    PrintedFigure("2a (adaptive)", "the adaptive mesh alone", MESHES, ADVANTAGE, quantity=q.MEAN_ADVANTAGE,
                  configurations="adaptive", relation=">", entry="3 advantage"),
    PrintedFigure("2a (irregular)", "the irregular mesh alone", MESHES, ADVANTAGE, quantity=q.MEAN_ADVANTAGE,
                  configurations="irregular", relation=">", entry="3 irregular advantage"),
    *(
        PrintedFigure(f"2a (larger L, {mesh})", "test cost against the number of layers", MESHES, LARGER,
                      quantity=q.TEST_COST, configurations=of_all_numbers(mesh), holds="falls")
        for mesh in ("equidistant", "irregular", "adaptive")
    ),
    PrintedFigure("2b", "share of the layers in the first and the last quarter with the adaptive mesh", ADAPTIVE,
                  MORE_STEPS, quantity=q.OUTER, configurations="adaptive", value=0.5, relation=">",
                  origin="an equidistant mesh, which has half of its steps there"),
    PrintedFigure("2b (beginning)", "the first quarter of the layers", ADAPTIVE, MORE_STEPS, quantity=q.BEGINNING,
                  configurations="adaptive", value=0.25, relation=">",
                  origin="an equidistant mesh, which has a quarter of its steps there", entry="3 adaptive mesh"),
    PrintedFigure("2b (end)", "the last quarter of the layers", ADAPTIVE, MORE_STEPS, quantity=q.END,
                  configurations="adaptive", value=0.25, relation=">",
                  origin="an equidistant mesh, which has a quarter of its steps there", entry="3 adaptive end"),
    PrintedFigure("2b (p = 0.3)", "singular values of the weights above the largest gap around p = 0.3", ADAPTIVE,
                  "one can almost see that the weight matrices are ... roughly 6-dimensional around p = 0.3.",
                  quantity=q.EARLY_DIRECTIONS, configurations="adaptive",
                  cause="in these networks, which the optimiser of appendix B leaves far from critical points, the "
                  "largest gap lies behind the directions of the bottleneck there already; in smaller ones nearer to "
                  "critical points it lies further back, and not in the same place in all of them"),
    PrintedFigure("2c", "unevenness of the steps of the representations, equidistant over adaptive mesh", ADAPTIVE,
                  "appears to better spread out the steps.", quantity=q.LOG_UNEVENNESS, configurations="adaptive",
                  value=0.0, relation=">"),
    PrintedFigure("3", "exponent of the path's length in L̃, upper half of L̃ = 1 to 7", DEPTHS, BOUNDED,
                  quantity=q.LENGTH_EXPONENT, configurations="default", value=0.5, relation="<", origin=HALF,
                  cause=PATH),
    PrintedFigure("3 (relative length)", "the same over the largest representation, which the figure does not show",
                  DEPTHS, BOUNDED, quantity=q.RELATIVE_LENGTH_EXPONENT, configurations="default", value=0.5,
                  relation="<", origin=HALF, cause=PATH,
                  unsaid="another quantity: the figure shows the length itself"),
    PrintedFigure("3 (momenta)", "exponent of the largest momentum in L̃, upper half of L̃ = 1 to 7", DEPTHS, BOUNDED,
                  quantity=q.MOMENTUM_NORM_EXPONENT, configurations="default", value=0.5, relation="<", origin=HALF,
                  entry="Figure 3 momenta"),
    PrintedFigure("3 (weights)", "exponent of the largest ‖Bσ(A)ᵀ‖ in L̃, upper half of L̃ = 1 to 7", DEPTHS, BOUNDED,
                  quantity=q.WEIGHT_EXPONENT, configurations="default", value=0.5, relation="<", origin=HALF,
                  entry="Figure 3 weights"),
    PrintedFigure("Section 1.3", "squared weights along the path of trained networks, here of linear ones", GEODESICS,
                  "representation geodesics, which are paths that minimize parameter norm",
                  quantity=q.SQUARED_WEIGHTS, unsaid="a definition, which says nothing of trained networks"),
    PrintedFigure("Section 1.3 (ends)", "logarithm of the kinetic energy in the first and the last quarter over its "
                  "median in the middle half, at large L̃", DEPTHS, RAPID,
                  quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), configurations="deep, L̃ = 12", value=0.0,
                  relation=">", entry="1.3 balance"),
    PrintedFigure("Section 1.3 (most layers)", "share of the layers within one dimension of the least cost, at large "
                  "L̃", DEPTHS, INSIDE, quantity=q.SLOW_SHARE, configurations="deep, L̃ = 12", value=0.5, relation=">",
                  origin=MOST, entry="1.3 balance"),
    PrintedFigure("Section 1.3 (growth)", "growth of this share with L̃", DEPTHS, SLOW, quantity=q.SLOW_GROWTH,
                  configurations="default, L̃ = 7", value=0.0, relation=">", entry="1.3 balance"),
    PrintedFigure("Section 1.4", "norm of the negative entries of the representation with the least cost", RANKS,
                  "in our experiments with full population GD we have only observed stable/non-negative local minimas.",
                  quantity=q.NEGATIVE_SHARE, value=0.1, relation="<",
                  origin="ours: non-negative is a share of less than a tenth", entry="1.4 observed minima"),
    PrintedFigure("Section 1.5", "order in 1/L of trained networks' distance from Hamilton's equations", GEODESICS,
                  "We can further reformulate the evolution of the optimal representations A_p in terms of a "
                  "Hamiltonian", quantity=q.ORDER,
                  unsaid="another quantity: the sentence rewrites the optimum of infinitely many layers"),
    PrintedFigure("Section 2.1 (image)", "distance of representations from the image of σ(A), median over layers",
                  BOTTLENECK, OFTEN, quantity=q.IMAGE_DISTANCE, value=-8.0, relation=">",
                  origin="ours: beyond a relative distance of 1e-8 in half of the layers, where the cost is infinite",
                  entry="2.1 image condition"),
    PrintedFigure("Section 2.1 (momenta)", "exponent of ‖B‖ in ‖σ(A)‖ along the layers", BOTTLENECK, INVERSE,
                  quantity=q.MOMENTUM_EXPONENT, value=-1.0, unsaid=TYPICAL, cause=PRODUCT),
    PrintedFigure("Section 2.1 (γ‖B‖²)", "largest over smallest γ‖B‖² of a layer", BOTTLENECK, SAME_SIZE,
                  quantity=q.MOMENTUM_RANGE, value=1.0, relation="<", origin="ours: roughly is by a factor of ten",
                  unsaid=TYPICAL, cause=PRODUCT),
    PrintedFigure("Section 2.1 (jumps)", "logarithm of the kinetic energy towards both ends over that in the middle, "
                  "at large L̃", DEPTHS, ENDS, quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), configurations="deep",
                  value=0.0, relation=">", entry="2.1 jumps at the ends"),
    PrintedFigure("Section 2.1 (middle)", "highest peak of the speed in the middle over the lows around it", DEPTHS,
                  NEVER, quantity=q.PEAK, value=math.log(2), relation="<",
                  origin="ours: a jump is twice the lowest speeds on both sides", entry="2.1 no jump in the middle"),
    PrintedFigure("Section 2.1 (below)", "-2H/L̃ of the networks at large L̃ that are near critical points", DEPTHS,
                  APPROACH, quantity=q.RANK, configurations=("deep, L̃ = 9", "deep, L̃ = 12"), value=3.0,
                  holds="from below", entry="2.1 from below",
                  revised="“below” was tested for “approaches from below”, and the approach at another scale"),
    PrintedFigure("Section 2.1 (distance)", "least distance of -2H/L̃ of critical networks below k*", DEPTHS, APPROACH,
                  quantity=q.BELOW),
    PrintedFigure("Section 2.1 (approach)", "-2H/L̃ of critical networks against L̃, from L̃ = 1", DEPTHS, APPROACH,
                  quantity=q.RISE, configurations="default"),
    PrintedFigure("Section 2.1 (kinetic energy)", "logarithm of the kinetic energy towards both ends over the middle",
                  BOTTLENECK, LARGE_ENDS, quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), value=0.0, relation=">",
                  entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (extra cost)", "logarithm of the extra cost of identity towards both ends over the "
                  "middle", BOTTLENECK, LARGE_ENDS, quantity=(q.EXTRA_BEGINNING, q.EXTRA_END), value=0.0, relation=">",
                  entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (dimensions)", "dimensions of the weights towards both ends, less those in the middle",
                  BOTTLENECK, LARGE_ENDS, quantity=(q.WEIGHTS_BEGINNING, q.WEIGHTS_END), value=0.0, relation=">",
                  entry="2.1 high-dimensional ends"),
    PrintedFigure("Section A.3", "growth of the squared weight norm along the layers over L̃ times the integral of the "
                  "squared bias", DEPTHS, "the norm of the weights is increasing throughout the layers",
                  quantity=q.CRITICAL_GROWTH, value=1.0,
                  unsaid="another quantity: the sentence says that the norm grows, and not by how much",
                  cause="derived is a factor of 2, from which sums over 20 layers differ by the order of L̃/L"),
    PrintedFigure("Section B (weights)", "gap in the singular values of the middle layer's weights", BOTTLENECK,
                  LARGE_VALUES, quantity=q.WEIGHT_SEPARATION, value=math.log(10), relation=">", origin=FACTOR,
                  entry="B spectra"),
    PrintedFigure("Section B (representations)", "gap in those of the middle layer's representations", BOTTLENECK,
                  LARGE_VALUES, quantity=q.REPRESENTATION_SEPARATION, value=math.log(10), relation=">", origin=FACTOR,
                  entry="B spectra"),
)  # fmt: skip
