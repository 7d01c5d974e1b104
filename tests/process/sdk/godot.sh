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
cargo build --locked --offline --quiet --no-default-features --lib --example walk
cargo test --locked --offline --quiet --no-default-features --lib
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
echo 'nine bytes' >no_token
said=$("$walk" "$library" no_token || true)
[ "$said" = 'the token is none; log in again' ] || { echo "of a wrong token: $said"; exit 1; }

# The structs of src/api.rs have their fields where C has them.
"$root/tests/process/sdk/layout.sh" "$root/client/include/perigee/client/perigee_client.h" >layout
awk -v api="$crate/src/api.rs" '
  function snake(word,   i, letter, out) {
    for (i = 1; i <= length(word); ++i) {
      letter = substr(word, i, 1)
      out = out (i > 1 && letter ~ /[A-Z]/ ? "_" : "") tolower(letter)
    }
    return out
  }
  BEGIN {
    print "use perigee_godot::api::*;\nuse std::mem::{offset_of, size_of};\nfn main() {"
    while ((getline line <api) > 0) {
      if (line == "#[repr(C)]") of_c = 1
      if (of_c && split(line, words, " ") > 2 && words[2] == "struct") {
        declared[snake(words[3])] = words[3]
        of_c = 0
      }
    }
  }
  !($1 in declared) { next }
  { field = $2 == "type" ? "type_id" : $2 }
  field == "-" { what = "size_of::<" declared[$1] ">()"; compared[$1] = 1 }
  field != "-" { what = "offset_of!(" declared[$1] ", " field ")" }
  { printf "    assert_eq!(%s, %s, \"%s.%s\");\n", what, field == "-" ? $4 : $3, $1, $2 }
  END {
    for (name in declared) if (!(name in compared)) printf "    compile_error!(\"C has no struct %s\");\n", name
    print "}"
  }
' layout >layout.rs
grep -q 'offset_of!(Telemetry, largest_correction_m)' layout.rs
rustc --edition 2021 layout.rs -L "dependency=$CARGO_TARGET_DIR/debug/deps" \
  --extern "perigee_godot=$CARGO_TARGET_DIR/debug/libperigee_godot.rlib" -o layout_rust
./layout_rust

# An export takes along what the extension's file names: for each of its libraries one of the game, which the script looks for.
python3 -B - "$crate/addons/perigee" <<'PY'
import configparser
import json
import pathlib
import re
import sys
addon = pathlib.Path(sys.argv[1])
extension = configparser.ConfigParser(delimiters="=")
extension.read(addon / "perigee.gdextension")
script = (addon / "perigee_world.gd").read_text()
names = json.loads(re.search(r"const LIBRARIES := (\{.*\})", script)[1])
for platform in extension["libraries"]:
    taken = json.loads(extension["dependencies"][platform])
    wanted = names[platform.split(".")[0].capitalize()]
    assert taken == {wanted: ""}, f"{platform}: the export has {taken}, the script looks for {wanted}"
PY

case "${PERIGEE_TEST_LENGTH:-}" in quick | gate) exit 0 ;; esac
cd "$crate"
cargo build --locked --offline --quiet
entry=$(sed -n 's/^entry_symbol = "\(.*\)"/\1/p' addons/perigee/perigee.gdextension)
nm -D --defined-only "$CARGO_TARGET_DIR/debug/libperigee_godot.so" | grep -q " T $entry\$" ||
  { echo "the extension has no function $entry"; exit 1; }
cargo clippy --locked --offline --quiet -- -D warnings
