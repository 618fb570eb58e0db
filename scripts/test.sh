#!/usr/bin/env bash
# Installs what is missing, builds everything and runs the tests.
# usage: [MMAPRINT_PRESET=NAME] scripts/test.sh [CTEST-ARGUMENT...]    for example: scripts/test.sh -R evaluator
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${MMAPRINT_PRESET:-release}
scripts/setup.sh
cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(scripts/jobs.sh)"
ctest --preset "$preset" "$@"
