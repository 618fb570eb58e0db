#!/usr/bin/env bash
# Makes the pictures of README.md from the program's own output.
# usage: docs/images/render.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build/release/mmaprint}")
a100=sim:a100#mma.m16n8k16.f32.f16.f16.f32
h100=sim:h100#mma.m16n8k16.f32.f16.f16.f32

picture() {
  local file=$1 status=0
  shift
  "$program" --color always "$@" >"$file.ansi" || status=$?
  [ "$status" -le 1 ]
  docs/images/render.py "mmaprint $*" <"$file.ansi" >"$file"
  rm "$file.ansi"
}

picture docs/images/identify.svg identify sim:a100 --instruction mma.m16n8k16.f32.f16.f16.f32
picture docs/images/distinguish.svg distinguish "$a100" "$h100"
