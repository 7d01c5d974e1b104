#!/usr/bin/env bash
# Usage: huge_pages_test.sh ROOT. Every way of starting a worker asks for huge pages (docs/decisions/0127),
# and this machine's C library knows the setting: it ignores a name that it does not know.
set -euo pipefail
root=$1 setting=glibc.malloc.hugetlb=1
for file in deploy/compose.yml deploy/kubernetes/base/sim.yaml deploy/systemd/perigee-sim@.service tools/shell/cluster.sh; do
  grep -qE "^[^#]*GLIBC_TUNABLES.*$setting" "$root/$file" || { echo "$file does not set GLIBC_TUNABLES to $setting"; exit 1; }
done
loader=$(ldd /bin/sh | sed -n 's/^\s*\(\/[^ ]*ld-[^ ]*\) .*/\1/p')
known=$("$loader" --list-tunables)
grep -q "^${setting%=*}:" <<<"$known" || { echo "$loader does not know ${setting%=*}"; exit 1; }
