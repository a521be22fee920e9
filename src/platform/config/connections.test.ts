import { expect, test } from "vitest";
import { connectionsOf, type Processes } from "./connections.ts";

const ONE: Processes = { role: "all", workers: 1, databasePoolSize: 4 };
const REPLICAS = { databaseReplicaUrls: ["postgres://one/ink", "postgres://two/ink"] };

test.each<[string, Partial<Processes>, number]>([
  ["one process", {}, 4 + 2 + 7],
  ["one process with replicas, which watches the primary", REPLICAS, 4 + 2 + 7 + 1],
  ["two workers, one for jobs, and one that replaces another", { workers: 2 }, 3 * (4 + 2 + 5) + 10],
  ["these with replicas", { workers: 2, ...REPLICAS }, 3 * (4 + 2 + 5 + 1) + 10],
  ["these where the worker for jobs has the most", { workers: 2, databasePoolSize: 2 }, 2 * 8 + 2 * 10],
  ["two workers without jobs, and one that replaces another", { workers: 2, role: "web" }, 3 * (4 + 2 + 5)],
  ["a process for jobs, which has no workers", { workers: 2, role: "jobs", ...REPLICAS }, 2 + 1 + 7],
])("the connections to the primary are those of %s", (_processes, settings, connections) => {
  expect(connectionsOf({ ...ONE, ...settings })).toBe(connections);
});
