"""Networks that learn a whole data set: how far apart do they represent its points?"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
