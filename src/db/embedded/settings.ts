/**
 * What the embedded PostgreSQL is told on its command line. Durability is left as it is by default: fsync,
 * full_page_writes and synchronous_commit are on.
 */
const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  // The operating system caches the rest, and gives that memory to others when they need it.
  shared_buffers: "48MB",
  wal_buffers: "1MB",
  // No processes for reading ahead.
  io_method: "sync",
  work_mem: "8MB",
  maintenance_work_mem: "128MB",
  // A site's queries are short: compiling them or spreading them over processes costs more than it gives.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  random_page_cost: "1.1",
  // Nobody subscribes to this database: one process fewer.
  max_logical_replication_workers: "0",
  // Bounds what is replayed after a crash, and so the time of the next start.
  max_wal_size: "256MB",
  // A query whose client has died ends within a second, and so does its process.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  // The log is for PostgreSQL's own troubles. Errors of statements go to whoever sent them; texts may be private.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_lock_waits: "off",
};

export type Settings = Record<string, string>;

export function settingArguments(others: Settings): string[] {
  return Object.entries({ ...SETTINGS, ...others }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
