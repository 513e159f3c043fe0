"""Tables 1 and 2 as printed."""

from __future__ import annotations

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
