"""The figures of Jacot and Kaiser (2024), which has no tables, and sections whose claims a study measures."""

from __future__ import annotations

from empirics.experiments.printed_figure import PrintedFigure

FIGURES = (
    PrintedFigure("1a", "-2H/L̃ and the least cost of identity against L̃", "-2H/L̃ rises to k* = 3 from below",
                  "−2H/L̃", value=3.0,
                  reason="a limit of large L̃: critical networks rise towards it, but are still below it at the largest "
                  "L̃ at which all of them become critical, which is held against it here"),
    PrintedFigure("1b", "spectra of representations and weights, L̃ = 7", "k* = 3 large values in the middle layers",
                  "directions above the gap beyond k*",
                  reason="one direction more is the mean, which keeps a code non-negative at less than the cost of a "
                  "dimension, and which fades only at larger L̃, as leaky_resnet.depth_of_mean derives"),
    PrintedFigure("1c", "Hamiltonian, kinetic and potential energy along the layers",
                  "H varies much less than its parts (held against a factor of 10)", "ratio", value=10.0, relation=">"),
    PrintedFigure("2a", "test error against the number of layers for three meshes",
                  "a small but consistent advantage of adaptive and irregular meshes",
                  "logarithm of the advantage", relation=">"),
    PrintedFigure("2b", "spectra of the weights with the adaptive mesh",
                  "more steps at the beginning and at the end (more than half of them)", "outer", "adaptive", 0.5,
                  relation=">"),
    PrintedFigure("2c", "paths of the representations in the plane", "adaptive meshes spread the steps better",
                  "logarithm of the unevenness", "adaptive", 0.0, relation=">"),
    PrintedFigure("3", "norms of the path and of the momenta against L̃",
                  "all remain bounded (exponents in L̃ held against 1/2)", "exponent in L̃", value=0.5, relation="<",
                  reason="the path is longer because the representations grow: over the largest of them, its length "
                  "grows far less"),
    PrintedFigure("Section 1.3", "trained networks as geodesics", "critical points follow Hamilton's equations",
                  "squared weights"),
    PrintedFigure("Section 1.4", "representations in the bottleneck, Propositions 2 and 5",
                  "non-negative (held against a share of a tenth)", "share of negative entries", value=0.1,
                  relation="<"),
    PrintedFigure("Section 1.5", "many layers approach the limit of infinitely many", "", "order in 1/L"),
    PrintedFigure("Section A.3", "squared weight norm along the layers, Proposition 9",
                  "grows by L̃ times the integral of the squared bias, a factor 1", "growth of the squared weights",
                  value=1.0, study="leaky-resnet-depths",
                  reason="derived is a factor of 2, from which sums over 20 layers differ by the order of L̃/L"),
)  # fmt: skip
