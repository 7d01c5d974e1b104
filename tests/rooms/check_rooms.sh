#!/usr/bin/env bash
# Room rules that the compiler cannot check. Prints file:line of every breach; exit code 1 if any.
#   check_rooms.sh [ROOT]
set -uo pipefail
cd "${1:-$(dirname "$0")/../..}" || exit 2

breaches=0
# Every match of PATTERN in the given places breaks the rule.
forbid() { # RULE PATTERN PLACES...
  local rule=$1 pattern=$2 hits place places=()
  shift 2
  for place in "$@"; do [ -e "$place" ] && places+=("$place"); done
  [ ${#places[@]} -gt 0 ] || return 0
  hits=$(grep -rnE --include='*.hpp' --include='*.cpp' --include='*.h' -- "$pattern" "${places[@]}")
  [ -n "$hits" ] || return 0
  printf '%s\n' "$hits" | sed "s|\$|   <- $rule|"
  breaches=$((breaches + 1))
}

all=(base transport fabric_seal sim client gateway embed services platform storage lab test_bench examples tools tests)
pure=(base transport fabric_seal sim/migration sim/peers/include sim/peers/src sim/world sim/level sim/plugin sim/purity sim/replay/include sim/replay/src sim/games sim/replication client/include client/src client/engine)
# Cores of processes: their shells (shell/, main.cpp) may access the machine, these folders may not.
cores=(gateway/include test_bench embed/include embed/src sim/rooms/include sim/rooms/src sim/worker/include services/session/include services/session/src
       services/directory/include services/directory/src storage/world_keeper/include storage/world_keeper/src)

forbid "rooms are included by their public path, not by climbing" \
  '#include +["<]([^">]*/)?\.\./' "${all[@]}"
forbid "another room's src/ is private" '#include +["<]([^">]*/)?src/' "${all[@]}"

machine='#include +[<"](uv\.h|grpc|google/protobuf|prometheus/|sys/socket\.h|thread>|spdlog/)'
forbid "pure rooms do no I/O and start no threads" "$machine" "${pure[@]}"
forbid "a process's core is driven by (now, event)" "$machine" "${cores[@]}"

forbid "shells write JSON, rooms do not" '#include +[<"]nlohmann/' "${pure[@]}" "${cores[@]}"

# Reads and writes JSON, and is pure otherwise.
json_rooms=(services/accounts platform/tracing/include platform/tracing/src tools/gltf/include tools/gltf/src)
forbid "rooms that read JSON do no I/O and start no threads" "$machine" "${json_rooms[@]}"

forbid "rooms of perigee-level read bytes, not files" "$machine" tools/heightmap

outside='(system|steady|high_resolution)_clock|clock_gettime|gettimeofday|random_device|[^_[:alnum:]](rand|srand)\('
forbid "time and chance come in as arguments" "$outside" "${pure[@]}" "${cores[@]}" "${json_rooms[@]}" tools/heightmap

# If a source has the name and the folder of a header, it must include that header first: nothing else
# proves that the header compiles alone.
while read -r header; do
  room=${header%%/include/*}
  inside=${header#*/include/perigee/*/}
  own=$room/src/${inside%.hpp}.cpp
  [ -e "$own" ] || continue
  first=$(grep -n -m1 '^#include' "$own")
  [ "${first#*:}" = "#include \"${header#*/include/}\"" ] && continue
  printf '%s:%s:   <- a source includes its own header first\n' "$own" "${first%%:*}"
  breaches=$((breaches + 1))
done < <(find "${all[@]}" -path '*/include/perigee/*' -name '*.hpp' 2>/dev/null | sort)

[ $breaches = 0 ] || exit 1
