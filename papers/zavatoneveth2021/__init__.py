"""The wing of Zavatone-Veth et al. (2021): kernels of wide Bayesian networks to first order in the inverse width.

It has a ledger of the matrix algebra, the moments and the deep linear networks of the paper, in Sections 3.2 and 4.1
and Appendices A to E; convolutions, predictors and experiments are not in it.
"""

LEDGERS = {"zavatoneveth2021": "papers.zavatoneveth2021.ledger"}
