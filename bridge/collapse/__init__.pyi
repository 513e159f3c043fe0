from .generalisation import Gaps as Gaps
from .generalisation import gaps as gaps
from .information import InformationPlane as InformationPlane
from .information import information_plane as information_plane
from .profile import LayerProfile as LayerProfile
from .profile import layer_profile as layer_profile
from .separation import Separation as Separation
from .separation import equiseparation as equiseparation
from .separation import through_training as through_training

ANALYSES: dict[str, str]
