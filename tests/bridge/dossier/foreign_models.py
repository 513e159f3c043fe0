"""Small models in the forms that people write, each with data and with what its owner reads off its output."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import prune, spectral_norm, weight_norm
from torch.utils.data import DataLoader, Dataset, TensorDataset

POINTS, CLASSES, WIDTH, POSITIONS = 24, 3, 8, 5
LABELS = torch.arange(POINTS) % CLASSES
VECTORS = (POINTS, 6)
IMAGES = (POINTS, 1, 8, 8)
SEQUENCES = (POINTS, POSITIONS, WIDTH)
TOKENS = 11


class Applied(nn.Module):
    """A module whose forward is a function of its parts and the inputs."""

    def __init__(self, function: Callable[..., Any], **parts: nn.Module) -> None:
        super().__init__()
        self.function = function
        for name, part in parts.items():
            self.add_module(name, part)

    def forward(self, x: Tensor) -> Any:
        return self.function(self, x)


def as_one(model: nn.Module, points: Any) -> Tensor:
    """Call a model with its points as one argument."""
    return model(points)


def spread(model: nn.Module, points: Any) -> Tensor:
    """Call a model with its points as several arguments."""
    return model(**points) if isinstance(points, dict) else model(*points)


def first(model: nn.Module, points: Any) -> Tensor:
    """Return the first of several outputs."""
    return model(points)[0]


@dataclass(frozen=True)
class Foreign:
    """A model, the data that its owner has, and what its owner reads off its output."""

    model: nn.Module
    inputs: Any  # what is given to a dossier
    labels: Any
    options: dict[str, Any]
    points: Any  # the inputs as tensors
    read: Callable[
        [nn.Module, Any], Tensor
    ]  # the output of the model at points, [N, ..., classes]
    classifies: bool = True
    refused: str = ""  # the way out in the message, if it cannot be measured


def mlp(inputs: int = 6, outputs: int = CLASSES) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, WIDTH),
        nn.Tanh(),
        nn.Linear(WIDTH, WIDTH),
        nn.Tanh(),
        nn.Linear(WIDTH, outputs),
    )


def of(model, inputs, read=as_one, labels=LABELS, refused="", points=None, **options) -> Foreign:
    points = inputs if points is None else points
    return Foreign(model, inputs, labels, options, points, read, refused=refused)


def vectors() -> Tensor:
    return torch.randn(VECTORS)


class Block(nn.Module):
    """A transformer's block without dropout."""

    def __init__(self, is_causal: bool) -> None:
        super().__init__()
        self.is_causal = is_causal
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = self.qkv(self.first(x)).chunk(3, -1)
        scores = q @ k.transpose(1, 2) / WIDTH**0.5
        if self.is_causal:
            mask = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
            scores = scores.masked_fill(mask, -1e9)
        x = x + self.out(scores.softmax(-1) @ v)
        return x + self.down(functional.gelu(self.up(self.second(x))))


class GPT(nn.Module):
    """As minGPT: logits and a loss, which is None without targets; the head shares the embedding's weights."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.places = nn.Embedding(TOKENS, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.blocks = nn.Sequential(Block(True), Block(True))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, TOKENS, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, idx, targets=None):
        x = self.embed(idx) + self.places(torch.arange(idx.shape[1]))
        return self.head(self.norm(self.blocks(x))), None


class ViT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(1, WIDTH, 4, 4)
        self.cls = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.blocks, self.head = (
            nn.Sequential(Block(False), Block(False)),
            nn.Linear(WIDTH, CLASSES),
        )

    def forward(self, x):
        patches = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), patches], 1)
        return self.head(self.blocks(x)[:, 0])


class Residual(nn.Module):
    def __init__(self, inside: nn.Module) -> None:
        super().__init__()
        self.inside = inside

    def forward(self, x):
        return x + self.inside(x)


def convnext():
    block = nn.Sequential(
        nn.Conv2d(WIDTH, WIDTH, 3, padding=1, groups=WIDTH), nn.GroupNorm(1, WIDTH),
        nn.Conv2d(WIDTH, 16, 1), nn.GELU(), nn.Conv2d(16, WIDTH, 1),
    )  # fmt: skip
    return nn.Sequential(nn.Conv2d(1, WIDTH, 2, 2), Residual(block), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(WIDTH, CLASSES))  # fmt: skip


def resnet():
    block = nn.Sequential(
        nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.BatchNorm2d(WIDTH), nn.ReLU(),
        nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.BatchNorm2d(WIDTH),
    )  # fmt: skip
    return nn.Sequential(nn.Conv2d(1, WIDTH, 3, padding=1), Residual(block), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(WIDTH, CLASSES))  # fmt: skip


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down, self.middle = nn.Conv2d(1, 4, 3, 2, 1), nn.Conv2d(4, 4, 3, padding=1)
        self.up, self.head = nn.ConvTranspose2d(4, 4, 2, 2), nn.Conv2d(5, CLASSES, 1)

    def forward(self, x):
        coarse = torch.relu(self.middle(torch.relu(self.down(x))))
        return self.head(torch.cat([torch.relu(self.up(coarse)), x], 1))


class VAE(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = (
            nn.Linear(6, 4),
            nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 6)),
        )

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, -1)
        return self.decoder(mean), mean, log_variance


class RealNVP(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale, self.shift = mlp(3, 3), mlp(3, 3)

    def forward(self, x):
        left, right = x.chunk(2, -1)
        scale = torch.tanh(self.scale(left))
        return torch.cat([left, right * scale.exp() + self.shift(left)], -1), scale.sum(
            -1, keepdim=True
        )


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(WIDTH, WIDTH, batch_first=True), nn.Linear(WIDTH, CLASSES)

    def forward(self, x):
        states, last = self.lstm(x)
        return self.head(states), last


class Scan(nn.Module):
    """A selective state space, as Mamba has it."""

    def __init__(self) -> None:
        super().__init__()
        self.step, self.given, self.head = (
            nn.Linear(WIDTH, WIDTH),
            nn.Linear(WIDTH, WIDTH),
            nn.Linear(WIDTH, CLASSES),
        )

    def forward(self, x):
        state = torch.zeros_like(x[:, 0])
        for position in range(x.shape[1]):
            rate = functional.softplus(self.step(x[:, position]))
            state = (-rate).exp() * state + rate * self.given(x[:, position])
        return self.head(functional.silu(state))


class EdgeConv(nn.Module):
    """DGCNN's convolution over the nearest neighbours of each point of a cloud."""

    def __init__(self) -> None:
        super().__init__()
        self.edge, self.head = nn.Linear(6, WIDTH), nn.Linear(WIDTH, CLASSES)

    def forward(self, clouds):
        nearest = torch.cdist(clouds, clouds).topk(3, largest=False).indices
        rows = torch.arange(len(clouds))[:, None, None]
        beside = clouds[rows, nearest]
        own = clouds.unsqueeze(2).expand_as(beside)
        edges = functional.leaky_relu(self.edge(torch.cat([own, beside - own], -1)))
        return self.head(edges.amax(2).amax(1))


class GraphNet(nn.Module):
    """Two rounds over one graph; with ``is_sage`` the own state stays apart from that of the neighbours."""

    def __init__(self, is_sage: bool) -> None:
        super().__init__()
        self.is_sage = is_sage
        self.first, self.second = (
            nn.Linear(6 * (1 + is_sage), WIDTH),
            nn.Linear(WIDTH * (1 + is_sage), CLASSES),
        )

    def forward(self, x, edge_index):
        around = torch.eye(len(x)) * (not self.is_sage)
        around = around.index_put(tuple(edge_index), torch.ones(edge_index.shape[1]))
        around = around / around.sum(1, keepdim=True)

        def gathered(h):
            return torch.cat([h, around @ h], -1) if self.is_sage else around @ h

        return self.second(gathered(torch.relu(self.first(gathered(x)))))


class OfNodes(nn.Module):
    """The way out for one graph: the numbers of its nodes are the inputs."""

    def __init__(self, net, x, edge_index) -> None:
        super().__init__()
        self.net = net
        self.register_buffer("x", x)
        self.register_buffer("edge_index", edge_index)

    def forward(self, numbers):
        return self.net(self.x, self.edge_index)[numbers[:, 0]]


class KAN(nn.Module):
    """Learned functions on the edges, sums of bumps."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("centres", torch.linspace(-2, 2, 5))
        self.first, self.second = nn.Linear(30, WIDTH), nn.Linear(5 * WIDTH, CLASSES)

    def bumps(self, x):
        return torch.exp(-((x.unsqueeze(-1) - self.centres) ** 2)).flatten(1)

    def forward(self, x):
        return self.second(self.bumps(self.first(self.bumps(x))))


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(3 * x)


class DeepONet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.branch, self.trunk = mlp(6, 4), mlp(2, 4)

    def forward(self, sensors, place):
        return (self.branch(sensors) * self.trunk(place)).sum(-1, keepdim=True)


class Experts(nn.Module):
    """Logits, the loss of balance (one number), and the weights of the experts."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.experts = nn.Linear(6, 4), nn.ModuleList(mlp() for _ in range(4))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        outputs = torch.stack([expert(x) for expert in self.experts], 1)
        return (weights.unsqueeze(-1) * outputs).sum(1), weights.mean(0).var(), weights


class Siamese(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk, self.head = mlp(6, WIDTH), nn.Linear(WIDTH, 2)

    def forward(self, left, right):
        return self.head((self.trunk(left) - self.trunk(right)).abs())


class ActorCritic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk, self.actor, self.critic = (
            mlp(6, WIDTH),
            nn.Linear(WIDTH, CLASSES),
            nn.Linear(WIDTH, 1),
        )

    def forward(self, x):
        h = torch.tanh(self.trunk(x))
        return self.actor(h), self.critic(h)


@dataclass
class ModelOutput(OrderedDict):
    """As transformers has it: a dataclass that is a dictionary as well."""

    loss: Any = None
    logits: Any = None
    hidden_states: Any = None

    def __post_init__(self) -> None:
        self.update({k: v for k, v in vars(self).items() if v is not None})


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed, self.block, self.head = (
            nn.Embedding(TOKENS, WIDTH),
            Block(False),
            nn.Linear(WIDTH, CLASSES),
        )

    def forward(self, input_ids=None, attention_mask=None, labels=None):
        h = self.embed(input_ids)
        states = (h, self.block(h))
        weights = attention_mask.unsqueeze(-1)
        pooled = (states[1] * weights).sum(1) / weights.sum(1)
        return ModelOutput(logits=self.head(pooled), hidden_states=states)


class OfBatch(nn.Module):
    """A forward that takes a batch as one dictionary or object."""

    def __init__(self, read: Callable[[Any], Tensor]) -> None:
        super().__init__()
        self.read, self.net = read, mlp()

    def forward(self, batch):
        return self.net(self.read(batch))


@dataclass
class Batch:
    x: Tensor
    weight: Tensor


class Record:
    """A place for tensors, as graph libraries have it: neither a dictionary nor a dataclass."""

    def __init__(self, **tensors: Tensor) -> None:
        vars(self).update(tensors)

    def __iter__(self):
        return iter(vars(self).items())


class LoRA(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.base, self.down, self.up = (
            nn.Linear(6, WIDTH),
            nn.Linear(6, 2, bias=False),
            nn.Linear(2, WIDTH, bias=False),
        )
        self.base.requires_grad_(False)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, x):
        return self.head(torch.relu(self.base(x) + self.up(self.down(x))))


class Rows(Dataset):
    """A dataset of dictionaries."""

    def __init__(self, x: Tensor) -> None:
        self.x = x

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        return {"x": self.x[index], "target": LABELS[index]}


def hooked(wrap: Callable[[nn.Linear], Any]) -> nn.Sequential:
    model = mlp()
    wrap(model[0])
    for _ in range(30):  # a spectral norm is found step by step
        model(vectors())
    return model.eval()


def tcn():
    return nn.Sequential(weight_norm(nn.Conv1d(WIDTH, WIDTH, 3, padding=2)), nn.ReLU(), nn.Flatten(),
                         nn.Linear(WIDTH * (POSITIONS + 2), CLASSES))  # fmt: skip


def graph(is_sage: bool, is_wrapped: bool) -> Foreign:
    x, edges = vectors(), torch.randint(POINTS, (2, 60))
    edges = torch.cat([edges, torch.arange(POINTS).expand(2, -1)], 1)
    net = GraphNet(is_sage)
    if not is_wrapped:
        return of(net, (x, edges), spread, refused="numbers of the nodes")
    return of(OfNodes(net, x, edges), torch.arange(POINTS)[:, None])


def language():
    x = torch.randint(TOKENS, (POINTS, POSITIONS))
    return of(GPT(), x, first, x.roll(-1, 1))


def tagger():
    x = torch.randn(SEQUENCES)
    return of(Tagger(), x, first, torch.randint(CLASSES, (POINTS, POSITIONS)))


def unet():
    x = torch.randn(IMAGES)
    labels = torch.randint(CLASSES, (POINTS, 8, 8))
    return of(UNet(), x, lambda own, points: own(points).movedim(1, -1), labels)


def regression(model, inputs, targets, read=as_one, refused="", **options):
    return Foreign(model, inputs, targets, options, inputs, read, False, refused)


def vae():
    x = vectors()
    return regression(VAE(), x, x, first)


def flow(**options):
    asks = "" if options else r"0 \[N, 6\], 1 \[N, 1\].*needs output="
    return regression(RealNVP(), vectors(), None, first, asks, **options)


def pair():
    batch = {"left": vectors(), "right": vectors()}
    return of(Siamese(), batch, spread, LABELS % 2)


def transformer():
    batch = {"input_ids": torch.randint(TOKENS, (POINTS, POSITIONS)),
             "attention_mask": torch.ones(POINTS, POSITIONS)}  # fmt: skip
    return of(
        Transformer(),
        batch | {"labels": LABELS},
        lambda own, points: spread(own, points).logits,
        None,
        points=batch,
    )


def dictionary():
    batch = {"x": vectors(), "weight": torch.rand(POINTS, 1)}
    model = OfBatch(lambda entries: entries["x"] * entries["weight"])
    return of(model, batch)


def of_object():
    batch = Batch(vectors(), torch.rand(POINTS, 1))
    model = OfBatch(lambda entries: entries.x * entries.weight)
    return of(model, batch)


def of_record():
    batch = Record(x=vectors(), weight=torch.rand(POINTS, 1), y=LABELS)
    return of(OfBatch(lambda entries: entries.x * entries.weight), batch, labels=None)


def graph_as_record():
    batch = Record(x=vectors(), edge_index=torch.randint(POINTS, (2, 60)), y=LABELS)
    return of(
        OfBatch(lambda entries: entries.x), batch, refused="numbers of the nodes", labels=None
    )


def collapse(is_first):
    x = vectors()

    def forward(own, points):
        h = torch.tanh(own.body(points))
        return (own.head(h), h) if is_first else (h, own.head(h))

    model = Applied(forward, body=mlp(6, 32), head=nn.Linear(32, CLASSES))
    return of(model, x, lambda own, points: own(points)[1 - is_first])


def precision(dtype):
    x = vectors().to(dtype)
    return of(mlp().to(dtype), x)


def quantised():
    model = torch.ao.quantization.quantize_dynamic(mlp(), {nn.Linear}, torch.qint8)
    return of(model, vectors(), refused="parameters")


def text():
    return of(mlp(), vectors(), labels=["cat", "dog", "eel"] * 8, refused=r"names\.index")


def nan():
    model = mlp()
    model[2].weight.data[0, 0] = torch.nan
    return of(model, vectors(), refused="NaN or infinity")


def rows(loader):
    x = vectors()
    return of(mlp_of_x(), loader(x), labels=None, points=x)


def mlp_of_x():
    return Applied(lambda own, x: own.net(x), net=mlp())


MODELS: dict[str, Callable[[], Foreign]] = {
    "GPT, tied weights": language,
    "ViT with CLS": lambda: of(ViT(), torch.randn(IMAGES)),
    "ConvNeXt": lambda: of(convnext(), torch.randn(IMAGES)),
    "ResNet": lambda: of(resnet(), torch.randn(IMAGES)),
    "U-Net": unet,
    "VAE": vae,
    "RealNVP asks": flow,
    "RealNVP": lambda: flow(output=0),
    "LSTM tagger": tagger,
    "GRU": lambda: of(
        Applied(lambda own, x: own.head(own.gru(x)[0][:, -1]), gru=nn.GRU(WIDTH, WIDTH, batch_first=True),
                head=nn.Linear(WIDTH, CLASSES)), torch.randn(SEQUENCES)),
    "TCN, weight norm": lambda: of(tcn(), torch.randn(POINTS, WIDTH, POSITIONS)),
    "PointNet": lambda: of(
        Applied(lambda own, x: own.head(torch.relu(own.point(x)).amax(1)), point=nn.Linear(3, WIDTH),
                head=nn.Linear(WIDTH, CLASSES)), torch.randn(POINTS, 7, 3)),
    "DGCNN": lambda: of(EdgeConv(), torch.randn(POINTS, 7, 3)),
    "GCN": lambda: graph(False, False),
    "GCN of nodes": lambda: graph(False, True),
    "GraphSAGE of nodes": lambda: graph(True, True),
    "MLP-Mixer": lambda: of(
        Applied(lambda own, x: own.head(own.channels(own.tokens(x.transpose(1, 2)).transpose(1, 2)).mean(1)),
                tokens=nn.Sequential(nn.Linear(POSITIONS, 9), nn.GELU(), nn.Linear(9, POSITIONS)),
                channels=nn.Sequential(nn.Linear(WIDTH, 9), nn.GELU(), nn.Linear(9, WIDTH)),
                head=nn.Linear(WIDTH, CLASSES)), torch.randn(SEQUENCES)),
    "KAN": lambda: of(KAN(), vectors()),
    "Mamba-like scan": lambda: of(Scan(), torch.randn(SEQUENCES)),
    "SIREN": lambda: regression(
        nn.Sequential(nn.Linear(2, 16), Sine(), nn.Linear(16, 16), Sine(), nn.Linear(16, 1)),
        torch.rand(POINTS, 2), torch.rand(POINTS, 1)),
    "DeepONet": lambda: regression(
        DeepONet(), (vectors(), torch.rand(POINTS, 2)), torch.rand(POINTS, 1), spread),
    "PINN": lambda: regression(mlp(2, 1), torch.rand(POINTS, 2), torch.rand(POINTS)),
    "mixture of experts": lambda: of(Experts(), vectors(), first),
    "siamese pair": pair,
    "actor-critic": lambda: of(ActorCritic(), vectors(), first),
    "HF-like output": transformer,
    "batch as a dictionary": dictionary,
    "batch as a dataclass": of_object,
    "batch of a graph library": of_record,
    "one graph of a graph library": graph_as_record,
    "features, logits": lambda: collapse(False),
    "logits, features": lambda: collapse(True),
    "LoRA": lambda: of(LoRA(), vectors()),
    "bfloat16": lambda: precision(torch.bfloat16),
    "half": lambda: precision(torch.float16),
    "compiled": lambda: of(torch.compile(mlp(), backend="eager"), vectors()),
    "quantised": quantised,
    "pruned": lambda: of(hooked(lambda l: prune.l1_unstructured(l, "weight", amount=0.3)), vectors()),
    "spectral norm": lambda: of(hooked(spectral_norm), vectors()),
    "loader of dictionaries": lambda: rows(lambda x: DataLoader(Rows(x), batch_size=7)),
    "dataset of dictionaries": lambda: rows(Rows),
    "TensorDataset": lambda: rows(lambda x: TensorDataset(x, LABELS)),
    "labels as text": text,
    "weights that are NaN": nan,
}  # fmt: skip
