"""Good values by the name of an argument, and hostile ones for any argument; all are made anew for every call."""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections.abc import Callable, Mapping
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pandas as pd
import scipy.sparse
import sympy as sp
import torch
import xarray as xr

Makers = Mapping[str, Callable[[], Any]]


class Whole(int):
    """An integer of a user's own type."""


class WholeArray(np.ndarray):
    """An array of a user's own type."""


class Unshowable:
    """An object that fails wherever it is looked at."""

    def _fail(self, *_: Any) -> Any:
        raise RuntimeError("this object has no text, no length and no hash")

    __repr__ = __str__ = __len__ = __hash__ = __eq__ = __float__ = __index__ = __array__ = __iter__ = _fail


def within_itself(kind: type[list[Any]] | type[dict[Any, Any]]) -> Any:
    """A container that contains itself."""
    made: Any = kind()
    made.append(made) if kind is list else made.update(a=made)
    return made


def nested(levels: int) -> list[Any]:
    """A number within so many lists."""
    made: Any = 1.0
    for _ in range(levels):
        made = [made]
    return made


def normal(*shape: int) -> np.ndarray:
    """The same numbers in every call, near one."""
    return np.random.default_rng(3).normal(size=shape)


NUMBERS: Makers = {
    repr(value): (lambda value=value: value)
    for value in (
        0, -1, 1, 2, 7, 10**9, 10**30, -(10**30), 10**400, 2**31, 2**63, 2**64, 0.0, -0.0, 0.5, -0.5, 1e-320, 1e-300,
        1e300, -1e308, float("nan"), float("inf"), float("-inf"), 1j, True, False, None, "", "x", "1e-300",
        "-1e9999999",
        "1/0", "nan", "oo", "I", "__import__('os')", b"1", "numpy", "mean", "auto",
    )
}  # fmt: skip
SCALARS: Makers = {
    "Whole(3)": lambda: Whole(3),
    "5000 zeros": lambda: "0" * 5000,
    "np.int8(3)": lambda: np.int8(3),
    "np.uint64(2**64-1)": lambda: np.uint64(2**64 - 1),
    "np.float16(inf)": lambda: np.float16(np.inf),
    "np.float32(0.1)": lambda: np.float32(0.1),
    "np.bool(True)": lambda: np.bool_(True),
    "np.complex128": lambda: np.complex128(1 + 2j),
    "np.str": lambda: np.str_("3"),
    "np.datetime64": lambda: np.datetime64("2020-01-01"),
    "timedelta": lambda: datetime.timedelta(1),
    "Fraction": lambda: fractions.Fraction(1, 3),
    "Decimal(1e-9999)": lambda: decimal.Decimal("1e-9999"),
    "Decimal(NaN)": lambda: decimal.Decimal("NaN"),
    "sympy symbol": lambda: sp.Symbol("q"),
    "sympy zoo": lambda: sp.zoo,
    "sympy nan": lambda: sp.nan,
    "sympy float": lambda: sp.Float("1e-1000"),
    "object": object,
    "int": lambda: int,
    "lambda": lambda: lambda *_: None,
    "failing function": lambda: lambda *_: 1 / 0,
    "bytearray": lambda: bytearray(b"1"),
    "memoryview": lambda: memoryview(b"1"),
    "a million digits": lambda: 1 << 3_321_928,
    "Fraction of many digits": lambda: fractions.Fraction(1, 1 << 3_000_000),
    "Decimal(1e999999)": lambda: decimal.Decimal("1e999999"),
    "sympy power": lambda: sp.Pow(10, 10**10, evaluate=False),
    "nested sympy": lambda: sp.sqrt(1 + sp.sqrt(1 + sp.sqrt(1 + sp.sqrt(sp.Symbol("x"))))),
    "code": lambda: "__import__('os').getpid()",
    "code in a dict": lambda: {"__import__('os').getpid()": 1},
    "code in a list": lambda: ["__import__('os').getpid()"],
    "mock": MagicMock,
    "unshowable": Unshowable,
    "1000 brackets": lambda: "(" * 1000 + "1" + ")" * 1000,
    "comment": lambda: "1#2",
}
ARRAYS: Makers = {
    "[]": list,
    "()": tuple,
    "{}": dict,
    "set": lambda: {1, 2},
    "generator": lambda: iter([1.0, 2.0]),
    "range": lambda: range(3),
    "[[]]": lambda: [[]],
    "ragged": lambda: [[1.0, 2.0], [3.0]],
    "[None]": lambda: [None, 1.0],
    "list of text": lambda: ["a", "b"],
    "empty 0x3": lambda: np.empty((0, 3)),
    "empty 3x0": lambda: np.empty((3, 0)),
    "zero-dimensional": lambda: np.array(1.0),
    "zeros 6x2": lambda: np.zeros((6, 2)),
    "ones 6": lambda: np.ones(6),
    "1x1": lambda: np.ones((1, 1)),
    "4-dimensional": lambda: normal(2, 3, 2, 2),
    "7x3": lambda: normal(7, 3),
    "NaN inside": lambda: np.where(np.eye(6, 2) > 0, np.nan, 1.0),
    "inf inside": lambda: np.where(np.eye(6, 2) > 0, np.inf, 1.0),
    "huge": lambda: np.full((6, 2), 1e300),
    "tiny": lambda: np.full((6, 2), 1e-320),
    "masked": lambda: np.ma.masked_array(normal(6, 2), np.eye(6, 2) > 0),
    "masked integers": lambda: np.ma.masked_array([0, 1, 0, 1, 0, 1], [1, 0, 0, 0, 0, 0]),
    "negative labels": lambda: np.array([-1, 0, 1, 0, 1, 0]),
    "sparse labels": lambda: np.array([0, 10**15, 0, 1, 1, 1]),
    "one class": lambda: np.zeros(6, int),
    "object array": lambda: np.array([object(), 1], dtype=object),
    "object array of numbers": lambda: np.array([1, 2.5, fractions.Fraction(1, 2)], dtype=object),
    "text array": lambda: np.array(["a", "b"]),
    "complex array": lambda: normal(6, 2) + 1j,
    "boolean array": lambda: np.eye(6, 2) > 0,
    "uint8 array": lambda: np.ones((6, 2), np.uint8),
    "float16 array": lambda: normal(6, 2).astype(np.float16),
    "dates": lambda: np.array(["2020-01-01"], "datetime64[D]"),
    "structured": lambda: np.zeros(3, [("a", float), ("b", int)]),
    "own array": lambda: normal(6, 2).view(WholeArray),
    "read-only": lambda: np.broadcast_to(np.float64(1.0), (6, 2)),
    "8 GB in one number": lambda: np.broadcast_to(np.float64(1.0), (10**9,)),
    "matrix": lambda: np.asmatrix(np.eye(2)),
    "tensor with gradient": lambda: torch.ones(6, 2, dtype=torch.float64, requires_grad=True),
    "integer tensor": lambda: torch.ones(6, dtype=torch.int64),
    "bfloat16 tensor": lambda: torch.ones(6, 2, dtype=torch.bfloat16),
    "complex tensor": lambda: torch.ones(6, 2, dtype=torch.complex64),
    "empty tensor": lambda: torch.ones(0, 2),
    "sparse tensor": lambda: torch.eye(3).to_sparse(),
    "sparse matrix": lambda: scipy.sparse.eye(6, 2),
    "CSR tensor": lambda: torch.eye(3).to_sparse_csr(),
    "negative bit": lambda: torch.ones(6, 2, dtype=torch.complex128).conj().imag,
    "conjugate bit": lambda: torch.ones(6, 2, dtype=torch.complex128).conj(),
    "quantised tensor": lambda: torch.quantize_per_tensor(torch.ones(6, 2), 0.1, 0, torch.qint8),
    "nested tensor": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    "jagged tensor": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
    "float8 tensor": lambda: torch.ones(6, 2).to(torch.float8_e4m3fn),
    "bits tensor": lambda: torch.zeros(6, dtype=torch.uint8).view(torch.bits8),
    "masked tensor": lambda: torch.masked.masked_tensor(torch.ones(6, 2), torch.eye(6, 2) > 0),
    "parameter": lambda: torch.nn.Parameter(torch.ones(6, 2)),
    "uninitialised parameter": torch.nn.UninitializedParameter,
    "list of tensors": lambda: [torch.ones(2, requires_grad=True), torch.ones(2)],
    "list within itself": lambda: within_itself(list),
    "dict within itself": lambda: within_itself(dict),
    "1000 lists": lambda: nested(1000),
    "bytes array": lambda: np.array([b"1", b"2"]),
    "void array": lambda: np.zeros(3, "V8"),
    "dict of code": lambda: {"dx2": "__import__('os').getpid()"},
    "meta tensor": lambda: torch.ones(6, 2, device="meta"),
    "module": lambda: torch.nn.Linear(3, 2),
    "DataFrame": lambda: pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}),
    "empty DataFrame": pd.DataFrame,
    "Series": lambda: pd.Series([1.0, None]),
    "Dataset": lambda: xr.Dataset({"a": ("x", [1.0])}),
    "empty Dataset": xr.Dataset,
    "DataArray": lambda: xr.DataArray(normal(6, 2), dims=("a", "b")),
}
HOSTILE: Makers = {**NUMBERS, **SCALARS, **ARRAYS}

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
        return torch.nn.Sequential(torch.nn.Linear(2, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3)).double()


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
    from theory.compression import Stripes

    if function in OF_CLASSES:
        return {name: (lambda value=value: value) for name, value in OF_CLASSES[function].items()}
    if function.endswith("CollapseScatter"):
        return {"basis": basis}
    if function.startswith("theory.compression"):
        return {"labels": lambda: Stripes((-0.3, 1.185))} if "label_information" not in function else {}
    if function in ("bridge.dossier", "empirics.watch", "empirics.measure.layerwise_collapse"):
        return {"layers": lambda: ["0"], "batches": batches}
    if function == "empirics.training.evaluate":
        return {"batches": batches}
    if function == "empirics.networks.initialised":
        return {"build": lambda: network}
    if function.startswith("bridge.scaling"):
        return {"x": lambda: [1.0, 2.0, 4.0, 8.0], "y": lambda: normal(3, 4) ** 2 + 1}
    if function.endswith(("distance_to_boundary", "boundary_lines")):
        return {"x": lambda: np.linspace(0, 1, 6), "y": lambda: np.linspace(0, 1, 6)}
    return {}
