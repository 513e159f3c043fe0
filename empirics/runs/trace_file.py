"""The file of a trace: netCDF, followed by a seal, the SHA-256 of all bytes before it.

A single wrong bit can keep HDF5 busy for minutes, so that a sealed file is only opened if its bytes are those that were
written. HDF5 and other tools ignore what follows the end of their data. A copy that they make has no seal; it
is still protected by the checksum of the content, see :mod:`empirics.runs.checksum`.
The functions need no torch, since reports read traces without it.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Final

import h5netcdf
import numpy as np
import xarray as xr

from empirics.runs import checksum

ENGINE: Final = "h5netcdf"
SEAL: Final = b"\nclosedform: sha256 of all bytes before this line: "
LENGTH: Final = len(SEAL) + 2 * hashlib.sha256().digest_size + 1


def content(data: xr.Dataset) -> bytes:
    """Return the content of the sealed file of a trace; HDF5 itself cannot recover from a disk that fills up."""
    checksums = {  # of the blocks of a file, which say at once where it is damaged; HDF5 has none of texts
        name: {"fletcher32": True}
        for name, variable in data.variables.items()
        if variable.ndim and variable.dtype.kind not in "OSU"
    }
    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        checksum.signed(data).dump_to_store(xr.backends.H5NetCDFStore(file), encoding=checksums)
    return buffer.getvalue() + _seal(buffer.getbuffer())


def read(path: Path) -> xr.Dataset:
    """Read a file into memory, and verify its seal and the checksum of its content, if it has them.

    Raises:
        ValueError: if the file is not what was written. Damaged files without a seal cause errors of many kinds.
    """
    stored = memoryview(path.read_bytes())
    bytes_before, seal = stored[:-LENGTH], bytes(stored[-LENGTH:])
    if not seal.startswith(SEAL):
        with xr.open_dataset(path, engine=ENGINE) as data:
            return checksum.verified(data.load(), path.name)
    if seal != _seal(bytes_before):
        raise ValueError(f"{path.name}: the bytes do not match the seal at their end, so the file is damaged")
    return checksum.verified(_sealed(path), path.name)


def _sealed(path: Path) -> xr.Dataset:
    """Return the dataset of a sealed file, in half the time that xarray takes, which also looks up how it is stored."""
    with h5netcdf.File(path, "r", decode_vlen_strings=True) as file:
        variables = {name: _variable(stored) for name, stored in file.variables.items()}
        return xr.decode_cf(xr.Dataset(variables, attrs=dict(file.attrs))).load()


def _variable(stored: h5netcdf.Variable) -> xr.Variable:
    values = np.asarray(stored[...])
    encoding = {"dtype": str} if values.dtype == object else {}  # the only objects are texts of any length
    return xr.Variable(stored.dimensions, values, dict(stored.attrs), encoding)


def _seal(content: memoryview) -> bytes:
    return SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n"
