#!/usr/bin/env bash
# The images perigee:local, perigee-prometheus:local and perigee-etcd:local.
#   deploy/images.sh                 from binaries built on this machine (Debian 12): seconds
#   deploy/images.sh --multi-stage   compiled inside: needs no compiler here, takes minutes
set -euo pipefail
cd "$(dirname "$0")/.."
docker=docker
[ ! -x /usr/bin/docker ] || docker=/usr/bin/docker
processes=(perigee-directory perigee-session perigee-gateway perigee-sim perigee-console perigee-bots
           perigee-ctl perigee-replay perigee-rooms)
image() { # NAME TARGET
  "$docker" build -q -f deploy/Dockerfile --target "$2" -t "$1:local" . >/dev/null
}

# Thin: the runtime image and the binaries.
from_this_machine() {
  local process context
  image perigee-runtime runtime
  ./perigee build release "${processes[@]}"
  context=$(mktemp -d)
  # shellcheck disable=SC2064  # its value now
  trap "rm -rf '$context'" EXIT
  for process in "${processes[@]}"; do
    install -s -t "$context" "$(find build/release -name "$process" -type f -perm -u+x | head -1)"
  done
  "$docker" build -q -f deploy/Dockerfile.host -t perigee:local "$context" >/dev/null
}

case "$*" in
  '' | --multi-stage) ;;
  *) echo "usage: deploy/images.sh [--multi-stage]" >&2; exit 2 ;;
esac
deploy/base-image.sh
image perigee-prometheus prometheus
image perigee-etcd etcd
began=$SECONDS
if [ "${1:-}" = --multi-stage ]; then image perigee perigee; else from_this_machine; fi
echo "images: perigee:local took $((SECONDS - began)) s"
for name in perigee perigee-prometheus perigee-etcd; do
  "$docker" image inspect -f "$name:local {{.Size}}" $name:local | awk '{ printf "%s %d MB\n", $1, $2 / 1e6 }'
done
