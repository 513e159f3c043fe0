"""The checksum of a trace: over its numbers, names, dimensions and attributes, whatever the layout of the file.

It is stored in two attributes of the file, so that one damaged byte cannot make a trace look like one that
other tools have written, without a checksum. The functions need no torch, since reports read traces without it.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import xarray as xr

ATTRIBUTE: Final = "checksum"
METHOD: Final = "checksum_method"
SHA256: Final = "sha256 of the content, see empirics.runs.checksum"


def of(data: xr.Dataset) -> str:
    """Return the checksum of a dataset, 64 hexadecimal digits, whatever the order of variables and attributes."""
    digest = hashlib.sha256(_text(_plain(data.attrs)))
    for name, variable in sorted(data.variables.items(), key=lambda item: str(item[0])):
        digest.update(
            _text([str(name), list(variable.dims), list(variable.shape), _plain(variable.attrs)])
        )
        values = np.asarray(variable.values)
        if values.dtype.kind in "OSU":
            digest.update(_text(values.tolist()))
        else:
            digest.update(values.dtype.str.encode())
            digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()


def signed(data: xr.Dataset) -> xr.Dataset:
    """Return ``data`` with its checksum as attributes."""
    return data.assign_attrs({ATTRIBUTE: of(data), METHOD: SHA256})


def verified(data: xr.Dataset) -> xr.Dataset:
    """Return ``data`` without its checksum; ValueError if that does not fit the content. Other tools write none."""
    if ATTRIBUTE not in data.attrs and METHOD not in data.attrs:
        return data
    content = data.drop_attrs(deep=False)
    content.attrs = {
        key: value for key, value in data.attrs.items() if key not in (ATTRIBUTE, METHOD)
    }
    if data.attrs.get(METHOD) != SHA256 or data.attrs.get(ATTRIBUTE) != of(content):
        raise ValueError("content that does not match its checksum, so that the file is damaged")
    return content


def _plain(attributes: Mapping[Any, Any]) -> dict[str, Any]:
    """Return attributes as Python's own numbers and texts, which numpy's become when they are read again."""
    return {str(key): np.asarray(value).tolist() for key, value in attributes.items()}


def _text(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode() + b"\n"
