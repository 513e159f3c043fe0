"""The command that writes the page on a closed form."""

from __future__ import annotations

import argparse
import re
import shlex

from bridge.cli.formulas import find
from closedform.missing import PAGES, require


def run_explore(arguments: argparse.Namespace) -> int:
    """Write the page on a closed form and print its path."""
    require("explore", *PAGES)
    from bridge.explorer import explore

    form = find(arguments.name, arguments.parameters, needs_form=True)
    words = [f"--{name.replace('_', '-')} {shlex.quote(text)}" for name, text in arguments.parameters.items()]
    page = explore(form, " ".join([arguments.name, *words]))
    print(page.write(arguments.out or re.sub(r"[^\w.-]+", "_", f"{form.name}.html")))
    return 0
