"""What PyTorch needs for the figures of `viz bench`: the same shapes, in its quickest eager form."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH, HEADS, INNER, VOCAB, LAYERS = 128, 4, 512, 4096, 2
BATCH, LENGTH, MASK_SHARE = 32, 64, 0.15


def split(x):
    """[B,N,d] → [B,H,N,d/H]"""
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def join(x):
    return x.transpose(1, 2).flatten(2)


class Fused(nn.Module):
    """Q, K and V in one projection around scaled_dot_product_attention."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.out(join(F.scaled_dot_product_attention(split(q), split(k), split(v))))


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


class Synthesizer(nn.Module):
    """Scores of some parts, mixed, and softmax(scores)·V."""

    def __init__(self, parts, length):
        super().__init__()
        self.parts, self.length = parts, length
        self.v, self.o = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.alphas = nn.Parameter(torch.full((len(parts),), 1 / len(parts)))
        for part in parts:
            getattr(self, "make_" + part.replace("-", "_"))()

    def hidden(self, columns):
        return nn.ParameterList([
            nn.Parameter(torch.randn(HEADS * WIDTH, WIDTH) * 0.02), nn.Parameter(torch.zeros(HEADS * WIDTH)),
            nn.Parameter(torch.randn(HEADS, WIDTH, columns) * 0.02), nn.Parameter(torch.zeros(HEADS, 1, columns))])

    def make_random(self):
        self.r = nn.Parameter(torch.randn(HEADS, self.length, self.length) * 0.02)

    def make_factorized_random(self):
        self.r1 = nn.Parameter(torch.randn(HEADS, self.length, 8))
        self.r2 = nn.Parameter(torch.randn(HEADS, self.length, 8))

    def make_dense(self):
        self.d = self.hidden(self.length)

    def make_factorized_dense(self):
        self.a = max(a for a in range(1, math.isqrt(self.length) + 1) if self.length % a == 0)
        self.fa, self.fb = self.hidden(self.a), self.hidden(self.length // self.a)

    def make_dot_product(self):
        self.q, self.k = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def rows(self, p, x):
        h = F.relu(F.linear(x, p[0], p[1])).unflatten(-1, (HEADS, WIDTH)).transpose(1, 2)
        return h @ p[2] + p[3]

    def random(self, x):
        return self.r

    def factorized_random(self, x):
        return self.r1 @ self.r2.transpose(1, 2)

    def dense(self, x):
        return self.rows(self.d, x)

    def factorized_dense(self, x):
        return (self.rows(self.fa, x).unsqueeze(-1) * self.rows(self.fb, x).unsqueeze(-2)).flatten(-2)

    def dot_product(self, x):
        return split(self.q(x)) @ split(self.k(x)).transpose(2, 3) / math.sqrt(WIDTH // HEADS)

    def forward(self, x):
        scores = [getattr(self, part.replace("-", "_"))(x) for part in self.parts]
        if len(scores) > 1:
            alphas = F.softmax(self.alphas, 0)
            scores = [sum(a * s for a, s in zip(alphas, scores))]
        return self.o(join(F.softmax(scores[0], -1) @ split(self.v(x))))


class Fastformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.t = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.alpha, self.beta = nn.Linear(WIDTH, HEADS), nn.Linear(WIDTH, HEADS)

    def pool(self, w, x):
        a = F.softmax(w(x).transpose(1, 2) / math.sqrt(WIDTH // HEADS), -1)  # [B,H,N]
        return (a.unsqueeze(2) @ split(x)).transpose(1, 2).flatten(2)  # [B,1,d]

    def forward(self, x):
        q = self.q(x)
        p = self.k(x) * self.pool(self.alpha, q)
        return self.t(q * self.pool(self.beta, p)) + q


SYNTHESIZERS = {
    "random": ["random"], "factorized-random": ["factorized-random"], "dense": ["dense"],
    "factorized-dense": ["factorized-dense"], "mixture-rv": ["random", "dot-product"],
    "mixture-rd": ["random", "dense"], "mixture-dv": ["dense", "dot-product"],
    "mixture-rdv": ["random", "dense", "dot-product"],
}


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix, self.a, self.b = Fused(), nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.inside, self.out = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

    def forward(self, x):
        x = x + self.mix(self.a(x))
        return x + self.out(F.gelu(self.inside(self.b(x))))


class Model(nn.Module):
    """The masked-word model of the bench: pre-norm, learned positions, tied output."""

    def __init__(self):
        super().__init__()
        self.words, self.positions = nn.Embedding(VOCAB, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.layers = nn.Sequential(*[Layer() for _ in range(LAYERS)])
        self.norm, self.head_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.guess, self.bias = nn.Linear(WIDTH, WIDTH), nn.Parameter(torch.zeros(VOCAB))

    def forward(self, ids, at):
        x = self.norm(self.layers(self.words(ids) + self.positions.weight))
        h = self.head_norm(F.gelu(self.guess(x.flatten(0, 1)[at])))
        return F.linear(h, self.words.weight, self.bias)


class Together:
    """Muon for the matrices of layers and AdamW for the rest. Muon sees Q, K and V as one matrix; our trainings have three."""

    def __init__(self, model):
        matrices = [p for n, p in model.named_parameters() if n.startswith("layers") and p.ndim == 2]
        chosen = {id(p) for p in matrices}
        self.parts = [
            torch.optim.Muon(matrices, lr=2e-3, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
            adamw([p for p in model.parameters() if id(p) not in chosen])]

    def zero_grad(self, set_to_none):
        for part in self.parts:
            part.zero_grad(set_to_none=set_to_none)

    def step(self):
        for part in self.parts:
            part.step()


def adamw(parameters):
    return torch.optim.AdamW(parameters, lr=2e-3, betas=(0.9, 0.98), weight_decay=0.01, fused=True)


def training(asked, make=Together):
    """A step of training that asks for so many words."""
    model = Model()
    optimiser = make(model)
    count = BATCH * LENGTH
    ids = (torch.arange(count) * 7919 % VOCAB).view(BATCH, LENGTH)
    at = torch.arange(asked) * count // asked
    targets = ids.flatten()[at]

    def step():
        optimiser.zero_grad(set_to_none=True)
        F.cross_entropy(model(ids, at), targets).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        optimiser.step()

    return step
