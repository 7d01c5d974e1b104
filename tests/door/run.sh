#!/usr/bin/env bash
# Tests of the door. Skipped where cargo is missing, or cannot fetch the crates; and in `./perigee test`,
# because the crates take 100 s of processor time: --long builds the door and plays through it.
#   run.sh parts     its own tests: watched files, header, limits, settings
#   run.sh browser   players in Chromium, through the door, in a cluster
#   run.sh load      prints the processor time of a relayed datagram; builds the door for release
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
door=$here/../../door
skip() { echo "skipped: $1"; exit 77; }

case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) skip "a long run builds it" ;; esac
export CARGO_TARGET_DIR=${PERIGEE_DOOR_BUILD:-$here/../../build/door}
# shellcheck source=/dev/null
[ ! -f "$HOME/.cargo/env" ] || . "$HOME/.cargo/env"
command -v cargo >/dev/null || skip "cargo is not installed (from rustup.rs: Debian's is too old)"
needs=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$door/Cargo.toml")
has=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n' "$needs" "$has" | sort -V | head -n 1)" = "$needs" ] || skip "rustc $has is older than $needs"
cd "$door"
cargo fetch --locked --quiet || skip "cargo cannot fetch the crates; is there a network?"

case "${1:-}" in
  parts) exec cargo test --locked --offline --quiet ;;
  browser)
    missing=$(node --input-type=module -e "console.log(await (await import('$here/../console/browser.mjs')).lacks())") ||
      skip "node is not installed (package nodejs)"
    [ -z "$missing" ] || skip "$missing"
    cargo build --locked --offline --quiet
    PERIGEE_DOOR_BINARY=$CARGO_TARGET_DIR/debug/perigee-door exec node --test --test-timeout=600000 "$here/door.test.mjs"
    ;;
  load)
    cargo build --release --locked --offline --quiet --example load --bins
    key=$(mktemp)
    trap 'rm -f "$key"' EXIT
    printf '%064d\n' 1 >"$key"
    shift
    "$CARGO_TARGET_DIR/release/examples/load" "$CARGO_TARGET_DIR/release/perigee-door" "$key" "$@"
    ;;
  *) echo "run.sh takes parts, browser or load" >&2; exit 2 ;;
esac
