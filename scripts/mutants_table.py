#!/usr/bin/env python3
"""How the mutants of simulated units' models stand after an identification: a table for docs/mutants.md.

usage: scripts/mutants_table.py PROGRAM [DEVICE#INSTRUCTION ...]
"""
import json
import subprocess
import sys

MAIN = [
    "sim:v100#mma.m8n8k4.f32.f16.f16.f32",
    "sim:v100#mma.m8n8k4.f16.f16.f16.f16",
    "sim:t4#mma.m16n8k8.f32.f16.f16.f32",
    "sim:t4#mma.m16n8k8.f16.f16.f16.f16",
    "sim:a100#mma.m16n8k16.f32.f16.f16.f32",
    "sim:a100#mma.m16n8k16.f16.f16.f16.f16",
    "sim:a100#mma.m16n8k16.f32.bf16.bf16.f32",
    "sim:ada#mma.m16n8k32.f32.e4m3.e4m3.f32",
    "sim:ada#mma.m16n8k16.f16.f16.f16.f16",
    "sim:h100#mma.m16n8k16.f32.f16.f16.f32",
    "sim:h100#mma.m16n8k16.f16.f16.f16.f16",
    "sim:h100#mma.m16n8k8.f32.tf32.tf32.f32",
    "sim:h100#mma.m8n8k4.f64.f64.f64.f64",
    "sim:h100#mma.m16n8k16.f64.f64.f64.f64",
    "sim:h100#mma.m8n8k4.row.col.f32.f16.f16.f16",
    "sim:h100#mma.m8n8k4.row.col.f16.f16.f16.f16",
]


def row(program, spec):
    device, instruction = spec.split("#")
    command = [program, "identify", device, "--instruction", instruction, "--json", "--seed", "1"]
    found = json.loads(subprocess.run(command, capture_output=True, check=False, text=True).stdout)
    c = found["confirmation"]
    told = 100 * (c["killed"] + c["equal"]) / max(1, c["mutants"])
    inputs = c["inputs"] + found["observations"]
    return (f"| `{device}` `{instruction}` | {c['mutants']} | {c['killed']} | {c['equal']} | {c['open']} "
            f"| {told:.1f} % | {inputs} | {found['seconds']['total']:.1f} |")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| instruction | mutants | killed | equal | open | told | device inputs | s in all |")
    print("|---|---|---|---|---|---|---|---|")
    for spec in sys.argv[2:] or MAIN:
        print(row(sys.argv[1], spec), flush=True)


main()
