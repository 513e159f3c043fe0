"""The wing of Jacot and Kaiser (2024): leaky ResNets.

What is printed, with programs, is in ``ledger``; figures as plans, analyses of studies, quantities, claims and what was
recorded are next to it.
"""

LEDGERS = {"jacot2024": "papers.jacot2024.ledger"}
ANALYSES = {
    "leaky-resnet": "papers.jacot2024.studies.bottleneck:analyse",
    "leaky-resnet-bottleneck": "papers.jacot2024.studies.bottleneck:analyse",
    "leaky-resnet-codes": "papers.jacot2024.studies.ranks:of_codes",
    "leaky-resnet-ranks": "papers.jacot2024.studies.ranks:analyse",
    "leaky-resnet-depths": "papers.jacot2024.studies.depths:analyse",
    "leaky-resnet-continuation": "papers.jacot2024.studies.depths:of_continuation",
    "leaky-resnet-meshes": "papers.jacot2024.studies.meshes:analyse",
    "leaky-resnet-adaptive": "papers.jacot2024.studies.meshes:of_adaptive",
    "leaky-resnet-geodesics": "papers.jacot2024.studies.geodesics:analyse",
}
FIGURES = {"jacot2024": "papers.jacot2024.figures:FIGURES"}
SETTINGS = {"jacot2024": "papers.jacot2024.settings:SETTINGS"}
QUANTITIES = {"leaky_resnet": "papers.jacot2024.quantities"}
CLAIMS = {"leaky_resnet": "papers.jacot2024.claims"}
