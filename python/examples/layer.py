"""Write an attention layer of PyTorch as a folder that the Atlas opens, and what PyTorch computes with it beside it.

    python3 python/examples/layer.py FILE.py CLASS DIR d_model=8 num_heads=2 max_len=12
    viz verify DIR
"""

import importlib.util
import json
import math
import os
import sys

import torch
from safetensors.torch import save_file

IDS = [1, 300, 42, 7, 300, 2]  # of a text


def vector(word, width):
    """The Atlas' input for a token: SplitMix64, as uniform numbers in [-√3, √3)."""
    numbers = []
    for feature in range(width):
        z = ((word << 32) + feature + 1) * 0x9E3779B97F4A7C15 % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        numbers.append(((z >> 11) / 2**52 - 1) * math.sqrt(3))
    return torch.tensor(numbers)


def position(place, width):
    """The sinusoids of Vaswani et al. 2017."""
    waves = (place * 10000 ** (-(f // 2 * 2) / width) for f in range(width))
    return torch.tensor([math.cos(wave) if f % 2 else math.sin(wave) for f, wave in enumerate(waves)])


def main(file, name, folder, *sizes):
    sizes = {key: int(value) for key, value in (size.split("=") for size in sizes)}
    spec = importlib.util.spec_from_file_location("layers", file)
    layers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layers)
    torch.manual_seed(0)
    layer = getattr(layers, name)(**sizes).eval()

    maps, softmax = [], torch.nn.functional.softmax

    def kept(x, *args, **kwargs):
        maps.append(softmax(x, *args, **kwargs))
        return maps[-1]

    torch.nn.functional.softmax = kept
    width, n = sizes["d_model"], len(IDS)
    x = torch.stack([vector(word, width) + position(place, width) for place, word in enumerate(IDS)])
    with torch.no_grad():
        y = layer(x[None])[0]
    heads = [m.reshape(-1, n, n) for m in maps if m.dim() > 1]
    shares = next((m for m in maps if m.dim() == 1), torch.ones(1))  # of a mixture

    os.makedirs(folder, exist_ok=True)
    config = {"model_type": "attention-module", "class": name, "num_heads": sizes["num_heads"]}
    with open(os.path.join(folder, "config.json"), "w") as out:
        json.dump(config, out, indent=1)
        out.write("\n")
    save_file(layer.state_dict(), os.path.join(folder, "model.safetensors"))
    expected = {
        "ids.0": torch.tensor(IDS), "hidden.0.0": x, "hidden.0.1": y,
        "attn.0.1": sum(share * head for share, head in zip(shares, heads)),
    }
    save_file(expected, os.path.normpath(folder) + ".expected.safetensors")


main(*sys.argv[1:])
