"""The grammar of the command line: every command, its arguments and options."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from closedform import version

PATHS = ("DIR", "FILE", "FILE.py", "PNG", "PAGE.html")  # arguments that are names of files and folders

DESCRIPTION = "Closed forms for neural networks: derived, checked, and compared with measurements."
START = "Start with `closedform list` or `closedform demo`; `closedform COMMAND --help` explains a command."
FORM = "a closed form, or a family with its parameters, such as geometry.volume_element --activation erf"
PAPER = "key of a paper, such as zavatoneveth2023 (default: all)"
TRACES = "folder in which `closedform run` saved its traces"
OUT = "closedform-runs"
DEMO_OUT = "closedform-demo"
MAP_OUT = "closedform-map"
DOSSIER_OUT = "closedform-dossier"
SHELLS = ("bash", "zsh", "fish")
SCALES = ("smoke", "laptop", "paper")

Command = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises an error instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise ValueError with the message and the command that shows the usage."""
        raise ValueError(f"{message} (see `{self.prog} --help`)")


def build() -> tuple[Parser, tuple[str, ...]]:
    """Return the parser and the names of its commands."""
    parser = Parser(prog="closedform", description=DESCRIPTION, epilog=START, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"closedform {version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    def command(name: str, module: str, text: str) -> Parser:
        subparser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        subparser.set_defaults(run=_imported_when_run(f"bridge.cli.{module}", f"run_{name}"))
        assert isinstance(subparser, Parser)
        return subparser

    sub = command("list", "formulas", "list the names of all closed forms, and the families with their parameters")
    sub.add_argument("words", metavar="WORD", nargs="*", help="list only names that contain all these words")
    sub.add_argument("--meanings", action="store_true", help="add the meaning of every closed form")

    sub = command("show", "formulas", "show a closed form: formula, arguments, assumptions, sources, steps")
    sub.usage = "closedform show NAME [--PARAMETER VALUE ...] [OPTION ...]"
    sub.add_argument("name", metavar="NAME", help=FORM)
    sub.add_argument("--steps", action="store_true", help="add the steps of the derivation, with their identities")
    sub.add_argument("--tree", action="store_true", help="draw the way from the premises to the formula")
    sub.add_argument("--latex", action="store_true", help="print only LaTeX, of the formula or of the steps")
    sub.add_argument("--code", metavar="X", help="print one self-contained function: c, js, julia, mathematica")

    sub = command("eval", "formulas", "compute the value of a closed form")
    sub.usage = "closedform eval NAME [--PARAMETER VALUE ...] key=value ... [--digits N]"
    sub.add_argument("name", metavar="NAME", help=FORM)
    sub.add_argument("values", metavar="key=value", nargs="*", help="one for each argument, e.g. tau_h=2 dx2=7/10")
    sub.add_argument("--digits", type=_positive, metavar="N", help="compute N correct digits instead of float64")

    sub = command("explore", "formulas", "write a page with sliders and a live plot of a closed form")
    sub.usage = "closedform explore NAME [--PARAMETER VALUE ...] [-o PAGE.html]"
    sub.add_argument("name", metavar="NAME", help=FORM)
    sub.add_argument("-o", "--out", metavar="PAGE.html", help="file of the page (default: ./NAME.html)")

    sub = command("check", "formulas", "check every step of the derivations; exit code 1 if one does not hold")
    sub.add_argument(
        "names", metavar="NAME", nargs="*",
        help="closed forms or subjects; with --ledger, papers or labels of entries; all if none is given",
    )  # fmt: skip
    sub.add_argument(
        "--ledger", action="store_true", help="compute the verdicts of the ledger; exit code 1 if one differs"
    )
    sub.add_argument("--fresh", action="store_true", help="decide again what was decided before, and remember it")
    sub.add_argument("--no-cache", action="store_true", help="decide everything again and remember nothing")
    sub.add_argument(
        "--processes", type=_positive, metavar="N", help="number of processes (default: one for each core)"
    )

    sub = command("certify", "certify", "prove the steps of derivations with the kernel of Coq, as far as it goes")
    sub.add_argument("names", metavar="NAME", nargs="*", help="closed forms or subjects; all if none is given")
    sub.add_argument("--out", metavar="DIR", help="write one file of Coq for each closed form into this folder")
    sub.add_argument("--record", action="store_true", help="keep the verdicts with the package, for show and the pages")
    sub.add_argument(
        "--ledger", action="store_true", help="instead of closed forms, the identities of the ledger's entries"
    )

    sub = command("errata", "ledger", "list printed equations that are wrong, or right only under a condition")
    sub.add_argument("paper", metavar="PAPER", nargs="?", help=PAPER)
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of objects, with formulas in LaTeX")
    form.add_argument(
        "--bibtex", action="store_true", help="print entries that cite the papers, with the errata in `annote`"
    )

    sub = command(
        "cite", "cite", "print a closed form or an entry of the ledger in LaTeX, with its conventions and BibTeX"
    )
    sub.usage = "closedform cite NAME [--PARAMETER VALUE ...] | [PAPER] LABEL"
    sub.add_argument(
        "words",
        metavar="NAME|LABEL",
        nargs="+",
        help="a closed form, or the label of an entry, after the key of its paper where several have it",
    )

    sub = command("new", "new_subject", "write the skeleton of a distribution that adds a subject of your own")
    sub.add_argument("kind", choices=("subject",), metavar="subject", help="the word subject")
    sub.add_argument("name", metavar="NAME", help="lower-case words joined by underscores, such as deep_linear")
    sub.add_argument("--out", metavar="DIR", help="folder of the distribution (default: ./closedform-NAME)")

    command("experiments", "runs", "list the experiments that `closedform run` can run")

    sub = command("run", "runs", "train the networks of an experiment and save their traces")
    sub.add_argument("experiment", metavar="EXPERIMENT", help="name of an experiment, or FILE.py with one of your own")
    sub.add_argument("--scale", choices=SCALES, help="size of the experiment (default: laptop)")
    sub.add_argument("--out", metavar="DIR", default=OUT, help=f"folder of the traces (default: ./{OUT})")
    again = sub.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="use finished traces and checkpoints (the default)")
    again.add_argument("--fresh", action="store_true", help="train again where a trace exists, and replace it")
    sub.add_argument(
        "--accept-older",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="count traces that were made by other code, and say what differs (the default), or train them again",
    )
    sub.add_argument("--only", metavar="LABEL", action="append", help="of a study, only this run (may be repeated)")
    sub.add_argument("--options", action="store_true", help="list the options of the experiment's Config and exit")
    sub.add_argument("--scheduler", metavar="WHERE", help="local:N, tcp://HOST:PORT or slurm (default: this process)")
    sub.add_argument("--workers", type=_positive, metavar="N", help="the same as --scheduler local:N")
    sub.add_argument("--jobs", type=_positive, metavar="N", help="number of jobs of SLURM, one worker in each")
    sub.add_argument("--queue", metavar="Q", help="queue (partition) of SLURM")

    sub = command("campaign", "results", "run as many studies as a time budget allows, the most valuable first")
    sub.add_argument("studies", metavar="STUDY", nargs="*", help="only these studies (default: all)")
    sub.add_argument("--scale", choices=SCALES, default="paper", help="size of the studies (default: paper)")
    sub.add_argument("--budget", metavar="TIME", default="25m", help="such as 25m, 90s, 1.5h (default: 25m)")
    sub.add_argument("--device", help="torch device of all runs, such as cuda (default: that of the configurations)")
    sub.add_argument("--out", metavar="DIR", default=OUT, help=f"folder of the traces (default: ./{OUT})")
    sub.add_argument("--dry-run", action="store_true", help="list the studies in their order, and run nothing")

    sub = command("validity", "validity", "test a claim at one configuration, or map where it holds")
    sub.add_argument(
        "claim", metavar="CLAIM", nargs="?", help="such as two_point.final_distance, or a planned map (default: list)"
    )
    sub.add_argument("--over", metavar="NAME=LOW:HIGH", action="append", default=[], help="a parameter of the map")
    sub.add_argument("--record", action="store_true", help="keep a planned map in the package, for its formulas")
    sub.add_argument("--at", metavar="NAME=VALUE", action="append", default=[], help="a setting of everything else")
    sub.add_argument("--resolution", type=float, metavar="R", help="smallest relevant deviation (default: the claim's)")
    sub.add_argument("--budget", metavar="TIME", default="10m", help="such as 10m, 90s, 1.5h (default: 10m)")
    sub.add_argument("--scheduler", metavar="WHERE", help="local:N or tcp://HOST:PORT (default: this process)")
    sub.add_argument("--out", metavar="DIR", default=MAP_OUT, help=f"folder of the map (default: ./{MAP_OUT})")

    sub = command("fit", "results", "fit the theory to a table or trace")
    sub.usage = "closedform fit NAME FILE [--plot PNG] [further options of this fit]"
    sub.add_argument(
        "name", metavar="NAME",
        help="name of the fit, such as two-point; FILE is a CSV or netCDF file, an export of W&B, or a folder of "
        "TensorBoard or MLflow",
    )  # fmt: skip
    sub.add_argument("--column", metavar="NAME=COLUMN", action="append", default=[], help="the column of a quantity")
    sub.add_argument("--time", metavar="COLUMN", help="the column of the time (default: t, step, epoch or time)")
    sub.add_argument("--plot", metavar="PNG", help="draw the theory over the measurement into this file")
    sub.add_argument("--options", action="store_true", help="describe FILE, list the further options and exit")

    sub = command("report", "results", "analyse a folder of traces and write its report.html")
    sub.add_argument("directory", metavar="DIR", help=TRACES)
    sub.add_argument("file", metavar="FILE.py", nargs="?", help="your own experiment, whose analyse(traces) is used")

    command("evidence", "results", "write next to the ledger what the recorded results decide")

    sub = command("record", "figures", "record what the studies in a folder of traces found, for figures and gallery")
    sub.add_argument("directory", metavar="DIR", help=TRACES)

    sub = command("figures", "figures", "list the figures and tables of the papers with our verdicts, a line for each")
    sub.add_argument("paper", metavar="PAPER", nargs="?", help=PAPER)
    sub.add_argument("figure", metavar="FIGURE", nargs="?", help="print all that is known of this one, such as 5")
    sub.add_argument("--json", action="store_true", help="print a list of objects")

    sub = command("plan", "figures", "show how numbers are compared with papers: sentence, rule, seeds, and the hash")
    sub.add_argument("name", metavar="NAME", nargs="?", help="a paper, a figure such as 5, or an entry of the ledger")
    sub.add_argument("--json", action="store_true", help="print a list of objects")

    sub = command("dossier", "results", "measure a network of your own and write a report on it")
    sub.add_argument("file", metavar="FILE", help="a Python script: model, inputs (labels, task, layers, budget)")
    sub.add_argument(
        "--points", type=_positive, metavar="N", default=100, help="number of points for slow measures (default: 100)"
    )
    sub.add_argument(
        "--out", metavar="DIR", default=DOSSIER_OUT, help=f"folder of the report (default: ./{DOSSIER_OUT})"
    )

    sub = command("demo", "results", "derive and check the two-point theory, train networks, fit, compare, report")
    sub.add_argument("--out", metavar="DIR", default=DEMO_OUT, help=f"folder of all results (default: ./{DEMO_OUT})")
    sub.add_argument("--scale", choices=SCALES, default="laptop", help="size of the experiments (default: laptop)")
    sub.set_defaults(run=_imported_when_run("bridge.cli.demo", "run_demo"))  # bridge.cli.demo itself imports bridge.cli

    sub = command("completion", "commands", "print the script with which a shell completes commands and options")
    sub.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="the shell")
    return parser, tuple(commands.choices)


def _imported_when_run(module: str, name: str) -> Command:
    """Return a command that imports its module when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        function: Any = getattr(import_module(module), name)
        return int(function(arguments))

    return run


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needs an integer of at least 1")
    return value


def run_completion(arguments: argparse.Namespace) -> int:
    """Print the script that completes ``closedform`` in a shell."""
    import shtab

    parser, commands = build()
    subparsers = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for command in commands:
        for action in subparsers.choices[command]._actions:
            if action.metavar in PATHS:
                action.complete = shtab.FILE
    print(shtab.complete(parser, arguments.shell))
    return 0
