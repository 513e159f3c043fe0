"""The figures and tables of van Rossem and Saxe (2024)."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

SHARE = "logarithm of the unexplained share"
MERGED = "number of merged pairs"
EXTENT = "logarithm of the squared extent"

FIGURES = (
    PrintedFigure("1", "the effective theory in a drawing", reason="a drawing, which has no measured numbers"),
    PrintedFigure("2", "two points in nine architectures against the theory", "two constants fit every architecture",
                  f"{SHARE} of the curves", relation="<"),
    PrintedFigure("3", "two points from small initial weights", "the theory fits, with a plateau",
                  f"{SHARE} of the curves", "low initial weights", relation="<"),
    PrintedFigure("3 (very high)", "two points from very high initial weights", "the theory fails",
                  f"{SHARE} of the curves", "very high", study="two-point-initial-weights", relation=">"),
    PrintedFigure("4", "a zero and a one of MNIST", "two constants fit", SHARE, "0 and 1", relation="<"),
    PrintedFigure("5", "final distances against Eq. (10) without a refit", "they agree",
                  "mean logarithm of measured over predicted final distance"),
    PrintedFigure("6", "distances in exclusive or, at several initial weights", "as predicted for 20 layers, not for 2",
                  MERGED, "low weights, gradient descent"),
    PrintedFigure("7", "the data set of two orthogonal features"),
    PrintedFigure("8", "scaling of the representations of two orthogonal features",
                  "the irrelevant direction collapses at small weights", EXTENT, "low weights, gradient descent",
                  relation="<"),
    PrintedFigure("8 (high)", "the same at high initial weights", "no direction collapses", EXTENT,
                  "high weights, gradient descent", study="two-point-blobs", relation=">"),
    PrintedFigure("9", "distances of one hundred images of MNIST", "correlations 0.703 and 0.512",
                  "correlation with Eq. (50)"),
    PrintedFigure("10", "fit loss and rates against the layer", "accurate in the second half of the network",
                  "logarithm of the fit loss, second half", relation="<"),
    PrintedFigure("11", "four altered dynamics", "fit losses 0.92 of the theory and 15.35, 16.61, 2.99, 5.64",
                  "logarithm of the fit loss",
                  cause="both rates are free in our fits; with their ratio held where the released fit starts, the "
                  "losses of the altered dynamics are of the printed order"),
    PrintedFigure("12", "training losses of all architectures", "predicted with one more constant",
                  f"{SHARE} of the loss", relation="<"),
    PrintedFigure("13", "two orthogonal features at very small weights", "collapse to a line", EXTENT, "very low",
                  relation="<"),
    PrintedFigure("14", "linear against quadratic order by distance in MNIST", "the linear term dominates nearby",
                  "logarithm of the odd over the even part", relation=">"),
    PrintedFigure("15", "two points under Adam", "the fit is not very good", f"{SHARE} of the curves", relation=">"),
    PrintedFigure("16", "exclusive or under Adam", "as predicted for 20 layers, not for 2", MERGED,
                  "low weights, Adam"),
    PrintedFigure("17", "two orthogonal features under Adam", "the irrelevant direction collapses at small weights",
                  EXTENT, "low weights, Adam", relation="<"),
    PrintedFigure("18", "one hundred images of MNIST under Adam", "as predicted (a positive correlation)",
                  "all", "structure (Adam), 10, Eq. (50), as released", 0.0, relation=">"),
    PrintedFigure("Section A.6", "distribution of the final distance over initial weights",
                  "the randomness vanishes at small initial weights", "standard deviation of the final distance",
                  cause="networks also differ in their effective rates, which the appendix leaves out; that scatter is "
                  "smaller in wider networks"),
    PrintedFigure("Table 1", "settings of the experiments with two points", study="two-point-architectures"),
    PrintedFigure("Table 2", "settings of the other data sets", study="two-point-xor"),
)  # fmt: skip
