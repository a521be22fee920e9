#!/usr/bin/env bash
# Tries the image without Docker: runs its steps (packaging/install.sh) in a clean Debian, and then its program as Docker
# would: process 1 is tini, the user 10001 has no capabilities, and all but /data and /tmp is read-only. Needs root,
# mmdebstrap and npm. `scripts/image-test.sh PACKAGE.tgz` takes a package that is packed already.
set -euo pipefail
cd "$(dirname "$0")/.."
# The image of Node, as its own documentation measures it. With it, the image may have 360 MB.
base_megabytes=234 most_megabytes=360
version=$(sed -n 's/^ARG NODE_IMAGE=node:\([0-9.]*\)-.*/\1/p' Dockerfile)
suite=$(sed -n 's/^ARG NODE_IMAGE=node:[0-9.]*-\([a-z]*\)-.*/\1/p' Dockerfile)
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
# Not in memory, where programs may be forbidden.
work=$(mktemp -d /var/tmp/inkstone-image-XXXXXX)
root=$work/root
server=
trap 'kill -KILL ${server:-} 2> /dev/null || true; rm -rf "$work"' EXIT

fail() { echo "image-test: $*" >&2; exit 1; }

# Runs a command in the root, with devices and processes of its own. `prepare` is run before, outside of the root.
in_root() {
  local prepare=$1
  shift
  exec unshare --mount --pid --fork --kill-child sh -euc '
    root=$1 data=$2
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    eval "$3"
    mount -t proc proc "$root/proc"
    shift 3
    exec chroot "$root" "$@"' sh "$root" "$work/data" "$prepare" "$@"
}

# The server as Docker runs it. The arguments are a number of a user and one of a group.
serve() {
  mkdir "$work/data"
  # As a new volume, which is a copy of the folder.
  chown --reference="$root/data" "$work/data"
  chmod --reference="$root/data" "$work/data"
  local settings
  read -ra settings <<< "$(sed -n 's/^ENV //p' Dockerfile)"
  in_root 'mount -o remount,bind,ro "$root"; mount --bind "$data" "$root/data"; mount -t tmpfs tmp "$root/tmp"' \
    setpriv --reuid "$1" --regid "$2" --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
    env -i --chdir=/data PATH=/usr/local/bin:/usr/bin:/bin "${settings[@]}" HOST=127.0.0.1 PORT="$port" \
    tini -- inkstone serve --demo > "$work/log" 2>&1
}

# In the container of the server, as `docker exec`.
in_container() {
  local process_1 user group
  process_1=$(cat "/proc/$server/task/$server/children")
  process_1=${process_1% }
  read -r user group <<< "$(stat -c '%u %g' "/proc/$process_1")"
  nsenter --target "$process_1" --mount --pid --root --wd -- setpriv --reuid "$user" --regid "$group" --clear-groups \
    env -i PATH=/usr/local/bin:/usr/bin:/bin DATA_DIR=/data HOST=127.0.0.1 PORT="$port" inkstone "$@"
}

until_found() {
  for _ in $(seq 240); do
    curl -sf "http://127.0.0.1:$port/api/articles/search?q=tomato" 2> /dev/null | grep -q '"title"' && return
    kill -0 "$server" 2> /dev/null || { cat "$work/log"; fail "the server ended."; }
    sleep 0.25
  done
  cat "$work/log"
  fail "the search found nothing."
}

stop_server() {
  kill -TERM "$(cat "/proc/$server/task/$server/children")"
  wait "$server" || fail "the server ended with exit code $?."
  [ ! -e "$work/data/postgres/postmaster.pid" ] || fail "PostgreSQL was not stopped."
  server=
}

[ "$(id -u)" = 0 ] || fail "this makes a root directory of its own, so run it as root."
package=${1:-}
[ -n "$package" ] || package=$work/$(npm pack --silent --pack-destination "$work" | tail -n 1)

mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$root"
# Node of the image, out of npm's registry, with npm.
arch=$(node -p process.arch)
for name in "node-linux-$arch@$version" npm@11; do
  tgz=$(cd "$work" && npm pack --silent "$name" | tail -n 1)
  mkdir -p "$work/unpacked"
  tar -xzf "$work/$tgz" -C "$work/unpacked"
  case $name in
    node-*) install -m 755 "$work/unpacked/package/bin/node" "$root/usr/local/bin/node" ;;
    npm@*)
      mkdir -p "$root/usr/local/lib/node_modules"
      mv "$work/unpacked/package" "$root/usr/local/lib/node_modules/npm"
      ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
      ;;
  esac
  rm -rf "$work/unpacked"
done
chown -R 0:0 "$root/usr/local"
before=$(du -sm "$root" | cut -f 1)

SECONDS=0
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/given"
cp "$package" "$root/given/package.tgz"
cp packaging/install.sh "$root/given/"
# A network with a certificate of its own needs it for npm.
certificate=${NODE_EXTRA_CA_CERTS:-/dev/null}
cp "$certificate" "$root/given/certificate.pem"
(in_root : env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  NODE_EXTRA_CA_CERTS=/given/certificate.pem sh /given/install.sh /given/package.tgz) > "$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail "the steps failed."; }
rm -rf "$root/given"
size=$((base_megabytes + $(du -sm "$root" | cut -f 1) - before))
[ "$size" -le "$most_megabytes" ] || fail "the image would have $size MB, and may have $most_megabytes."

serve 10001 10001 &
server=$!
until_found
echo "From a bare Debian with Node to the first search: $SECONDS s. The image would have about $size MB."
in_container ready
in_container user create --username lena --name "Lena Ortiz" --role admin --with-key > /dev/null
in_container doctor > "$work/doctor" || { cat "$work/doctor"; fail "doctor found a fault."; }
stop_server
(in_root : inkstone ready) 2> /dev/null && fail "the health check takes a stopped server for a ready one."

# Any other user, as on platforms that choose one: in the group 0.
rm -rf "$work/data"
serve 4242 0 &
server=$!
until_found
in_container ready
stop_server
echo "The image works."
