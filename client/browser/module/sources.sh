# shellcheck shell=bash
# Sources of Bullet and libsodium, from Debian's source packages. They are never part of the tree.

# Fetches and unpacks them into FOLDER/bullet and FOLDER/libsodium, once. FOLDER/versions names them.
fetch_sources() { # FOLDER
  local folder=$1
  [ ! -e "$folder/versions" ] || return 0
  rm -rf "$folder"
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
  # The machine's own mirrors, which may have no deb-src lines, in a configuration of our own.
  # shellcheck disable=SC2016  # names of apt, not of the shell
  apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Label: Debian' 'Component: main' | sort -u >"$folder/apt/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt" -o "APT::Sandbox::User=$(id -un)"
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
  (
    cd "$folder" || exit 1
    "${apt[@]}" update && "${apt[@]}" source bullet libsodium
  ) >"$folder/log" 2>&1 || {
    tail -n 3 "$folder/log" >&2
    cannot "Debian's source packages bullet and libsodium cannot be fetched; is there a network?"
  }
  local name
  for name in bullet libsodium; do
    mv "$folder/$name"-*/ "$folder/$name"
  done
  (cd "$folder" && printf '%s\n' *.dsc) >"$folder/versions"
}
