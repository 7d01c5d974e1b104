#!/usr/bin/env bash
# Prints the Secrets of a new cluster, with keys drawn now: backend.key of session service and gateways,
# the credential of players for development, and the console's token.
#   deploy/kubernetes/secrets.sh [NAMESPACE] | kubectl create -f -      # `create`, so that no present key is replaced
set -euo pipefail
if [ $# -gt 1 ] || ! [[ ${1:-perigee} =~ ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$ ]]; then
  echo "usage: secrets.sh [NAMESPACE]" >&2
  exit 2
fi
secret() { # NAME FILE
  local key
  key=$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: %s}\nstringData: {%s: "%s\\n"}\n' \
    "$1" "$namespace" "$2" "$key"
}
namespace=${1:-perigee}
secret perigee-backend backend.key
secret perigee-players dev_secret
secret perigee-console console_token
