"""The command that writes the skeleton of a subject: ``closedform new subject NAME``."""

import keyword
import re
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from bridge.cli.command import FILE
from closedform import atomic_write

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PACKAGE = "package"  # the folder of the skeleton that becomes the package
ENDING = ".txt"  # suffix of the templates, which tools for Python code ignore


@click.group("new")
def run_new() -> int:
    """Write the skeleton of a distribution of your own."""
    return 0


@run_new.command("subject")
@click.argument("name", metavar="NAME")
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    help="Folder of the distribution (default: ./closedform-NAME).",
)
def run_new_subject(name: str, out: str | None) -> int:
    """Write the skeleton of a distribution that adds a subject.

    NAME is lower-case words joined by underscores, such as deep_linear.
    """
    directory = Path(out or f"closedform-{name.replace('_', '-')}")
    write(name, directory)
    print(f"{directory}: a distribution that adds the subject {name}")
    # pip would search the index for a bare name
    place = directory if directory.is_absolute() else f"./{directory}"
    print(f"next: pip install --editable {place} && closedform check {name}")
    return 0


def write(name: str, directory: Path) -> list[Path]:
    """Write the skeleton of a subject into a new or an empty folder; return the paths of the files."""
    from closedform.subjects import subjects
    from theory.subjects import FLOOR

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(
            f"NAME: got {name!r}, needs lower-case words joined by underscores, such as deep_linear"
        )
    if name in {subject.name for subject in subjects(FLOOR)}:
        raise ValueError(f"NAME: got {name!r}, which exists already, needs another name")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ValueError(
            f"--out: got {str(directory)!r}, which is not empty, needs an empty or a new folder"
        )
    year = str(date.today().year)
    values = {
        "name": name,
        "package": f"closedform_{name}",
        "hyphened": name.replace("_", "-"),
        "year": year,
    }
    values["key"] = f"{name.replace('_', '')}{year}"
    root = Path(str(files("bridge.cli") / "skeleton"))
    written = []
    for template in sorted(root.rglob(f"*{ENDING}")):
        parts = [
            values["package"] if part == PACKAGE else part
            for part in template.relative_to(root).parts
        ]
        text = Template(template.read_text(encoding="utf-8")).substitute(values)
        written.append(atomic_write.text(directory.joinpath(*parts).with_suffix(""), text))
    return written
