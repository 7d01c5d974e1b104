# shellcheck shell=bash disable=SC2154  # installed, root, here, called_from are of ./perigee
# Replays flight recordings.

replay_command() {
  local replay
  build_processes perigee-replay
  replay=$(readlink -f "$(binary_of perigee-replay)")
  (cd "$called_from" && "$replay" "$@")
}
