"""The ground floor of theory, empirics and bridge, and the door to them: ``import closedform as cf``.

What all three share and none of them owns is in the modules of this package, which import none of the three. The verbs
of the command line are found by name when they are first used:

    cf.find("fixed point")                # forms, families, functions, claims, entries of the ledger
    cf.show("ricci")                      # a closed form by its name, or what fits the words
    cf.check("two_point")                 # verdicts on every step of derivations
    cf.errata("2301.11375", "(7)")        # what is printed, what holds, and a witness
    cf.fit("two-point", log, dx2=1, target2=0.5)
    cf.dossier(model, inputs, labels)     # a report on a network;  cf.measure, cf.watch, cf.sweep
    cf.validity(claim, over={...})        # where a theory holds;  cf.explore(form): a page with sliders
"""

from typing import Any

VERBS = {
    "show": "bridge.cli.verbs:show",
    "find": "bridge.search.find:find",
    "check": "bridge.cli.verbs:check",
    "errata": "bridge.cli.verbs:errata",
    "fit": "bridge.cli.verbs:fit",
    "dossier": "bridge.dossier.compose:dossier",
    "measure": "empirics.measure",
    "watch": "empirics.watching.run:watch",
    "sweep": "empirics.sweep.driver:sweep",
    "validity": "bridge.validity.mapping:validity",
    "explore": "bridge.explorer.page:explore",
}
"""Verb -> "module:attribute" or "module", which is imported when the verb is first used."""


def __getattr__(name: str) -> Any:
    if name not in VERBS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from closedform.subjects import load

    verb = globals()[name] = load(VERBS[name])
    return verb


def __dir__() -> list[str]:
    return sorted([*(name for name in globals() if not name.startswith("_")), *VERBS])


def version() -> str:
    """Return the version of the distribution, or "from a checkout" if it is not installed."""
    from importlib import metadata  # takes longer than everything else that is imported here

    try:
        return metadata.version("closedform")
    except metadata.PackageNotFoundError:
        return "from a checkout"
