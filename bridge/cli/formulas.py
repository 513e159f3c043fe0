"""The commands on closed forms, which need only the package theory: list, show, eval, check."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.cli import console, family_options
from bridge.cli.command import COUNT, command
from bridge.cli.family_options import PARAMETERS
from bridge.cli.values import number, values_of
from closedform.suggestions import unknown

if TYPE_CHECKING:
    from bridge.report.formulas import Checked


TYPO = 0.85  # similarity from which a dotted name counts as misspelled, so that the error names the right one


@command("find")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
def run_find(words: tuple[str, ...]) -> int:
    """Find formulas, functions, claims and equations by words.

    Each WORD is one of a name, a meaning, a source ("Eq. (10)", 2402.09142) or a synonym, such as ricci.
    """
    from bridge.search import find as search

    print(search.find(" ".join(words)))
    return 0


@command("list")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--meanings", is_flag=True, help="Add the meaning of every closed form.")
def run_list(words: tuple[str, ...], meanings: bool) -> int:
    """List closed forms, and families with their parameters.

    Every WORD must occur in the names that are listed; where none has them, what `closedform find` gives is listed.
    """
    from bridge.search import find as search
    from theory.listing import listing

    listed = {entry.name: entry for entry in listing(meanings=meanings)}
    chosen = [
        name
        for name in sorted(listed, key=_by_subject(list(listed)))
        if all(word.lower() in name.lower() for word in words)
    ]
    if not chosen:
        print(search.find(" ".join(words)))
        return 0
    for name in chosen:
        parameters = listed[name].parameters
        if meanings:
            print(f"{name}\n{console.wrapped(f'    {listed[name].meaning}', '    ')}")
        else:
            print(name if parameters is None else f"{name} {console.options_of(parameters)}")
    return 0


@command("show", further=PARAMETERS)
@click.argument("name", metavar="NAME")
@click.option(
    "--steps", is_flag=True, help="Add the steps of the derivation, with their identities."
)
@click.option("--tree", is_flag=True, help="Draw the way from the premises to the formula.")
@click.option("--latex", is_flag=True, help="Print only LaTeX, of the formula or of the steps.")
@click.option(
    "--code",
    metavar="X",
    help="Print one self-contained function: python, numpy, jax, c, js, julia, mathematica.",
)
@click.pass_context
def run_show(
    context: click.Context, name: str, steps: bool, tree: bool, latex: bool, code: str | None
) -> int:
    """Show a closed form: formula, arguments, sources, steps.

    NAME is a closed form, or a family with its parameters, such as geometry.volume_element --activation erf. Other
    words show the closed form that fits them, or a list of what fits.
    """
    from bridge.search import find as search
    from theory.listing import described

    name, words, parameters = family_options.split(context, name)
    if not _is_name(name):
        hits = search.find(" ".join([name, *words, *parameters.values()]))
        if hits.only_form is None:
            value = hits.only_value
            print(hits if value is None else "\n".join(map(str, value)))
            if value is not None:
                print(f"in Python: {hits[0]['call']}")
            return 0
        name, words = hits.only_form, []
    family_options.no_words(context, words)
    if code:
        print(find(name, parameters, needs_form=True).code(code), end="")
        return 0
    parts = "tree" if tree else "steps" if steps else "formula"
    width = console.width()

    def lines() -> Iterator[str]:
        from theory.core.proof.derivation_text import steps_latex

        entry = find(name, parameters, needs_form=latex or parts != "formula")
        if not latex or parts == "tree":
            return _lines(entry, parts, width)
        return iter([steps_latex(entry) if steps else str(entry.latex)])

    notation = "latex" if latex else "text"
    chosen = [f"{parameter}={value}" for parameter, value in sorted(parameters.items())]
    for line in described([notation, parts, str(width), name, *chosen], lines):
        print(line, flush=True)  # a derivation may take longer than the formula above it
    return 0


@command("eval", further=f"{PARAMETERS} key=value ...")
@click.argument("name", metavar="NAME")
@click.option(
    "--digits", type=COUNT, metavar="N", help="Compute N correct digits instead of float64."
)
@click.pass_context
def run_eval(context: click.Context, name: str, digits: int | None) -> int:
    """Compute the value of a closed form.

    NAME is a closed form, or a family with its parameters, such as geometry.volume_element --activation erf. It needs
    key=value for each argument, such as tau_h=2 dx2=7/10. With --digits all of them are correct for exactly the given
    values.
    """
    name, words, parameters = family_options.split(context, name)
    form = find(name, parameters, needs_form=True)
    values = values_of(words, [argument.name for argument in form.arguments])
    if digits is not None:
        print(form.evaluate(digits=digits, **values))
        return 0
    result = form(**{argument: number(argument, text) for argument, text in values.items()})
    for value in result if isinstance(result, (tuple, list)) else [result]:
        print(repr(float(value)))
    return 0


@command(
    "check",
    how_to_go_on="finished verdicts are kept unless --no-cache is given, and the same command goes on from here",
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--ledger",
    is_flag=True,
    help="Compute the verdicts of the ledger; exit code 1 if one differs.",
)
@click.option(
    "--fresh", is_flag=True, help="Decide again what was decided before, and remember it."
)
@click.option("--no-cache", is_flag=True, help="Decide everything again and remember nothing.")
@click.option(
    "--processes",
    type=COUNT,
    metavar="N",
    help="Number of processes (default: one for each core).",
)
@click.option(
    "--record",
    is_flag=True,
    help="Keep the verdicts of errata with the papers, for `closedform errata`, or what --text compares.",
)
@click.option(
    "--text",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Look up in the text of the paper what its ledger says that it prints.",
)
def run_check(
    names: tuple[str, ...],
    ledger: bool,
    fresh: bool,
    no_cache: bool,
    processes: int | None,
    record: bool,
    text: str | None,
) -> int:
    """Check every step of the derivations.

    Each NAME is a closed form or a subject; with --ledger, a paper or the label of an entry. All are checked if none is
    given. The exit code is 1 if a step does not hold.
    """
    from theory.core.proof.store import using

    began = time.perf_counter()
    with using(read=not no_cache, write=not no_cache):
        if ledger and text is not None:
            from bridge.cli.ledger import check_text

            return check_text(names, text, record=record)
        if ledger:
            from bridge.cli.ledger import check_ledger

            return check_ledger(names, fresh=fresh, processes=processes, record=record)
        if record or text is not None:
            raise ValueError("--record, --text: got one without --ledger, needs the ledger")
        from bridge.report.formulas import check

        chosen = names_of(list(names))
        with console.Bar("closed forms", len(chosen)) as bar:
            checked = check(chosen, bar.around(console.verdicts), processes, fresh=fresh)
    print(f"{counted(checked)} ({time.perf_counter() - began:.1f} s)")
    return 0 if all(form.holds for form in checked) else 1


def _is_name(text: str) -> bool:
    """Return whether a text is, or is spelled like, the name of a closed form or family."""
    import theory

    catalogue = theory.catalogue()
    if text in catalogue or text in catalogue.families:
        return True
    similar = difflib.get_close_matches(text, [*catalogue, *catalogue.families], n=1, cutoff=TYPO)
    return "." in text and bool(similar)


def counted(checked: Sequence[Checked]) -> str:
    """Return how many steps of closed forms hold, and the names of those of which not all do."""
    steps = [verdict for form in checked for _, verdict, _ in form.verdicts]
    failing = [form.name for form in checked if not form.holds]
    many = "closed form" if len(checked) == 1 else "closed forms"
    text = f"{steps.count('HOLDS')} of {len(steps)} steps hold, in {len(checked)} {many}"
    return f"{text}; not all of {', '.join(failing)}" if failing else text


def find(
    name: str, parameters: Mapping[str, str] | None = None, *, needs_form: bool = False
) -> Any:
    """Return the closed form, family or member with this name; a ValueError suggests names or says what is missing."""
    import theory

    catalogue = theory.catalogue()
    try:
        entry = catalogue[name]
    except KeyError as problem:
        raise ValueError(str(problem.args[0])) from None
    is_family = name in catalogue.families
    if not is_family and parameters:
        raise ValueError(
            f"{name}: got --{next(iter(parameters))}, needs none, as it is a single closed form"
        )
    if is_family and (parameters or needs_form):
        try:
            return entry(**(parameters or {}))
        except TypeError as problem:
            raise ValueError(f"{problem}; usage: {name} {console.usage(entry)}") from None
    return entry


def names_of(wanted: list[str]) -> list[str]:
    """Return the names of the closed forms in the given forms, families and subjects; all names if none are given."""
    import theory

    catalogue = theory.catalogue()
    subjects = list(dict.fromkeys(name.split(".")[0] for name in catalogue))
    names: list[str] = []
    for word in wanted or subjects:
        if word in catalogue.families:
            names += catalogue.families[word].member_names
        elif word in catalogue:
            names.append(word)
        elif word in subjects:
            names += [name for name in catalogue if name.split(".")[0] == word]
        else:
            message = unknown("closed form", word, [*subjects, *catalogue, *catalogue.families])
            raise ValueError(f"{message} (`closedform list` shows all)")
    return list(dict.fromkeys(names))


def _lines(found: Any, parts: str, width: int) -> Iterator[str]:
    """Yield a closed form or a family as text, alone or with the steps of its derivation, or the tree of these."""
    from theory.core import ClosedForm
    from theory.core.proof import tree
    from theory.core.proof.derivation_text import derivation_text

    if not isinstance(found, ClosedForm):
        yield str(found.text(width))
        return
    if parts == "tree":
        yield tree.text(found, min(width, tree.WIDTH))
        return
    yield from found.lines(width)
    if parts == "steps" and found.steps:
        yield ""
        yield derivation_text(found, width)


def _by_subject(names: list[str]) -> Callable[[str], int]:
    """Return a sort key that orders names by subject and keeps their order within a subject."""
    subjects = list(dict.fromkeys(name.split(".")[0] for name in names))
    return lambda name: subjects.index(name.split(".")[0])
