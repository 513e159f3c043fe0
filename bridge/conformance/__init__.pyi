from .kit import conforms as conforms
from .kit import vectors as vectors
from .kit import write_csv as write_csv
