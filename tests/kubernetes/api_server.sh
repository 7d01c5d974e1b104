# shellcheck shell=bash
# A Kubernetes without machines: etcd, API server, controllers, scheduler, and nodes that kwok plays. Sourced by
# api_server_test.sh. Everything is in $folder, on ports from $port on, and ends with the shell.

kubernetes=1.37.2 kwok=0.8.0
: "${folder:?}" "${port:?}"
programs=${PERIGEE_KUBERNETES_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/perigee/kubernetes-$kubernetes}
started=()
# Debian's etcd 3.4 does not report the progress of watches, which newer clients ask for.
export KUBE_FEATURE_WatchListClient=false

# Eight minutes of processor time at first; later runs take what is there.
build_programs() {
  local sources staging name
  [ -d "$programs/stages" ] && return
  sources=$(mktemp -d -p "$folder")
  mkdir -p "$programs"
  (
    cd "$sources"
    export GOFLAGS=-mod=mod GOTOOLCHAIN=local
    go mod init perigee.test/kubernetes
    go mod edit -require=k8s.io/kubernetes@v$kubernetes
    # Kubernetes names the modules that it publishes itself by v0.0.0.
    staging=$(go mod download -json k8s.io/kubernetes@v$kubernetes | jq -r .GoMod)
    while read -r name; do
      go mod edit -replace="$name=$name@v0${kubernetes#1}"
    done < <(awk '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" { print $1 }' "$staging")
    for name in kube-apiserver kube-controller-manager kube-scheduler; do
      go get k8s.io/kubernetes/cmd/$name
      nice -n 19 go build -ldflags="-s -w -X k8s.io/component-base/version.gitVersion=v$kubernetes" -o "$programs/$name" k8s.io/kubernetes/cmd/$name
    done
    GOBIN=$programs GOFLAGS='' nice -n 19 go install sigs.k8s.io/kwok/cmd/kwok@v$kwok
    mkdir "$programs/stages.new" # how its nodes and pods become ready, and end
    cp "$(go mod download -json sigs.k8s.io/kwok@v$kwok | jq -r .Dir)"/kustomize/stage/{node/fast/node,pod/fast/pod}-*.yaml "$programs/stages.new"
    mv "$programs/stages.new" "$programs/stages"
  ) >"$folder/build.log" 2>&1 || { tail -20 "$folder/build.log"; return 1; }
}

begin() { # NAME COMMAND…
  local name=$1
  shift
  "$@" >"$folder/$name.log" 2>&1 &
  started+=($!)
}
end_all() {
  local pid
  for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done # nothing of theirs is kept
  wait 2>/dev/null || true
}
comes() { # SECONDS COMMAND…
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $until ] || return 1
    sleep 0.5
  done
}

begin_cluster() {
  local stage etcd=http://127.0.0.1:$port peers=http://127.0.0.1:$((port + 1)) api=https://127.0.0.1:$((port + 2)) token
  token=$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n')
  echo "$token,admin,admin,system:masters" >"$folder/tokens"
  openssl genrsa -out "$folder/accounts.key" 2048 2>/dev/null
  begin etcd etcd --data-dir "$folder/etcd" --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
    --listen-peer-urls "$peers" --initial-advertise-peer-urls "$peers" --initial-cluster "default=$peers"
  begin apiserver "$programs/kube-apiserver" --etcd-servers="$etcd" --bind-address=127.0.0.1 --secure-port=$((port + 2)) \
    --cert-dir="$folder/certificates" --token-auth-file="$folder/tokens" --authorization-mode=RBAC \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$folder/accounts.key" \
    --service-account-signing-key-file="$folder/accounts.key" --service-cluster-ip-range=10.99.0.0/16
  export KUBECONFIG=$folder/kubeconfig
  cat >"$KUBECONFIG" <<END
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "$api", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: $token}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
END
  comes 120 kubectl get --raw /readyz || { tail -20 "$folder/apiserver.log"; return 1; }
  # Nodes of kwok send no signs of life.
  begin controllers "$programs/kube-controller-manager" --kubeconfig="$KUBECONFIG" --leader-elect=false --secure-port=$((port + 3)) \
    --cert-dir="$folder/certificates-2" --node-monitor-grace-period=1h --service-account-private-key-file="$folder/accounts.key" --use-service-account-credentials=false
  begin scheduler "$programs/kube-scheduler" --kubeconfig="$KUBECONFIG" --leader-elect=false --secure-port=$((port + 4)) \
    --cert-dir="$folder/certificates-3"
  local stages=()
  for stage in "$programs"/stages/*.yaml; do stages+=(--config="$stage"); done
  begin kwok "$programs/kwok" "${stages[@]}" --kubeconfig="$KUBECONFIG" --manage-all-nodes=true --server-address=127.0.0.1:$((port + 5)) --node-ip=10.98.0.1
}

nodes() { # NODES DISKS
  local i
  for ((i = 0; i < $1; i++)); do
    cat <<END
---
apiVersion: v1
kind: Node
metadata: {name: node-$i, labels: {kubernetes.io/hostname: node-$i, perigee/gateway: "true"}}
status:
  allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
  capacity: {cpu: "8", memory: 32Gi, pods: "110"}
END
  done
  for ((i = 0; i < $2; i++)); do
    cat <<END
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk-$i}
spec: {capacity: {storage: 4Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /nowhere}, persistentVolumeReclaimPolicy: Delete}
END
  done
}
