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
from numpy.typing import NDArray
from xarray.conventions import cf_encoder, decode_cf_variables, encode_dataset_coordinates

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
BARE_DIMENSION: Final = "This is a netCDF dimension but not a netCDF variable."  # followed by its length
NETCDF: Final = frozenset(  # attributes that describe the file and not what it holds
    ("CLASS", "DIMENSION_LIST", "NAME", "REFERENCE_LIST", "_NCProperties", "_Netcdf4Coordinates", "_Netcdf4Dimid")
)
Unread = dict[str, h5py.h5a.AttrID]  # attributes by name
Part = tuple[h5py.File | h5py.Dataset, Unread]


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
        parts |= {name: _written(file, str(name), variable) for name, variable in variables.items()}
        for number, (name, size) in enumerate(data.sizes.items()):
            parts[name].make_scale(str(name) if name in variables else f"{BARE_DIMENSION}{size:10d}")
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
        stored = file.create_dataset(name, values.shape, h5py.string_dtype(), data=values.astype(object))
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
    with _opened(path) as (file, size):
        most = min(max(SMALL, MOST_EXPANSION * size), MOST_BYTES)
        parts = _moderate(file, most)
        own = parts.pop("")[1]
        variables = {name: _variable(file, *part, most) for name, part in parts.items() if not _is_bare(part[1])}
        decoded, attributes, coordinates = decode_cf_variables(variables, _attributes(own))
        data = xr.Dataset(decoded, attrs=attributes).set_coords(coordinates).load()
        return checksum.verified(data)


def text_attribute(path: Path, name: str) -> str | None:
    """Return one attribute of a file, whose seal is verified, without reading the rest; None if it is no text."""
    with _opened(path) as (file, _):
        attribute = file.attrs.get_id(name) if name in file.attrs else None
        is_one = attribute is not None and math.prod(attribute.shape or ()) == 1
        return value if is_one and isinstance(value := _value(attribute), str) else None


@contextmanager
def _opened(path: Path) -> Iterator[tuple[h5py.File, int]]:
    """Yield a file whose seal, if it has one, fits its bytes, and their number."""
    with reading(path, "a readable netCDF file; if it is a trace, delete it to run this again"):
        stored = memoryview(untrusted_files.content(path, MOST_BYTES))
        bytes_before, seal = stored[:-LENGTH], bytes(stored[-LENGTH:])
        if seal.startswith(SEAL) and seal != _seal(bytes_before):
            raise ValueError("bytes that do not match the seal at their end, so that the file is damaged")
        with h5py.File(path, "r", track_order=True) as file:
            yield file, len(stored)


def _moderate(file: h5py.File, most: int) -> dict[str, Part]:
    """Return the datasets, none of them read, by name and the file under ""; ValueError if they promise too much."""
    if any(file.id.links.get_info(name.encode()).type != h5py.h5l.TYPE_HARD for name in file):
        raise ValueError("parts that lie in other files")
    datasets = {name: part for name, part in file.items() if isinstance(part, h5py.Dataset)}
    if any(part.external or part.is_virtual for part in datasets.values()):
        raise ValueError("parts that lie in other files")
    if (promised := sum(part.size * part.dtype.itemsize for part in datasets.values())) > most:
        raise ValueError(
            f"variables of {promised:,} bytes in memory, more than the {most:,} that a file of this size may take"
        )
    parts: dict[str, Part] = {}
    for name, part in ("", file), *datasets.items():
        listed = part.attrs  # a property that opens the part
        parts[name] = part, {key: listed.get_id(key) for key in listed}
    texts = sum(part.size for part in datasets.values() if part.dtype == object)
    texts += sum(math.prod(each.shape or ()) for _, attributes in parts.values() for each in attributes.values())
    if len(datasets) > MOST_VARIABLES or texts > MOST_TEXTS:
        raise ValueError(f"{len(datasets):,} variables with {texts:,} texts and attributes, more than any trace has")
    return parts


def _is_bare(attributes: Unread) -> bool:
    """Return whether these are the attributes of a dimension without coordinates."""
    return "NAME" in attributes and str(_value(attributes["NAME"])).startswith(BARE_DIMENSION)


def _variable(file: h5py.File, stored: h5py.Dataset, attributes: Unread, most: int) -> xr.Variable:
    dimensions = _dimensions(file, stored, attributes)
    if stored.dtype != object:
        return xr.Variable(dimensions, stored[...], _attributes(attributes))
    values, texts = np.empty(stored.shape, object), stored.asstr()  # the only objects are texts of any length
    for place in np.ndindex(stored.shape):  # many entries may be one long text
        values[place] = texts[place]
        if (most := most - len(values[place])) < 0:
            raise ValueError(f"texts in {stored.name!r} of more bytes than a file of this size may take")
    return xr.Variable(dimensions, values, _attributes(attributes), {"dtype": str})


def _dimensions(file: h5py.File, stored: h5py.Dataset, attributes: Unread) -> list[str]:
    """Return the names of the dimensions; raise ValueError if one has none."""
    if "DIMENSION_LIST" in attributes:
        places = [h5py.h5r.get_name(scales[-1], file.id) for scales in _read(attributes["DIMENSION_LIST"])]
        return [place.decode().rpartition("/")[2] for place in places]
    if stored.ndim > 1 or (stored.ndim == 1 and not stored.is_scale):
        raise ValueError(f"a variable {stored.name!r} without names of its dimensions")
    return [stored.name.rpartition("/")[2]] * stored.ndim


def _attributes(attributes: Unread) -> dict[str, Any]:
    """Return the values of the attributes that are no part of the format."""
    return {name: _value(attribute) for name, attribute in attributes.items() if name not in NETCDF}


def _value(attribute: h5py.h5a.AttrID) -> Any:
    """Return the value of an attribute; an array of one entry is this entry."""
    if attribute.shape is None:
        return ""
    values = _read(attribute)
    if values.size == 1:
        return _text(values.flat[0])
    return np.array(list(map(_text, values.flat)), object).reshape(values.shape) if values.dtype == object else values


def _read(attribute: h5py.h5a.AttrID) -> NDArray[Any]:
    """Read an attribute as it is stored; the interface of h5py opens it twice more, and is half as fast."""
    values = np.zeros(attribute.shape, attribute.dtype)
    attribute.read(values)
    return values


def _text(value: Any) -> Any:
    """Return bytes as a text, and anything else as it is."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _seal(content: memoryview) -> bytes:
    return SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n"
