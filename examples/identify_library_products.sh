#!/usr/bin/env bash
# How does NumPy multiply matrices on this machine? That depends on the BLAS that NumPy was built with and on the processor: what
# holds of all of them is that FP64 numbers are summed in FP64, each sum rounded to nearest. Exits with 77 without NumPy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mmaprint=${MMAPRINT:-../build/release/mmaprint}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import numpy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo 'no NumPy here'
  exit 77
fi

# One element of the product: a kernel may sum others in another order.
products="exec:$python ./library_products.py --library numpy --shapes 64,64,4 --element 0,0"
"$mmaprint" devices "$products"

# Identified, or the time is up (exit 3); one element of a product is no contradiction.
status=0
"$mmaprint" identify "$products" --instruction numpy.fp64.m64n64k4.row0column0 --time-limit 20 -o "$work/found.json" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
if [ "$status" -eq 0 ]; then
  "$mmaprint" show "$work/found.json" >"$work/shown.txt"
  for expected in 'block_rounding +nearest-even' 'output_fraction_bits +52' 'alignment_fraction_bits +none'; do
    grep -qE "$expected" "$work/shown.txt"
  done
fi

# What is not there is said in one line.
status=0
"$mmaprint" devices "exec:$python ./library_products.py --library numpy --dtypes fp128" 2>"$work/refused.txt" || status=$?
[ "$status" -eq 4 ]
grep -qF 'library_products: fp128: no library has it' "$work/refused.txt"
