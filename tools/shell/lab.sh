# shellcheck shell=bash
# The lab: the whole cluster on virtual time.

lab_command() {
  doctor_ensure build
  build release perigee-lab
  PERIGEE_COMMIT=$(bench_commit) build/release/lab/perigee-lab "$@"
}
