from .kit import conforms as conforms
from .kit import vectors as vectors
