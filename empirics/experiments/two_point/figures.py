"""The figures and tables of van Rossem and Saxe (2024)."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

NOT_BEGUN = "not begun"

FIGURES = (
    PrintedFigure("1", "the effective theory in a drawing", reason="a drawing, which has no measured numbers"),
    PrintedFigure("2", "two points in nine architectures against the theory", "two constants fit every architecture"),
    PrintedFigure("3", "two points from five scales of the initial weights",
                  "plateaus at small weights; the theory fails at very large ones"),
    PrintedFigure("4", "a zero and a one of MNIST", "two constants fit", reason=NOT_BEGUN),
    PrintedFigure("5", "final distances against Eq. (10) without a refit", "they agree", reason=NOT_BEGUN),
    PrintedFigure("6", "distances in exclusive or, at several initial weights", "as predicted for 20 layers, not for 2",
                  reason=NOT_BEGUN),
    PrintedFigure("7", "the data set of two orthogonal features", reason=NOT_BEGUN),
    PrintedFigure("8", "scaling of the representations of two orthogonal features",
                  "the irrelevant direction collapses at small weights", reason=NOT_BEGUN),
    PrintedFigure("9", "distances of one hundred images of MNIST", "correlations 0.703 and 0.512", reason=NOT_BEGUN),
    PrintedFigure("10", "fit loss and rates against the layer", "accurate in the second half of the network"),
    PrintedFigure("11", "four altered dynamics", "fit losses 0.92 of the theory and 15.35, 16.61, 2.99, 5.64"),
    PrintedFigure("12", "training losses of all architectures", "predicted with one more constant"),
    PrintedFigure("13", "two orthogonal features at very small weights", "collapse to a line", reason=NOT_BEGUN),
    PrintedFigure("14", "linear against quadratic order by distance in MNIST", "linear dominates nearby",
                  reason=NOT_BEGUN),
    PrintedFigure("15", "two points under Adam", "the fit is not very good"),
    PrintedFigure("16", "exclusive or under Adam", reason=NOT_BEGUN),
    PrintedFigure("17", "two orthogonal features under Adam", reason=NOT_BEGUN),
    PrintedFigure("18", "one hundred images of MNIST under Adam", reason=NOT_BEGUN),
    PrintedFigure("Table 1", "settings of the experiments with two points", study="two-point-architectures"),
    PrintedFigure("Table 2", "settings of the other data sets", reason=NOT_BEGUN),
)  # fmt: skip
