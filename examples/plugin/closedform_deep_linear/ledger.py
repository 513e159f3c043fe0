"""The program that decides the printed equation of Saxe et al. (2014) in ``ledger.txt``."""

from closedform_deep_linear.modes import strength, t
from theory.core import identity, letters_of, read_ledger

course = letters_of(__package__)("u")(t)
PROGRAMS = {"course of one mode": identity({course: strength}, "gradient flow")}
EQUATIONS = read_ledger(__package__, "saxe2014", PROGRAMS)
