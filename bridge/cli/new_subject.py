"""The command that writes the skeleton of a subject: ``closedform new subject NAME``."""

from __future__ import annotations

import argparse
import keyword
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PACKAGE = "package"  # the folder of the skeleton that becomes the package
ENDING = ".txt"  # of the templates, so that no tool takes them for code


def run_new(arguments: argparse.Namespace) -> int:
    """Write the skeleton of a distribution that adds a subject, and say what to do with it."""
    directory = Path(arguments.out or f"closedform-{arguments.name.replace('_', '-')}")
    write(arguments.name, directory)
    print(f"{directory}: a distribution that adds the subject {arguments.name}")
    place = directory if directory.is_absolute() else f"./{directory}"  # else pip would look for it in the index
    print(f"next: pip install --editable {place} && closedform check {arguments.name}")
    return 0


def write(name: str, directory: Path) -> list[Path]:
    """Write the skeleton of a subject.

    Args:
        name: of the subject: lower-case words joined by underscores.
        directory: the folder of the distribution; must not exist, or be empty.

    Returns:
        The files written.

    Raises:
        ValueError: if ``name`` is no such name, belongs to a subject that is there, or the folder holds something.
    """
    from theory.subjects import subjects

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(f"NAME: got {name!r}, needs lower-case words joined by underscores, such as deep_linear")
    if name in {subject.name for subject in subjects()}:
        raise ValueError(f"NAME: there is a subject {name!r} already; choose another name")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ValueError(f"--out: {str(directory)!r} holds something already; name a folder that is empty or not there")
    words = {"name": name, "package": f"closedform_{name}", "hyphened": name.replace("_", "-")}
    return [_write_one(text, directory / path, words) for path, text in _templates(words["package"])]


def _templates(package: str) -> Iterator[tuple[Path, str]]:
    """Path below the distribution's folder, and text, of every template."""
    root = files("bridge.cli") / "skeleton"
    yield from ((Path(_plain(file.name)), file.read_text(encoding="utf-8")) for file in _sorted(root))
    for file in _sorted(root / PACKAGE):
        yield Path(package, _plain(file.name)), file.read_text(encoding="utf-8")


def _sorted(folder: Traversable) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(ENDING)), key=lambda file: file.name)


def _plain(name: str) -> str:
    return name.removesuffix(ENDING)


def _write_one(text: str, path: Path, words: Mapping[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Template(text).substitute(words), encoding="utf-8")
    return path
