"""The words of networks and means, which live on the floors below, for those who import all words from here."""

from closedform.networks import Act as Act
from closedform.networks import Attention as Attention
from closedform.networks import Chain as Chain
from closedform.networks import Conv as Conv
from closedform.networks import Dense as Dense
from closedform.networks import Flatten as Flatten
from closedform.networks import Network as Network
from closedform.networks import Norm as Norm
from closedform.networks import Pool as Pool
from closedform.networks import Product as Product
from closedform.networks import Sum as Sum
from closedform.networks import residual as residual
from theory.gaussian.mean import Mean as Mean
