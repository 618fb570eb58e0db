#!/usr/bin/env bash
# Prints how many compilers to run at once: one a core, but no more than fit into the free memory at 1.5 GiB each.
set -euo pipefail

cores=$(nproc)
free_kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
# A container's limit can be below the machine's memory.
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)
if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < free_kib)); then free_kib=$((limit / 1024)); fi
fit=$((free_kib / 1572864))
jobs=$((fit < cores ? fit : cores))
echo $((jobs < 1 ? 1 : jobs))
