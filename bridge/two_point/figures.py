"""The figures and tables of van Rossem and Saxe (2024)."""

from __future__ import annotations

import math

from bridge.results.printed_figure import PrintedFigure
from bridge.two_point import quantities as q

ARCHITECTURES, WEIGHTS, LAYER = "two-point-architectures", "two-point-initial-weights", "two-point-layer"
ALTERNATIVES, GRID, XOR, BLOBS = (f"two-point-{name}" for name in ("alternatives", "final-distances", "xor", "blobs"))
STRUCTURE, PAIRS = "two-point-mnist-structure", "two-point-mnist-pairs"
TENTH = "(compared with a tenth of the variance unexplained)"
EXPONENTIAL, EXPONENTIALLY = math.log(math.log(2) / math.log(5)), "in exponential decay, as a logarithm"
ALTERED = ("default, a factor 2 in d|dy|²/dt", "default, 2w in d|dh|²/dt (as released)",
           "default, plus for minus in dw/dt", "default, a term less in d|dy|²/dt")  # fmt: skip
RELEASED = "Eq. (50), as released"
LINEARITY, AVERAGED, SUMMED = "two-point-mnist-linearity", "error averaged over outputs", "error summed over outputs"
LINEAR = "the linear term dominates nearby, in both maps, after 30 epochs"
VISIBLE = "becoming visible even at a single epoch"
EARLY = "networks have learned little by then; the trend is first the other way round, and turns with further epochs"

FIGURES = (
    PrintedFigure("1", "the effective theory in a drawing", reason="a drawing, which has no measured numbers"),
    PrintedFigure("2", "two points in several architectures against the theory", ARCHITECTURES,
                  f"two constants fit every architecture {TENTH}", quantity=q.UNEXPLAINED_CURVES, relation="<",
                  entry="3.1 and Figure 2"),
    PrintedFigure("2 (each curve)", "the same networks, by the worst of their three curves", ARCHITECTURES,
                  f"the theory matches all three curves quite well for all networks {TENTH}",
                  quantity=q.UNEXPLAINED_WORST, relation="<",
                  cause="it is the alignment w that the theory misses, and smaller initial weights do not change that"),
    PrintedFigure("3", "two points from small to large initial weights", WEIGHTS, f"the theory fits {TENTH}",
                  quantity=q.UNEXPLAINED_CURVES, relation="<",
                  configurations=("low initial weights", "default", "intermediate initial weights",
                                  "high initial weights")),
    PrintedFigure("3 (very high)", "two points from very high initial weights", WEIGHTS, f"the theory fails {TENTH}",
                  quantity=q.UNEXPLAINED_CURVES, configurations="very high initial weights", relation=">",
                  entry="3.2 very large weights"),
    PrintedFigure("3 (plateau)", "time to half of the loss over that from there to a tenth, small initial weights",
                  WEIGHTS, f"a plateau (longer than {EXPONENTIALLY})", quantity=q.DELAY,
                  configurations="low initial weights", value=EXPONENTIAL, relation=">", entry="Figure 3"),
    PrintedFigure("3 (no plateau)", "the same at large initial weights", WEIGHTS,
                  f"immediate decay without a plateau (not longer than {EXPONENTIALLY})", quantity=q.DELAY,
                  configurations="high initial weights", value=EXPONENTIAL, relation="<",
                  reason="half of the paper's layers and a fifth of its units, with a gain at which representations "
                  "start as far apart as the paper's; the delay falls with the gain, but not to that of exponential "
                  "decay"),
    PrintedFigure("4", "a zero and a one of MNIST", PAIRS,
                  f"with two fitted constants, the theory resembles the curves qualitatively {TENTH}",
                  quantity=q.UNEXPLAINED_CURVES, configurations="0 and 1", relation="<", entry="3.4 and Figure 4"),
    PrintedFigure("5", "final distances against Eq. (10) without a refit", GRID, "they agree", quantity=q.GRID_RATIO),
    PrintedFigure("5 (mean)", "the same, mean over the architectures", GRID, "they agree", quantity=q.GRID_BIAS,
                  entry="B.1 final distance"),
    PrintedFigure("5 (variance)", "the variance of the final distances on the grid, mean over the architectures", GRID,
                  f"Eq. (10) predicts them {TENTH}", quantity=q.GRID_UNEXPLAINED, relation="<",
                  entry="4.2 and Figure 5"),
    PrintedFigure("5 (trend)", "the same against the distance of the inputs", GRID,
                  "the rates of one choice of data extrapolate to other distances", quantity=q.GRID_TREND,
                  reason="half of the layers and a fifth of the units of the paper's networks; measured distances grow "
                  "less with that of the inputs than predicted"),
    PrintedFigure("6", "pairs of exclusive or that merge at low initial weights, 20 layers", XOR, "both, as predicted",
                  quantity=q.MERGED_PAIRS, configurations="low weights, gradient descent", entry="4.4 and Figure 6"),
    PrintedFigure("6 (higher weights)", "pairs of exclusive or that merge at higher initial weights", XOR,
                  "none, as predicted", quantity=q.MERGED_PAIRS,
                  configurations=("intermediate weights", "high weights, gradient descent")),
    PrintedFigure("6 (distances)", "distances of the points with different targets in exclusive or", XOR,
                  "as predicted for the default network at varying initial weights", quantity=q.TARGETS_APART,
                  configurations=tuple(f"{name} weights, gradient descent" for name in ("low", "intermediate", "high")),
                  cause="the rates of the prediction are, as in the paper, those of two-point networks with other "
                  "initial weights and, for low ones, another nonlinearity"),
    PrintedFigure("6 (2 layers)", "pairs of exclusive or that merge in networks of two layers", XOR,
                  "only one, where both are predicted", quantity=q.MERGED_PAIRS,
                  configurations="2 layers, gradient descent", value=1.0, resolution=0.2),
    PrintedFigure("7", "the data set of two orthogonal features", BLOBS),
    PrintedFigure("8", "scaling of the representations of two orthogonal features", BLOBS,
                  "the irrelevant direction collapses at small weights", quantity=q.EXTENT,
                  configurations="low weights, gradient descent", relation="<", entry="4.5 and Figure 8"),
    PrintedFigure("8 (high)", "the same at high initial weights", BLOBS, "no direction collapses", quantity=q.EXTENT,
                  configurations="high weights, gradient descent", relation=">", entry="Figure 8 large weights"),
    PrintedFigure("9", "distances of one hundred images of MNIST", STRUCTURE,
                  "correlations 0.703 of all pairs and 0.512 of those of different digits",
                  quantity=(q.CORRELATION_ALL, q.CORRELATION_DIFFERENT), configurations=f"structure, {RELEASED}",
                  entry="4.6 and Figure 9"),
    PrintedFigure("10", "fit loss and rates against the layer", LAYER,
                  "accurate only in the second half of the network (compared with the first half)",
                  quantity=q.FIT_LOSS_HALVES, relation="<", entry="5.1 and Figure 10"),
    PrintedFigure("10 (rates)", "exponents of the rates in the number of parameters of encoder and decoder", LAYER,
                  "through the second half, the encoder's rate rises with depth and the decoder's falls",
                  quantity=(q.ENCODER_EXPONENT, q.DECODER_EXPONENT), configurations="default", value=0.0, relation=">",
                  entry="5.2 and Figure 10"),
    PrintedFigure("Section 5.1", "squared distance of the representations at initialisation against the layer", LAYER,
                  "falls by a constant factor from layer to layer (Eq. 14), in wide networks gain² (1 + slope²)/2",
                  quantity=q.LAYER_FACTOR),
    PrintedFigure("Section 5.2", "exponents of the rates in the number of parameters of encoder and decoder", LAYER,
                  "changes of a map are proportional to its number of parameters: an exponent of one",
                  quantity=(q.ENCODER_EXPONENT, q.DECODER_EXPONENT),
                  cause="the number of parameters alone does not set a rate; that both change in the stated directions "
                  "agrees"),
    PrintedFigure("11", "four altered dynamics", ALTERNATIVES,
                  "fit losses 0.92 of the theory and 15.35, 16.61, 2.99, 5.64", quantity=q.FIT_LOSS,
                  cause="both rates are free in our fits; with their ratio held where the released fit starts, the "
                  "losses of the altered dynamics are of the printed order"),
    PrintedFigure("Section C.1, theory", "fit loss of the theory", ALTERNATIVES, "0.92", quantity=q.FIT_LOSS,
                  configurations="default, effective theory", entry="C.1 as derived"),
    PrintedFigure("Section C.1, altered dynamics", "fit losses of the four altered dynamics", ALTERNATIVES,
                  "15.35, 16.61, 2.99, 5.64", quantity=q.FIT_LOSS, configurations=ALTERED,
                  entry="C.1 altered fit losses",
                  cause="the same as of Figure 11"),
    PrintedFigure("Section C.1, increase", "smallest of the four increases of the fit loss", ALTERNATIVES,
                  "each alteration increases it", quantity=q.FIT_LOSS_INCREASE, relation=">", entry="C.1 increase"),
    PrintedFigure("12", "training losses of all architectures", ARCHITECTURES,
                  f"predicted with one more constant {TENTH}", quantity=q.UNEXPLAINED_LOSS, relation="<",
                  entry="C.2 and Figure 12"),
    PrintedFigure("13", "two orthogonal features at very small weights", BLOBS,
                  "collapse along the irrelevant direction", quantity=q.EXTENT, configurations="very low weights",
                  relation="<", entry="C.3 and Figure 13"),
    PrintedFigure("13 (one line)", "squared distance of both contexts at the same target, over the extent of a context",
                  BLOBS, "both contexts collapse to a single line (compared with a tenth)", quantity=q.CONTEXTS,
                  configurations="very low weights", value=0.1, relation="<", entry="C.3 and Figure 13"),
    PrintedFigure("14", "linear against quadratic order by distance in MNIST, with the error averaged over the "
                  "outputs as in the released code (held at the paper's 30 epochs now, and at 200 epochs before)",
                  LINEARITY, LINEAR, quantity=q.LINEARITY, configurations=f"{AVERAGED}, epoch 30", relation=">",
                  cause="at this reading of the printed rate, a tenth of it in Eq. (1), networks have learned little "
                  "after 30 epochs, and the encoder shows the trend later: from between epochs 60 and 100 on"),
    PrintedFigure("14 (Eq. 1)", "the same with the printed rate in Eq. (1), which sums the error over the outputs",
                  LINEARITY, LINEAR, quantity=q.LINEARITY, configurations=f"{SUMMED}, epoch 30", relation=">",
                  entry="C.4 and Figure 14"),
    PrintedFigure("14 (first epoch)", "the same after a single epoch, with the error averaged over the outputs",
                  LINEARITY, VISIBLE, quantity=q.LINEARITY, configurations=f"{AVERAGED}, epoch 1", relation=">",
                  cause=EARLY),
    PrintedFigure("14 (first epoch, Eq. 1)", "the same with the printed rate in Eq. (1)", LINEARITY, VISIBLE,
                  quantity=q.LINEARITY, configurations=f"{SUMMED}, epoch 1", relation=">",
                  entry="Figure 14 first epoch", cause=EARLY),
    PrintedFigure("14 (200 epochs)", "the same at the end of the training of Figure 4, with the error averaged over "
                  "the outputs (superseded: this number stood for Figure 14 before)", PAIRS,
                  "nothing for so many epochs; the trend of Figure 14", quantity=q.LINEARITY,
                  configurations="trajectories, epoch 200", relation=">"),
    PrintedFigure("15", "two points under Adam", "two-point-adam", f"the fit is not very good {TENTH}",
                  quantity=q.UNEXPLAINED_CURVES, relation=">", entry="C.5 and Figure 15"),
    PrintedFigure("16", "pairs of exclusive or that merge at low initial weights under Adam, 20 layers (laptop: 10)",
                  XOR, "both, as predicted", quantity=q.MERGED_PAIRS, configurations="low weights, Adam",
                  entry="C.5 and Figures 16 to 18"),
    PrintedFigure("16 (higher weights)", "the same at high initial weights", XOR, "none, as predicted",
                  quantity=q.MERGED_PAIRS, configurations="high weights, Adam"),
    PrintedFigure("16 (2 layers)", "pairs that merge in networks of two layers under Adam", XOR,
                  "not both, which is predicted", quantity=q.MERGED_PAIRS, configurations="2 layers, Adam", value=2.0,
                  relation="<"),
    PrintedFigure("17", "two orthogonal features under Adam", BLOBS,
                  "the irrelevant direction collapses at small weights", quantity=q.EXTENT,
                  configurations="low weights, Adam", relation="<"),
    PrintedFigure("17 (high)", "the same at high initial weights", BLOBS, "no direction collapses", quantity=q.EXTENT,
                  configurations="high weights, Adam", relation=">"),
    PrintedFigure("18", "one hundred images of MNIST under Adam", STRUCTURE,
                  "as predicted (a positive correlation between different digits)", quantity=q.CORRELATION_DIFFERENT,
                  configurations=f"structure (Adam), {RELEASED}", value=0.0, relation=">"),
    PrintedFigure("Section A.6", "distribution of the final distance over initial weights", "two-point-random-weights",
                  "scatters as Eq. (48) says, which vanishes at small initial weights", quantity=q.SPREAD,
                  cause="networks also differ in their effective rates, which the appendix leaves out; that scatter is "
                  "smaller in wider networks"),
    PrintedFigure("Table 1", "settings of the experiments with two points", ARCHITECTURES),
    PrintedFigure("Table 2", "settings of the other data sets", XOR),
)  # fmt: skip
