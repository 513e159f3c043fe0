"""The ledger of Zavatone-Veth et al. (2021), "Asymptotics of representation learning in finite Bayesian networks"."""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "zavatoneveth2021")
