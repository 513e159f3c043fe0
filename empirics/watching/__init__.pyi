from .measures import MEASURES as MEASURES
from .run import watch as watch
from .watched import Watch as Watch
