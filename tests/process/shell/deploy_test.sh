#!/usr/bin/env bash
# The deployment files are what their readers accept (mission D7). Exit code 77: that reader is not installed.
#   deploy_test.sh prometheus|compose ROOT
set -euo pipefail
cd "$2/deploy"
need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }
case "$1" in
  prometheus)
    need promtool
    promtool check config prometheus/prometheus.yml
    ;;
  compose)
    need docker-compose
    docker-compose -f compose.yml config --quiet
    # Only loopback is published unless the operator names another address.
    published=$(docker-compose -f compose.yml config | awk '/ports:/ { on = 1; next } on && /^ *- / { print; next } { on = 0 }')
    if grep -v '127\.0\.0\.1:' <<<"$published"; then
      echo "published beyond loopback"
      exit 1
    fi
    ;;
esac
