"""How fast viz is beside PyTorch and ONNX Runtime: ratios > 1 say that viz is quicker.

    go build -o viz ./cmd/viz
    pip install torch numpy onnx onnxruntime   # into an environment of its own
    taskset -c 0 python tools/peers/peers.py --viz ./viz [--only REGEXP] [--rounds 5]

One thread, CPU time, one sample of every figure in each round, viz and the others in turns;
figures are medians over the rounds. Names are those of `viz bench`.

On a processor that is not Intel's, MKL takes its slower kernels. To compare with what it does on Intel's,
preload a library with `int mkl_serv_intel_cpu_true(void) { return 1; }` (LD_PRELOAD).
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import time

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import torch

import models
import onnx_runtime

GEMMS = ["64x64x64", "128x128x128", "512x512x512", "2048x128x512", "2048x512x128", "2048x128x128",
         "512x64x512", "32x64x32*128", "64x32x64*128", "16x128x128"]
LENGTHS = [16, 64, 128, 512, 1024]


def inference(module, x):
    module.eval()

    def run():
        with torch.inference_mode():
            module(x)

    return run


def product(shape):
    sizes, _, count = shape.partition("*")
    m, k, n = map(int, sizes.split("x"))
    count = int(count or 1)
    if count > 1:
        a, b, c = torch.randn(count, m, k), torch.randn(count, k, n), torch.empty(count, m, n)
        return 2 * m * k * n * count, lambda: torch.bmm(a, b, out=c)
    a, b, c = torch.randn(m, k), torch.randn(k, n), torch.empty(m, n)
    return 2 * m * k * n, lambda: torch.mm(a, b, out=c)


def cases():
    """name of the figure → [(peer, work or None, operation)]"""
    out = {}
    for shape in GEMMS:
        work, run = product(shape)
        out["gemm/" + shape] = [("torch", work / 1e9, run)]
    for n in LENGTHS:
        x = torch.randn(1, n, models.WIDTH)
        out[f"forward/dot-product/{n}"] = [
            ("module", None, inference(models.Module(), x)), ("fused", None, inference(models.Fused(), x)),
            *[(name, None, run) for name, run in onnx_runtime.attention(n)]]
        for name, parts in models.SYNTHESIZERS.items():
            out[f"forward/{name}/{n}"] = [("torch", None, inference(models.Synthesizer(parts, n), x))]
        out[f"forward/fastformer/{n}"] = [("torch", None, inference(models.Fastformer(), x))]
    tokens = models.BATCH * models.LENGTH
    for name, asked in ("all", tokens), ("masked", int(models.MASK_SHARE * tokens)):
        out["train/dot-product/" + name] = [("torch", tokens, models.training(asked))]
        out[f"train/dot-product/{name}/adamw"] = [
            ("torch", tokens, models.training(asked, lambda model: models.adamw(model.parameters())))]
    return out


def sample(run, seconds=0.04):
    """CPU seconds of one operation."""
    run()
    count, began = 0, time.process_time()
    while True:
        run()
        count += 1
        used = time.process_time() - began
        if used > seconds:
            return used / count


def viz_round(binary, names):
    only = "^(" + "|".join(re.escape(n) for n in names) + ")$"
    text = subprocess.run([binary, "bench", "--json", "--rounds", "1", "--only", only], check=True, capture_output=True).stdout
    return {f["name"]: f["median"] for f in json.loads(text)["figures"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--viz", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    o = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    chosen = {n: c for n, c in cases().items() if re.search(o.only, n)}
    ours, theirs = {n: [] for n in chosen}, {n: {p: [] for p, _, _ in c} for n, c in chosen.items()}
    for peers in chosen.values():
        for _, _, run in peers:
            for _ in range(3):
                run()
    for _ in range(o.rounds):
        for name, value in viz_round(o.viz, chosen).items():
            if name in ours:
                ours[name].append(value)
        for name, peers in chosen.items():
            for peer, work, run in peers:
                used = sample(run)
                theirs[name][peer].append(work / used if work else used * 1e3)
    for name, peers in chosen.items():
        mine, rate = statistics.median(ours[name]), peers[0][1] is not None
        row, ratios = [], []
        for peer, values in theirs[name].items():
            value = statistics.median(values)
            ratios.append(mine / value if rate else value / mine)
            row.append(f"{peer} {value:.4g} ({ratios[-1]:.2f})")
        print(f"{name:32} viz {mine:9.4g}  {min(ratios):5.2f}x  {', '.join(row)}", flush=True)


if __name__ == "__main__":
    main()
