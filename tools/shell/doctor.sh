# shellcheck shell=bash
# What the machine needs: Debian packages, each with its reason. The only list of them.

doctor_packages() {
  cat <<'END'
g++                     compiler (C++20)
cmake                   build configuration
ninja-build             build
pkg-config              finds libuv, libsodium, bullet
ccache                  rebuilds cost seconds
mold                    links in a blink
git                     which files belong to the project
libgrpc++-dev           control services
libprotobuf-dev         control messages
protobuf-compiler       control messages, generator
protobuf-compiler-grpc  control services, generator
libuv1-dev              event loop of every process
prometheus-cpp-dev      metrics and the admin port
libsodium-dev           tokens and packet encryption
libbullet-dev           rigid-body physics
libcli11-dev            command lines
libtomlplusplus-dev     settings files
libspdlog-dev           logs
libgtest-dev            tests
libgmock-dev            tests
prometheus              promtool checks metrics; dashboards of `up`
curl                    asks the admin ports
jq                      reads results
clang-format-19         formatting
shellcheck              checks the scripts
codespell               checks the spelling
END
}

doctor_present() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

doctor_missing() {
  local package _why
  while read -r package _why; do
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
  say "installing ${#missing[@]} missing packages, the build needs them: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

doctor() {
  local install=no package why state missing
  case "${1:-}" in
    --install) install=yes ;;
    '') ;;
    *) wrong_usage "doctor takes --install or nothing, not '$1'" ;;
  esac
  doctor_need_debian
  read -ra missing <<<"$(doctor_missing)"
  if [ ${#missing[@]} -gt 0 ] && [ $install = yes ]; then
    doctor_install "${missing[@]}"
    read -ra missing <<<"$(doctor_missing)"
  fi
  while read -r package why; do
    state=present
    doctor_present "$package" || state=MISSING
    printf '%-24s %-8s %s\n' "$package" $state "$why"
  done < <(doctor_packages)
  if [ ${#missing[@]} -gt 0 ]; then
    printf '\n%d missing. Remedy: apt-get install %s   (or ./perigee doctor --install)\n' \
      ${#missing[@]} "${missing[*]}"
    return 1
  fi
  printf '\nAll packages are present.\n'
}

# Before long work: silent when all is there, installs as root, else stops with the remedy.
doctor_ensure() {
  local missing
  doctor_need_debian
  read -ra missing <<<"$(doctor_missing)"
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] ||
    fail "missing packages: ${missing[*]}. Remedy: ./perigee doctor --install (asks sudo)"
  doctor_install "${missing[@]}"
}
