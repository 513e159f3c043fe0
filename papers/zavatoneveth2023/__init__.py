"""The wing of Zavatone-Veth et al. (2023): geometry of representations.

What is printed, with programs, is in ``ledger``; figures as plans, analyses of studies, quantities, claims and what was
recorded are next to it.
"""

LEDGERS = {"zavatoneveth2023": "papers.zavatoneveth2023.ledger"}
ANALYSES = {
    "geometry-random-networks": "papers.zavatoneveth2023.studies.random_networks:analyse",
    "geometry-monomials": "papers.zavatoneveth2023.studies.monomials:analyse",
    "geometry-symmetric-units": "papers.zavatoneveth2023.studies.symmetric_units:analyse",
    "geometry-bayesian": "papers.zavatoneveth2023.studies.bayesian:analyse",
    "geometry-trained": "papers.zavatoneveth2023.studies.plane:analyse",
    "geometry-xor": "papers.zavatoneveth2023.studies.plane:analyse",
    "geometry-sinusoid": "papers.zavatoneveth2023.studies.plane:analyse",
    "geometry-xor-released": "papers.zavatoneveth2023.studies.released:analyse",
    "geometry-sinusoid-released": "papers.zavatoneveth2023.studies.released:analyse",
    "geometry-mnist": "papers.zavatoneveth2023.studies.mnist:analyse",
    "geometry-mnist-released": "papers.zavatoneveth2023.studies.released_digits:analyse",
    "geometry-mnist-no-decay-released": "papers.zavatoneveth2023.studies.released_digits:analyse",
    "geometry-resnet": "papers.zavatoneveth2023.studies.images.analysed:analyse",
    "geometry-resnet-released": "papers.zavatoneveth2023.studies.images.analysed:analyse",
    "geometry-self-supervised": "papers.zavatoneveth2023.studies.images.analysed:analyse",
}
FIGURES = {"zavatoneveth2023": "papers.zavatoneveth2023.figures:FIGURES"}
SETTINGS = {"zavatoneveth2023": "papers.zavatoneveth2023.settings:SETTINGS"}
QUANTITIES = {"geometry": "papers.zavatoneveth2023.quantities"}
CLAIMS = {"geometry": "papers.zavatoneveth2023.claims"}
