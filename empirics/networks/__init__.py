"""Networks as functions of batched parameters: weights have a leading seed dimension, so that many train as one.

:func:`build` returns one of the architectures ``fully_connected``, ``convolution``, ``skip`` and ``dropout``;
:func:`initial_weights` draws its parameters for a list of seeds; :func:`single` returns one of these networks as an
ordinary ``nn.Module``. :func:`plain_cnn`, :func:`residual_cnn` and :func:`mlp` are single image classifiers that can be
cut into encoder and decoder.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
