"""How the updates of every layer scale with the width, and whether hyperparameters transfer to wider networks.

check = bridge.width_check(make_model, (64, 128, 256, 512), optimizer, batch=batch, loss=loss)
print(check); check.plot()
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
