from .compose import dossier as dossier
from .result import Dossier as Dossier
