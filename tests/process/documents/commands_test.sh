#!/usr/bin/env bash
# Tries every command that a block ```sh of the documents prints, in a short form by the rules of
# commands.txt. A command without a rule is a failure, and so is a rule without a command.
#   commands_test.sh ROOT BUILD_DIR [RULES [PAGES]]    PAGES: the folder with the documents
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
rules=$(realpath "${3:-$here/commands.txt}")
pages=$(cd "${4:-$root}" && pwd)

# A separate tree, so that neither a cluster of this tree nor its files are touched.
tree=$(mktemp -d)
trap '(cd "$tree" && ./perigee down) >/dev/null 2>&1; rm -rf "$tree"' EXIT
for entry in "$root"/*; do
  case "${entry##*/}" in build | perigee) ;; *) ln -s "$entry" "$tree" ;; esac
done
mkdir "$tree/build"
ln -s "$build" "$tree/build/release"
awk -v short="$here/short_forms.sh" '{ print } /^done$/ && !n++ { print ". " short }' "$root/perigee" >"$tree/perigee"
chmod +x "$tree/perigee"
cd "$tree"
seq 1 20 2000 >verizon.up
cp tools/scale/coefficients.txt mine.txt
PATH="$tree/programs:$PATH"
mkdir programs
find "$build" -type f -perm -u+x \( -name 'perigee-*' -o -name 'first_game*' -o -name 'first-game*' \) -exec ln -s {} programs/ \;

# PAGE:LINE<tab>COMMAND, one line for each command joined by &&, without comments and a final &.
# Then the commands in backticks, except those with placeholders. CHANGELOG.md is left out, because
# it has old commands.
commands() {
  local page
  (cd "$pages" && find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -name '*.md' ! -name CHANGELOG.md -print | sed 's,^\./,,' | sort) |
    while read -r page; do
      awk -v page="$page" '
        /^```/ { fenced = !fenced; shell = fenced && /^```sh$/; next }
        fenced && !shell && /^(\.\/perigee|build\/release\/) / { print page ":" FNR "\tnot in a block sh: " $0 }
        !fenced {
          for (rest = $0; match(rest, /`[^`]+`/); rest = substr(rest, RSTART + RLENGTH)) {
            span = substr(rest, RSTART + 1, RLENGTH - 2)
            if (span ~ /^(\.\/perigee|ctest|ninja -C) |^build\/release\/tests\// && span !~ /…|<| [A-Z]+( |$)/) print page ":" FNR "\t" span
          }
        }
        !shell { next }
        { sub(/[ \t]+#.*/, ""); line = line $0 }
        sub(/[ \t]*\\$/, " ", line) { next }
        {
          n = split(line, parts, / && /)
          line = ""
          for (i = 1; i <= n; i++) {
            sub(/^[ \t]+/, "", parts[i])
            sub(/[ \t&]+$/, "", parts[i])
            if (parts[i] != "") print page ":" FNR "\t" parts[i]
          }
        }' "$pages/$page"
    done
}

failures=0 skipped=0 named=0 checked=0
fails() { # WHERE SENTENCE
  printf '%s: %s\n' "$1" "$2"
  failures=$((failures + 1))
}

base=
start_cluster() {
  [ -z "$base" ] || return 0
  for _ in 1 2 3; do
    base=$((20000 + (RANDOM % 100) * 100))
    ./perigee up --bots 0 --keep --workers 3 --port-base $base >cluster.log 2>&1 && return
    ./perigee down >/dev/null 2>&1
  done
  echo "no cluster starts: $(tail -3 cluster.log)"
  exit 1
}

try() { # WHERE KIND COMMAND SHORT_FORM
  local code=0 said short option begun=$SECONDS
  case "$2 $4" in
    parses* | knows* | *--check-config | *--plan) checked=$((checked + 1)) ;;
    run\ ls\ * | run\ grep\ * | *' -t query '* | *--gtest_list_tests* | run\ ctest\ *' -N '*) named=$((named + 1)) ;;
  esac
  case "$2" in
    skip) skipped=$((skipped + 1)); return ;;
    asks) start_cluster ;;
    run) if [[ $4 == *'{base+'* || $4 =~ ^\./perigee\ (ctl|bots) ]]; then start_cluster; fi ;;
    knows)
      command -v "${4%% *}" >/dev/null || return 0
      said=$(eval "$4 --help" 2>&1) || code=$?
      for option in $(grep -oE -- ' --[a-z-]+' <<<"$3" || true); do
        [[ $said == *"$option"* ]] || fails "$1" "'$3': $4 --help does not name $option"
      done
      ;;
  esac
  if [ "$2" != knows ]; then
    [ "$2" != parses ] || export ARGUMENTS_ONLY=yes
    short=$4
    while [[ $short =~ \{base\+([0-9]+)\} ]]; do short=${short/"${BASH_REMATCH[0]}"/$((base + BASH_REMATCH[1]))}; done
    for _ in 1 2 3; do # a connection or the join of a bot may take too long on a machine that stalls
      code=0
      said=$(eval "timeout 60 $short" </dev/null 2>&1) || code=$?
      [[ $code = 1 && $short =~ ^\./perigee\ (ctl|bots) && $2 = run ]] || break
    done
    unset ARGUMENTS_ONLY
  fi
  [ $code = 0 ] || { [ "$2" = asks ] && [ $code = 1 ]; } ||
    fails "$1" "'$3' (as '$4') ended with exit code $code: $(tail -2 <<<"$said")"
  [ -z "${TIMES:-}" ] || printf '%4d s  %-6s %s\n' $((SECONDS - begun)) "$2" "$4" >&2
}

# The short form of a command that has just matched: \0 and \1 .. are the match and its groups.
filled_in() { # FORM
  local form=$1 i
  for ((i = 0; i < ${#BASH_REMATCH[@]}; i++)); do form=${form//"\\$i"/"${BASH_REMATCH[i]}"}; done
  printf '%s' "$form"
}

kinds=() patterns=() forms=()
while read -r line; do
  if [[ ! $line =~ ^(run|asks|parses|knows|last|skip)\ +(.*[^ ])\ +'=>'\ +(.+)$ ]]; then
    fails "${rules##*/}" "not a rule: $line"
    continue
  fi
  kinds+=("${BASH_REMATCH[1]}") patterns+=("^${BASH_REMATCH[2]}\$") forms+=("${BASH_REMATCH[3]}")
done < <(grep -vE '^(#|$)' "$rules")

declare -A used=() tried=()
last=()
while IFS=$'\t' read -r where command; do
  for i in "${!kinds[@]}"; do
    [[ $command =~ ${patterns[i]} ]] || continue
    used[$i]=yes
    case "${forms[i]}" in
      =) form=$command ;;
      *) form=$(filled_in "${forms[i]}") ;;
    esac
    once="${kinds[i]} $form"
    [ "${kinds[i]}" != knows ] || once+=" $command"
    [ -z "${tried[$once]:-}" ] || continue 2
    tried[$once]=yes
    case "${kinds[i]}" in
      last) last+=("$where"$'\t'"$command"$'\t'"$form") ;;
      *) try "$where" "${kinds[i]}" "$command" "$form" ;;
    esac
    continue 2
  done
  fails "$where" "no rule for '$command'; add one to ${rules##*/}: how it is run in seconds, or why it is not run"
done < <(commands)
for entry in "${last[@]}"; do
  IFS=$'\t' read -r where command form <<<"$entry"
  try "$where" run "$command" "$form"
done
for i in "${!kinds[@]}"; do
  [ -n "${used[$i]:-}" ] || fails "${rules##*/}" "no document prints a command for this rule: ${kinds[i]} ${patterns[i]}"
done
[ $failures = 0 ] || exit 1
echo "${#tried[@]} short forms: $((${#tried[@]} - checked - named - skipped)) were run, of $checked the arguments were checked, \
$named name what exists, and $skipped have a reason not to be run"
