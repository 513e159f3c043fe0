"""Networks that people have, each the standard one, small by default and as large as the numbers that it is given."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


class BasicBlock(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 3, stride, 1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
        self.conv2, self.relu = nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != width:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, width, 1, stride, bias=False), nn.BatchNorm2d(width)
            )

    def forward(self, x):
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    """ResNet-18 of the ImageNet kind with ``width=64, blocks=2``."""

    def __init__(self, classes=3, width=4, blocks=1):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        self.relu, self.maxpool = nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
        inputs = width
        for stage in range(4):
            layers = []
            for block in range(blocks):
                layers.append(BasicBlock(inputs, width << stage, 2 if stage and not block else 1))
                inputs = width << stage
            setattr(self, f"layer{stage + 1}", nn.Sequential(*layers))
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(inputs, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))


class ChannelsLastNorm(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dwconv, self.norm = (
            nn.Conv2d(width, width, 7, padding=3, groups=width),
            nn.LayerNorm(width, 1e-6),
        )
        self.pwconv1, self.act, self.pwconv2 = (
            nn.Linear(width, 4 * width),
            nn.GELU(),
            nn.Linear(4 * width, width),
        )
        self.gamma = nn.Parameter(torch.full((width,), 0.1))

    def forward(self, x):
        y = self.norm(self.dwconv(x).permute(0, 2, 3, 1))
        return x + (self.gamma * self.pwconv2(self.act(self.pwconv1(y)))).permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    """ConvNeXt-tiny with ``widths=(96, 192, 384, 768), depths=(3, 3, 9, 3)``."""

    def __init__(self, classes=3, widths=(4, 6, 8, 10), depths=(1, 1, 1, 1)):
        super().__init__()
        parts = [nn.Conv2d(3, widths[0], 4, 4), ChannelsLastNorm(widths[0])]
        for stage, (width, depth) in enumerate(zip(widths, depths, strict=True)):
            if stage:
                parts += [
                    ChannelsLastNorm(widths[stage - 1]),
                    nn.Conv2d(widths[stage - 1], width, 2, 2),
                ]
            parts += [ConvNeXtBlock(width) for _ in range(depth)]
        self.features, self.norm, self.head = (
            nn.Sequential(*parts),
            nn.LayerNorm(width),
            nn.Linear(width, classes),
        )

    def forward(self, x):
        return self.head(self.norm(self.features(x).mean((2, 3))))


class Block(nn.Module):
    """A block of a transformer, with normalisation first."""

    def __init__(self, width, heads, causal=False):
        super().__init__()
        self.ln1, self.ln2, self.heads, self.causal = (
            nn.LayerNorm(width),
            nn.LayerNorm(width),
            heads,
            causal,
        )
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def attention(self, x):
        q, k, v = (
            part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, 2)
        )
        weights = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            after = torch.ones(weights.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
            weights = weights.masked_fill(after, -torch.inf)
        return self.proj((weights.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class ViT(nn.Module):
    """ViT-tiny with ``width=192, depth=12, heads=3, patch=16, side=224``."""

    def __init__(self, classes=3, width=12, depth=3, heads=3, patch=8, side=32):
        super().__init__()
        self.patch, self.cls = (
            nn.Conv2d(3, width, patch, patch),
            nn.Parameter(torch.randn(1, 1, width)),
        )
        self.position = nn.Parameter(0.1 * torch.randn(1, 1 + (side // patch) ** 2, width))
        self.blocks, self.ln = (
            nn.Sequential(*(Block(width, heads) for _ in range(depth))),
            nn.LayerNorm(width),
        )
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1) + self.position
        return self.head(self.ln(self.blocks(x))[:, 0])


class GPT(nn.Module):
    """A decoder of four blocks: token indices ``[N, T]`` to logits ``[N, T, vocabulary]``."""

    def __init__(self, vocabulary=11, width=12, depth=4, heads=3, length=6):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks, self.ln = (
            nn.ModuleList(Block(width, heads, True) for _ in range(depth)),
            nn.LayerNorm(width),
        )
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


class Recurrent(nn.Module):
    def __init__(self, inputs=4, width=12, classes=3):
        super().__init__()
        self.gru, self.head = nn.GRU(inputs, width, batch_first=True), nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.gru(x)[0][:, -1])


class UNet(nn.Module):
    """Two levels; an image ``[N, 1, H, W]`` to logits of each pixel ``[N, classes, H, W]``."""

    def __init__(self, classes=2, width=4):
        super().__init__()
        self.inc, self.down = self._double(1, width), self._double(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.out, self.head = self._double(2 * width, width), nn.Conv2d(width, classes, 1)

    @staticmethod
    def _double(inputs, width):
        return nn.Sequential(
            nn.Conv2d(inputs, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
        )  # fmt: skip

    def forward(self, x):
        skip = self.inc(x)
        return self.head(self.out(torch.cat([skip, self.up(self.down(F.max_pool2d(skip, 2)))], 1)))


class Autoencoder(nn.Module):
    def __init__(self, inputs=10, width=12, code=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, code))
        self.decoder = nn.Sequential(nn.Linear(code, width), nn.Tanh(), nn.Linear(width, inputs))

    def forward(self, x):
        return self.decoder(self.encoder(x))


@dataclass
class Answer:
    """What models of transformers return: several things, the logits among them."""

    loss: None
    logits: torch.Tensor


@dataclass
class Masked:
    """Inputs with names."""

    values: torch.Tensor
    mask: torch.Tensor


class OfDict(nn.Module):
    """A model of named inputs, as of transformers: a vector and a mask, to an object with logits."""

    def __init__(self, inputs=5, width=12, classes=3):
        super().__init__()
        self.first, self.act, self.head = (
            nn.Linear(inputs, width),
            nn.Tanh(),
            nn.Linear(width, classes),
        )

    def forward(self, values, mask):
        return Answer(None, self.head(self.act(self.first(values * mask))))
