from . import resnet as resnet
from . import self_supervised as self_supervised
