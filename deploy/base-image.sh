#!/usr/bin/env bash
# Makes the image debian:bookworm-slim from Debian's own archive, for machines that reach a Debian
# mirror but no image registry. Does nothing where the image is there already.
set -euo pipefail
image=debian:bookworm-slim
docker=docker
[ ! -x /usr/bin/docker ] || docker=/usr/bin/docker

fail() {
  printf 'base-image: %s\n' "$*" >&2
  exit 1
}

if "$docker" image inspect "$image" >/dev/null 2>&1; then
  echo "base-image: $image is present"
  exit 0
fi
"$docker" info >/dev/null 2>&1 || fail "no docker engine answers; start dockerd first"
[ "$(id -u)" = 0 ] || fail "debootstrap needs root"
command -v debootstrap >/dev/null || fail "debootstrap is missing. Remedy: apt-get install debootstrap"

sources=/etc/apt/sources.list.d/debian.sources # the machine's own mirror
[ -f "$sources" ] || fail "$sources is missing: no mirror for the packages"
mirror=$(awk '/^URIs:/ { print $2; exit }' "$sources")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

echo "base-image: debootstrap, about 40 s"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/log" 2>&1 ||
  fail "debootstrap: $(tail -1 "$work/log")"

rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* \
  "$root"/usr/share/doc/* "$root"/usr/share/man/* "$root"/usr/share/locale/* \
  "$root"/etc/resolv.conf "$root"/etc/hostname "$root"/etc/apt/sources.list
printf 'path-exclude /usr/share/%s/*\n' doc man info locale >"$root/etc/dpkg/dpkg.cfg.d/slim"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # packages start no services
chmod 755 "$root/usr/sbin/policy-rc.d"
# Without these lines every layer that uses apt carries 74 MB of caches.
cat >"$root/etc/apt/apt.conf.d/docker-clean" <<'END'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";
Acquire::Languages "none"; Acquire::GzipIndexes "true";
END
cp "$sources" "$root/etc/apt/sources.list.d/"
# A mirror of a past day: the settings of this machine hold inside, too.
grep -lsE 'Check-Valid-Until|Acquire::(http|https)::[Pp]roxy' /etc/apt/apt.conf.d/* |
  xargs -r cp -t "$root/etc/apt/apt.conf.d/"
tar -C "$root" -c . | "$docker" import --change 'CMD ["bash"]' - "$image" >/dev/null
echo "base-image: $image made, $("$docker" image inspect -f '{{.Size}}' "$image" | awk '{ printf "%d MB", $1 / 1e6 }')"
