"""The figures of Jacot and Kaiser (2024), which has no tables, and sections whose claims a study measures."""

from __future__ import annotations

import math

from empirics.runs.printed_figure import PrintedFigure

BOTTLENECK, DEPTHS = "leaky-resnet-bottleneck", "leaky-resnet-depths"
MESHES, ADAPTIVE = "leaky-resnet-meshes", "leaky-resnet-adaptive"
CODES = "leaky-resnet-codes"
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
    PrintedFigure("1a", "-2H/L̃ and the least cost of identity against L̃",
                  "-2H/L̃ rises to k* = 3 from below (that at the largest L̃ is held against it)", "−2H/L̃", "deep", 3.0,
                  cause="a limit of large L̃: critical networks rise towards it, but are still below it at ours"),
    PrintedFigure("1a (least cost)", "least cost of identity at every L̃, in its order", "approaches k* = 3 from above",
                  "minimal_cost", value=3.0, study=DEPTHS, relation=">",
                  cause="it is below k* only at the largest L̃, where no network is anywhere near a critical point"),
    PrintedFigure("1b", "spectra of representations and weights, L̃ = 7", "k* = 3 large values in the middle layers",
                  "directions above the gap beyond k*", cause=MEAN),
    PrintedFigure("1b (paper's size)", "least cost of identity along the layers, 30-3-30, L̃ = 7",
                  "k* large values in the middle layers, where k* = 3 (held against a least cost of k*, to which the "
                  "paper has it fall as L̃ grows)", "least cost of identity", study=CODES, cause=MEAN),
    PrintedFigure("1c", "Hamiltonian, kinetic and potential energy along the layers",
                  "H varies much less than its parts (held against a factor of 10)", "ratio", value=10.0, relation=">",
                  entry="2.1 varies less"),
    PrintedFigure("1c (paper's size)", "the same for 30-3-30, signed and non-negative codes",
                  "H varies much less than its parts (held against a factor of 10)", "ratio", value=10.0, relation=">",
                  study=CODES),
    PrintedFigure("2a", "test error against the number of layers for three meshes",
                  "a small but consistent advantage of adaptive and irregular meshes (in the mean over all numbers)",
                  "logarithm of the advantage", relation=">"),
    PrintedFigure("2a (adaptive)", "the adaptive mesh alone", "an advantage in the test error (in the same mean)",
                  "logarithm of the advantage", "adaptive", relation=">", study=MESHES, entry="3 advantage"),
    PrintedFigure("2a (irregular)", "the irregular mesh alone", "an advantage in the test error (in the same mean)",
                  "logarithm of the advantage", "irregular", relation=">", study=MESHES,
                  entry="3 irregular advantage"),
    PrintedFigure("2b", "spectra of the weights with the adaptive mesh",
                  "more steps at the beginning and at the end (more than half of them)", "outer", "adaptive", 0.5,
                  relation=">"),
    PrintedFigure("2b (beginning)", "the first quarter of the layers", "more steps, so more than a quarter of them",
                  "beginning", "adaptive", 0.25, relation=">", study=ADAPTIVE, entry="3 adaptive mesh"),
    PrintedFigure("2b (end)", "the last quarter of the layers", "more steps, so more than a quarter of them",
                  "end", "adaptive", 0.25, relation=">", study=ADAPTIVE, entry="3 adaptive end"),
    PrintedFigure("2b (p = 0.3)", "dimension of the weights around p = 0.3",
                  "one can almost see that it is roughly 6, the teacher's first inner dimension (singular values above "
                  "the largest gap)", "directions above the gap at p = 0.3", "adaptive", study=ADAPTIVE,
                  cause="in these networks, which the optimiser of appendix B leaves far from critical points, the "
                  "largest gap lies behind the directions of the bottleneck there already; in smaller ones nearer to "
                  "critical points it lies further back, and not in the same place in all of them"),
    PrintedFigure("2c", "paths of the representations in the plane", "adaptive meshes spread the steps better",
                  "logarithm of the unevenness", "adaptive", 0.0, relation=">"),
    PrintedFigure("3", "length of the path against L̃, L̃ = 1 to 7", "relatively constant (exponent held against 1/2)",
                  "exponent in L̃: path length", "default", 0.5, study=DEPTHS, relation="<",
                  cause=PATH),
    PrintedFigure("3 (relative length)", "the same over the largest representation, which the figure does not show",
                  "relatively constant (exponent held against 1/2)",
                  "exponent in L̃: path length over the largest representation", "default", 0.5, study=DEPTHS,
                  relation="<", cause=PATH),
    PrintedFigure("3 (momenta)", "largest momentum against L̃, L̃ = 1 to 7",
                  "relatively constant (exponent held against 1/2)", "exponent in L̃: momentum norm", "default",
                  0.5, relation="<", study=DEPTHS, entry="Figure 3 momenta"),
    PrintedFigure("3 (weights)", "largest ‖Bσ(A)ᵀ‖ against L̃, L̃ = 1 to 7",
                  "relatively constant (exponent held against 1/2)", "exponent in L̃: weight from momenta norm",
                  "default", 0.5, relation="<", study=DEPTHS, entry="Figure 3 weights"),
    PrintedFigure("Section 1.3", "squared weights along the path of trained networks, here of linear ones",
                  "minimisers follow paths of least squared weights (for linear networks held against a closed form)",
                  "squared weights"),
    PrintedFigure("Section 1.3 (ends)", "speed along the layers at large L̃",
                  "rapid moves from the inputs and to the outputs (logarithm of the kinetic energy in the first and in "
                  "the last quarter over its median in the middle half, held against 0)",
                  "kinetic_", "deep, L̃ = 12", 0.0, relation=">", study=DEPTHS, entry="1.3 balance"),
    PrintedFigure("Section 1.3 (most layers)", "low-dimensional layers at large L̃",
                  "most of the layers (more than half of them within one dimension of the least cost)",
                  "slow_share", "deep, L̃ = 12", 0.5, relation=">", study=DEPTHS, entry="1.3 balance"),
    PrintedFigure("Section 1.3 (growth)", "low-dimensional layers against L̃", "their share grows with the depth",
                  "slow_growth", "default, L̃ = 7", 0.0, relation=">", study=DEPTHS, entry="1.3 balance"),
    PrintedFigure("Section 1.4", "representations in the bottleneck, Propositions 2 and 5",
                  "non-negative (held against a share of a tenth)", "share of negative entries", value=0.1,
                  relation="<", entry="1.4 observed minima"),
    PrintedFigure("Section 1.5", "trained networks against geodesics of infinitely many layers",
                  "critical points follow Hamilton's equations (here up to a derived error of first order in 1/L)",
                  "order in 1/L"),
    PrintedFigure("Section 2.1 (image)", "distance of representations from the image of σ(A)",
                  "the cost of identity is often infinite (in half of the layers the distance is above 1e-8, where the "
                  "measured cost, and with it the kinetic energy, is infinite)",
                  "image_distance", value=-8.0, relation=">", study=BOTTLENECK, entry="2.1 image condition"),
    PrintedFigure("Section 2.1 (momenta)", "‖B‖ against ‖σ(A)‖ along the layers", "inversely proportional",
                  "momentum_exponent", value=-1.0, study=BOTTLENECK, entry="2.1 momenta", cause=PRODUCT),
    PrintedFigure("Section 2.1 (γ‖B‖²)", "γ‖B‖² along the layers",
                  "roughly the same size (largest over smallest held against a factor of 10)",
                  "momentum_range", value=1.0, relation="<", study=BOTTLENECK, entry="2.1 gamma times momenta",
                  cause=PRODUCT),
    PrintedFigure("Section 2.1 (jumps)", "speed towards both ends at large L̃",
                  "jumps at the beginning and at the end (logarithm of the kinetic energy in the first and in the last "
                  "quarter over its median in the middle half, held against 0)",
                  "kinetic_", "deep", 0.0, relation=">", study=DEPTHS, entry="2.1 jumps at the ends"),
    PrintedFigure("Section 2.1 (middle)", "speed in the middle at every L̃",
                  "never a jump (a peak held against twice the lowest speeds on both sides)",
                  "peak", value=math.log(2), relation="<", study=DEPTHS, entry="2.1 no jump in the middle"),
    PrintedFigure("Section 2.1 (below)", "-2H/L̃ of critical networks at every L̃", "below k*",
                  "distance of −2H/L̃ below k*", study=DEPTHS, entry="2.1 from below"),
    PrintedFigure("Section 2.1 (approach)", "-2H/L̃ of critical networks against L̃, from L̃ = 1", "approaches k*",
                  "rise of −2H/L̃", "default", study=DEPTHS, entry="2.1 from below"),
    PrintedFigure("Section 2.1 (kinetic energy)", "kinetic energy towards both ends, over the middle",
                  "large (logarithm held against 0)",
                  "kinetic_", value=0.0, relation=">", study=BOTTLENECK, entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (extra cost)", "extra cost of identity towards both ends, over the middle",
                  "large (logarithm held against 0)",
                  "extra_", value=0.0, relation=">", study=BOTTLENECK, entry="2.1 high-dimensional ends"),
    PrintedFigure("Section 2.1 (dimensions)", "dimensions of the weights towards both ends, less those in the middle",
                  "more dimensions",
                  "weights_", value=0.0, relation=">", study=BOTTLENECK, entry="2.1 high-dimensional ends"),
    PrintedFigure("Section A.3", "squared weight norm along the layers, Proposition 9",
                  "grows by L̃ times the integral of the squared bias, a factor 1", "growth of the squared weights",
                  value=1.0, study=DEPTHS,
                  cause="derived is a factor of 2, from which sums over 20 layers differ by the order of L̃/L"),
    PrintedFigure("Section B (weights)", "gap in the singular values of the middle layer's weights",
                  "a clear separation (held against a factor of 10)",
                  "weight_separation", value=math.log(10), relation=">", study=BOTTLENECK, entry="B spectra"),
    PrintedFigure("Section B (representations)", "gap in those of the middle layer's representations",
                  "a clear separation (held against a factor of 10)",
                  "representation_separation", value=math.log(10), relation=">", study=BOTTLENECK, entry="B spectra"),
)  # fmt: skip
