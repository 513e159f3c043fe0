from . import formulas as formulas
from . import maths as maths
from . import page as page
from . import provenance as provenance
from . import write as write
