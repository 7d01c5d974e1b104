# shellcheck shell=bash
# Debian packages that the machine needs, each with its reason. The only list of them. `build`
# suffices to compile (deploy/Dockerfile), `up` needs `run` too, `work` is for testing and checking,
# `bench` for the programs that benchmarks compare with; `sdk` is optional: tests skip what it is for.

doctor_packages() {
  cat <<'END'
g++                        build  compiler (C++20)
cmake                      build  build configuration
ninja-build                build  build
pkg-config                 build  finds libuv, libsodium, bullet
ccache                     build  faster rebuilds
mold                       build  fast linking
git                        work   lists the project's files
libgrpc++-dev              build  control services
libprotobuf-dev            build  control messages
protobuf-compiler          build  control messages, generator
protobuf-compiler-grpc     build  control services, generator
libuv1-dev                 build  event loop of every process
prometheus-cpp-dev         build  metrics and the admin port
libsodium-dev              build  tokens and packet encryption
openssl                    run    certificates inside a cluster
libssl-dev                 build  TLS, and the signatures of players' tokens
libsqlite3-dev             build  the session store, the world store in a file
libicu-dev                 build  characters allowed in players' names
libpq-dev                  build  the world store on a server
libwebsockets-dev          build  the console: HTTP and WebSockets
libcurl4-openssl-dev       build  the console: queries to Prometheus; webhooks; traces
libbullet-dev              build  rigid-body physics
libcli11-dev               build  command lines
libtomlplusplus-dev        build  settings files
libspdlog-dev              build  logs
nlohmann-json3-dev         build  figures as JSON
libtinygltf-dev            build  perigee-level: reads glTF
libpng-dev                 build  perigee-level: reads heightmaps
libgtest-dev               build  tests
libgmock-dev               build  tests
flatbuffers-compiler       build  the wire's comparison in benchmarks, generator
libflatbuffers-dev         build  the same
prometheus                 run    promtool checks metrics; dashboards of `up`
curl                       run    queries the admin ports
jq                         run    reads results
clang-19                   work   compiler of the sanitized and fuzz builds
libclang-rt-19-dev         work   the sanitizers and libFuzzer
clang-format-19            work   formatting
clang-tidy-19              work   static analysis
lld-19                     work   links the browser's module
llvm-19                    work   its archives
libc++-19-dev-wasm32       work   its C++ library
libc++abi-19-dev-wasm32    work   the same
libclang-rt-19-dev-wasm32  work   its compiler runtime
wasi-libc                  work   its C library
dpkg-dev                   work   unpacks the sources of Bullet and libsodium for it
lintian                    work   checks the Debian packages
systemd                    work   checks the units of systemd
nodejs                     work   tests of the browser's client
chromium                   work   tests of the console's pages
nftables                   work   the soak cuts the network between processes
shellcheck                 work   checks the scripts
python3-cryptography       work   an independent netcode 1.02 for comparison
python3-jsonschema         work   checks the manifests of Kubernetes
python3-yaml               work   reads them
codespell                  work   checks the spelling
python3-venv               work   ./perigee docs: its generator, in a folder of its own
postgresql                 work   tests of the world store; Debian starts it on port 5432
etcd-server                work   tests of the coordination store
etcd-client                work   backup and restore in those tests
mono-mcs                   sdk    tests of the package for Unity: compiler of C#
mono-runtime               sdk    the same: runs it
python3-pip                sdk    tests of the package for Python: pip installs it
python3-setuptools         sdk    the same
python3-wheel              sdk    the same
g++-mingw-w64-x86-64-posix sdk    the client library for Windows
wine64                     sdk    tests of it
nginx-light                bench  comparison with the gateway; Debian starts it on port 80
libnginx-mod-stream        bench  its UDP proxy
END
}

doctor_present() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

doctor_missing() { # all|KINDS, such as 'build run'; all is without the optional ones
  local package kind _why
  while read -r package kind _why; do
    { [ "$1" = all ] && [ "$kind" != sdk ]; } || [[ " $1 " == *" $kind "* ]] || continue
    doctor_present "$package" || printf '%s ' "$package"
  done < <(doctor_packages)
}

doctor_need_debian() {
  command -v dpkg-query >/dev/null ||
    fail "this machine has no dpkg; perigee builds from Debian 12 packages (try a debian:bookworm container)"
}

doctor_install() {
  local sudo=() missing=("$@")
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "not root and no sudo: run 'apt-get install ${missing[*]}' as root"
    sudo=(sudo)
  fi
  say "installing ${#missing[@]} missing packages, about half a minute: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! {
    "${sudo[@]}" apt-get update -qq &&
      "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 </dev/null; then
    tail -5 "$log" >&2
    fail "apt-get failed as above (full output: $log)"
  fi
  rm -f "$log"
}

doctor() {
  local install=no which=all package kind why state missing
  case "$*" in
    --install) install=yes ;;
    '--install --build') install=yes which=build ;;
    '') ;;
    *) wrong_usage "doctor takes --install [--build] or nothing, not '$*'" ;;
  esac
  doctor_need_debian
  read -ra missing <<<"$(doctor_missing $which)"
  if [ ${#missing[@]} -gt 0 ] && [ $install = yes ]; then
    doctor_install "${missing[@]}"
    read -ra missing <<<"$(doctor_missing $which)"
  fi
  while read -r package kind why; do
    [ $which = all ] || [ $which = "$kind" ] || continue
    state=present
    doctor_present "$package" || { [ "$kind" = sdk ] && state=optional || state=MISSING; }
    printf '%-26s %-8s %s\n' "$package" $state "$why"
  done < <(doctor_packages)
  printf '\nOptional, and not from Debian: cargo, for the door (docs/door.md) and for Godot (docs/sdk_godot.md).\n'
  if [ ${#missing[@]} -gt 0 ]; then
    printf '\n%d missing. Remedy: apt-get install %s   (or ./perigee doctor --install)\n' \
      ${#missing[@]} "${missing[*]}"
    return 1
  fi
  printf '\nAll packages are present.\n'
}

# Before long work: silent if nothing is missing, installs as root, otherwise stops with the remedy.
doctor_ensure() { # all|KINDS
  local missing program
  if [ -n "$installed" ]; then # its libraries came with the package
    for program in curl jq; do
      command -v "$program" >/dev/null || fail "$program is missing. Remedy: apt-get install $program"
    done
    return
  fi
  doctor_need_debian
  read -ra missing <<<"$(doctor_missing "$1")"
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] ||
    fail "missing packages: ${missing[*]}. Remedy: ./perigee doctor --install (uses sudo)"
  doctor_install "${missing[@]}"
}
