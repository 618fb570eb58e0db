#!/usr/bin/env bash
# Installs what the build needs and this machine lacks, on Debian 12 and Ubuntu 24.04 or later.
# usage: scripts/setup.sh [PACKAGE...]    PACKAGE: wanted besides those below
set -euo pipefail

packages=(g++ cmake ninja-build libz3-dev libcadical-dev libfmt-dev libspdlog-dev libcli11-dev nlohmann-json3-dev
  libboost-dev libssl-dev zlib1g-dev libgmp-dev libhwy-dev libgtest-dev libbenchmark-dev python3 "$@")

supported() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && [ -r /etc/os-release ] || return 1
  local ID='' VERSION_ID=''
  # shellcheck disable=SC1091
  . /etc/os-release
  case $ID in
    debian) [ "${VERSION_ID%%.*}" -ge 12 ] 2>/dev/null ;;
    ubuntu) [ "${VERSION_ID%%.*}" -ge 24 ] 2>/dev/null ;;
    *) false ;;
  esac
}

if ! supported; then
  echo "setup: not Debian 12 or Ubuntu 24.04: nothing installed. Needed, by their Debian names: ${packages[*]}" >&2
  for program in c++ cmake ninja; do
    command -v "$program" >/dev/null || { echo "setup: $program is missing: install it and the rest of that list" >&2; exit 1; }
  done
  exit 0
fi

installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | sed -n 's/\(:[^ ]*\)\? installed$//p') || true
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=(env DEBIAN_FRONTEND=noninteractive)
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: as root, run: apt-get install ${missing[*]}" >&2; exit 1; }
  # With nobody at the terminal, sudo must fail rather than wait for a password.
  if [ -t 0 ]; then as_root=(sudo "${as_root[@]}"); else as_root=(sudo -n "${as_root[@]}"); fi
fi

echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt_get() { "${as_root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1; }
apt_get update || { cat "$log" >&2; echo "setup: apt-get update failed; trying with the package lists at hand" >&2; }
apt_get install -y --no-install-recommends "${missing[@]}" || { cat "$log" >&2; echo "setup: apt-get could not install ${missing[*]}" >&2; exit 1; }
