"""The command that writes the page of a closed form: explore."""

from __future__ import annotations

import re
import shlex

import click

from bridge.cli import family_options
from bridge.cli.command import FILE, command
from bridge.cli.family_options import PARAMETERS
from bridge.cli.formulas import find
from closedform.missing import PAGES, require


@command("explore", further=PARAMETERS)
@click.argument("name", metavar="NAME")
@click.option(
    "-o", "--out", type=FILE, metavar="PAGE.html", help="File of the page (default: ./NAME.html)."
)
@click.pass_context
def run_explore(context: click.Context, name: str, out: str | None) -> int:
    """Write a page with sliders and a plot of a closed form.

    NAME is a closed form, or a family with its parameters, such as geometry.volume_element --activation erf.
    """
    require("explore", *PAGES)
    from bridge.explorer import explore

    name, parameters = family_options.single(context, name)
    form = find(name, parameters, needs_form=True)
    words = [
        f"--{parameter.replace('_', '-')} {shlex.quote(text)}"
        for parameter, text in parameters.items()
    ]
    page = explore(form, " ".join([name, *words]))
    print(page.write(out or re.sub(r"[^\w.-]+", "_", f"{form.name}.html")))
    return 0
