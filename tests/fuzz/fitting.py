"""Good values of single functions, for arguments whose name alone does not say what fits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

from tests.fuzz import values
from tests.oracles.collapse_traces import make_trace

LABELS = np.arange(12) % 2


def points(count: int = 12) -> torch.Tensor:
    """Inputs of the network."""
    return torch.tensor(values.normal(count, 2))


def partition() -> Any:
    """Training data of the network."""
    from empirics.training import Partition

    return Partition(points(), torch.arange(12) % 3)


def dataset() -> Any:
    """Twelve images of three classes."""
    from empirics.data import Dataset

    return Dataset(
        torch.tensor(values.normal(12, 1, 4, 4)).float(), torch.arange(12) % 3, 3, "twelve points"
    )


def curves() -> dict[str, np.ndarray]:
    """Columns of a two-point experiment that follows the theory."""
    from theory import two_point

    t = np.linspace(0, 200, 40)
    dh2, dy2, w = two_point.trajectory(t, 0.1, 0.1, 0.0, 20.0, 20.0, 1.0, 0.5)
    return {"t": t, "dh2": dh2, "dy2": dy2, "w": w}


def curves_with_data() -> Any:
    """The same columns as a Dataset that knows its data."""
    import xarray as xr

    columns = curves()
    t = columns.pop("t")
    return xr.Dataset(
        {name: ("t", column) for name, column in columns.items()},
        {"t": t},
        {"dx2": 1.0, "target2": 0.5},
    )


@cache
def trained_resnets() -> Any:
    """The trace of Leaky ResNets after a second of training."""
    from empirics.experiments import leaky_resnet

    config = leaky_resnet.Config(
        dimensions=(4, 2, 4), hidden=6, points=20, test_points=10, width=8, layers=5, depths=(2.0, 3.0), adam=60,
        polishing=20, seeds=2,
    )  # fmt: skip
    return leaky_resnet.run(config, progress=False)


def resnets() -> Any:
    """The trace of Leaky ResNets, anew."""
    return trained_resnets().copy(deep=True)


def of_functions() -> dict[str, dict[str, Callable[[], Any]]]:
    """Good values by the name of the function, then of the argument."""
    import bridge
    import theory
    from empirics import measure, networks

    def comparison() -> Any:
        return bridge.compare([1.0, 2.0], [1.1, 2.1], error=0.1)

    def architecture() -> Any:
        return networks.build("fully_connected", inputs=2, outputs=3, width=5, depth=2)

    many = {"features": lambda: values.normal(12, 3), "labels": lambda: LABELS.copy(), "x": points}
    of_traces = {
        f"bridge.leaky_resnet.{name}": {"trace": lambda: resnets()}
        for name in ("conservation", "rank_bounds", "spectral_gap", "unconverged")
    }
    of_traces |= {
        f"bridge.collapse.{name}": {argument: make_trace}
        for name, argument in {
            "equiseparation": "data",
            "gaps": "trace",
            "layer_profile": "trace",
        }.items()
    }
    return of_traces | {
        "empirics.data.imbalanced": {"dataset": dataset, "count": lambda: 6, "ratio": lambda: 2.0},
        "empirics.data.random_labels": {"dataset": dataset},
        "empirics.data.dataset.Dataset": {
            "images": lambda: torch.zeros(6, 1, 2, 2),
            "labels": lambda: torch.arange(6) % 2,
            "classes": lambda: 2,
            "origin": lambda: "six points",
        },
        "empirics.training.partition.Partition": {
            "inputs": points,
            "labels": lambda: torch.arange(12) % 3,
        },
        "empirics.training.train_classifier": {"train": partition, "test": partition},
        "empirics.measure.effective_dimension": {"points": lambda: values.normal(50, 3)},
        "empirics.measure.two_neighbour_dimension": {"points": lambda: values.normal(30, 3)},
        "empirics.measure.gram_components": many | {"gram": lambda: np.eye(12) + 0.1},
        "empirics.measure.label_information": many,
        "empirics.measure.tangent_components": many,
        "empirics.measure.layerwise_collapse": {
            "classes": lambda: 3,
            "layers": lambda: ["0"],
            "batches": values.batches,
        },
        "empirics.measure.stretch": {"directions": lambda: torch.ones(6, 2, dtype=torch.float64)},
        "empirics.measure.usable_information": {
            "data": partition,
            "decoder_factory": lambda: decoder,
        },
        "empirics.measure.collapse.means.CollapseMeans": {"classes": lambda: 2},
        "empirics.networks.build": {"name": lambda: "fully_connected", "inputs": lambda: 2},
        "empirics.networks.mlp": {"inputs": lambda: 2},
        "empirics.networks.initial_weights": {
            "architecture": architecture,
            "seeds": lambda: (0, 1),
        },
        "CollapseMeans.merge": {"other": lambda: measure.CollapseMeans(2)},
        "Dataset.subset": {"count": lambda: 4},
        "Optimisation.over": {"parameters": lambda: list(values.network().parameters())},
        "Measured.mean": {
            "quantity": lambda: "a.b",
            "label": str,
            "repetitions": lambda: [1.0, 1.1, 0.9],
        },
        "Measured.from_json": {"saved": lambda: {"quantity": "a.b", "label": "", "value": 1.0}},
        "Comparison.joint_limit": {"comparisons": lambda: 3},
        "ScalingFit.predict": {"x": lambda: [10.0, 20.0]},
        "bridge.compare": {"prediction": lambda: np.ones(5), "error": lambda: None},
        "bridge.power": {"comparison": comparison},
        "bridge.dossier": {
            "layers": lambda: ["0"],
            "inputs": points,
            "labels": lambda: torch.arange(12) % 3,
            "budget": lambda: 5,
        },
        "bridge.explore": {"form": lambda: theory.catalogue()["two_point.final_distance"]},
        "bridge.table": {"data": curves},
        "bridge.scaling.fit": {
            "x": lambda: [1.0, 2.0, 4.0, 8.0],
            "y": lambda: values.normal(4, 3) ** 2 + 1,
        },
        "bridge.two_point.fit": {
            "data": curves_with_data,
            "dx2": lambda: 1.0,
            "target2": lambda: 0.5,
            "layer": lambda: None,
        },
        "bridge.conformance.conforms": {
            "quantity": lambda: "cka",
            "function": lambda: measure.cka,
        },
        "bridge.conformance.write_csv": {"path": lambda: "vectors.csv"},
        "bridge.geometry.extrapolate": {
            "widths": lambda: [10, 20, 40, 80],
            "samples": lambda: values.normal(4, 5),
        },
        "bridge.leaky_resnet.compare_meshes": {
            "traces": lambda: {
                "one": resnets(),
                "other": resnets(),
            }
        },
        "bridge.leaky_resnet.mean_and_error": {"values": lambda: resnets()["hamiltonian"]},
    }


def decoder() -> torch.nn.Module:
    """A linear decoder of the features of the network."""
    return torch.nn.Linear(3, 3).double()
