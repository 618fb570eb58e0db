#!/usr/bin/env bash
# "Fused blocks with an F of 24, whatever else" explains what an A100 gives, and not what an H100 does. For each, the observations are those
# that identified it; `check` picks the fewest of them that no unit with F = 24 gives.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mmaprint=${MMAPRINT:-../build/release/mmaprint}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for unit in a100 h100; do
  "$mmaprint" identify "sim:$unit" --instruction mma.m16n8k8.f32.f16.f16.f32 --certificate "$work/$unit" -q >"$work/$unit.txt"
done

"$mmaprint" check f_is_24.json "$work/a100/observations.jsonl"
status=0
"$mmaprint" check f_is_24.json "$work/h100/observations.jsonl" || status=$?
[ "$status" -eq 1 ]
