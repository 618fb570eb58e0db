#!/usr/bin/env bash
# What does the unit in my_accelerator.py compute? Found from its answers alone, certified, and verified.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mmaprint=${MMAPRINT:-../build/release/mmaprint}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$mmaprint" identify "exec:./my_accelerator.py" --instruction dot8 \
  --journal "$work/journal.jsonl" --certificate "$work/certificate" -o "$work/found.json"
"$mmaprint" verify "$work/certificate"

# The script says: 26 bits, rounded down in alignment, sums rounded to nearest even, subnormal results zero.
"$mmaprint" show "$work/found.json" >"$work/shown.txt"
for expected in 'alignment_fraction_bits +26' 'alignment_rounding +floor' 'block_rounding +nearest-even' \
  'output_subnormals +flushed' 'blocks +0,2,4,6 \| 1,3,5,7'; do
  grep -qE "$expected" "$work/shown.txt"
done
