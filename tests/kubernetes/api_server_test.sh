#!/usr/bin/env bash
# The manifests on a real API server, with controllers and scheduler, and nodes that kwok plays: both overlays are applied,
# every pod is placed, workers grow from two to four and shrink again, the newest first, gateways are rolled one at a time, and
# wrong fields are refused by name. Only with a long run, and only where go is present: it compiles Kubernetes.
#   api_server_test.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
[ "${PERIGEE_TEST_LENGTH:-}" = long ] || { echo 'skipped: only with a long run'; exit 77; }
PATH=$PATH:/usr/local/go/bin
for program in go etcd kubectl openssl jq; do
  command -v $program >/dev/null || { echo "skipped: missing: $program"; exit 77; }
done
kubectl apply --help | grep -q -e --server-side || { echo 'skipped: this kubectl has no apply --server-side'; exit 77; }
cert_manager=1.21.2 prometheus_operator=0.85.0
folder=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
# shellcheck source=tests/kubernetes/api_server.sh
. "$here/api_server.sh"
trap 'end_all; rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }
ours() { kubectl -n perigee "$@"; }

build_programs || { echo 'skipped: Kubernetes cannot be compiled here'; exit 77; }
began=$SECONDS
begin_cluster
nodes 3 6 | kubectl apply -f - >/dev/null
comes 60 kubectl wait --for=condition=Ready node --all --timeout=1s || fail "no nodes: $(tail -5 "$folder/kwok.log")"
echo "API server $(kubectl version -o json | jq -r .serverVersion.gitVersion) and 3 nodes: $((SECONDS - began)) s"

# Everything is running. PODS: the expected number.
all_run() { # PODS
  local phases
  phases=$(ours get pods -o json | jq -r '.items[] | select(all(.status.conditions[]?; .type != "Ready" or .status == "True")) | .status.phase')
  [ "$(grep -c Running <<<"$phases")" = "$1" ] && [ "$(ours get pods -o name | wc -l)" = "$1" ]
}
names() { ours get pods -l app.kubernetes.io/component="$1" -o json | jq -r '.items[] | select(.metadata.deletionTimestamp | not) | .metadata.name' | sort | paste -sd' '; }
workers_are() { [ "$(names sim)" = "$1" ]; }

# Workers grow and shrink; the newest go first. Where an autoscaler decides, another `apply` leaves its number alone.
scale_workers() { # OVERLAY
  ours scale statefulset/perigee-sim --replicas 4 >/dev/null
  comes 180 workers_are 'perigee-sim-0 perigee-sim-1 perigee-sim-2 perigee-sim-3' || fail "workers: $(names sim)"
  if [ "$1" = prod ]; then
    apply prod
    [ "$(ours get statefulset/perigee-sim -o jsonpath='{.spec.replicas}')" = 4 ] || fail 'apply has set the number of workers'
  fi
  ours scale statefulset/perigee-sim --replicas 2 >/dev/null
  comes 180 workers_are 'perigee-sim-0 perigee-sim-1' || fail "workers: $(names sim)"
}

roll_gateways() { # GATEWAYS
  local former unavailable least=$1
  former=$(names gateway)
  ours rollout restart deployment/perigee-gateway >/dev/null
  until ours rollout status deployment/perigee-gateway --timeout=1s >/dev/null 2>&1; do
    unavailable=$(ours get deployment/perigee-gateway -o json | jq '.status.availableReplicas // 0')
    [ "$unavailable" -ge "$least" ] || least=$unavailable
    [ $((SECONDS - began)) -lt 1200 ] || fail 'the gateways are not rolled'
  done
  [ "$(names gateway)" != "$former" ] || fail 'the gateways are the same as before'
  [ "$1" = 1 ] || [ "$least" -ge $(($1 - 1)) ] || fail "only $least of $1 gateways were there"
}

apply() { # OVERLAY
  kubectl apply --server-side -k "$root/deploy/kubernetes/overlays/$1" >"$folder/applied" || fail "$1 is refused"
}

overlay() { # NAME PODS GATEWAYS
  kubectl create namespace perigee >/dev/null
  "$root/deploy/kubernetes/secrets.sh" | kubectl create -f - >/dev/null
  apply "$1"
  comes 240 all_run "$2" || fail "$1: $(ours get pods; ours get events | tail -5)"
  scale_workers "$1"
  comes 180 all_run "$2" || fail "$1: $(ours get pods)"
  roll_gateways "$3"
  comes 180 all_run "$2" || fail "$1: $(ours get pods)"
  echo "$1: $(wc -l <"$folder/applied") objects, $2 pods running; workers 2, 4, 2; $3 gateways rolled"
}

refused() { # FILE FORMER PRESENT SENTENCE
  local said
  sed "s/$2/$3/" "$root/deploy/kubernetes/base/$1" >"$folder/wrong.yaml"
  cmp -s "$root/deploy/kubernetes/base/$1" "$folder/wrong.yaml" && fail "$1 does not have $2"
  said=$(ours apply --server-side --dry-run=server -f "$folder/wrong.yaml" 2>&1) && fail "$3 is accepted"
  [[ $said == *"$4"* ]] || fail "$3: $said"
  echo "refused: $(grep -o "[^:]*$4.*" <<<"$said" | head -1)"
}

overlay dev 6 1
refused sim.yaml 'replicas: 2' 'replica: 2' 'spec.replica'
refused sim.yaml 'kind: StatefulSet' 'kind: StatefullSet' 'StatefullSet'
refused gateway.yaml 'maxSurge: 0, maxUnavailable: 1' 'maxSurge: 0, maxUnavailable: 0' 'maxUnavailable'
refused gateway.yaml 'protocol: UDP}' 'protocol: UPD}' 'UPD'
kubectl delete namespace perigee --timeout=300s >/dev/null

for module in github.com/cert-manager/cert-manager@v$cert_manager github.com/prometheus-operator/prometheus-operator@v$prometheus_operator; do
  crds=$(cd "$folder" && go mod download -json "$module" | jq -r .Dir)
  for file in "$crds"/deploy/crds/cert-manager.io_{certificates,issuers}.yaml "$crds"/example/prometheus-operator-crd/*_servicemonitors.yaml; do
    [ ! -f "$file" ] || kubectl apply --server-side -f "$file" >/dev/null
  done
done
kubectl wait --for=condition=Established crd --all --timeout=60s >/dev/null
overlay prod 12 3
