"""Tables 1 and 2 as printed, and what the captions and the text say about the same networks."""

from __future__ import annotations

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.papers.vanrossem2024.tables import HIDDEN_LAYERS, TABLE_1, TABLE_2, UNITS

IN_ORDER = ("Low initial weights", "Intermediate initial weights", "High initial weights", "Very high initial weights")


def gap(hidden_layers: int) -> int:
    """Least difference of the numbers of layers of weights before and after a hidden layer."""
    return min(abs(before - (hidden_layers + 1 - before)) for before in range(1, hidden_layers + 1))


def is_halfway(claim: Claim) -> tuple[Check, ...]:
    """The hidden layer closest to the middle of each network of Table 1."""
    found = {gap(int(row[HIDDEN_LAYERS])) for row in TABLE_1.values()}
    return (Check("networks of Table 1", lambda: found == ({0} if claim["where"] == "exactly" else {1}), "counted"),)


def is_default(claim: Claim) -> tuple[Check, ...]:
    """The first row of Table 1."""
    row = TABLE_1["Default"]
    found = (row[HIDDEN_LAYERS], row[UNITS], row[0])
    return (Check("row", lambda: found == (claim["layers"], claim["units"], claim["nonlinearity"]), "Table 1"),)


def is_ordered(claim: Claim) -> tuple[Check, ...]:
    """Gains and learning rates of the four rows that vary the initial weights."""
    gains, rates = ([float(TABLE_1[name][column]) for name in IN_ORDER] for column in (1, 2))
    grow = gains == sorted(gains) and rates == sorted(rates, reverse=True)
    return (Check("rows", lambda: grow is (claim["way"] == "ascending"), "Table 1"),)


def lasts(claim: Claim) -> tuple[Check, ...]:
    """Epochs of all rows."""
    return (Check("rows", lambda: for_all(TABLE_1.values(), lambda row: bool(row[3] == claim["epochs"])), "Table 1"),)


def has_layers(claim: Claim) -> tuple[Check, ...]:
    """Hidden layers in Table 2 of the networks on MNIST."""
    rows = [row for name, row in TABLE_2.items() if "MNIST" in name]
    return (Check("rows", lambda: for_all(rows, lambda row: bool(row[HIDDEN_LAYERS] == claim["layers"])), "Table 2"),)


def is_the_default(claim: Claim) -> tuple[Check, ...]:
    """Units and hidden layers of the three deep networks on XOR."""
    rows = [TABLE_2[f"XOR {size} weights"] for size in ("Low", "Intermediate", "High")]
    same = all((row[0], *row[UNITS:]) == (TABLE_1["Default"][0], *TABLE_1["Default"][UNITS:]) for row in rows)
    return (Check("rows", lambda: same is (claim["relation"] == "the same as"), "Tables 1 and 2"),)


PROGRAMS: Programs = {
    "B halfway": Program(
        is_halfway, lambda: float(gap(20)), value=lambda claim: 0.0 if claim["where"] == "exactly" else 1.0
    ),
    "Table 1 default": is_default,
    "Table 1 order": is_ordered,
    "B.1 epochs": lasts,
    "Table 2 XOR": is_the_default,
    "B.4 hidden layers": has_layers,
}
