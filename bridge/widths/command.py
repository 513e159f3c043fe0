"""The command that checks whether the updates of a model keep their size at all widths: width-check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bridge.cli.command import COUNT, FILE, command
from bridge.widths.layer import DRIFTS, GROWS, VANISHES
from closedform.missing import ANALYSIS, TRAINING, require

NEEDED = ("make_model", "optimizer", "batch", "loss")


@command("width-check")
@click.argument("file", metavar="FILE")
@click.option(
    "--widths",
    metavar="N,N,...",
    help="Widths (default: `widths` of the file, or 64,128,256,512).",
)
@click.option(
    "--steps", metavar="N,N,...", default="1,4", help="Updates after which it is looked (1,4)."
)
@click.option("--seeds", type=COUNT, metavar="N", default=5, help="Models of each width (5).")
@click.option("--out", type=FILE, metavar="DIR", help="Write a page, numbers and a figure there.")
def run_width_check(file: str, widths: str | None, steps: str, seeds: int, out: str | None) -> int:
    """Check the updates of layers at several widths.

    Every layer gets the exponent with which its own update depends on the width, and a verdict.

    FILE is a Python file that defines make_model(width), optimizer(model, width), batch (inputs and targets) and
    loss(outputs, targets). The exit code is 1 if the updates of a layer do not keep
    their size.
    """
    require("width-check", *TRAINING, *ANALYSIS)
    import bridge
    from bridge.cli import script

    path = Path(file)
    if not path.is_file():
        raise ValueError(f"FILE: got {file!r}, where no file is, needs a Python file")
    with script.imported(path) as module:
        missing = [name for name in NEEDED if not hasattr(module, name)]
        if missing:
            raise ValueError(
                f"{file}: defines no {', no '.join(missing)}, needs {', '.join(NEEDED)}"
            )
        default = getattr(module, "widths", (64, 128, 256, 512))
        check = bridge.width_check(
            module.make_model,
            default if widths is None else _integers("--widths", widths),
            module.optimizer,
            batch=module.batch,
            loss=module.loss,
            steps=_integers("--steps", steps),
            seeds=seeds,
            progress=lambda line: click.echo(line, err=True),
        )
    print(check.summary())
    if out:
        print(check.write(out).page)
    return int(any(layer.verdict in (GROWS, VANISHES, DRIFTS) for layer in check.layers))


def _integers(name: str, text: str) -> list[Any]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{name}: got {text!r}, needs integers such as 1,4") from None
