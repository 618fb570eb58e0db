#!/usr/bin/env bash
# From a fresh machine to a first result: installs what is missing, builds, identifies one instruction of a simulated A100.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release
cmake --build --preset release --parallel "$(scripts/jobs.sh)" --target mmaprint

command=(build/release/mmaprint identify sim:a100 --instruction mma.m16n8k16.f32.f16.f16.f32)
printf '\n$ %s\n' "${command[*]}"
"${command[@]}"
