"""The file of a trace: netCDF, followed by a seal, the SHA-256 of all bytes before it.

A single wrong bit can keep HDF5 busy for minutes, so that a sealed file is only opened if its bytes are those that were
written. HDF5 and other tools ignore what follows the end of their data. A copy that they make has no seal; it
is still protected by the checksum of the content, see :mod:`empirics.runs.checksum`.

A netCDF file is an HDF5 file whose dimensions are dimension scales. It is written and read with h5py, which takes a
tenth of the time of the libraries for netCDF; other tools read it as any netCDF file.
The functions need no torch, since reports read traces without it.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import h5py
import numpy as np
import xarray as xr
from xarray.conventions import cf_encoder, decode_cf_variables, encode_dataset_coordinates

from closedform import untrusted_files
from closedform.untrusted_files import reading
from empirics.runs import checksum, file_limits
from empirics.runs.file_limits import MOST_BYTES, Allowance, Unread

SEAL: Final = b"\nclosedform: sha256 of all bytes before this line: "
LENGTH: Final = len(SEAL) + 2 * hashlib.sha256().digest_size + 1
# followed by its length
BARE_DIMENSION: Final = "This is a netCDF dimension but not a netCDF variable."
NETCDF: Final = frozenset(  # attributes that describe the file and not what it holds
    (
        "CLASS",
        "DIMENSION_LIST",
        "NAME",
        "REFERENCE_LIST",
        "_NCProperties",
        "_Netcdf4Coordinates",
        "_Netcdf4Dimid",
    )
)


def content(data: xr.Dataset) -> bytes:
    """Return the content of the sealed file of a trace; HDF5 itself cannot recover from a disk that fills up."""
    variables, attributes = cf_encoder(*encode_dataset_coordinates(checksum.signed(data)))
    with h5py.File("trace", "w", driver="core", backing_store=False, track_order=True) as file:
        _write_attributes(file, attributes)
        parts = {
            name: file.create_dataset(str(name), (size,), ">f4")
            for name, size in data.sizes.items()
            if name not in variables
        }
        parts |= {
            name: _written(file, str(name), variable) for name, variable in variables.items()
        }
        for number, (name, size) in enumerate(data.sizes.items()):
            parts[name].make_scale(
                str(name) if name in variables else f"{BARE_DIMENSION}{size:10d}"
            )
            parts[name].attrs["_Netcdf4Dimid"] = np.int32(number)
        for name, variable in variables.items():
            for axis, dimension in enumerate(variable.dims if name not in data.sizes else ()):
                parts[name].dims[axis].attach_scale(parts[dimension])
        file.flush()
        image = bytes(file.id.get_file_image())
    return image + _seal(memoryview(image))


def _written(file: h5py.File, name: str, variable: xr.Variable) -> h5py.Dataset:
    """Write the numbers or texts of a variable and its attributes, and return what holds them."""
    values = np.asarray(variable.values)
    if values.dtype.kind in "OSU":
        stored = file.create_dataset(
            name, values.shape, h5py.string_dtype(), data=values.astype(object)
        )
    else:  # checksums of the blocks of a file say at once where it is damaged; HDF5 has none of texts
        options = {"fletcher32": True} if values.ndim and values.size else {}
        stored = file.create_dataset(name, data=values, **options)
    _write_attributes(stored, variable.attrs)
    return stored


def _write_attributes(part: h5py.File | h5py.Dataset, attributes: Mapping[Any, Any]) -> None:
    stored = part.attrs  # a property that opens the part
    for name, value in attributes.items():
        values = np.asarray(value)
        if name == "_FillValue" and values.dtype.kind == "f" and np.isnan(values):
            continue  # a missing number is NaN without being told
        if values.dtype.kind == "U" and values.ndim:
            values = values.astype(h5py.string_dtype())
        stored[str(name)] = value if isinstance(value, str) else np.atleast_1d(values)


def read(path: Path) -> xr.Dataset:
    """Read a file into memory, and verify its seal and checksum if it has them; else an UnreadableFileError."""
    with _opened(path) as (file, allowed):
        parts = file_limits.parts(file, allowed)
        own = parts.pop("")[1]
        variables = {
            name: _variable(file, *part, allowed)
            for name, part in parts.items()
            if not _is_bare(part[1], allowed)
        }
        decoded, attributes, coordinates = decode_cf_variables(
            variables, _attributes(own, allowed)
        )
        data = xr.Dataset(decoded, attrs=attributes).set_coords(coordinates).load()
        return checksum.verified(data)


def text_attribute(path: Path, name: str) -> str | None:
    """Return one attribute of a file, whose seal is verified, without reading the rest; None if it is no text."""
    with _opened(path) as (file, allowed):
        attribute = file.attrs.get_id(name) if name in file.attrs else None
        if attribute is None or math.prod(attribute.shape or ()) != 1:
            return None
        value = file_limits.value(attribute, name, allowed)
        return value if isinstance(value, str) else None


@contextmanager
def _opened(path: Path) -> Iterator[tuple[h5py.File, Allowance]]:
    """Yield a file whose seal, if it has one, fits its bytes, and what it may take in memory."""
    with reading(path, "a readable netCDF file; if it is a trace, delete it to run this again"):
        stored = memoryview(untrusted_files.content(path, MOST_BYTES))
        bytes_before, seal = stored[:-LENGTH], bytes(stored[-LENGTH:])
        if seal.startswith(SEAL) and seal != _seal(bytes_before):
            raise ValueError(
                "bytes that do not match the seal at their end, so that the file is damaged"
            )
        with h5py.File(path, "r", track_order=True) as file:
            yield file, file_limits.allowance(stored)


def _is_bare(attributes: Unread, allowed: Allowance) -> bool:
    """Return whether these are the attributes of a dimension without coordinates."""
    name = attributes.get("NAME")
    return name is not None and str(file_limits.value(name, "NAME", allowed)).startswith(
        BARE_DIMENSION
    )


def _variable(
    file: h5py.File, stored: h5py.Dataset, attributes: Unread, allowed: Allowance
) -> xr.Variable:
    dimensions = _dimensions(file, stored, attributes, allowed)
    if stored.dtype != object:
        return xr.Variable(dimensions, stored[...], _attributes(attributes, allowed))
    # the only objects are texts of any length
    values, texts = (np.empty(stored.shape, object), stored.asstr())
    for place in np.ndindex(stored.shape):  # many entries may be one long text
        allowed.text_entries(f"texts in {stored.name!r}", 1)
        values[place] = texts[place]
        allowed.take(f"texts in {stored.name!r}", len(values[place]))
    return xr.Variable(dimensions, values, _attributes(attributes, allowed), {"dtype": str})


def _dimensions(
    file: h5py.File, stored: h5py.Dataset, attributes: Unread, allowed: Allowance
) -> list[str]:
    """Return the names of the dimensions; raise ValueError if one has none."""
    if "DIMENSION_LIST" in attributes:
        scales = file_limits.counted(attributes["DIMENSION_LIST"], "DIMENSION_LIST", allowed)
        places = [h5py.h5r.get_name(axis[-1], file.id) for axis in scales]
        return [place.decode().rpartition("/")[2] for place in places]
    if stored.ndim > 1 or (stored.ndim == 1 and not stored.is_scale):
        raise ValueError(f"a variable {stored.name!r} without names of its dimensions")
    return [stored.name.rpartition("/")[2]] * stored.ndim


def _attributes(attributes: Unread, allowed: Allowance) -> dict[str, Any]:
    """Return the values of the attributes that are no part of the format."""
    return {
        name: file_limits.value(attribute, name, allowed)
        for name, attribute in attributes.items()
        if name not in NETCDF
    }


def _seal(content: memoryview) -> bytes:
    return SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n"
