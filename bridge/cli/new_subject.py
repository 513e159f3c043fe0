"""The command that writes the skeleton of a subject: ``closedform new subject NAME``."""

from __future__ import annotations

import argparse
import keyword
import re
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PACKAGE = "package"  # the folder of the skeleton that becomes the package
ENDING = ".txt"  # suffix of the templates, which tools for Python code ignore


def run_new(arguments: argparse.Namespace) -> int:
    """Write the skeleton of a distribution that adds a subject, and print the next command."""
    directory = Path(arguments.out or f"closedform-{arguments.name.replace('_', '-')}")
    write(arguments.name, directory)
    print(f"{directory}: a distribution that adds the subject {arguments.name}")
    place = directory if directory.is_absolute() else f"./{directory}"  # pip would search the index for a bare name
    print(f"next: pip install --editable {place} && closedform check {arguments.name}")
    return 0


def write(name: str, directory: Path) -> list[Path]:
    """Write the skeleton of a subject.

    Args:
        name: name of the subject, lower-case words joined by underscores.
        directory: folder of the distribution, which must be empty or not exist.

    Returns:
        The paths of the files written.

    Raises:
        ValueError: if the name has another form or belongs to an existing subject, or the folder is not empty.
    """
    from closedform.subjects import subjects
    from theory.subjects import FLOOR

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(f"NAME: got {name!r}, needs lower-case words joined by underscores, such as deep_linear")
    if name in {subject.name for subject in subjects(FLOOR)}:
        raise ValueError(f"NAME: got {name!r}, which exists already, needs another name")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ValueError(f"--out: got {str(directory)!r}, which is not empty, needs an empty or a new folder")
    year = str(date.today().year)
    values = {"name": name, "package": f"closedform_{name}", "hyphened": name.replace("_", "-"), "year": year}
    values["key"] = f"{name.replace('_', '')}{year}"
    return [_write_one(text, directory / path, values) for path, text in _templates(values["package"])]


def _templates(package: str) -> Iterator[tuple[Path, str]]:
    """Yield the path, relative to the distribution's folder, and the text of every template."""
    root = files("bridge.cli") / "skeleton"
    yield from ((Path(_without_ending(file.name)), file.read_text(encoding="utf-8")) for file in _sorted(root))
    for file in _sorted(root / PACKAGE):
        yield Path(package, _without_ending(file.name)), file.read_text(encoding="utf-8")


def _sorted(folder: Traversable) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(ENDING)), key=lambda file: file.name)


def _without_ending(name: str) -> str:
    return name.removesuffix(ENDING)


def _write_one(text: str, path: Path, values: Mapping[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Template(text).substitute(values), encoding="utf-8")
    return path
