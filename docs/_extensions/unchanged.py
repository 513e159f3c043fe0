"""Pages that take minutes to make are made again only where the code that they come from, or a package, has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path

from rst import write_if_changed

SOURCES = ("*.py", "*.bib", "*.css", "*.j2")
Pages = Mapping[str, list[str]]


def fingerprint(sources: Iterable[Path], *also: str) -> str:
    """Of every source file (or of those in a folder), the versions of all installed packages, and ``also``."""
    found = hashlib.sha256(json.dumps(also).encode())
    found.update(json.dumps(sorted({f"{each.name} {each.version}" for each in metadata.distributions()})).encode())
    for source in sources:
        files = [source] if source.is_file() else sorted(file for kind in SOURCES for file in source.rglob(kind))
        for file in files:
            found.update(f"{file.name} ".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def kept(directory: Path, name: str, key: str, make: Callable[[], Pages]) -> Pages:
    """Pages by name: those of the last build where ``key`` is as it was then, else what ``make`` gives.

    Args:
        directory: where the pages are.
        name: of this group of pages.
        key: from :func:`fingerprint`.
        make: gives the pages; they are on disk after this call.
    """
    stamp = directory / f".{name}.json"
    last = json.loads(stamp.read_text(encoding="utf-8")) if stamp.exists() else {"key": "", "pages": []}
    files = {page: directory / f"{page}.rst" for page in last["pages"]}
    if last["key"] == key and all(file.exists() for file in files.values()):
        return {page: file.read_text(encoding="utf-8").split("\n")[:-1] for page, file in files.items()}
    stamp.unlink(missing_ok=True)  # what is interrupted is made anew
    pages = make()
    for page, lines in pages.items():
        write_if_changed(directory / f"{page}.rst", lines)
    stamp.write_text(json.dumps({"key": key, "pages": list(pages)}), encoding="utf-8")
    return pages
