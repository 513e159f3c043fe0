"""The file of a trace: netCDF, followed by a seal, the SHA-256 of all bytes before it.

A single wrong bit can keep HDF5 busy for minutes, so that a sealed file is only opened if its bytes are those that were
written. HDF5 and other tools ignore what follows the end of their data. A copy that they make has no seal; it
is still protected by the checksum of the content, see :mod:`empirics.runs.checksum`.
The functions need no torch, since reports read traces without it.
"""

from __future__ import annotations

import hashlib
import io
import math
from pathlib import Path
from typing import Final

import h5netcdf
import h5py
import numpy as np
import xarray as xr

from closedform import untrusted_files
from closedform.untrusted_files import reading
from empirics.runs import checksum

MOST_BYTES: Final = 2**31  # of a file, and of its variables in memory; traces have megabytes
SMALL: Final = 2**26  # bytes of memory that the variables of any file may take
MOST_EXPANSION: Final = 100  # bytes of memory for each byte of a larger file, which may be compressed
MOST_VARIABLES: Final = 10_000
MOST_TEXTS: Final = 100_000  # which are read one after another
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
        UnreadableFileError: if the file is not what was written, takes too much memory, or leads to other files.
    """
    with reading(path, "a readable netCDF file; if it is a trace, delete it to run this again"):
        stored = memoryview(untrusted_files.content(path, MOST_BYTES))
        bytes_before, seal = stored[:-LENGTH], bytes(stored[-LENGTH:])
        if seal.startswith(SEAL) and seal != _seal(bytes_before):
            raise ValueError("bytes that do not match the seal at their end, so that the file is damaged")
        with h5netcdf.File(path, "r", decode_vlen_strings=True) as file:
            most = min(max(SMALL, MOST_EXPANSION * len(stored)), MOST_BYTES)
            _require_moderate(file, most)
            variables = {name: _variable(stored, most) for name, stored in file.variables.items()}
            data = xr.decode_cf(xr.Dataset(variables, attrs=dict(file.attrs))).load()
        return checksum.verified(data)


def _require_moderate(file: h5netcdf.File, most: int) -> None:
    """Raise ValueError if a file promises too many numbers or texts, or has parts in other files."""
    root = file._h5file
    links = [root.get(name, getlink=True) for name in root]
    datasets = [stored._h5ds for stored in file.variables.values()]
    if not all(isinstance(link, h5py.HardLink) for link in links) or any(d.external or d.is_virtual for d in datasets):
        raise ValueError("parts that lie in other files")
    if (promised := sum(math.prod(d.shape) * d.dtype.itemsize for d in datasets)) > most:
        raise ValueError(
            f"variables of {promised:,} bytes in memory, more than the {most:,} that a file of this size may take"
        )
    texts = [math.prod(d.shape) for d in datasets if d.dtype == object]
    texts += [math.prod(d.attrs.get_id(name).shape) for d in (root, *datasets) for name in d.attrs]
    if len(datasets) > MOST_VARIABLES or sum(texts) > MOST_TEXTS:
        raise ValueError(
            f"{len(datasets):,} variables with {sum(texts):,} texts and attributes, more than any trace has"
        )


def _variable(stored: h5netcdf.Variable, most: int) -> xr.Variable:
    if stored._h5ds.dtype != object:
        return xr.Variable(stored.dimensions, np.asarray(stored[...]), dict(stored.attrs))
    values = np.empty(stored.shape, object)  # the only objects are texts of any length
    for place in np.ndindex(stored.shape):  # many entries may be one long text
        values[place] = stored[place]
        if (most := most - len(values[place])) < 0:
            raise ValueError(f"texts in {stored.name!r} of more bytes than a file of this size may take")
    return xr.Variable(stored.dimensions, values, dict(stored.attrs), {"dtype": str})


def _seal(content: memoryview) -> bytes:
    return SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n"
