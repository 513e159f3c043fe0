"""The wing of van Rossem and Saxe (2024), "When Representations Align": two points.

What is printed, with programs, is in ``ledger``; figures as plans, analyses of studies, quantities, claims and what was
recorded are next to it.
"""

LEDGERS = {"vanrossem2024": "papers.vanrossem2024.ledger"}
ANALYSES = {
    "two-point": "papers.vanrossem2024.studies.single:analyse",
    "two-point-many-points": "papers.vanrossem2024.studies.many_points:analyse",
    "two-point-architectures": "papers.vanrossem2024.studies.single:of_architectures",
    "two-point-initial-weights": "papers.vanrossem2024.studies.single:of_initial_weights",
    "two-point-layer": "papers.vanrossem2024.studies.layers:analyse",
    "two-point-alternatives": "papers.vanrossem2024.studies.alternatives:analyse",
    "two-point-adam": "papers.vanrossem2024.studies.single:of_adam",
    "two-point-final-distances": "papers.vanrossem2024.studies.grid:analyse",
    "two-point-final-distances-released": "papers.vanrossem2024.studies.grid:analyse",
    "two-point-random-weights": "papers.vanrossem2024.studies.random_weights:analyse",
    "two-point-xor": "papers.vanrossem2024.studies.xor:analyse",
    "two-point-blobs": "papers.vanrossem2024.studies.blobs:analyse",
    "two-point-blobs-released": "papers.vanrossem2024.studies.blobs:analyse",
    "two-point-mnist-structure": "papers.vanrossem2024.studies.mnist_structure:analyse",
    "two-point-mnist-pairs": "papers.vanrossem2024.studies.mnist_pairs:analyse",
    "two-point-mnist-linearity": "papers.vanrossem2024.studies.linearity:analyse",
}
FIGURES = {"vanrossem2024": "papers.vanrossem2024.figures:FIGURES"}
SETTINGS = {"vanrossem2024": "papers.vanrossem2024.settings:SETTINGS"}
QUANTITIES = {"two_point": "papers.vanrossem2024.quantities"}
CLAIMS = {"two_point": "papers.vanrossem2024.claims"}
