#!/usr/bin/env bash
# Installs the Python package as users do, into a fresh virtual environment below build/, and runs its tests and examples.
# usage: [PYTHON=python3.12] scripts/python_test.sh [PYTEST-ARGUMENT...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh python3-venv python3-dev
python=${PYTHON:-/usr/bin/python3}
environment=build/python-venv
"$python" -m venv --clear "$environment"

# The compiler that the presets take, not the name of it that Python was built with: ccache tells them apart.
export CXX=${CXX:-c++}
CMAKE_BUILD_PARALLEL_LEVEL=$(scripts/jobs.sh)
export CMAKE_BUILD_PARALLEL_LEVEL
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
"$environment/bin/pip" install --quiet '.[test]'

# From elsewhere, so that the installed package is what is imported.
root=$PWD
cd "$environment"
bin/python -m pytest "$root/tests/python" "$@"
for example in "$root"/examples/python/*.py; do
  printf '\n$ python %s\n' "${example#"$root/"}"
  bin/python "$example"
done
