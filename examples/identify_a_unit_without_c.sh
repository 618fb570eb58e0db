#!/usr/bin/env bash
# What does the unit in product_sum.py compute, which has no c? Found from its answers alone, certified, verified, and
# compared again with what was recorded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mmaprint=${MMAPRINT:-../build/release/mmaprint}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$mmaprint" identify "exec:./product_sum.py" --instruction dot4 \
  --certificate "$work/certificate" -o "$work/found.json"
"$mmaprint" verify "$work/certificate"
"$mmaprint" check "$work/found.json" "$work/certificate/observations.jsonl"

# The script says: one exact sum of four products, rounded once to nearest even.
"$mmaprint" show "$work/found.json" >"$work/shown.txt"
for expected in 'family +exact' 'structure +\(p0\.\.3\)' 'alignment_fraction_bits +none' 'block_rounding +nearest-even' \
  'output_fraction_bits +23'; do
  grep -qE "$expected" "$work/shown.txt"
done
if grep -qE 'c_enters|c_subnormals' "$work/shown.txt"; then
  echo 'nothing is said of a c that is not there' >&2
  exit 1
fi
