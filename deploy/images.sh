#!/usr/bin/env bash
# The images perigee:local and perigee-prometheus:local from the binaries that this machine built;
# `docker build -f deploy/Dockerfile --target perigee` compiles inside instead and needs no compiler here.
#   deploy/images.sh
set -euo pipefail
cd "$(dirname "$0")/.."
docker=docker
[ ! -x /usr/bin/docker ] || docker=/usr/bin/docker
processes=(perigee-directory perigee-session perigee-gateway perigee-sim perigee-bots perigee-ctl)

deploy/base-image.sh
"$docker" build -q -f deploy/Dockerfile --target runtime -t perigee-runtime:local . >/dev/null
"$docker" build -q -f deploy/Dockerfile --target prometheus -t perigee-prometheus:local . >/dev/null

./perigee build release "${processes[@]}"
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
for process in "${processes[@]}"; do
  install -s -t "$context" "$(find build/release -name "$process" -type f -perm -u+x | head -1)"
done
"$docker" build -q -f deploy/Dockerfile.host -t perigee:local "$context" >/dev/null
for image in perigee perigee-prometheus; do
  "$docker" image inspect -f "$image:local {{.Size}}" $image:local | awk '{ printf "%s %d MB\n", $1, $2 / 1e6 }'
done
