"""The wing of Cheong (2025): neural collapse by layer, and usable information.

What is printed, with programs, is in ``ledger``; figures as plans, analyses of studies, quantities, claims and what was
recorded are next to it.
"""

LEDGERS = {"cheong2025": "papers.cheong2025.ledger"}
ANALYSES = {
    "collapse": "papers.cheong2025.studies.layers:analyse",
    "collapse-layers": "papers.cheong2025.studies.layers:analyse",
    "collapse-layers-released": "papers.cheong2025.studies.layers:analyse",
    "collapse-channels": "papers.cheong2025.studies.layers:of_channels",
    "collapse-channels-released": "papers.cheong2025.studies.layers:analyse",
    "collapse-imbalanced": "papers.cheong2025.studies.controls:analyse",
    "collapse-controls": "papers.cheong2025.studies.controls:analyse",
    "collapse-random-labels": "papers.cheong2025.studies.layers:of_random_labels",
    "collapse-information": "papers.cheong2025.studies.information:analyse",
    "collapse-information-released": "papers.cheong2025.studies.information:analyse",
}
FIGURES = {"cheong2025": "papers.cheong2025.figures:FIGURES"}
SETTINGS = {"cheong2025": "papers.cheong2025.settings:SETTINGS"}
QUANTITIES = {"collapse": "papers.cheong2025.quantities"}
CLAIMS = {"collapse": "papers.cheong2025.claims"}
