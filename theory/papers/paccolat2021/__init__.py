"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets"."""

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
