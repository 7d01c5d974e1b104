#!/usr/bin/env bash
# The extension's player for Godot plays, without Godot. A long run also builds the extension, in two minutes. In an empty
# folder:
#   godot.sh ROOT LIBRARY URL CREDENTIAL
set -euo pipefail
root=$1 library=$2 url=$3 credential=$4
skip() { echo "skipped: $1"; exit 77; }
# shellcheck source=/dev/null
[ ! -f "$HOME/.cargo/env" ] || . "$HOME/.cargo/env"
command -v cargo >/dev/null || skip "cargo is not installed (from rustup.rs: Debian's is too old)"
crate=$root/sdk/godot
needs=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$crate/Cargo.toml")
has=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n' "$needs" "$has" | sort -V | head -n 1)" = "$needs" ] || skip "rustc $has is older than $needs"
export CARGO_TARGET_DIR=$root/build/godot
cd "$crate"
cargo fetch --locked --quiet || skip "cargo cannot fetch the crates; is there a network?"
cargo fmt --check >/dev/null || { echo 'sdk/godot: run cargo fmt'; exit 1; }
cargo build --locked --offline --quiet --no-default-features --example walk
cd "$OLDPWD"
walk=$CARGO_TARGET_DIR/debug/examples/walk
read -r wire_version schema_hash < <("$walk" "$library")
PYTHONPATH=$root/sdk/python python3 -B - "$url" "$credential" "$wire_version" "$schema_hash" <<'PY'
import sys
import perigee
url, credential, wire_version, schema_hash = sys.argv[1:]
reply = perigee.log_in(url, "Ada", credential, int(wire_version), int(schema_hash))
open("token", "wb").write(reply.connect_token)
PY
"$walk" "$library" token | tee said
metres=$(sed -n 's/^Ada walked \([0-9.]*\) m as character, [23] shots, [1-9][0-9]* entities, [0-9]* corrections$/\1/p' said)
awk -v metres="${metres:-0}" 'BEGIN { exit !(metres > 1) }' || { echo "walked: '$metres' m"; exit 1; }
said=$("$walk" libc.so.6 || true)
[[ $said == *'no client library'*'perigee_client_abi' ]] || { echo "of another library: $said"; exit 1; }

case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) exit 0 ;; esac
cd "$crate"
cargo build --locked --offline --quiet
entry=$(sed -n 's/^entry_symbol = "\(.*\)"/\1/p' addons/perigee/perigee.gdextension)
nm -D --defined-only "$CARGO_TARGET_DIR/debug/libperigee_godot.so" | grep -q " T $entry\$" ||
  { echo "the extension has no function $entry"; exit 1; }
cargo clippy --locked --offline --quiet -- -D warnings
