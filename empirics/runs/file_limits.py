"""What a netCDF file promises, counted before any of it is read: datasets, attributes, links, filters, dimensions.

A few bytes of a file can stand for gigabytes: numbers that were never written, a text to which many entries refer, a
chunk larger than its dataset, numbers of one byte that become numbers of eight when they are scaled, a table of all
combinations of the dimensions. Files never run code either, so that what lies in other files, and what needs a filter
that HDF5 would load from a folder, is refused.
"""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import h5py
import numpy as np
from numpy.typing import NDArray

SMALL: Final = 2**26  # bytes of memory that the variables of any file may take
# bytes of memory for each byte of a larger file, which may be compressed
MOST_EXPANSION: Final = 100
MOST_BYTES: Final = 2**31  # of a file, and of its variables in memory; traces have megabytes
MOST_VARIABLES: Final = 10_000
MOST_TEXTS: Final = 100_000  # which are read one after another
MOST_ATTRIBUTES: Final = 20_000
KINDS: Final = "biufcS"  # of numpy's types: numbers and texts of a fixed length
# that are part of HDF5 and h5py, of which 1 is zlib's
FILTERS: Final = frozenset((1, 2, 3, 4, 5, 6, 32000))
DEFLATE: Final = 1
MOST_INFLATION: Final = 1032  # bytes for each byte that zlib reads
DECODED: Final = frozenset(  # attributes by which numbers become others, of up to eight bytes
    (
        "scale_factor",
        "add_offset",
        "_FillValue",
        "missing_value",
        "_Unsigned",
        "dtype",
        "units",
        "calendar",
    )
)
NUMBER: Final = 8  # bytes of a decoded number
# bytes of memory of a date or a text as an object of Python, besides its letters
OBJECT: Final = 128
HEAP: Final = b"GCOL"  # begins each part of a file that holds texts of any length
Unread = dict[str, h5py.h5a.AttrID]  # attributes by name
Part = tuple[h5py.File | h5py.Dataset, Unread]


@dataclass
class Allowance:
    """The bytes of memory that what is read next may take."""

    left: int
    longest: int  # bytes of the longest text that the file can hold

    def take(self, name: str, size: int) -> None:
        """Count so many bytes; ValueError if they are more than are left."""
        self.left -= size
        if self.left < 0:
            raise ValueError(f"{name} of more bytes than a file of this size may take")

    def text_entries(self, name: str, count: int) -> None:
        """Raise ValueError if so many texts of any length, which are read at once, may take more than is left."""
        if count * self.longest > self.left:
            raise ValueError(f"{name} of more bytes than a file of this size may take")


def allowance(content: memoryview) -> Allowance:
    """Return what the variables of a file with this content may take in memory."""
    most = min(max(SMALL, MOST_EXPANSION * len(content)), MOST_BYTES)
    return Allowance(most, max(_heaps(bytes(content)), default=0))


def _heaps(content: bytes) -> Iterator[int]:
    """Yield the size of each part of a file that holds texts of any length: no text is longer than the part it is in.

    The marks are those for which HDF5 looks before it reads a text.
    """
    start = content.find(HEAP)
    while start >= 0:
        yield min(int.from_bytes(content[start + 8 : start + 16], "little"), len(content) - start)
        start = content.find(HEAP, start + 1)


def parts(file: h5py.File, allowed: Allowance) -> dict[str, Part]:
    """Return the datasets by name, and the file under "", none of them read; ValueError if they promise too much."""
    datasets = _datasets(file)
    parts_by_name: dict[str, Part] = {}
    for name, part in ("", file), *datasets.items():
        listed = part.attrs  # a property that opens the part
        parts_by_name[name] = part, {key: listed.get_id(key) for key in listed}
    texts = sum(part.size or 0 for part in datasets.values() if part.dtype == object)
    texts += sum(
        math.prod(value.shape or ())
        for _, attributes in parts_by_name.values()
        for value in attributes.values()
    )
    if texts > MOST_TEXTS:
        raise ValueError(
            f"{len(datasets):,} variables with {texts:,} texts and attributes, more than any trace has"
        )
    promised = sum(
        promised_by(part, parts_by_name[name][1], allowed) for name, part in datasets.items()
    )
    if promised > allowed.left:
        raise ValueError(
            f"variables of {promised:,} bytes in memory, more than the {allowed.left:,} that a file of this size may "
            "take"
        )
    for part in datasets.values():
        _require_readable(part, allowed)
    return parts_by_name


def _datasets(file: h5py.File) -> dict[str, h5py.Dataset]:
    """Return the datasets by name; ValueError for those in other files, and for more than any trace has."""
    if len(file) > MOST_VARIABLES:
        raise ValueError(f"{len(file):,} variables and groups, more than any trace has")
    if any(file.id.links.get_info(name.encode()).type != h5py.h5l.TYPE_HARD for name in file):
        raise ValueError("parts that lie in other files")
    datasets = {name: part for name, part in file.items() if isinstance(part, h5py.Dataset)}
    if any(part.external or part.is_virtual for part in datasets.values()):
        raise ValueError("parts that lie in other files")
    count = sum(h5py.h5a.get_num_attrs(part.id) for part in (file, *datasets.values()))
    if count > MOST_ATTRIBUTES:
        raise ValueError(f"{count:,} attributes, more than any trace has")
    return datasets


def promised_by(part: h5py.Dataset, attributes: Unread, allowed: Allowance) -> int:
    """Return the bytes of memory of a dataset when it is read and decoded, without the letters of texts of any length.

    What is decoded is counted besides what is stored, since both are there at once.
    """
    if part.shape is None:
        raise ValueError(f"a variable {part.name!r} without a shape")
    kind = part.dtype.kind
    is_text = kind == "O" and h5py.check_string_dtype(part.dtype) is not None
    if not (is_text or kind in KINDS):
        raise ValueError(
            f"a variable {part.name!r} of the type {part.dtype}, which is neither numbers nor texts"
        )
    entry: int = part.dtype.itemsize
    if is_text or (
        "units" in attributes and "since" in str(value(attributes["units"], "units", allowed))
    ):
        entry += OBJECT
    if kind == "S":
        entry += OBJECT + 4 * entry if "_Encoding" in attributes else entry
    elif DECODED & attributes.keys():
        entry += NUMBER
    return int(part.size) * entry


def _require_readable(part: h5py.Dataset, allowed: Allowance) -> None:
    """Raise ValueError for filters that are not part of HDF5, and for chunks that take more than the file may."""
    settings = part.id.get_create_plist()
    filters = [settings.get_filter(number)[0] for number in range(settings.get_nfilters())]
    unknown = [number for number in filters if number not in FILTERS]
    if unknown:
        raise ValueError(
            f"a variable {part.name!r} that is compressed by the filter {unknown[0]}, which is not HDF5's"
        )
    if filters.count(DEFLATE) > 1:
        raise ValueError(f"a variable {part.name!r} that is compressed twice")
    if part.chunks is None:
        return
    chunk = math.prod(part.chunks) * part.dtype.itemsize
    if chunk > allowed.left:
        raise ValueError(
            f"chunks of {part.name!r} of {chunk:,} bytes, more than a file of this size may take"
        )
    if DEFLATE in filters:
        for number in range(part.id.get_num_chunks()):
            stored = part.id.get_chunk_info(number)
            if stored.size * MOST_INFLATION > max(SMALL, chunk) and _inflates(
                part, stored.chunk_offset, chunk
            ):
                raise ValueError(
                    f"a chunk of {part.name!r} that becomes larger than its {chunk:,} bytes"
                )


def _inflates(part: h5py.Dataset, offset: tuple[int, ...], chunk: int) -> bool:
    """Return whether a compressed chunk has more bytes than its shape says; checksums of other filters are short."""
    _, content = part.id.read_direct_chunk(offset)
    stream = zlib.decompressobj()
    most = chunk + 64
    try:
        while content and not stream.eof and most >= 0:
            most -= len(stream.decompress(content, SMALL))
            content = stream.unconsumed_tail
    except zlib.error:  # it is not compressed, or damaged, which HDF5 says
        return False
    return most < 0


def value(attribute: h5py.h5a.AttrID, name: str, allowed: Allowance) -> Any:
    """Return the value of an attribute; an array of one entry is this entry, and bytes are text.

    ValueError if it is of no known type, or of more bytes than are left.
    """
    if attribute.shape is None:
        return ""
    kind = attribute.dtype
    if kind.kind not in KINDS and h5py.check_string_dtype(kind) is None:
        raise ValueError(
            f"an attribute {name!r} of the type {kind}, which is neither numbers nor texts"
        )
    values = counted(attribute, name, allowed)
    if values.size == 1:
        return text(values.flat[0])
    return (
        np.array(list(map(text, values.flat)), object).reshape(values.shape)
        if kind.kind == "O"
        else values
    )


def counted(attribute: h5py.h5a.AttrID, name: str, allowed: Allowance) -> NDArray[Any]:
    """Return an attribute as it is stored, and count its bytes."""
    count = math.prod(attribute.shape)
    if attribute.dtype.kind == "O":
        allowed.text_entries(f"an attribute {name!r}", count)
    allowed.take(f"an attribute {name!r}", count * attribute.dtype.itemsize)
    values = _read(attribute)
    if values.dtype.kind == "O":
        allowed.take(
            f"an attribute {name!r}",
            sum(len(entry) for entry in values.flat if hasattr(entry, "__len__")),
        )
    return values


def text(value: Any) -> Any:
    """Return bytes as a text, and anything else as it is."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _read(attribute: h5py.h5a.AttrID) -> NDArray[Any]:
    """Read an attribute as it is stored; the interface of h5py opens it twice more, and is half as fast."""
    values = np.zeros(attribute.shape, attribute.dtype)
    attribute.read(values)
    return values
