#!/usr/bin/env bash
# The smallest input on which Ampere and Hopper differ, and the proof that Ampere and Ada do not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mmaprint=${MMAPRINT:-../build/release/mmaprint}
instruction=mma.m16n8k8.f32.f16.f16.f32

"$mmaprint" distinguish "sim:a100#$instruction" "sim:h100#$instruction"
status=0
"$mmaprint" distinguish "sim:a100#$instruction" "sim:ada#$instruction" || status=$?
[ "$status" -eq 1 ]
