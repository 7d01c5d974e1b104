#!/usr/bin/env bash
# The deployment files are accepted by the tools that read them (mission D7). Exit code 77: the tool
# is not installed.
#   deploy_test.sh prometheus|alerts|compose|grafana ROOT
set -euo pipefail
cd "$2/deploy"
need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }
complain() { echo "$*"; exit 1; }

# Every service must have the line, so that it is not forgotten in a new one.
every_service_has() { # LINE, as `config` prints it
  [ "$(grep -cxF -- "$1" <<<"$config")" = "$services" ] || complain "not every service has '${1#"${1%%[! ]*}"}'"
}

case "$1" in
  prometheus)
    need promtool
    promtool check config prometheus/prometheus.yml
    ;;
  alerts)
    need promtool
    promtool test rules ../tests/process/shell/alerts_test.yml
    # Each alert has a case, and tells the operator what to do.
    while read -r alert; do
      grep -q "alertname: $alert\b" ../tests/process/shell/alerts_test.yml || complain "$alert has no test"
      grep -q "^| \`$alert\`" ../docs/operations.md || complain "$alert has no line in docs/operations.md"
    done < <(sed -n 's/^ *- alert: //p' prometheus/alerts.yml)
    ;;
  compose)
    need docker-compose
    check_compose() { # FILES...
      local arguments=() file
      for file in "$@"; do arguments+=(-f "$file"); done
      config=$(docker-compose "${arguments[@]}" --profile bots --profile grafana config)
      services=$(docker-compose "${arguments[@]}" --profile bots --profile grafana config --services | wc -l)
      every_service_has '    read_only: true'
      every_service_has '    - no-new-privileges:true'
      every_service_has '    - ALL'
      [ "$(grep -c '^    mem_limit:' <<<"$config")" = "$services" ] || complain "a service without mem_limit"
      # Only loopback is published unless the operator names another address.
      published=$(awk '/^ *ports:$/ { on = 1; next } on && /^ *- / { print; next } { on = 0 }' <<<"$config")
      if grep -v '127\.0\.0\.1:' <<<"$published"; then complain "published beyond loopback"; fi
    }
    # Data that must survive `down` and a kill is in named volumes.
    keeps() { # VOLUME:PATH...
      local mount
      for mount in "$@"; do
        grep -q -- "- $mount\(:rw\)\?$" <<<"$config" || complain "$mount is not mounted"
      done
    }
    kept=(session:/var/lib/perigee console:/var/lib/perigee secrets:/var/lib/perigee/secrets world:/var/lib/perigee/world
      crash_reports:/var/lib/perigee/crash_reports)
    check_compose compose.yml
    keeps directory:/var/lib/perigee "${kept[@]}"
    check_compose compose.yml compose.etcd.yml
    keeps etcd:/var/lib/etcd "${kept[@]}"
    # Every client of the directory knows both addresses.
    [ "$(grep -c 'PERIGEE_DIRECTORY: directory:40011,directory-2:40011' <<<"$config")" = 6 ] ||
      complain "a member does not know both directories"
    ;;
  grafana)
    # tests/dashboards checks the dashboards themselves; here, the files that lead Grafana to them.
    grep -q '^ *uid: perigee\b' grafana/provisioning/datasources/prometheus.yml || complain "no data source has the uid of the dashboards"
    grep -q '^ *jsonData: {timeInterval: 1s}' grafana/provisioning/datasources/prometheus.yml || complain "another interval than in tests/dashboards/dashboards.py"
    folder=$(sed -n 's/^ *options: {path: \(.*\)}/\1/p' grafana/provisioning/dashboards/perigee.yml)
    home=$(sed -n 's/.*GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: \([^,} ]*\).*/\1/p' compose.yml)
    [ "$(dirname "$home")" = "$folder" ] || complain "the home dashboard '$home' is not in $folder"
    [ -f "grafana/$(basename "$home")" ] || complain "the home dashboard '$home' does not exist"
    grep -qF -- "./grafana:$folder:ro" compose.yml || complain "the dashboards are not in $folder"
    grep -qF -- '../docs:/usr/share/grafana/public/perigee/docs:ro' compose.yml || complain "the runbook is not at /public/perigee/docs"
    need promtool
    rules=$(mktemp)
    trap 'rm -f "$rules"' EXIT
    python3 -B ../tests/dashboards/check_dashboards.py --rules .. >"$rules"
    promtool check rules "$rules"
    ;;
esac
