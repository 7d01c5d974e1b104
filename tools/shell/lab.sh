# shellcheck shell=bash disable=SC2154  # installed, root, here, called_from are of ./perigee
# The lab: the whole cluster on virtual time.

lab_command() {
  local lab commit=''
  doctor_ensure build
  build_processes perigee-lab
  lab=$(readlink -f "$(binary_of perigee-lab)")
  [ -n "$installed" ] || commit=$(bench_commit)
  (cd "$called_from" && PERIGEE_COMMIT=${commit:-unknown} "$lab" "$@")
}
