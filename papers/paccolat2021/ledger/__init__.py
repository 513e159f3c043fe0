"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets"."""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "paccolat2021")
