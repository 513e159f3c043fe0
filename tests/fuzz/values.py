"""Good values by the name of an argument, made anew for every call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp
import torch

Makers = Mapping[str, Callable[[], Any]]


def normal(*shape: int) -> np.ndarray:
    """The same numbers in every call, near one."""
    return np.random.default_rng(3).normal(size=shape)


WHOLE = {
    "digits": 20, "dimension": 5, "classes": 2, "depth": 2, "samples": 3, "seed": 1, "seeds": 2, "q": 2, "layers": 3,
    "neighbours": 2, "width": 4, "points": 50, "d_parallel": 2, "epochs": 2, "probes": 8, "components": 3, "steps": 5,
    "class_size": 4, "digit": 0, "draws": 50, "neurons": 4, "rank": 1, "d": 3, "channels": 1, "size": 8, "inputs": 2,
    "outputs": 1, "index": 0, "order": 1, "first_seed": 0, "repetitions": 3, "realisations": 2, "most_steps": 5,
}  # fmt: skip
REAL = {
    "sigma": 1.0, "zeta": 0.5, "xi": 0.5, "gamma": 0.1, "s0": 0.5, "s1": 2.0, "m0": 0.3, "m1": 1.0, "a": 0.5,
    "level": 0.9, "fraction": 0.5, "chance": 0.8, "gain": 1.0, "resolution": 0.1, "prediction_error": 0.01,
    "strength": 0.1, "slope": 0.1, "radius2": 1.0, "variance": 1.0, "tau_mean": 20.0, "learning_rate": 0.01,
    "dh2_0": 0.1, "dy2_0": 0.1, "w_0": 0.0, "tau_h": 20.0, "tau_y": 20.0, "dx2": 1.0, "target2": 0.5, "mean2_0":
    0.1, "fitted": 0.1, "depth of a path": 2.0, "region": 1.0, "error": 0.1,
}  # fmt: skip


X = sp.Symbol("x", real=True)
OF_CLASSES: Mapping[str, Mapping[str, Any]] = {
    "theory.activations.activation.Activation": {"name": "own", "expression": sp.Integer(1)},
    "theory.core.proof.derivation.Step": {"claim": "a slope", "left": sp.Derivative(X**2, X), "right": 2 * X},
    "theory.core.proof.derivation.Check": {"claim": "a fact", "run": lambda: True},
    "theory.core.formula.domain.Argument": {"symbol": X, "meaning": "a number", "sample": (0.0, 1.0)},
    "theory.core.ledger.printed.Claim": {"text": "There are {n}.", "values": {"n": 2}},
    "theory.core.ledger.printed.Word": {"text": "more", "others": ("fewer",)},
    "theory.core.ledger.printed.Conditional": {"statement": sp.Eq(X, 1, evaluate=False), "condition": X > 0},
    "closedform.measured.Measured": {"quantity": "q", "label": "a", "value": 1.0, "error": 0.1, "n": 3,
                                     "predicted": 1.0},
    **{f"theory.core.ledger.printed.{name}": {"left": X, "right": sp.oo}
       for name in ("Approximates", "Scales", "Tends", "equal")},
}  # fmt: skip


def basis() -> Any:
    """The frozen class means of six points."""
    from empirics.measure import CollapseMeans
    from empirics.measure.collapse.basis import freeze

    return freeze(CollapseMeans(2).update(normal(6, 3), np.array([0, 1, 0, 1, 0, 1])))


def network() -> torch.nn.Module:
    """A smooth network from two inputs to three outputs."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return torch.nn.Sequential(
            torch.nn.Linear(2, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3)
        ).double()


def batches() -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Two batches of inputs of the network and their classes."""
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    return [(torch.tensor(normal(6, 2)), labels), (torch.tensor(normal(6, 2)) + 1, labels)]


def good() -> dict[str, Callable[[], Any]]:
    """Good values by the name of the argument; they fit together where one function has several of them."""
    from theory import activations
    from theory.compression import Stripes, attractors

    stripes = Stripes((-0.3, 1.185))
    joint = np.array([[0.3, 0.1], [0.1, 0.5]])
    arrays = {
        "x": normal(6, 2), "y": normal(6, 2), "X": normal(6, 2), "inputs": normal(6, 2), "features": normal(6, 3),
        "labels": np.array([0, 1, 0, 1, 0, 1]), "class_index": np.array([0, 1, 0, 1]), "weights": normal(5, 2),
        "biases": normal(5), "A": normal(4, 3), "B": normal(4, 5), "M": normal(4, 3), "S": np.eye(4),
        "A0": normal(4, 3),
        "B0": normal(4, 5), "velocity": normal(4, 3), "p": np.linspace(0, 1, 4), "t": np.linspace(0, 9, 4),
        "x1": normal(2),
        "x2": normal(2) + 1, "y1": normal(3), "y2": normal(3) + 1, "joint": joint, "decoder": joint,
        "priors": [0.4, 0.6],
        "probabilities": [0.4, 0.6], "eigenvalues": [1.0, 2.0], "nc1_by_layer": [4.0, 2.0, 1.1, 0.5],
        "logits": normal(6, 2),
        "gram": normal(6, 3) @ normal(6, 3).T, "within_covariance": np.eye(3), "between_covariance": np.eye(3),
        "prediction": [1.0, 2.0], "measurement": normal(5, 2), "widths": [10, 20, 40, 80],
        "values": normal(3, 4) ** 2 + 1,
        "path": normal(4, 3, 5), "rho": [0.3, 0.3, 0.4], "position": [1.0, 2.0],
        "log_volume": [normal(9), normal(9) + 1],
        "distance": [normal(9) ** 2, normal(9) ** 2], "hamiltonian": normal(4), "cost": normal(4),
        "speed": normal(4) ** 2,
        "slack": normal(4) ** 2, "representation": [0, 1, 0, 1], "new_labels": [0, 1, 1, 0], "decoders": [joint],
        "boundaries": (-0.3, 1.185), "radii": (1.0, 2.0), "margin": normal(6, 6), "predictions": normal(6, 3),
        "coefficients": [0, 1, 2],
    }  # fmt: skip
    made: dict[str, Callable[[], Any]] = {
        **{name: (lambda value=value: value) for name, value in (WHOLE | REAL).items()},
        **{name: (lambda value=value: np.array(value) if isinstance(value, np.ndarray) else value)
           for name, value in arrays.items()},
        "act": lambda: activations.ERF,
        "activation": lambda: activations.ERF,
        "target": lambda: normal(6, 3),
        "model": network,
        "feature_map": network,
        "classifier": network,
        "encoder": network,
        "layer": lambda: "0",
        "decoder_factory": lambda: lambda: torch.nn.Linear(3, 2).double(),
        "attractor": lambda: attractors(stripes, 5)[0],
        "travelled": lambda: lambda mesh: np.cumsum(mesh),
        "text": lambda: "z*erf(z)",
        "expression": lambda: activations.z**2,
    }  # fmt: skip
    return made


def of_labels(function: str) -> dict[str, Callable[[], Any]]:
    """Good values that differ in one function or package."""
    from tests.fuzz.fitting import of_functions
    from theory.compression import Stripes

    if function in of_functions():
        return of_functions()[function]
    if function in OF_CLASSES:
        return {name: (lambda value=value: value) for name, value in OF_CLASSES[function].items()}
    if function.endswith("CollapseScatter"):
        return {"basis": basis}
    if function.startswith("theory.compression"):
        return (
            {"labels": lambda: Stripes((-0.3, 1.185))}
            if "label_information" not in function
            else {}
        )
    if function == "empirics.watch":
        return {"layers": lambda: ["0"], "batches": batches}
    if function == "empirics.training.evaluate":
        return {"batches": batches}
    if function == "empirics.networks.initialised":
        return {"build": lambda: network}
    if function.endswith(("distance_to_boundary", "boundary_lines")):
        return {"x": lambda: np.linspace(0, 1, 6), "y": lambda: np.linspace(0, 1, 6)}
    return {}
