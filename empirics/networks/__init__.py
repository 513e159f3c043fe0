"""Networks as functions of batched parameters: weights carry a leading seed dimension, so that many nets train as one.

:func:`build` gives one of ``fully_connected``, ``convolution``, ``skip``, ``dropout``;
:func:`initial_weights` draws its parameters for a list of seeds; :func:`single` is one of these nets as an ordinary
``nn.Module``. Image classifiers that can be cut into encoder and decoder, one net at a time: :func:`plain_cnn`,
:func:`residual_cnn`, :func:`mlp`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
