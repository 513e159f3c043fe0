"""Small files that promise much, or lead to other files, are refused before they are read."""

from __future__ import annotations

import resource

import h5netcdf
import h5py
import numpy as np
import pytest

from closedform.untrusted_files import UnreadableFileError
from empirics.runs import trace_file

MEMORY = 200 * 2**20  # bytes by which a refusal may raise the largest memory of this process


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trace.nc"


def refused(path, message):
    """Read a file, which is refused with this message and without taking much memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(UnreadableFileError, match=rf"trace\.nc: got .*{message}.*, needs a readable netCDF file"):
        trace_file.read(path)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY


@pytest.mark.parametrize("entries", [20_000_000, 4_000_000_000])
def test_numbers_that_are_not_there(path, entries):
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"t": entries}
        for name in ("t", "dh2"):  # a dimension would be read at once
            file.create_variable(name, ("t",), "f8", chunks=(100_000,), compression="gzip")
    assert path.stat().st_size < 10_000
    refused(path, "bytes in memory, more than the 67,108,864")


def test_one_long_text_for_many_entries(path):
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"t": 1000}
        texts = np.array(["x" * 10**6, *999 * "y"], dtype=object)
        stored = file.create_variable("names", ("t",), h5py.string_dtype())
        stored[...] = texts
        start = stored._h5ds.id.get_offset()
    content = path.read_bytes()
    first = content[start : start + 16]  # length and place of a text
    path.write_bytes(content[:start] + 1000 * first + content[start + 16_000 :])
    refused(path, "texts in '/names' of more bytes than a file of this size may take")


def test_a_million_texts(path):
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"t": 10**6}
        file.create_variable("names", ("t",), h5py.string_dtype(), chunks=(1000,), compression="gzip")
    refused(path, "1,000,008 texts and attributes, more than any trace has")


@pytest.mark.parametrize("kind", ["link", "soft link", "storage", "virtual"])
def test_parts_in_other_files(path, tmp_path, kind):
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as file:
        file["x"] = np.arange(3.0)
    with h5py.File(path, "w") as file:
        if kind == "link":
            file["x"] = h5py.ExternalLink(str(secret), "x")
        elif kind == "soft link":
            file["y"] = np.arange(3.0)
            file["x"] = h5py.SoftLink("/y")
        elif kind == "storage":
            file.create_dataset("x", (3,), "f8", external=[(str(secret), 0, 24)])
        else:
            layout = h5py.VirtualLayout((3,), "f8")
            layout[:] = h5py.VirtualSource(str(secret), "x", (3,))
            file.create_virtual_dataset("x", layout)
        for name, stored in file.items():
            if isinstance(file.get(name, getlink=True), h5py.HardLink):
                stored.make_scale(name)
    refused(path, "parts that lie in other files")


def test_a_folder(path):
    path.mkdir()
    with pytest.raises(UnreadableFileError, match="a folder"):
        trace_file.read(path)
