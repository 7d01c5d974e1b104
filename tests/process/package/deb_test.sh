#!/usr/bin/env bash
# The Debian packages are built, and lintian finds neither errors nor warnings in them. With a long run they are installed
# in a new Debian, where a worker checks its settings and a game is made, built and loaded.
#   deb_test.sh ROOT BUILD_DIR
set -euo pipefail
build=$2
for program in cpack dpkg-deb dpkg-shlibdeps lintian; do
  command -v $program >/dev/null || { echo "skipped: missing: $program"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$folder/packages" >"$folder/log" 2>&1 || { tail -20 "$folder/log"; exit 1; }
cd "$folder/packages"
packages=(libperigee-client-skiff1_*.deb perigee-server_*.deb libperigee-dev_*.deb)
for package in "${packages[@]}"; do
  [ -f "$package" ] || { echo "there is no $package"; ls; exit 1; }
done
lintian --no-cfg --allow-root --fail-on error,warning --tag-display-limit 0 "${packages[@]}" >../lintian || { cat ../lintian; exit 1; }
dpkg-deb --contents perigee-server_*.deb >../contents
grep -q ' ./usr/bin/perigee-sim$' ../contents || { echo 'no perigee-sim'; cat ../contents; exit 1; }
for unit in directory session gateway sim@ console rooms; do
  grep -q " ./usr/lib/systemd/system/perigee-$unit.service\$" ../contents || { echo "no unit $unit"; cat ../contents; exit 1; }
done
grep -q ' ./etc/perigee/perigee.toml$' ../contents || { echo 'no settings in /etc'; cat ../contents; exit 1; }
dpkg-deb --ctrl-tarfile perigee-server_*.deb | tar -xO ./conffiles | grep -qx /etc/perigee/rooms.toml || { echo 'no conffiles'; exit 1; }
if dpkg-deb --ctrl-tarfile perigee-server_*.deb | tar -t | grep -E 'postinst|prerm'; then echo 'installation would run a script'; exit 1; fi
dpkg-deb --contents libperigee-client-skiff1_*.deb >../contents
for file in python/perigee/session.py python/LICENSE unity/package.json unity/LICENSE; do
  grep -q " ./usr/share/perigee/sdk/$file\$" ../contents || { echo "no $file"; cat ../contents; exit 1; }
done
dpkg-deb --contents libperigee-dev_*.deb >../contents
for file in client/browser/build.sh client/browser/serve.mjs client/browser/dist/index.js client/CMakeLists.txt base/src/decimal.cpp; do
  grep -q " ./usr/share/perigee/$file\$" ../contents || { echo "no $file"; cat ../contents; exit 1; }
done
depends=$(dpkg-deb --field perigee-server_*.deb Depends)
[[ $depends == *libgrpc* && $depends == *jq* ]] || { echo "dependencies are missing: $depends"; exit 1; }

[ "${PERIGEE_TEST_LENGTH:-}" = long ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  echo 'not root, or no debootstrap: the packages are not installed'
  exit 0
fi
sources=/etc/apt/sources.list.d/debian.sources # the machine's own mirror, as in deploy/base-image.sh
[ -f $sources ] || { echo "no $sources: the packages are not installed"; exit 0; }
debootstrap --variant=minbase bookworm "$folder/root" "$(awk '/^URIs:/ { print $2; exit }' $sources)" >"$folder/log" 2>&1 ||
  { tail "$folder/log"; exit 1; }
rm -f "$folder/root/etc/apt/sources.list"
cp $sources "$folder/root/etc/apt/sources.list.d/"
cp -L /etc/resolv.conf "$folder/root/etc/"
cp "${packages[@]}" "$folder/root/root/"
# shellcheck disable=SC2016  # expanded there
chroot "$folder/root" sh -ec '
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  cd /root
  apt-get install -qy --no-install-recommends ./*.deb cmake make g++ pkg-config
  perigee-sim --check-config
  perigee-gateway --config /etc/perigee/perigee.toml --check-config
  perigee new mygame
  g++ -shared -fPIC $(pkg-config --cflags perigee-game) mygame/game.cpp mygame/plugin.cpp -o mygame.so \
    -Wl,--exclude-libs,ALL $(pkg-config --libs perigee-game)
  perigee-sim --game /root/mygame.so --check-config
' >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
