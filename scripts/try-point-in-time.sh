#!/usr/bin/env bash
# Runs the recipe with pgBackRest of docs/run/backup.md on a cluster of its own, and restores it to a chosen second.
# Needs Debian's postgresql-15 and pgbackrest, root, and a built program (npm run build). Prints how far it is off.
set -euo pipefail

bin=/usr/lib/postgresql/15/bin
program=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
as_postgres() (cd / && setpriv --reuid postgres --regid postgres --clear-groups "$@")
clean() {
  as_postgres "$bin/pg_ctl" -D "$work/main" -m immediate stop > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT
install -d -o postgres -g postgres -m 700 "$work/main" "$work/repository" "$work/log" "$work/spool"

cat > "$work/pgbackrest.conf" << END
[global]
repo1-path=$work/repository
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=a long passphrase, kept elsewhere too
start-fast=y
log-path=$work/log
lock-path=$work/spool

[inkstone]
pg1-path=$work/main
pg1-port=$port
pg1-socket-path=$work/spool
END

as_postgres "$bin/initdb" -D "$work/main" -U postgres -A trust -E UTF8 --locale=C > /dev/null
cat >> "$work/main/postgresql.conf" << END
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$work/spool'
archive_mode = on
archive_command = 'pgbackrest --config=$work/pgbackrest.conf --stanza=inkstone archive-push %p'
archive_timeout = 60
END
start() { as_postgres "$bin/pg_ctl" -D "$work/main" -l "$work/log/postgresql.log" -w -t 60 start > /dev/null; }
rest() { as_postgres pgbackrest "--config=$work/pgbackrest.conf" --stanza=inkstone --log-level-console=warn "$@"; }
query() { as_postgres psql -h 127.0.0.1 -p "$port" -U postgres -d inkstone -qAt -c "$1"; }

start
as_postgres "$bin/createdb" -h 127.0.0.1 -p "$port" -U postgres inkstone
export DATABASE_URL=postgres://postgres@127.0.0.1:$port/inkstone DATA_DIR=$work/data
node "$program/bin/inkstone.js" migrate
node "$program/bin/inkstone.js" user create --username before --name Before
query "create table ticks (at timestamptz primary key)"
rest stanza-create
rest check
rest --type=full backup

# Ten commits a second, before and after the chosen one.
tick() { for _ in $(seq "$1"); do query "insert into ticks values (clock_timestamp())"; sleep 0.1; done; }
tick 30
target=$(query "select date_trunc('second', clock_timestamp())")
sleep 1
tick 30
node "$program/bin/inkstone.js" user create --username after --name After
query "select pg_switch_wal()" > /dev/null
rest check
echo "Target: $target"

# The disk is lost.
as_postgres "$bin/pg_ctl" -D "$work/main" -m immediate stop > /dev/null
rm -rf "$work/main"
install -d -o postgres -g postgres -m 700 "$work/main"
rest --type=time "--target=$target" --target-action=promote restore
start
until [ "$(query "select pg_is_in_recovery()")" = f ]; do sleep 0.2; done

late=$(query "select count(*) from ticks where at > '$target'")
off=$(query "select extract(epoch from timestamptz '$target' - max(at)) from ticks")
people=$(query "select string_agg(username, ' ') from users")
echo "Last commit $off s before the target, $late after it. People: $people."
node "$program/bin/inkstone.js" doctor --verify | grep -v "^ok" || true
[ "$late" = 0 ] && [ "$people" = before ] && awk -v off="$off" 'BEGIN { exit !(off >= 0 && off <= 1) }'
echo "Restored to the chosen second."
