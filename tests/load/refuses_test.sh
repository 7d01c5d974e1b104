#!/usr/bin/env bash
# perigee-flood exits with code 2 and one line for every target that is not loopback.
set -euo pipefail
flood=$1
for target in 10.0.0.1:40000 0.0.0.0:40000 192.0.2.1:9 128.0.0.1:9 '[::1]:9' localhost:9 127.0.0.1; do
  code=0
  said=$("$flood" --to "$target" --seconds 0.01 2>&1) || code=$?
  if [ $code != 2 ] || [[ $said != *refused* ]]; then
    printf '%s ended with %s and said: %s\n' "$target" "$code" "$said"
    exit 1
  fi
done
