from . import layout as layout
from . import style as style
