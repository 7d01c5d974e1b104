#!/usr/bin/env bash
# The units of deploy/systemd: systemd accepts them without a complaint, each is as locked up as docs/systemd.md says, each
# program accepts its command line with the example of settings, and mistakes are found.
#   systemd_test.sh ROOT BUILD_DIR
set -euo pipefail
root=$1 build=$2
command -v systemd-analyze >/dev/null || { echo 'skipped: missing: systemd-analyze'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }

# A root with the units alone, their targets, and programs of their names.
units=$folder/root/usr/lib/systemd/system
mkdir -p "$units" "$folder/root/usr/bin"
ln -s usr/lib "$folder/root/lib"
cp /lib/systemd/system/*.target /lib/systemd/system/-.slice "$units" 2>/dev/null || cp /lib/systemd/system/*.target "$units"
cp "$root"/deploy/systemd/*.service "$units"
for program in /usr/bin/kill /usr/bin/sh; do install "$program" "$folder/root/usr/bin/"; done
for unit in "$root"/deploy/systemd/*.service; do
  install /usr/bin/true "$folder/root/usr/bin/$(basename "${unit%%[@.]service}" .service | tr -d @)"
done
verify() { systemd-analyze verify --man=no --recursive-errors=no --root="$folder/root" "$@" 2>&1; }

for unit in "$root"/deploy/systemd/*.service; do
  name=$(basename "$unit")
  instance=${name/@/@0}
  said=$(verify "$instance") || fail "$name: $said"
  [ -z "$said" ] || fail "$name: $said"
  page=$(awk -F'|' -v unit="\`${name%.service}\`" '$2 ~ unit { gsub(/ /, "", $4); print $4; exit }' "$root/docs/systemd.md")
  figure=$(systemd-analyze security --offline=true --no-pager "$unit" 2>/dev/null | grep -oE '[0-9.]+ [A-Z]+' | tail -1)
  [ "${figure% *}" = "$page" ] || fail "$name: systemd-analyze security says $figure, and docs/systemd.md $page"
  # The command line, with the settings of the example switched on.
  for settings in perigee rooms; do
    sed -E 's/^# ?(\[|[a-z_]+ *= )/\1/' "$root/deploy/systemd/$settings.toml" >"$folder/$settings.toml"
    grep -q '^world_store' "$folder/$settings.toml" || fail 'the example of settings has changed its form'
  done
  read -ra command <<<"$(sed -n 's/^ExecStart=//p' "$unit" |
    sed -e "s,/etc/perigee,$folder," -e "s,%S,$folder," -e 's,%i,0,')"
  program=$(find "$build" -type f -perm -u+x -name "${command[0]}" | head -1)
  "$program" "${command[@]:1}" --check-config >/dev/null || fail "$name: its command line is refused"
  echo "$name: $figure"
done

# The checks can fail.
sed -i 's/^ProtectSystem=strict/ProtectSistem=strict/' "$units/perigee-sim@.service"
said=$(verify perigee-sim@0.service || true)
[[ $said == *ProtectSistem* ]] || fail 'a misspelt key is not found'
sed -i 's/^ExecStart=perigee-gateway/ExecStart=perigee-gatway/' "$units/perigee-gateway.service"
said=$(verify perigee-gateway.service || true)
[[ $said == *'perigee-gatway is not executable'* ]] || fail 'a missing program is not found'
