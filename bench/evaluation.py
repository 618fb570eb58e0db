#!/usr/bin/env python3
"""Dot products a second on one core, and products of matrices on two: of a build, beside another and beside MMA-Sim.

usage: bench/evaluation.py BUILD [--before BUILD] [--mma-sim FOLDER]

BUILD has mmaprint_bench. FOLDER holds MMA-Sim's package mmasim, which needs PyTorch; it computes one of its tiles,
16 x 8 dot products, again and again, in one process. Prints tables, and what is faster how many times.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

UNITS = {  # of bench/evaluate_bench.cpp; and MMA-Sim's architecture and instruction
    "fp16_k16_two_blocks_of_8": ("FP16, K = 16, two blocks of 8", "Ampere", "m16n8k16.f32.f16.f16.f32"),
    "fp16_k16_one_block": ("FP16, K = 16, one block", "Hopper", "m16n8k16.f32.f16.f16.f32"),
    "bf16_k16_two_blocks_of_8": ("BF16, K = 16, two blocks of 8", "Ampere", "m16n8k16.f32.bf16.bf16.f32"),
    "tf32_k8_two_blocks_of_4": ("TF32, K = 8, two blocks of 4", "Ampere", "m16n8k8.f32.tf32.tf32.f32"),
    "fp8_k32_two_blocks_of_16": ("FP8, K = 32, two blocks of 16", "Ada Lovelace", "m16n8k32.f32.e4m3.e4m3.f32"),
}
WAYS = {"evaluate_arrays": "arrays, a core", "multiply": "1024 x 1024 x 1024, two cores"}


def measured(build):
    """Dot products a second by way and unit; no entry for a way that this build does not know."""
    out = subprocess.run([build / "mmaprint_bench", "--benchmark_format=json", "--benchmark_filter=^(evaluate_arrays|evaluate_rows|evaluate_together|multiply)/"],
                         check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    rates = {}
    for row in json.loads(out)["benchmarks"]:
        way, unit = row["name"].split("/")[:2]
        rates[way, unit] = row["items_per_second"]
    # What had no arrays of halves took words, and before these inputs one by one.
    for way in ("evaluate_rows", "evaluate_together"):
        for unit in UNITS:
            if (way, unit) in rates:
                rates.setdefault(("evaluate_arrays", unit), rates[way, unit])
    return rates


def of_mma_sim(folder, architecture, qualifier, seconds=2):
    """Dot products a second."""
    sys.path.insert(0, str(folder))
    import torch
    from mmasim.simulator import nv_ptx
    unit = nv_ptx.mma(architecture, qualifier)
    torch.manual_seed(1)
    a, b = (torch.randn(shape).to(kind) for shape, kind in (((unit.m, unit.k), unit.a_type), ((unit.k, unit.n), unit.b_type)))
    c = torch.randn((unit.m, unit.n)).to(unit.c_type)
    begin, tiles = time.monotonic(), 0
    while time.monotonic() < begin + seconds:
        unit(a, b, c)
        tiles += 1
    return tiles * unit.m * unit.n / (time.monotonic() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--mma-sim", type=pathlib.Path)
    arguments = parser.parse_args()
    now = measured(arguments.build)
    before = measured(arguments.before) if arguments.before else {}
    print("| unit | way | million dot products a second | times the build before | times MMA-Sim |\n|---|---|---|---|---|")
    for unit, (words, architecture, qualifier) in UNITS.items():
        sim = of_mma_sim(arguments.mma_sim, architecture, qualifier) if arguments.mma_sim else None
        for way, where in WAYS.items():
            rate = now[way, unit]
            old = f"{rate / before[way, unit]:.2f}" if (way, unit) in before else "-"
            print(f"| {words} | {where} | {rate / 1e6:.1f} | {old} | {f'{rate / sim:,.0f}' if sim else '-'} |", flush=True)


if __name__ == "__main__":
    main()
