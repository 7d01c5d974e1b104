# shellcheck shell=bash disable=SC2154  # root and me are of ./perigee
# The documentation's site: build/site, from docs/tree.txt, by Zensical in a venv below build/ (decision 0119).

# A venv with exactly the files of tools/site/requirements.txt; a new one when that list changes.
docs_generator() {
  local venv=build/docs_venv list=tools/site/requirements.txt
  cmp -s $list $venv/requirements.txt && return
  need_tool python3 python3
  say "fetching the generator from PyPI into $venv, a quarter of a minute"
  rm -rf $venv
  python3 -m venv $venv >/dev/null 2>&1 ||
    fail "python3 makes no venv here. Remedy: apt-get install python3-venv (or ./perigee doctor --install)"
  $venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps \
    --retries 1 --timeout 20 -r $list >$venv/pip.log 2>&1 || {
    tail -3 $venv/pip.log >&2
    fail "pip fetched no generator, see $venv/pip.log. Remedy: a network that reaches PyPI, or a mirror of it in PIP_INDEX_URL; \
the pages are readable as files without it, from docs/index.md on"
  }
  cp $list $venv/requirements.txt
}

docs_build() {
  local staged=build/site_pages
  docs_generator
  python3 -B tools/site/check.py >/dev/null || {
    python3 -B tools/site/check.py >&2 || true
    fail "the pages have the faults above"
  }
  python3 -B tools/site/stage.py . $staged
  build/docs_venv/bin/zensical build --clean -f $staged/mkdocs.yml >$staged/log 2>&1 || {
    cat $staged/log >&2
    fail "the generator failed as above"
  }
  python3 -B tools/site/llms.py . $staged/site
  python3 -B tools/site/finish.py . $staged/site || fail "the built site has the faults above; it stays in $staged/site"
  rm -rf build/site
  mv $staged/site build/site
  say "build/site has $(find build/site -name '*.html' | wc -l) pages: open build/site/index.html, or $me docs --serve"
}

docs_command() {
  local serve=no port=8000
  while [ $# -gt 0 ]; do
    case "$1" in
      --serve) serve=yes ;;
      --port) port=${2:-}; shift ;;
      *) wrong_usage "docs has no option '$1'" ;;
    esac
    shift
  done
  if ! [[ $port =~ ^[1-9][0-9]{0,4}$ ]] || [ "$port" -gt 65535 ]; then wrong_usage "--port '$port' is not 1 to 65535"; fi
  docs_build
  [ $serve = no ] || {
    say "open http://127.0.0.1:$port/ (Ctrl-C ends it)"
    exec python3 -m http.server --bind 127.0.0.1 --directory build/site "$port"
  }
}
