# shellcheck shell=bash
# House checks: formatting, room rules, clang-tidy, protos, shell scripts, spelling.

need_tool() { # TOOL PACKAGE
  command -v "$1" >/dev/null || fail "$1 is missing. Remedy: apt-get install $2 (or ./perigee doctor --install)"
}

fmt_command() {
  need_tool clang-format-19 clang-format-19
  git ls-files -z '*.cpp' '*.hpp' | xargs -0 -r clang-format-19 -i
}

check_one() { # NAME COMMAND...
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
}

check_format() { git ls-files -z '*.cpp' '*.hpp' | xargs -0 -r clang-format-19 --dry-run -Werror; }
check_scripts() { git ls-files -z perigee .ci/run '*.sh' | xargs -0 -r shellcheck; }
check_spelling() {
  git ls-files -z -- ':!*.svg' ':!*.json' | xargs -0 -r codespell --ignore-words tools/shell/spelling.txt
}

# The rooms that the set of .clang-tidy is clean on; the others join when they are mended.
tidy_rooms=(client/engine client/src transport/src sim/replication/src sim/world/src gateway/src)

# Their sources that differ from main, committed or not; --all: every one. Headers are seen through
# the sources that include them: a changed header names the sources of its room.
tidy_files() { # changed|all
  if [ "$1" = all ]; then
    git ls-files "${tidy_rooms[@]/%//*.cpp}"
    return
  fi
  local base
  base=$(git merge-base main HEAD 2>/dev/null) || base=HEAD
  {
    git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
    git ls-files --others --exclude-standard -- '*.cpp' '*.hpp'
  } | while read -r file; do
    case "$file" in
      *.cpp) printf '%s\n' "$file" ;;
      *) git ls-files "${file%%/include/*}/src/*.cpp" ;;
    esac
  done | grep -E "^($(IFS='|' && printf '%s' "${tidy_rooms[*]}"))/" | sort -u
}

tidy_one() { # FILE NUMBER COUNT
  printf '%s of %s %s\n' "$2" "$3" "$1" >&2
  # Its counts of suppressed warnings go to standard error, ours to standard output.
  clang-tidy-19 -p build/release --quiet "$1" 2>/dev/null
}
export -f tidy_one

check_tidy() { # changed|all
  [ -f build/release/compile_commands.json ] || {
    cmake --preset release >/dev/null || return 1
  }
  local files count
  mapfile -t files < <(tidy_files "$1")
  count=${#files[@]}
  [ "$count" = 0 ] && return
  local number=0 file
  for file in "${files[@]}"; do
    number=$((number + 1))
    printf '%s\0%s\0%s\0' "$file" $number "$count"
  done | xargs -0 -n3 -P2 bash -c 'tidy_one "$@"' _
}

# buf comes from npm, one version, into build/.
check_protos() {
  local buf=build/buf/node_modules/.bin/buf version=1.75.0
  if ! "$buf" --version 2>/dev/null | grep -qx $version; then
    if ! command -v npm >/dev/null; then
      say "protos are not checked: npm is missing (apt-get install npm)"
      return
    fi
    npm install --silent --no-audit --no-fund --no-save --fetch-retries 1 --fetch-timeout 20000 \
      --prefix build/buf "@bufbuild/buf@$version" >/dev/null 2>&1 || {
      say "protos are not checked: npm cannot fetch @bufbuild/buf (is there a network?)"
      return
    }
  fi
  "$buf" lint proto
}

check_command() {
  local tidy=changed
  case "$*" in
    --all) tidy=all ;;
    '') ;;
    *) wrong_usage "check takes --all or nothing, not '$*'" ;;
  esac
  need_tool clang-format-19 clang-format-19
  need_tool clang-tidy-19 clang-tidy-19
  need_tool shellcheck shellcheck
  need_tool codespell codespell
  local failed=()
  check_one formatting check_format
  check_one rooms tests/rooms/check_rooms.sh
  check_one protos check_protos
  check_one scripts check_scripts
  check_one spelling check_spelling
  check_one "clang-tidy ($tidy files)" check_tidy $tidy
  [ ${#failed[@]} = 0 ] || fail "failed: ${failed[*]} (./perigee fmt mends formatting)"
  say "all checks passed"
}
