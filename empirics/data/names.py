"""The names that a configuration takes for data, apart from the code that reads or draws them, which needs torch."""

from __future__ import annotations

from typing import Literal, get_args

Name = Literal["fashion_mnist", "mnist", "cifar10", "digits"]
NAMES: tuple[Name, ...] = get_args(Name)
TITLES = {"fashion_mnist": "Fashion-MNIST", "mnist": "MNIST", "cifar10": "CIFAR-10", "digits": "scikit-learn digits"}

Kind = Literal["fcnn", "resnet"]  # of a teacher, as its codes
Code = Literal["signed", "nonnegative"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CODES: tuple[Code, ...] = get_args(Code)
