"""Tables 1 and 2 as printed, and what the captions and the text say about the same networks."""

from __future__ import annotations

from theory.core import Check, Finding
from theory.papers.vanrossem2024.paper import entry

# name: nonlinearity, init gain, learning rate, epochs, units, hidden layers
TABLE_1 = {
    "Default": ("leaky relu", 1.0, 0.005, 6000, 500, 20),
    "Convolution": ("leaky relu", 0.95, 0.002, 6000, 500, 10),
    "Skip connections": ("leaky relu", 0.1, 0.01, 6000, 500, 20),
    "Shallow": ("leaky relu", 0.35, 0.01, 6000, 500, 2),
    "Narrow": ("leaky relu", 1.05, 0.005, 6000, 50, 20),
    "Dropout": ("leaky relu", 1.0, 0.005, 6000, 500, 10),
    "Linear": ("none", 0.85, 0.00125, 6000, 500, 20),
    "ReLU": ("relu", 1.0, 0.005, 6000, 500, 20),
    "ELU": ("elu", 0.95, 0.00045, 6000, 500, 20),
    "Tanh": ("tanh", 0.85, 0.00125, 6000, 500, 20),
    "Swish": ("swish", 1.7, 0.0025, 6000, 500, 20),
    "Low initial weights": ("leaky relu", 0.9, 0.015, 6000, 500, 20),
    "Intermediate initial weights": ("leaky relu", 1.1, 0.0025, 6000, 500, 20),
    "High initial weights": ("leaky relu", 1.3, 0.00075, 6000, 500, 20),
    "Very high initial weights": ("leaky relu", 1.4, 0.00025, 6000, 500, 20),
}
TABLE_2 = {
    "XOR Low weights": ("leaky relu", 0.7, 0.015, 1000, 500, 20),
    "XOR Intermediate weights": ("leaky relu", 1.25, 0.002, 1000, 500, 20),
    "XOR High weights": ("leaky relu", 2.0, 0.000000003, 1000, 500, 20),
    "XOR 2 layers": ("leaky relu", 0.0015, 0.03, 40000, 500, 1),
    "Blobs Very low weights": ("tanh", 0.275, 0.05, 2000, 100, 4),
    "Blobs Low weights": ("tanh", 0.5, 0.015, 1500, 100, 4),
    "Blobs High weights": ("tanh", 2.0, 0.0015, 750, 100, 4),
    "MNIST Trajectories": ("leaky relu", 0.5, 0.003, 200, 200, 4),
    "MNIST Structure": ("leaky relu", 0.5, 0.005, 200, 200, 4),
}
UNITS, HIDDEN_LAYERS = 4, 5
CAPTION_OF_FIGURE_4 = {"units": 100, "layers": 4}


def middle_layer_of_weights(hidden_layers: int) -> float:
    """Of hidden_layers + 1 layers of weights, counted from 1; its output is the hidden layer of the same number."""
    return (hidden_layers + 2) / 2


def _gains_grow() -> bool:
    order = ("Low initial weights", "Intermediate initial weights", "High initial weights", "Very high initial weights")
    gains, rates = ([TABLE_1[name][column] for name in order] for column in (1, 2))
    return gains == sorted(gains) and rates == sorted(rates, reverse=True)


EQUATIONS = (
    entry(
        "B halfway",
        "B",
        "The hidden layer is always the layer exactly halfway through the network.",
        Finding.CONFIRMED,
        "Counting layers of weights, of which every network of Table 1 has an odd number: the 11th of 21, whose output "
        "is hidden layer 11 of 20, as in the released settings. (No hidden layer is halfway among 20 hidden ones.)",
        steps=(
            Check(
                "a whole number for every network of Table 1",
                lambda: all(middle_layer_of_weights(int(row[HIDDEN_LAYERS])).is_integer() for row in TABLE_1.values()),
                "Table 1",
            ),
            Check("layer 11 of the default network", lambda: middle_layer_of_weights(20) == 11, "Table 1"),
        ),
    ),
    entry(
        "B.1 initialisation",
        "B.1",
        "Xavier normal weights with a gain, biases zero.",
        Finding.DEFINITION,
        "Standard deviation gain sqrt(2/(inputs + outputs)) for each layer.",
    ),
    entry(
        "B.1 architectures",
        "B.1",
        "Convolutions with 20 channels and kernel size 11; skip connections over the next two layers; dropout with "
        "probability 0.1 on all units.",
        Finding.DEFINITION,
        "Settings.",
    ),
    entry(
        "Table 1",
        "B.1",
        "Settings of the two-point experiments.",
        Finding.DEFINITION,
        "Agrees with the text and the captions: 6000 epochs everywhere, 20 layers of 500 leaky ReLU units by default, "
        "gains that grow from low to very high initial weights.",
        steps=(
            Check("epochs as in the text", lambda: {row[3] for row in TABLE_1.values()} == {6000}, "B.1"),
            Check(
                "default as in the captions of Figures 3, 10, 11 and 15",
                lambda: TABLE_1["Default"][0] == "leaky relu" and TABLE_1["Default"][UNITS:] == (500, 20),
                "captions",
            ),
            Check("order of the initial weights", _gains_grow, "Table 1"),
        ),
    ),
    entry(
        "B.1 convergence",
        "B.1",
        "Learning rates are chosen such that training converges within the 6000 epochs.",
        Finding.OPEN,
        "A matter of measurement: study two-point-architectures.",
    ),
    entry(
        "(49)",
        "B.1",
        "The fit loss: squared differences of the three curves, integrated over the epochs.",
        Finding.DEFINITION,
        "A sum over epochs, one for each, not an average.",
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
        "A matter of measurement; for the data see 'B.1 data'.",
    ),
    entry(
        "Table 2",
        "B.2",
        "Settings of the toy tasks and of MNIST.",
        Finding.DEFINITION,
        "The 5-layer networks of Section 4.5 and the 4-layer one of Figure 13 are the same: four hidden layers and an "
        "output.",
        steps=(
            Check(
                "four hidden layers",
                lambda: {row[HIDDEN_LAYERS] for name, row in TABLE_2.items() if "Blobs" in name} == {4},
                "B.3",
            ),
            Check(
                "two layers are one hidden layer", lambda: TABLE_2["XOR 2 layers"][HIDDEN_LAYERS] == 1, "Section 4.4"
            ),
            Check(
                "XOR on the default architecture",
                lambda: all(
                    TABLE_2[name][UNITS:] == TABLE_1["Default"][UNITS:]
                    for name in ("XOR Low weights", "XOR Intermediate weights", "XOR High weights")
                ),
                "B.2",
            ),
        ),
    ),
    entry(
        "Figure 4 units",
        "3.4",
        "Figure 4: 4 layers with 100 units each.",
        Finding.OPEN,
        "Table 2 has 200 units for the trajectories on MNIST. Nothing here decides between the two.",
        steps=(
            Check(
                "caption and table differ",
                lambda: TABLE_2["MNIST Trajectories"][UNITS] != CAPTION_OF_FIGURE_4["units"],
                "Table 2",
            ),
        ),
    ),
    entry(
        "B.4 representational structure",
        "B.4",
        "Averages over 50 seeds for the first 100 digits.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
)
