# shellcheck shell=bash
# Replays flight recordings.

replay_command() {
  doctor_ensure build
  build release perigee-replay
  build/release/sim/replay/perigee-replay "$@"
}
