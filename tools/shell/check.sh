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
  git ls-files -z -- ':!*.svg' ':!*.json' ':!services/console/dist' | xargs -0 -r codespell --ignore-words tools/shell/spelling.txt
}
# Comments and documents of the listed rooms are plain English.
check_prose() { python3 tools/prose/check_prose.py --rooms tools/prose/plain.txt; }

# Folders that are clean under .clang-tidy; the tests join once they are fixed.
tidy_rooms=(client embed examples fabric_seal gateway lab base platform services sim storage transport)

# The rooms' sources that a build compiles; or only the sources that differ from main,
# committed or not. Headers are checked through the sources that include them: a changed public
# header selects the sources of its room, and so does a private one in src/; others select those
# beside them.
tidy_files() { # changed|all
  {
    if [ "$1" = all ]; then
      git ls-files '*.cpp'
    else
      local base
      base=$(git merge-base main HEAD 2>/dev/null) || base=HEAD
      {
        git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
        git ls-files --others --exclude-standard -- '*.cpp' '*.hpp'
      } | while read -r file; do
        case "$file" in
          *.cpp) printf '%s\n' "$file" ;;
          */include/*) git ls-files "${file%%/include/*}/src/*.cpp" ;;
          */src/*) git ls-files "${file%%/src/*}/src/*.cpp" ;;
          *) git ls-files "${file%/*}/*.cpp" ;;
        esac
      done
    fi
  } | grep -E "^($(IFS='|' && printf '%s' "${tidy_rooms[*]}"))/" | sort -u |
    grep -xFf <(sed -n "s|^ *\"file\": \"$PWD/\(.*\)\".*|\1|p" build/plain/compile_commands.json) || true
}

# Compiles each source that differs from main alone, and each public header; or all sources. Other
# builds compile many at a time, where a source can use an include of another one.
check_includes() { # changed|all
  if [ "$1" = all ]; then
    (build_all plain)
    return
  fi
  local sources
  mapfile -t sources < <(tidy_files changed)
  sources=("${sources[@]/#/$PWD/}")
  (build plain perigee_proto header_checks "${sources[@]/%/^}") # ninja builds the object of SOURCE^
}

# Prints SOURCE KEY lines for the built sources: the key is a hash of everything that clang-tidy
# reads for the source, i.e. its own text and our headers included in the last build.
tidy_keys() {
  local rules
  rules=$({ clang-tidy-19 --version && cat .clang-tidy; } | sha256sum)
  ninja -C build/plain -t deps | awk '
      /#deps/ { source = "" }
      !/^ / { next }
      { sub(/^ +/, "") }
      /^\// { next }
      { if (!sub(/^\.\.\/\.\.\//, "")) $0 = "build/plain/" $0 }
      source == "" { source = $0 }
      { print source, $0 }' | sort -u >build/tidy/reads
  cut -d' ' -f2 build/tidy/reads | sort -u | xargs sha256sum 2>/dev/null >build/tidy/hashes || true # deleted files
  awk -v rules="${rules%% *}" '
      NR == FNR { hash[$2] = $1; next }
      { all[$1] = all[$1] hash[$2] }
      END { for (source in all) print source, rules all[source] }' build/tidy/hashes build/tidy/reads |
    while read -r source text; do
      printf '%s %s\n' "$source" "$(sha256sum <<<"$text" | cut -d' ' -f1)"
    done
}

tidy_one() { # FILE KEY NUMBER COUNT
  printf '%s of %s %s\n' "$3" "$4" "$1" >&2
  # clang-tidy's counts of suppressed warnings go to standard error, our output to standard output.
  clang-tidy-19 -p build/plain --quiet "$1" 2>/dev/null || return 1
  [ "$2" = unknown ] || : >"build/tidy/$2"
}
export -f tidy_one

# After check_includes. A clean source is not checked again until one of its inputs changes.
check_tidy() { # changed|all
  mkdir -p build/tidy
  local file key todo=() clean=0
  local -A keys
  while read -r file key; do keys[$file]=$key; done < <(tidy_keys)
  while read -r file; do
    key=${keys[$file]:-unknown}
    if [ -f "build/tidy/$key" ]; then
      touch "build/tidy/$key"
      clean=$((clean + 1))
    else
      todo+=("$file" "$key")
    fi
  done < <(tidy_files "$1")
  find build/tidy -type f -mtime +30 -delete
  local count=$((${#todo[@]} / 2)) i
  say "$count sources to check, $clean are unchanged since they were clean"
  [ "$count" = 0 ] && return
  for ((i = 0; i < count; i++)); do
    printf '%s\0%s\0%s\0%s\0' "${todo[2 * i]}" "${todo[2 * i + 1]}" $((i + 1)) "$count"
  done | xargs -0 -n4 -P"$(nproc)" bash -c 'tidy_one "$@"' _
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
  check_one prose check_prose
  configure plain
  check_one "includes ($tidy sources)" check_includes $tidy
  check_one "clang-tidy ($tidy sources)" check_tidy $tidy
  [ ${#failed[@]} = 0 ] || fail "failed: ${failed[*]} (./perigee fmt corrects formatting)"
  say "all checks passed"
}
