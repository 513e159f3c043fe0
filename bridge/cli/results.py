"""The commands that compare theory with measurements: fit, report, dossier."""

import sys
import time
from contextlib import nullcontext
from pathlib import Path

import click

from bridge.cli import console, options, script
from bridge.cli.command import COUNT, FILE, command
from closedform.missing import ANALYSIS, TRAINING, require
from closedform.suggestions import unknown

DOSSIER_OUT = "closedform-dossier"


@command("fit", further="FILE [--OPTION VALUE]...")
@click.argument("name", metavar="NAME")
@click.option(
    "--column",
    metavar="NAME=COLUMN",
    multiple=True,
    help="The column of a quantity (may be repeated).",
)
@click.option(
    "--time",
    "time_column",
    metavar="COLUMN",
    help="The column of the time (default: t, step, epoch or time).",
)
@click.option(
    "--plot", type=FILE, metavar="PNG", help="Draw the theory over the measurement into this file."
)
@click.option(
    "--options",
    "lists_options",
    is_flag=True,
    help="Describe FILE, list the further options and exit.",
)
@click.pass_context
def run_fit(
    context: click.Context,
    /,
    *,
    name: str,
    column: tuple[str, ...],
    time_column: str | None,
    plot: str | None,
    lists_options: bool,
) -> int:
    """Fit the theory to a table or trace.

    NAME is the name of a fit, such as two-point. FILE is a CSV, JSON or netCDF file, an export of W&B, or a folder of
    TensorBoard, MLflow or several tables.
    """
    from bridge.cli import verbs
    from bridge.results.analyses import FITS

    if name not in FITS:
        raise ValueError(unknown("fit", name, FITS))
    function = FITS[name]
    if lists_options:
        print(console.wrapped((function.__doc__ or "").partition("\n")[0], ""))
        options.show(function)
        return 0
    require("fit", *ANALYSIS)
    values = options.parse(function, context.args)
    argument = next(iter(values))  # of the file, the one positional argument
    data = values.pop(argument)
    fit = verbs.fit(name, data, column=_columns(column), time=time_column, **values)
    print(fit.summary())
    if plot:
        from bridge.plots import style

        figure = fit.plot().get_figure(root=True)
        assert figure is not None
        print(f"figure: {style.save(figure, plot)}")
    return 0


def _columns(chosen: tuple[str, ...]) -> dict[str, str]:
    """Return our name -> name in the file, from ``--column``."""
    pairs = [text.partition("=") for text in chosen]
    wrong = [name + equals + theirs for name, equals, theirs in pairs if not (name and theirs)]
    if wrong:
        raise ValueError(
            f"--column: got {wrong[0]!r}, needs NAME=COLUMN, such as dh2='run-1 - dh2'"
        )
    return {name: theirs for name, _, theirs in pairs}


@command("report")
@click.argument("directory", type=FILE, metavar="DIR")
@click.argument("file", type=FILE, metavar="[FILE.py]", required=False)
def run_report(directory: str, file: str | None) -> int:
    """Analyse a folder of traces and write its report.html.

    DIR is the folder in which `closedform run` saved its traces, FILE.py your own experiment, whose analyse(traces) is
    used.
    """
    require("report", *ANALYSIS, *(TRAINING if file else ()))
    from bridge.report import formulas, write

    began = time.perf_counter()
    with nullcontext() if file is None else script.opened(file):
        sections = write.sections(Path(directory))
    print("checking the theory", file=sys.stderr, flush=True)
    written = write.write(Path(directory), sections, formulas.check(write.theory_of(sections)))
    for section in written.sections:
        for finding in section.analysis.findings:
            print(f"- {finding}")
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0


@command(
    "dossier",
    how_to_go_on="nothing is kept; the same command begins again, and --points or a budget in FILE makes it shorter",
)
@click.argument("file", type=FILE, metavar="FILE")
@click.option(
    "--points",
    type=COUNT,
    metavar="N",
    default=100,
    help="Points for slow measures (default: 100).",
)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    default=DOSSIER_OUT,
    help=f"Folder (default: ./{DOSSIER_OUT}).",
)
def run_dossier(file: str, points: int, out: str) -> int:
    """Measure a network of your own and write a report on it.

    FILE is a Python script that defines model and inputs, and may define labels, task, layers, output and budget.
    """
    require("dossier", *TRAINING, *ANALYSIS)
    import bridge

    path = Path(file)
    needs = "needs a Python script that defines model and inputs (and labels, task, layers, output, budget)"
    if not path.is_file():
        raise ValueError(f"FILE: got {file!r}, where no file is, {needs}")
    if path.suffix != ".py":
        raise ValueError(f"FILE: got {file!r}, {needs}")
    with script.run(path) as defined:
        missing = [name for name in ("model", "inputs") if name not in defined]
        if missing:
            raise ValueError(f"FILE: got {file!r} without {', '.join(missing)}, {needs}")
        began = time.perf_counter()
        chosen = {
            name: defined[name]
            for name in ("labels", "task", "layers", "output", "budget")
            if name in defined
        }
        dossier = bridge.dossier(defined["model"], defined["inputs"], points=points, **chosen)
    written = dossier.write(Path(out))
    print(dossier)
    print(f"report: {written.page} ({time.perf_counter() - began:.1f} s)")
    return 0
