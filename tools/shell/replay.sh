# shellcheck shell=bash
# What a flight recorder wrote down runs again.

replay_command() {
  doctor_ensure build
  build release perigee-replay
  build/release/sim/replay/perigee-replay "$@"
}
