"""The figures and tables of van Rossem and Saxe (2024)."""

from __future__ import annotations

import math

from empirics.runs.printed_figure import PrintedFigure

SHARE = "logarithm of the unexplained share"
TENTH = "(held against a tenth of the variance left over)"
MERGED = "number of merged pairs"
EXTENT = "logarithm of the squared extent"
LINEARITY = "two-point-mnist-linearity"
AVERAGED, SUMMED = "error averaged over outputs", "error summed over outputs"
AFTER_30, AFTER_1 = "after epoch 30: logarithm of the odd", "after epoch 1: logarithm of the odd"
LINEAR = "the linear term dominates nearby, in both maps, after 30 epochs"
VISIBLE = "becoming visible even at a single epoch"
EARLY = "networks have learned little by then; the trend is first the other way round, and turns with further epochs"
EXPONENTIAL, EXPONENTIALLY = math.log(math.log(2) / math.log(5)), "in exponential decay, as a logarithm"

FIGURES = (
    PrintedFigure("1", "the effective theory in a drawing", reason="a drawing, which has no measured numbers"),
    PrintedFigure("2", "two points in several architectures against the theory",
                  f"two constants fit every architecture {TENTH}", f"{SHARE} of the curves", relation="<"),
    PrintedFigure("2 (each curve)", "the same networks, by the worst of their three curves",
                  f"the theory matches all three curves quite well for all networks {TENTH}",
                  f"{SHARE} of the worst curve", study="two-point-architectures", relation="<",
                  cause="it is the alignment w that the theory misses, and smaller initial weights do not change that"),
    PrintedFigure("3", "two points from small to large initial weights", f"the theory fits {TENTH}",
                  f"{SHARE} of the curves",
                  ("low initial weights", "default", "intermediate initial weights", "high initial weights"),
                  relation="<"),
    PrintedFigure("3 (very high)", "two points from very high initial weights", f"the theory fails {TENTH}",
                  f"{SHARE} of the curves", "very high", study="two-point-initial-weights", relation=">"),
    PrintedFigure("3 (plateau)", "time to half of the loss over that from there to a tenth, small initial weights",
                  f"a plateau (longer than {EXPONENTIALLY})", "delay", "low initial weights", EXPONENTIAL,
                  "two-point-initial-weights", relation=">", entry="Figure 3"),
    PrintedFigure("3 (no plateau)", "the same at large initial weights",
                  f"immediate decay without a plateau (not longer than {EXPONENTIALLY})", "delay",
                  "high initial weights", EXPONENTIAL, "two-point-initial-weights",
                  "half of the paper's layers and a fifth of its units, with a gain at which representations start as "
                  "far apart as the paper's; the delay falls with the gain, but not to that of exponential decay",
                  relation="<"),
    PrintedFigure("4", "a zero and a one of MNIST",
                  f"with two fitted constants, the theory resembles the curves qualitatively {TENTH}", SHARE,
                  "0 and 1", relation="<"),
    PrintedFigure("5", "final distances against Eq. (10) without a refit", "they agree",
                  "mean logarithm of measured over predicted final distance"),
    PrintedFigure("5 (trend)", "the same against the distance of the inputs",
                  "the rates of one choice of data extrapolate to other distances",
                  "exponent of measured over predicted", study="two-point-final-distances",
                  reason="half of the layers and a fifth of the units of the paper's networks; measured distances grow "
                  "less with that of the inputs than predicted"),
    PrintedFigure("6", "pairs of exclusive or that merge at low initial weights, 20 layers", "both, as predicted",
                  MERGED, "low weights, gradient descent"),
    PrintedFigure("6 (higher weights)", "pairs of exclusive or that merge at higher initial weights",
                  "none, as predicted", MERGED, ("intermediate weights", "high weights, gradient descent"),
                  study="two-point-xor"),
    PrintedFigure("6 (distances)", "distances of the points with different targets in exclusive or",
                  "as predicted for the default network at varying initial weights", "logarithm of measured over",
                  tuple(f"{name} weights, gradient descent" for name in ("low", "intermediate", "high")),
                  study="two-point-xor",
                  cause="the rates of the prediction are, as in the paper, those of two-point networks with other "
                  "initial weights and, for low ones, another nonlinearity"),
    PrintedFigure("6 (2 layers)", "pairs of exclusive or that merge in networks of two layers",
                  "only one, where both are predicted", MERGED, "2 layers, gradient descent", 1.0, "two-point-xor",
                  resolution=0.2),
    PrintedFigure("7", "the data set of two orthogonal features"),
    PrintedFigure("8", "scaling of the representations of two orthogonal features",
                  "the irrelevant direction collapses at small weights", EXTENT, "low weights, gradient descent",
                  relation="<", entry="4.5 and Figure 8"),
    PrintedFigure("8 (high)", "the same at high initial weights", "no direction collapses", EXTENT,
                  "high weights, gradient descent", study="two-point-blobs", relation=">",
                  entry="Figure 8 large weights"),
    PrintedFigure("9", "distances of one hundred images of MNIST",
                  "correlations 0.703 of all pairs and 0.512 of those of different digits",
                  "correlation with Eq. (50)"),
    PrintedFigure("10", "fit loss and rates against the layer",
                  "accurate only in the second half of the network (held against the first half)",
                  "logarithm of the fit loss, second half", relation="<"),
    PrintedFigure("10 (rates)", "exponents of the rates in the number of parameters of encoder and decoder",
                  "through the second half, the encoder's rate rises with depth and the decoder's falls",
                  "exponent of the", "default", 0.0, "two-point-layer", relation=">"),
    PrintedFigure("Section 5.1", "squared distance of the representations at initialisation against the layer",
                  "falls by a constant factor from layer to layer (Eq. 14), in wide networks gain² (1 + slope²)/2",
                  "logarithm of the factor G", study="two-point-layer"),
    PrintedFigure("Section 5.2", "exponents of the rates in the number of parameters of encoder and decoder",
                  "changes of a map are proportional to its number of parameters: an exponent of one",
                  "exponent of the", study="two-point-layer",
                  cause="the number of parameters alone does not set a rate; that both change in the stated directions "
                  "agrees"),
    PrintedFigure("11", "four altered dynamics", "fit losses 0.92 of the theory and 15.35, 16.61, 2.99, 5.64",
                  "logarithm of the fit loss",
                  cause="both rates are free in our fits; with their ratio held where the released fit starts, the "
                  "losses of the altered dynamics are of the printed order"),
    PrintedFigure("12", "training losses of all architectures", f"predicted with one more constant {TENTH}",
                  f"{SHARE} of the loss", relation="<"),
    PrintedFigure("13", "two orthogonal features at very small weights", "collapse along the irrelevant direction",
                  EXTENT, "very low", relation="<", entry="C.3 and Figure 13"),
    PrintedFigure("13 (one line)", "squared distance of both contexts at the same target, over the extent of a context",
                  "both contexts collapse to a single line (held against a tenth)", "contexts", "very low weights", 0.1,
                  "two-point-blobs", relation="<", entry="C.3 and Figure 13"),
    PrintedFigure("14", "linear against quadratic order by distance in MNIST, with the error averaged over the "
                  "outputs as in the released code (held at the paper's 30 epochs now, and at 200 epochs before)",
                  LINEAR, AFTER_30, AVERAGED, study=LINEARITY, relation=">",
                  cause="at this reading of the printed rate, a tenth of it in Eq. (1), networks have learned little "
                  "after 30 epochs, and the encoder shows the trend later: from between epochs 60 and 100 on"),
    PrintedFigure("14 (Eq. 1)", "the same with the printed rate in Eq. (1), which sums the error over the outputs",
                  LINEAR, AFTER_30, SUMMED, study=LINEARITY, relation=">", entry="C.4 and Figure 14"),
    PrintedFigure("14 (first epoch)", "the same after a single epoch, with the error averaged over the outputs",
                  VISIBLE, AFTER_1, AVERAGED, study=LINEARITY, relation=">", cause=EARLY),
    PrintedFigure("14 (first epoch, Eq. 1)", "the same with the printed rate in Eq. (1)", VISIBLE, AFTER_1, SUMMED,
                  study=LINEARITY, relation=">", entry="Figure 14 first epoch", cause=EARLY),
    PrintedFigure("14 (200 epochs)", "the same at the end of the training of Figure 4, with the error averaged over "
                  "the outputs (superseded: this number stood for Figure 14 before)",
                  "nothing for so many epochs; the trend of Figure 14", "after epoch 200: logarithm of the odd",
                  study="two-point-mnist-pairs", relation=">"),
    PrintedFigure("15", "two points under Adam", f"the fit is not very good {TENTH}",
                  f"{SHARE} of the curves", relation=">"),
    PrintedFigure("16", "pairs of exclusive or that merge at low initial weights under Adam, 20 layers (laptop: 10)",
                  "both, as predicted", MERGED, "low weights, Adam"),
    PrintedFigure("16 (higher weights)", "the same at high initial weights", "none, as predicted", MERGED,
                  "high weights, Adam", study="two-point-xor"),
    PrintedFigure("16 (2 layers)", "pairs that merge in networks of two layers under Adam",
                  "not both, which is predicted", MERGED, "2 layers, Adam", 2.0, "two-point-xor", relation="<"),
    PrintedFigure("17", "two orthogonal features under Adam", "the irrelevant direction collapses at small weights",
                  EXTENT, "low weights, Adam", relation="<"),
    PrintedFigure("17 (high)", "the same at high initial weights", "no direction collapses", EXTENT,
                  "high weights, Adam", study="two-point-blobs", relation=">"),
    PrintedFigure("18", "one hundred images of MNIST under Adam",
                  "as predicted (a positive correlation between different digits)",
                  "different", "structure (Adam), 10, Eq. (50), as released", 0.0, relation=">"),
    PrintedFigure("Section A.6", "distribution of the final distance over initial weights",
                  "scatters as Eq. (48) says, which vanishes at small initial weights",
                  "standard deviation of the final distance",
                  cause="networks also differ in their effective rates, which the appendix leaves out; that scatter is "
                  "smaller in wider networks"),
    PrintedFigure("Table 1", "settings of the experiments with two points", study="two-point-architectures"),
    PrintedFigure("Table 2", "settings of the other data sets", study="two-point-xor"),
)  # fmt: skip
