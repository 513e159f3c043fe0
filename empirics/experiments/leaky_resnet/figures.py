"""The figures of Jacot and Kaiser (2024), which has no tables, and two sections that a study of its own belongs to."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

FIGURES = (
    PrintedFigure("1a", "-2H/L̃ and the least cost of identity against L̃", "-2H/L̃ rises to k* = 3 from below",
                  "rank", value=3.0),
    PrintedFigure("1b", "spectra of representations and weights, L̃ = 7", "k* = 3 large values in the middle layers",
                  "gap", value=3.0),
    PrintedFigure("1c", "Hamiltonian, kinetic and potential energy along the layers",
                  "H varies much less than its parts"),
    PrintedFigure("2a", "test error against the number of layers for three meshes",
                  "a small but consistent advantage of adaptive and irregular meshes"),
    PrintedFigure("2b", "spectra of the weights with the adaptive mesh", "more steps at the beginning and at the end"),
    PrintedFigure("2c", "paths of the representations in the plane", "adaptive meshes spread the steps better"),
    PrintedFigure("3", "norms of the path and of the momenta against L̃", "all remain bounded"),
    PrintedFigure("Section 1.3", "trained networks as geodesics", "critical points follow Hamilton's equations",
                  "squared weights"),
    PrintedFigure("Section 1.5", "many layers approach the limit of infinitely many", "", "order in 1/L"),
)  # fmt: skip
