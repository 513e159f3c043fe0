from .dataset import Dataset as Dataset
from .imbalance import imbalanced as imbalanced
from .labels import random_labels as random_labels
from .loading import NAMES as NAMES
from .loading import load as load
