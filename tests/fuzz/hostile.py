"""Hostile values for any argument, made anew for every call."""

from __future__ import annotations

import datetime
import decimal
import fractions
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pandas as pd
import scipy.sparse
import sympy as sp
import torch
import xarray as xr

from tests.fuzz.values import Makers, normal


class Whole(int):
    """An integer of a user's own type."""


class WholeArray(np.ndarray):
    """An array of a user's own type."""


class Unshowable:
    """An object that fails wherever it is looked at."""

    def _fail(self, *_: Any) -> Any:
        raise RuntimeError("this object has no text, no length and no hash")

    __repr__ = __str__ = __len__ = __hash__ = __eq__ = __float__ = __index__ = __array__ = (
        __iter__
    ) = _fail


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


NUMBERS: Makers = {
    repr(value): (lambda value=value: value)
    for value in (
        0, -1, 1, 2, 7, 10**9, 10**12, 10**30, -(10**30), 10**400, 2**31, 2**63, 2**64,
        0.0, -0.0, 0.5, -0.5, 1e-320, 1e-300,
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
    "function of everything": lambda: lambda *arguments, **named: (arguments, named),
    "generator function": lambda: (number for number in (1.0, 2.0, 3.0)),
    "class of a configuration": lambda: type("Config", (), {"seeds": 10**12}),
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
    "jagged tensor": lambda: torch.nested.nested_tensor(
        [torch.ones(2), torch.ones(3)], layout=torch.jagged
    ),
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
    "true tensor": lambda: torch.tensor(True),
    "false tensor": lambda: torch.tensor(False),
    "tensor of flags": lambda: torch.tensor([True, False]),
    "tensor of one number": lambda: torch.tensor(2.0),
    "tensor of a whole number": lambda: torch.tensor(3),
    "zero-dimensional integer": lambda: np.array(3),
    "zero-dimensional object": lambda: np.array({"a": 1}, dtype=object),
    "zero-dimensional text": lambda: np.array("3"),
    "zero-dimensional NaN": lambda: np.array(np.nan),
    "two flags": lambda: np.array([True, False]),
    "negative strides": lambda: normal(6, 2)[::-1, ::-1],
    "float16 columns": lambda: {
        name: np.arange(1, 7, dtype=np.float16) for name in ("t", "dh2", "dy2", "w")
    },
    "float16 DataFrame": lambda: pd.DataFrame(normal(6, 2).astype(np.float16), columns=["a", "b"]),
    "float16 DataArray": lambda: xr.DataArray(normal(6, 2).astype(np.float16), dims=("a", "b")),
    "float16 Dataset": lambda: xr.Dataset(
        {"w": ("t", np.arange(6, dtype=np.float16))}, {"t": np.arange(6.0)}
    ),
    "Dataset of objects": lambda: xr.Dataset(
        {"a": ("x", np.array([object(), None], dtype=object))}
    ),
    "columns of lists": lambda: {"t": [1.0, 2.0], "w": "x"},
    "NaN columns": lambda: {name: np.full(6, np.nan) for name in ("t", "dh2", "dy2", "w")},
    "nullable Series": lambda: pd.Series([1, None], dtype="Int64"),
    "list of arrays": lambda: [np.zeros(3), np.zeros(2)],
    "dict of numbers": lambda: {0: 1.0, "a": float("nan")},
    "masked number": lambda: np.ma.masked,
    "sparse array": lambda: scipy.sparse.coo_array(np.eye(6, 2)),
    "meta network": lambda: torch.nn.Linear(2, 3, device="meta"),
    "network of half precision": lambda: torch.nn.Linear(2, 3).half(),
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
