#!/usr/bin/env bash
# Installs what is missing, builds everything and runs the tests.
# usage: scripts/test.sh [CTEST-ARGUMENT...]    for example: scripts/test.sh -R evaluator
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release
cmake --build --preset release --parallel "$(scripts/jobs.sh)"
ctest --preset release "$@"
