# shellcheck shell=bash disable=SC2154  # state, me and called_from are of the other parts
# Certificates inside a cluster, for development and small deployments: a CA, and a folder for each process as
# cert-manager would write it (tls.crt, tls.key, ca.crt, ca.crl). A large deployment has an issuer of its own.

certs_days=365
certs_renew_days=30 # `up` renews sets that end sooner
# NAME ROLE of the sets that a cluster on one machine needs; a process finds the one with its name.
certs_of_cluster() {
  printf '%s\n' 'directory member' 'session member' 'sim member' 'rooms member' 'gateway gateway' \
    'console operator all' 'operator operator all'
}

certs_help() {
  cat <<END
Makes the certificates with which processes of a cluster and operators know each other (docs/certificates.md).

usage: $me certs [make] [OPTIONS]      a CA and a set for each process, unless they are there; renews what
                                      ends within $certs_renew_days days
       $me certs renew [NAME...]       new keys and certificates of the same CA, of all that are not revoked;
                                      processes read them at once
       $me certs add NAME ROLE [SCOPE] a further set: ROLE member, gateway or operator; SCOPE of an operator:
                                      read, players, map, several with commas, or all
       $me certs revoke NAME           the set counts no longer, also in connections that exist
       $me certs new-ca                a new CA signs all sets anew; the former one is trusted until the next new-ca
       $me certs list                  names, roles, scopes, ends

options:
  --into FOLDER   where the sets are ($state/certs)
  --days N        life of what is made ($certs_days)

examples:
  $me certs
  $me certs add alice operator read,players --days 90
  $me ctl --tls-dir $state/certs/alice sessions
  $me certs revoke alice
END
}

certs_config() {
  cat <<END
[ca]
default_ca = perigee
[perigee]
database = $certs/ca/index.txt
new_certs_dir = $certs/ca/issued
rand_serial = yes
crlnumber = $certs/ca/crlnumber
certificate = $certs/ca/ca.crt
private_key = $certs/ca/ca.key
default_md = sha256
default_crl_days = 3650
policy = any
unique_subject = no
[any]
commonName = supplied
END
}

# The output of openssl is shown only if it fails.
certs_openssl() {
  local said
  said=$(openssl "$@" 2>&1) || fail "openssl $1: $(tail -1 <<<"$said")"
}

certs_new_authority() {
  mkdir -p "$certs/ca/issued"
  chmod 700 "$certs" "$certs/ca"
  certs_openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days $((10 * 365)) \
    -subj "/CN=perigee CA $(date +%F) $RANDOM" -keyout "$certs/ca/ca.key" -out "$certs/ca/ca.crt" \
    -addext 'basicConstraints=critical,CA:true,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign'
  chmod 600 "$certs/ca/ca.key"
  : >"$certs/ca/index.txt"
  echo 01 >"$certs/ca/crlnumber"
  certs_write_list
}

certs_write_list() {
  certs_openssl ca -config <(certs_config) -gencrl -out "$certs/ca/ca.crl.new"
  mv "$certs/ca/ca.crl.new" "$certs/ca/ca.crl"
}

# Writes the trusted CAs and their revocation lists into all sets.
certs_spread() {
  local folder trusted=("$certs/ca/ca.crt") lists=("$certs/ca/ca.crl")
  if [ -f "$certs/ca/former.crt" ]; then
    trusted+=("$certs/ca/former.crt")
    lists+=("$certs/ca/former.crl")
  fi
  for folder in "$certs"/*/tls.crt; do
    folder=${folder%/tls.crt}
    cat "${trusted[@]}" >"$folder/ca.crt.new"
    cat "${lists[@]}" >"$folder/ca.crl.new"
    mv "$folder/ca.crt.new" "$folder/ca.crt"
    mv "$folder/ca.crl.new" "$folder/ca.crl"
  done
}

certs_issue() { # NAME ROLE [SCOPE]
  local folder=$certs/$1 names=URI:perigee:role:$2 scope
  [[ $1 =~ ^[a-z0-9][a-z0-9-]{0,62}$ && $1 != ca ]] || wrong_usage "'$1' is no name: a to z, 0 to 9 and -"
  case "$2" in
    member | gateway) [ -z "${3:-}" ] || wrong_usage "a scope is for operators" ;;
    operator) [ -n "${3:-}" ] || wrong_usage "an operator needs a scope: read, players, map or all" ;;
    *) wrong_usage "'$2' is no role: member, gateway or operator" ;;
  esac
  local scopes=${3:-}
  for scope in ${scopes//,/ }; do
    case "$scope" in read | players | map | all) names+=,URI:perigee:scope:$scope ;; *) wrong_usage "'$scope' is no scope: read, players, map or all" ;; esac
  done
  mkdir -p "$folder"
  chmod 700 "$folder"
  (umask 077 && certs_openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "/CN=$1" \
    -keyout "$folder/tls.key.new" -out "$folder/request")
  certs_openssl ca -batch -notext -config <(certs_config) -days "$certs_days" -in "$folder/request" -out "$folder/tls.crt.new" \
    -extfile <(printf '%s\n' "subjectAltName=$names" 'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth,clientAuth')
  rm "$folder/request"
  chmod 600 "$folder/tls.key.new"
  mv "$folder/tls.key.new" "$folder/tls.key"
  mv "$folder/tls.crt.new" "$folder/tls.crt"
}

certs_names_of() { # NAME: "gateway", "operator read,players"
  openssl x509 -in "$certs/$1/tls.crt" -noout -ext subjectAltName 2>/dev/null |
    awk -v RS='[, \n]+' '/^URI:perigee:role:/ { role = substr($0, 18) }
      /^URI:perigee:scope:/ { scope = scope (scope == "" ? "" : ",") substr($0, 19) }
      END { print role (scope == "" ? "" : " " scope) }'
}

certs_known() { # prints the names of all sets
  local folder
  for folder in "$certs"/*/tls.crt; do
    [ ! -f "$folder" ] || basename "${folder%/tls.crt}"
  done
}

certs_not_revoked() { # prints their names
  local name
  for name in $(certs_known); do
    certs_revoked "$name" || echo "$name"
  done
}

certs_renew() { # NAME...
  local name
  for name in "$@"; do
    [ -f "$certs/$name/tls.crt" ] || fail "there is no set '$name' in $certs; $me certs list shows all"
    # shellcheck disable=SC2046  # role and scope
    certs_issue "$name" $(certs_names_of "$name")
  done
  certs_spread
}

# For `up`, too: quick if all is there.
certs_make() {
  local name role scope made=0
  [ -f "$certs/ca/ca.key" ] || certs_new_authority
  while read -r name role scope; do
    if [ -f "$certs/$name/tls.crt" ] &&
      openssl x509 -in "$certs/$name/tls.crt" -noout -checkend $((certs_renew_days * 86400)) >/dev/null; then continue; fi
    certs_issue "$name" "$role" "$scope"
    made=$((made + 1))
  done < <(certs_of_cluster)
  [ $made = 0 ] || { certs_spread; say "made $made sets of certificates in $certs"; }
}

certs_revoke() { # NAME
  [ -f "$certs/$1/tls.crt" ] || fail "there is no set '$1' in $certs; $me certs list shows all"
  certs_openssl ca -config <(certs_config) -revoke "$certs/$1/tls.crt"
  certs_write_list
  certs_spread
  say "revoked $1; copy ca.crl to sets elsewhere"
}

certs_new_ca() {
  local names
  [ -f "$certs/ca/ca.key" ] || fail "there is no CA in $certs yet; $me certs makes one"
  mapfile -t names < <(certs_not_revoked)
  mv "$certs/ca/ca.crt" "$certs/ca/former.crt"
  mv "$certs/ca/ca.crl" "$certs/ca/former.crl"
  certs_new_authority
  certs_spread # both are trusted before the first set of the new one is shown
  sleep "${certs_settle_s:-3}"
  certs_renew "${names[@]}"
  say "new CA; copy the sets to the other machines: ca.crt and ca.crl first, tls.crt and tls.key once all have these"
}

certs_list() {
  local name role scope
  printf '%-16s  %-10s  %-16s  %s\n' name role scope 'valid until'
  for name in $(certs_known); do
    read -r role scope < <(certs_names_of "$name") || true
    printf '%-16s  %-10s  %-16s  %s%s\n' "$name" "$role" "${scope:--}" \
      "$(date -u -d "$(openssl x509 -in "$certs/$name/tls.crt" -noout -enddate | cut -d= -f2)" +%FT%TZ)" \
      "$(certs_revoked "$name" && echo '  revoked')"
  done
}

certs_revoked() { # NAME
  local serial list
  serial=$(openssl x509 -in "$certs/$1/tls.crt" -noout -serial | cut -d= -f2)
  for list in "$certs"/ca/*.crl; do
    ! openssl crl -in "$list" -noout -text | grep -i "Serial Number: 0*$serial\$" >/dev/null || return 0
  done
  return 1
}

certs_command() {
  local certs=$state/certs words=() act
  command -v openssl >/dev/null || fail "openssl is missing; install the package openssl"
  while [ $# -gt 0 ]; do
    case "$1" in
      --help | -h) certs_help; return ;;
      --into | --days)
        [ $# -ge 2 ] || wrong_usage "$1 needs a value"
        if [ "$1" = --into ]; then certs=$(cd "$called_from" && realpath -m "$2"); else certs_days=$2; fi
        shift ;;
      --*) wrong_usage "certs has no option '$1'" ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  [[ $certs_days =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--days: '$certs_days' is not 1 to 9999"
  act=${words[0]:-make}
  set -- "${words[@]:1}"
  case "$act:$#" in
    make:0) certs_make && certs_list ;;
    list:0) certs_list ;;
    renew:0)
      mapfile -t words < <(certs_not_revoked)
      certs_renew "${words[@]}" ;;
    renew:*) certs_renew "$@" ;;
    add:2 | add:3)
      [ -f "$certs/ca/ca.key" ] || certs_new_authority
      certs_issue "$@"
      certs_spread
      say "made $certs/$1" ;;
    revoke:1) certs_revoke "$1" ;;
    new-ca:0) certs_new_ca ;;
    *) wrong_usage "'certs ${words[*]}' is no command of it" ;;
  esac
}
