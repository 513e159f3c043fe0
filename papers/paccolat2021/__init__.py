"""The wing of Paccolat et al. (2021): compression of invariant directions.

What is printed, with programs, is in ``ledger``; figures as plans, analyses of studies, quantities, claims and what was
recorded are next to it.
"""

LEDGERS = {"paccolat2021": "papers.paccolat2021.ledger"}
ANALYSES = {
    "compression": "papers.paccolat2021.studies.amplification:analyse",
    "compression-amplification": "papers.paccolat2021.studies.amplification:analyse",
    "compression-time": "papers.paccolat2021.studies.characteristic_time:analyse",
    "compression-crossover": "papers.paccolat2021.studies.crossover:analyse",
    "compression-neurons": "papers.paccolat2021.studies.neurons:analyse",
    "compression-learning-curves": "papers.paccolat2021.studies.learning_curves:analyse",
    "compression-learning-curves-flow": "papers.paccolat2021.studies.flow_curves:analyse",
    "compression-kernel-components": "papers.paccolat2021.studies.kernel_components:analyse",
    "compression-initial-kernels-released": "papers.paccolat2021.studies.kernel_components:analyse",
    "compression-kernel-learning": "papers.paccolat2021.studies.kernel_learning:analyse",
}
FIGURES = {"paccolat2021": "papers.paccolat2021.figures:FIGURES"}
SETTINGS = {"paccolat2021": "papers.paccolat2021.settings:SETTINGS"}
QUANTITIES = {"compression": "papers.paccolat2021.quantities"}
CLAIMS = {"compression": "papers.paccolat2021.claims"}
