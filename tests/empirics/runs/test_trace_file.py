"""Small files that promise much, or lead to other files, are refused before they are read."""

from __future__ import annotations

import resource
import struct
import zlib

import h5netcdf
import h5py
import numpy as np
import pytest
import xarray as xr

from closedform.untrusted_files import UnreadableFileError
from empirics.runs import file_limits, trace_file

MEMORY = 200 * 2**20  # bytes by which a refusal may raise the largest memory of this process


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trace.nc"


def refused(path, message):
    """Read a file, which is refused with this message and without taking much memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(
        UnreadableFileError, match=rf"trace\.nc: got .*{message}.*, needs a readable netCDF file"
    ):
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
        file.create_variable(
            "names", ("t",), h5py.string_dtype(), chunks=(1000,), compression="gzip"
        )
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


def scaled(file, **attributes):
    """A dimension of sixty million bytes that were never written, which are decoded by attributes."""
    stored = file.create_dataset(
        "y", (60_000_000,), "i1", chunks=(1_000_000,), compression="gzip", fillvalue=1
    )
    stored.attrs.update(attributes)
    stored.make_scale("y")


def one_dimension(file, name="t", size=3, **options):
    content = {} if "shape" in options else {"data": np.arange(float(size))}
    stored = file.create_dataset(name, **(content | options))
    stored.make_scale(name)
    return stored


def many_references(path, attribute):
    """Let all entries of an attribute of texts refer to the first, which is long."""
    content = bytearray(path.read_bytes())
    start = content.find(struct.pack("<I", attribute))
    while content[start + 16 : start + 20] != struct.pack("<I", 1):
        start = content.find(struct.pack("<I", attribute), start + 1)
    for number in range(1, 3900):
        content[start + 16 * number : start + 16 * number + 16] = content[start : start + 16]
    path.write_bytes(content)


@pytest.mark.parametrize(
    "attributes",
    [
        {"scale_factor": 0.5, "add_offset": 1.0}, {"add_offset": 1.0}, {"missing_value": np.int8(7)},
        {"units": "days since 2000-01-01"}, {"units": "days since 2000-01-01", "calendar": "noleap"},
        {"units": "seconds since 1970-01-01", "scale_factor": 2.0}, {"_Unsigned": "true"},
    ],
)  # fmt: skip
def test_numbers_count_as_what_they_become(path, attributes):
    with h5py.File(path, "w") as file:
        scaled(file, **attributes)
    refused(path, "bytes in memory, more than the 67,108,")


def test_attributes_count_one_by_one(path):
    with h5py.File(path, "w") as file:
        one_dimension(file)
        texts = np.array(["Q" * 300_000] + ["w"] * 3899, dtype=object)
        file.attrs.create("x", texts, dtype=h5py.string_dtype())
    many_references(path, 300_000)
    refused(path, "an attribute 'x' of more bytes than a file of this size may take")


def test_dimensions_need_not_fit_one_table(path):
    with h5py.File(path, "w") as file:
        for name in "abcd":
            one_dimension(file, name, 3000)
    assert dict(trace_file.read(path).sizes) == dict.fromkeys("abcd", 3000)


def test_a_chunk_of_a_small_dataset(path):
    with h5py.File(path, "w") as file:
        stored = one_dimension(
            file,
            shape=(3,),
            dtype="f8",
            chunks=(100_000_000,),
            maxshape=(None,),
            compression="gzip",
        )
        stored.id.write_direct_chunk((0,), zlib.compress(bytes(24)))
    refused(path, "800,000,000 bytes")


def test_a_chunk_that_inflates_beyond_its_shape(path):
    with h5py.File(path, "w") as file:
        stored = one_dimension(file, data=np.zeros(1000), chunks=(1000,), compression="gzip")
        stored.id.write_direct_chunk((0,), zlib.compress(bytes(80_000_000)))
    refused(path, "a chunk of '/t' that becomes larger than its 8,000 bytes")


def unknown_filter(file):
    settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    settings.set_chunk((3,))
    settings.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    space = h5py.h5s.create_simple((3,))
    stored = h5py.Dataset(h5py.h5d.create(file.id, b"t", h5py.h5t.IEEE_F64LE, space, settings))
    stored.make_scale("t")


FEW = 600  # for limits that take seconds to reach


def many_attributes(file):
    stored = one_dimension(file)
    for number in range(FEW + 1):
        stored.attrs.create(f"a{number}", 1.0)


def deep_groups(file):
    group = file
    for _ in range(500):
        group = group.create_group("g")
    file["loop"] = h5py.SoftLink("/loop")


KINDS = {
    "compound": (
        lambda file: one_dimension(file, data=np.zeros(3, [("a", "f8"), ("b", "i4")])),
        "of the type",
    ),
    "opaque": (lambda file: one_dimension(file, data=np.zeros(3, "V8")), "of the type"),
    "reference": (
        lambda file: one_dimension(file, shape=(3,), dtype=h5py.ref_dtype),
        "of the type object",
    ),
    "region": (
        lambda file: one_dimension(file, shape=(3,), dtype=h5py.regionref_dtype),
        "of the type object",
    ),
    "ragged": (
        lambda file: one_dimension(file, shape=(3,), dtype=h5py.vlen_dtype(float)),
        "of the type object",
    ),
    "no shape": (lambda file: file.create_dataset("t", data=h5py.Empty("f8")), "without a shape"),
    "attribute": (
        lambda file: file.attrs.create("x", np.zeros(2, [("a", "f8")])),
        "an attribute 'x' of the type",
    ),
    "filter": (unknown_filter, "compressed by the filter 32015"),
    "attributes": (many_attributes, "attributes, more than any trace has"),
    "loop": (deep_groups, "parts that lie in other files"),
    "groups": (
        lambda file: [file.create_group(str(number)) for number in range(FEW + 1)],
        "variables and groups",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_that_no_trace_has(path, kind, monkeypatch):
    for most in ("MOST_ATTRIBUTES", "MOST_VARIABLES"):
        monkeypatch.setattr(file_limits, most, FEW)
    write, message = KINDS[kind]
    with h5py.File(path, "w", libver="latest", track_order=kind == "attributes") as file:
        write(file)
    refused(path, message)


def test_what_other_tools_write_is_read(path):
    data = xr.Dataset(
        {
            "y": (("t", "name"), np.arange(6.0).reshape(3, 2), {"units": "m", "names": ["a", "b", "ü"]}),
            "small": ("t", np.array([1.0, np.nan, 3.0])), "flag": ("t", np.array([True, False, True])),
        },
        {"t": np.array(["2000-01-01", "2000-01-02", "2000-01-05"], "datetime64[ns]"), "name": ["long", "ünïcode"]},
    )  # fmt: skip
    encoding = {
        "small": {"dtype": "i2", "scale_factor": 0.5, "_FillValue": -1},
        "y": {"zlib": True},
    }
    data.to_netcdf(path, engine="h5netcdf", encoding=encoding)
    with h5py.File(path, "a") as file:
        file.create_group("notes").create_dataset("deep", data=np.zeros(3))
    xr.testing.assert_equal(trace_file.read(path), data)
    with h5py.File(path, "w") as file:  # an enumeration, and letters in an array
        kinds = h5py.enum_dtype({"red": 0, "blue": 1})
        one_dimension(file, data=np.array([0, 1, 1]), dtype=kinds)
        one_dimension(file, "word", data=np.array([b"ab", b"c"]))
    assert trace_file.read(path)["t"].values.tolist() == [0, 1, 1]
    assert trace_file.read(path)["word"].values.tolist() == [b"ab", b"c"]
