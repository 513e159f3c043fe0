from .dataset import Dataset as Dataset
from .dataset import imbalanced as imbalanced
from .dataset import random_labels as random_labels
from .loading import load as load
from .names import NAMES as NAMES
