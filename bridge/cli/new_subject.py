"""The command that writes the skeleton of a subject: ``closedform new subject NAME``."""

import argparse
import keyword
import re
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template

from closedform import atomic_write

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
    """Write the skeleton of a subject into a new or an empty folder; return the paths of the files."""
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
    root = Path(str(files("bridge.cli") / "skeleton"))
    written = []
    for template in sorted(root.rglob(f"*{ENDING}")):
        parts = [values["package"] if part == PACKAGE else part for part in template.relative_to(root).parts]
        text = Template(template.read_text(encoding="utf-8")).substitute(values)
        written.append(atomic_write.text(directory.joinpath(*parts).with_suffix(""), text))
    return written
