"""Tables 1 and 2 as printed, and what the captions and the text say about the same networks."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, for_all
from theory.papers.vanrossem2024.paper import entry
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


EQUATIONS = (
    entry(
        "B optimizer",
        "B",
        "PyTorch, stochastic gradient descent.",
        Finding.NOTE,
        "Settings. With two data points in one batch it is gradient descent.",
    ),
    entry(
        "B halfway",
        "B",
        "",
        Finding.MISPRINT,
        "Every network of Table 1 has an even number of hidden layers, so that none of them lies halfway: of 20 the "
        "10th and the 11th are next to the middle. The released settings take the 11th.",
        printed=Claim(
            "The hidden layer considered is always {where} halfway through the network.",
            {"where": Word("exactly", ("half a layer from",))},
        ),
        corrected=Claim(
            "The hidden layer considered is always {where} halfway through the network.",
            {"where": Word("half a layer from", ("exactly",))},
        ),
        prove=is_halfway,
        witness=Witness(
            {"hidden layers": 20, "the number": "layers of weights before the hidden layer less those after it"},
            lambda: float(gap(20)),
            value=lambda claim: 0.0 if claim["where"] == "exactly" else 1.0,
        ),
        consequence="Which of the two middle layers is meant must be looked up. Squared distances differ between them "
        "by the gain of a layer, and fitted time constants with them.",
    ),
    entry(
        "B.1 initialisation",
        "B.1",
        "Xavier normal weights with a gain, biases zero.",
        Finding.NOTE,
        "Settings: standard deviation gain sqrt(2/(inputs + outputs)) for each layer.",
    ),
    entry(
        "B.1 architectures",
        "B.1",
        "Convolutions with 20 channels and kernel size 11; skip connections over the next two layers; dropout with "
        "probability 0.1 on all units.",
        Finding.NOTE,
        "Settings.",
    ),
    entry(
        "Table 1",
        "B.1",
        "Settings of the two-point experiments.",
        Finding.NOTE,
        "Settings; what text and captions say of the same networks is in the next entries.",
    ),
    entry(
        "Table 1 default",
        "3.1",
        "",
        Finding.CONFIRMED,
        "Text and captions of Figures 3, 10, 11 and 15 against Table 1.",
        printed=Claim(
            "The default architecture has {layers} fully connected layers of {units} {nonlinearity} units.",
            {
                "layers": sp.Integer(20),
                "units": sp.Integer(500),
                "nonlinearity": Word("leaky relu", ("relu",)),
            },
        ),
        prove=is_default,
    ),
    entry(
        "Table 1 order",
        "B.1",
        "",
        Finding.CONFIRMED,
        "The gains of Table 1; the learning rates go the other way.",
        printed=Claim(
            "Low, intermediate, high and very high initial weights are in {way} order of the gain.",
            {"way": Word("ascending", ("descending",))},
        ),
        prove=is_ordered,
    ),
    entry(
        "B.1 epochs",
        "B.1",
        "",
        Finding.CONFIRMED,
        "All rows of Table 1.",
        printed=Claim("The two-point networks are trained for {epochs} epochs.", {"epochs": sp.Integer(6000)}),
        prove=lasts,
    ),
    entry(
        "B.1 convergence",
        "B.1",
        "Learning rates are chosen to produce smooth loss curves while still converging within the 6000 epochs.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-architectures. The losses at the end of training, which are not "
        "recorded, would decide it. For the printed data see 'B.1 data'.",
    ),
    entry(
        "(49)",
        "B.1",
        "The fit loss.",
        Finding.DEFINITION,
        "Integrals over the epochs; here a sum over them.",
        printed=r"\int_{\mathrm{epochs}} (\|dh(t)\|^2 - \|dh(t)\|^2_{\mathrm{theory}})^2 dt + \int_{\mathrm{epochs}} "
        r"(\|dy(t)\|^2 - \|dy(t)\|^2_{\mathrm{theory}})^2 dt + \int_{\mathrm{epochs}} (w(t) - "
        r"w(t)_{\mathrm{theory}})^2 dt",
    ),
    entry(
        "B.1 final distance",
        "B.1",
        "Rates averaged over 50 trials at dx = 0.5, dy = 1 predict final distances for dx from 0.5 to 1.5 and dy from "
        "0 to 1.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-final-distances, with rates from the released data, since at "
        "this choice the networks of Table 1 need not converge: see 'B.1 data'.",
    ),
    entry(
        "B.1 discarded trials",
        "B.1",
        "Trials which did not converge were discarded.",
        Finding.NOTE,
        "How many is not said. Eq. (10) holds at the end of training, and small distances of inputs or outputs make "
        "the plateau long, so that the pairs with the smallest predicted distances are those that tend to be left out.",
    ),
    entry(
        "Table 2",
        "B.2",
        "Settings of the toy tasks and of MNIST.",
        Finding.NOTE,
        "Settings. It has 'MINST' for MNIST twice.",
    ),
    entry(
        "Table 2 XOR",
        "B.2",
        "",
        Finding.CONFIRMED,
        "Nonlinearity, units and hidden layers of the first three rows of Table 2.",
        printed=Claim(
            "The architecture used for XOR is {relation} the default architecture in the two point experiments.",
            {"relation": Word("the same as", ("not",))},
        ),
        prove=is_the_default,
    ),
    entry(
        "B.4 hidden layers",
        "B.4",
        "",
        Finding.CONFIRMED,
        "Both rows of Table 2; captions of Figures 4, 9 and 18 agree.",
        printed=Claim("The network on MNIST has only {layers} hidden layers.", {"layers": sp.Integer(4)}),
        prove=has_layers,
    ),
    entry(
        "Figure 4 units",
        "3.4",
        "Figure 4: 4 layers with 100 units each.",
        Finding.OPEN,
        "Table 2, to which B.4 refers for the learning dynamics, has 200 units for the trajectories on MNIST. One of "
        "the two is wrong, and nothing in the text decides which.",
    ),
    entry(
        "Figure 13 layers",
        "C.3",
        "The network of the orthogonal feature task has 5 layers in Section 4.5, B.3 and the captions of Figures 8 and "
        "17, and 4 layers in the caption of Figure 13.",
        Finding.NOTE,
        "Table 2 has four hidden layers and an output. The paper counts in both ways: 20 layers are 20 hidden ones, a "
        "2 layer network on XOR has one.",
    ),
    entry(
        "B.4 representational structure",
        "B.4",
        "Averages over 50 seeds for the first 100 digits.",
        Finding.NOTE,
        "A setting. The study two-point-mnist-structure averages over fewer seeds.",
    ),
)
