# shellcheck shell=bash disable=SC2154  # me is of ./perigee
# Messages to the user at the terminal: progress goes to standard error, results to standard output.

say() { printf '==> %s\n' "$*" >&2; }
fail() {
  printf 'perigee: %s\n' "$*" >&2
  exit 1
}
wrong_usage() {
  printf 'perigee: %s; see '"$me"' --help\n' "$*" >&2
  exit 2
}
