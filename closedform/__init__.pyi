from bridge.cli.verbs import check as check
from bridge.cli.verbs import errata as errata
from bridge.cli.verbs import fit as fit
from bridge.cli.verbs import show as show
from bridge.dossier.compose import dossier as dossier
from bridge.explorer.page import explore as explore
from bridge.search.find import find as find
from bridge.validity.mapping import validity as validity
from empirics import measure as measure
from empirics.sweep.driver import sweep as sweep
from empirics.watching.run import watch as watch

def version() -> str: ...
