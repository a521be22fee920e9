/** fsync, full_page_writes and synchronous_commit keep their default: on. */
const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  // The operating system caches the rest.
  shared_buffers: "48MB",
  wal_buffers: "1MB",
  io_method: "sync",
  work_mem: "8MB",
  maintenance_work_mem: "128MB",
  // Short queries gain nothing from these.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  random_page_cost: "1.1",
  // Saves a process.
  max_logical_replication_workers: "0",
  // Bounds the recovery after a crash.
  max_wal_size: "256MB",
  // A query of a dead client ends within a second.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors of statements go to their client only: their texts may be private.
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
