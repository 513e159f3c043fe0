"""The figures of Jacot and Kaiser (2024), which has no tables, and sections whose claims a study measures."""

from __future__ import annotations

import math

from bridge.leaky_resnet import quantities as q
from bridge.results.printed_figure import PrintedFigure

BOTTLENECK, DEPTHS, RANKS = "leaky-resnet-bottleneck", "leaky-resnet-depths", "leaky-resnet-ranks"
MESHES, ADAPTIVE, CODES = "leaky-resnet-meshes", "leaky-resnet-adaptive", "leaky-resnet-codes"
GEODESICS = "leaky-resnet-geodesics"
LARGE_CODES = tuple(f"{code}, k* = {k}" for code in ("signed", "nonnegative") for k in (2, 3, 4, 5))  # the paper's size
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

FIGURES = (
    PrintedFigure("1a", "-2H/L̃ and the least cost of identity against L̃", DEPTHS,
                  "-2H/L̃ rises to k* = 3 from below (that at the largest L̃ is compared with it)",
                  quantity=q.CRITICAL_RANK, configurations="deep", value=3.0,
                  cause="a limit of large L̃: critical networks rise towards it, but are still below it at ours"),
    PrintedFigure("1a (least cost)", "least cost of identity at every L̃, in its order", DEPTHS,
                  "approaches k* = 3 from above", quantity=q.MINIMAL_COST, value=3.0, relation=">",
                  cause="it is below k* only at the largest L̃, where no network is anywhere near a critical point"),
    PrintedFigure("1b", "spectra of representations and weights, L̃ = 7", RANKS,
                  "k* = 3 large values in the middle layers", quantity=q.DIRECTIONS_BEYOND, cause=MEAN),
    PrintedFigure("1b (one network)", "the same along the layers of the network nearest to a critical point",
                  BOTTLENECK, "k* = 3 large values in the middle layers"),
    PrintedFigure("1b (paper's size)", "least cost of identity along the layers, 30-3-30, L̃ = 7", CODES,
                  "k* large values in the middle layers, where k* = 3 (compared with a least cost of k*, to which the "
                  "paper has it fall as L̃ grows)", quantity=q.MINIMAL_COST, configurations=LARGE_CODES, cause=MEAN),
    PrintedFigure("1c", "Hamiltonian, kinetic and potential energy along the layers", BOTTLENECK,
                  "H varies much less than its parts (compared with a factor of 10)", quantity=q.RATIO, value=10.0,
                  relation=">", entry="2.1 varies less"),
    PrintedFigure("1c (paper's size)", "the same for 30-3-30, signed and non-negative codes", CODES,
                  "H varies much less than its parts (compared with a factor of 10)", quantity=q.RATIO, value=10.0,
                  relation=">"),
    PrintedFigure("2a", "test error against the number of layers for three meshes", MESHES,
                  "a small but consistent advantage of adaptive and irregular meshes (in the mean over all numbers)",
                  quantity=q.MEAN_ADVANTAGE, relation=">"),
    PrintedFigure("2a (adaptive)", "the adaptive mesh alone", MESHES,
                  "an advantage in the test error (in the same mean)", quantity=q.MEAN_ADVANTAGE,
                  configurations="adaptive", relation=">", entry="3 advantage"),
    PrintedFigure("2a (irregular)", "the irregular mesh alone", MESHES,
                  "an advantage in the test error (in the same mean)", quantity=q.MEAN_ADVANTAGE,
                  configurations="irregular", relation=">", entry="3 irregular advantage"),
    PrintedFigure("2b", "spectra of the weights with the adaptive mesh", ADAPTIVE,
                  "more steps at the beginning and at the end (more than half of them)", quantity=q.OUTER,
                  configurations="adaptive", value=0.5, relation=">"),
    PrintedFigure("2b (beginning)", "the first quarter of the layers", ADAPTIVE,
                  "more steps, so more than a quarter of them", quantity=q.BEGINNING, configurations="adaptive",
                  value=0.25, relation=">", entry="3 adaptive mesh"),
    PrintedFigure("2b (end)", "the last quarter of the layers", ADAPTIVE,
                  "more steps, so more than a quarter of them", quantity=q.END, configurations="adaptive", value=0.25,
                  relation=">", entry="3 adaptive end"),
    PrintedFigure("2b (p = 0.3)", "dimension of the weights around p = 0.3", ADAPTIVE,
                  "one can almost see that it is roughly 6, the teacher's first inner dimension (singular values above "
                  "the largest gap)", quantity=q.EARLY_DIRECTIONS, configurations="adaptive",
                  cause="in these networks, which the optimiser of appendix B leaves far from critical points, the "
                  "largest gap lies behind the directions of the bottleneck there already; in smaller ones nearer to "
                  "critical points it lies further back, and not in the same place in all of them"),
    PrintedFigure("2c", "paths of the representations in the plane", ADAPTIVE,
                  "adaptive meshes spread the steps better", quantity=q.LOG_UNEVENNESS, configurations="adaptive",
                  value=0.0, relation=">"),
    PrintedFigure("3", "length of the path against L̃, L̃ = 1 to 7", DEPTHS,
                  "relatively constant (exponent compared with 1/2)", quantity=q.LENGTH_EXPONENT,
                  configurations="default", value=0.5, relation="<", cause=PATH),
    PrintedFigure("3 (relative length)", "the same over the largest representation, which the figure does not show",
                  DEPTHS, "relatively constant (exponent compared with 1/2)", quantity=q.RELATIVE_LENGTH_EXPONENT,
                  configurations="default", value=0.5, relation="<", cause=PATH),
    PrintedFigure("3 (momenta)", "largest momentum against L̃, L̃ = 1 to 7", DEPTHS,
                  "relatively constant (exponent compared with 1/2)", quantity=q.MOMENTUM_NORM_EXPONENT,
                  configurations="default", value=0.5, relation="<", entry="Figure 3 momenta"),
    PrintedFigure("3 (weights)", "largest ‖Bσ(A)ᵀ‖ against L̃, L̃ = 1 to 7", DEPTHS,
                  "relatively constant (exponent compared with 1/2)", quantity=q.WEIGHT_EXPONENT,
                  configurations="default", value=0.5, relation="<", entry="Figure 3 weights"),
    PrintedFigure("Section 1.3", "squared weights along the path of trained networks, here of linear ones", GEODESICS,
                  "minimisers follow paths of least squared weights (for linear networks compared with a closed form)",
                  quantity=q.SQUARED_WEIGHTS),
    PrintedFigure("Section 1.3 (ends)", "speed along the layers at large L̃", DEPTHS,
                  "rapid moves from the inputs and to the outputs (logarithm of the kinetic energy in the first and in "
                  "the last quarter over its median in the middle half, compared with 0)",
                  quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), configurations="deep, L̃ = 12", value=0.0,
                  relation=">", entry="1.3 balance"),
    PrintedFigure("Section 1.3 (most layers)", "low-dimensional layers at large L̃", DEPTHS,
                  "most of the layers (more than half of them within one dimension of the least cost)",
                  quantity=q.SLOW_SHARE, configurations="deep, L̃ = 12", value=0.5, relation=">", entry="1.3 balance"),
    PrintedFigure("Section 1.3 (growth)", "low-dimensional layers against L̃", DEPTHS,
                  "their share grows with the depth", quantity=q.SLOW_GROWTH, configurations="default, L̃ = 7",
                  value=0.0, relation=">", entry="1.3 balance"),
    PrintedFigure("Section 1.4", "representations in the bottleneck, Propositions 2 and 5", RANKS,
                  "non-negative (compared with a share of a tenth)", quantity=q.NEGATIVE_SHARE, value=0.1, relation="<",
                  entry="1.4 observed minima"),
    PrintedFigure("Section 1.5", "trained networks against geodesics of infinitely many layers", GEODESICS,
                  "critical points follow Hamilton's equations (here up to a derived error of first order in 1/L)",
                  quantity=q.ORDER),
    PrintedFigure("Section 2.1 (image)", "distance of representations from the image of σ(A)", BOTTLENECK,
                  "the cost of identity is often infinite (in half of the layers the distance is above 1e-8, where the "
                  "measured cost, and with it the kinetic energy, is infinite)",
                  quantity=q.IMAGE_DISTANCE, value=-8.0, relation=">", entry="2.1 image condition"),
    PrintedFigure("Section 2.1 (momenta)", "‖B‖ against ‖σ(A)‖ along the layers", BOTTLENECK,
                  "inversely proportional", quantity=q.MOMENTUM_EXPONENT, value=-1.0, entry="2.1 momenta",
                  cause=PRODUCT),
    PrintedFigure("Section 2.1 (γ‖B‖²)", "γ‖B‖² along the layers", BOTTLENECK,
                  "roughly the same size (largest over smallest compared with a factor of 10)",
                  quantity=q.MOMENTUM_RANGE, value=1.0, relation="<", entry="2.1 gamma times momenta", cause=PRODUCT),
    PrintedFigure("Section 2.1 (jumps)", "speed towards both ends at large L̃", DEPTHS,
                  "jumps at the beginning and at the end (logarithm of the kinetic energy in the first and in the last "
                  "quarter over its median in the middle half, compared with 0)",
                  quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), configurations="deep", value=0.0, relation=">",
                  entry="2.1 jumps at the ends"),
    PrintedFigure("Section 2.1 (middle)", "speed in the middle at every L̃", DEPTHS,
                  "never a jump (a peak compared with twice the lowest speeds on both sides)",
                  quantity=q.PEAK, value=math.log(2), relation="<", entry="2.1 no jump in the middle"),
    PrintedFigure("Section 2.1 (below)", "-2H/L̃ of critical networks at every L̃", DEPTHS, "below k*",
                  quantity=q.BELOW, entry="2.1 from below"),
    PrintedFigure("Section 2.1 (approach)", "-2H/L̃ of critical networks against L̃, from L̃ = 1", DEPTHS,
                  "approaches k*", quantity=q.RISE, configurations="default", entry="2.1 from below"),
    PrintedFigure("Section 2.1 (kinetic energy)", "kinetic energy towards both ends, over the middle", BOTTLENECK,
                  "large (logarithm compared with 0)", quantity=(q.KINETIC_BEGINNING, q.KINETIC_END), value=0.0,
                  relation=">", entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (extra cost)", "extra cost of identity towards both ends, over the middle", BOTTLENECK,
                  "large (logarithm compared with 0)", quantity=(q.EXTRA_BEGINNING, q.EXTRA_END), value=0.0,
                  relation=">", entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (dimensions)", "dimensions of the weights towards both ends, less those in the middle",
                  BOTTLENECK, "more dimensions", quantity=(q.WEIGHTS_BEGINNING, q.WEIGHTS_END), value=0.0,
                  relation=">", entry="2.1 high-dimensional ends"),
    PrintedFigure("Section A.3", "squared weight norm along the layers, Proposition 9", DEPTHS,
                  "grows by L̃ times the integral of the squared bias, a factor 1", quantity=q.CRITICAL_GROWTH,
                  value=1.0,
                  cause="derived is a factor of 2, from which sums over 20 layers differ by the order of L̃/L"),
    PrintedFigure("Section B (weights)", "gap in the singular values of the middle layer's weights", BOTTLENECK,
                  "a clear separation (compared with a factor of 10)", quantity=q.WEIGHT_SEPARATION,
                  value=math.log(10), relation=">", entry="B spectra"),
    PrintedFigure("Section B (representations)", "gap in those of the middle layer's representations", BOTTLENECK,
                  "a clear separation (compared with a factor of 10)", quantity=q.REPRESENTATION_SEPARATION,
                  value=math.log(10), relation=">", entry="B spectra"),
)  # fmt: skip
