"""Checks of arguments of public functions, which return the value in a standard form.

Every function takes the name of the argument and its value; messages read "name: got X, needs Y". A value of the wrong
kind raises TypeError; one of the right kind that cannot be used raises ValueError. Importing this package does not
import numpy; checks of arrays are in ``closedform.checks.arrays``.
"""

from closedform.checks.numbers import LARGEST_REAL as LARGEST_REAL
from closedform.checks.numbers import LARGEST_SEED as LARGEST_SEED
from closedform.checks.numbers import LARGEST_SIZE as LARGEST_SIZE
from closedform.checks.numbers import MOST_LAYERS as MOST_LAYERS
from closedform.checks.numbers import exact_number as exact_number
from closedform.checks.numbers import increasing as increasing
from closedform.checks.numbers import integer as integer
from closedform.checks.numbers import integers as integers
from closedform.checks.numbers import layers as layers
from closedform.checks.numbers import nonnegative_number as nonnegative_number
from closedform.checks.numbers import positive_number as positive_number
from closedform.checks.numbers import real_number as real_number
from closedform.checks.numbers import seed as seed
from closedform.checks.numbers import share as share
from closedform.checks.numbers import size as size
from closedform.checks.numbers import sizes as sizes
from closedform.checks.plain import boolean as boolean
from closedform.checks.plain import function as function
from closedform.checks.plain import instance as instance
from closedform.checks.plain import mapping as mapping
from closedform.checks.plain import one_of as one_of
from closedform.checks.plain import require as require
from closedform.checks.plain import sequence as sequence
from closedform.checks.plain import shown as shown
from closedform.checks.plain import text as text
from closedform.checks.plain import texts as texts
