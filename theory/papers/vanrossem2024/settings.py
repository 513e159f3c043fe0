"""Tables 1 and 2 as printed, and what the captions and the text say about the same networks."""

from __future__ import annotations

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024.tables import HIDDEN_LAYERS, TABLE_1, TABLE_2, UNITS

IN_ORDER = ("Low initial weights", "Intermediate initial weights", "High initial weights", "Very high initial weights")
DEFAULT = TABLE_1["Default"]
GAPS = {"exactly": 0, "half a layer from": 1}
"""Layers of weights on one side of the considered layer less those on the other, by the words of Appendix B."""


def gap(hidden_layers: int) -> int:
    """Least difference of the numbers of layers of weights before and after a hidden layer."""
    return min(abs(before - (hidden_layers + 1 - before)) for before in range(1, hidden_layers + 1))


def is_halfway(claim: Claim) -> tuple[Check, ...]:
    """The hidden layer closest to the middle of each network of Table 1."""
    found = {gap(int(row[HIDDEN_LAYERS])) for row in TABLE_1.values()}
    return (Check("networks of Table 1", lambda: found == {chosen(claim, "where", GAPS)}, "counted"),)


def order_of_gains() -> str:
    """How the gains of the four rows that vary the initial weights go, and the learning rates the other way."""
    gains, rates = ([float(TABLE_1[name][column]) for name in IN_ORDER] for column in (1, 2))
    if gains == sorted(gains) and rates == sorted(rates, reverse=True):
        return "ascending"
    return "descending" if gains == sorted(gains, reverse=True) and rates == sorted(rates) else "neither"


def epochs() -> int:
    """Epochs of all rows of Table 1."""
    (number,) = {int(row[3]) for row in TABLE_1.values()}
    return number


def layers_on_mnist() -> int:
    """Hidden layers in Table 2 of the networks on MNIST."""
    (number,) = {int(row[HIDDEN_LAYERS]) for name, row in TABLE_2.items() if "MNIST" in name}
    return number


def is_the_default() -> bool:
    """Whether nonlinearity, units and hidden layers of the three deep networks on XOR are those of the default."""
    rows = [TABLE_2[f"XOR {size} weights"] for size in ("Low", "Intermediate", "High")]
    return all((row[0], *row[UNITS:]) == (DEFAULT[0], *DEFAULT[UNITS:]) for row in rows)


PROGRAMS: Programs = {
    "B halfway": Program(is_halfway, lambda: float(gap(20)), value=lambda claim: float(chosen(claim, "where", GAPS))),
    "Table 1 default": stating(
        {
            "layers": lambda: DEFAULT[HIDDEN_LAYERS],
            "units": lambda: DEFAULT[UNITS],
            "nonlinearity": lambda: {"leaky relu": "leaky ReLU", "relu": "ReLU"}[DEFAULT[0]],
        },
        "Table 1",
    ),
    "Table 1 order": stating({"way": order_of_gains}, "Table 1"),
    "B.1 epochs": stating({"epochs": epochs}, "Table 1"),
    "Table 2 XOR": stating({"relation": lambda: "the same as" if is_the_default() else "not"}, "Tables 1 and 2"),
    "B.4 hidden layers": stating({"layers": layers_on_mnist, "usual": lambda: DEFAULT[HIDDEN_LAYERS]}, "both tables"),
}
