import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Gate } from "../../../test/database-gate.ts";
import { builtProgram, cases, IS_LONG } from "../../../test/setup.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { freePort, until } from "../../../test/waiting.ts";

const site = programForAll();
// A root user's database would otherwise be moved to another place, for another account.
beforeAll(() => chmod(site.folder, 0o755));

/** A server process and everything it has written. */
interface Running {
  child: ChildProcess;
  port: number;
  output: () => string;
  errors: () => string;
  ended: Promise<number | null>;
}

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function serve(env: Record<string, string> = {}, args: string[] = []): Promise<Running> {
  const port = Number(env["PORT"] ?? (await freePort()));
  const settings = { DATABASE_URL: urlOf(site.database.name), PORT: String(port), LOG_LEVEL: "info", ...env };
  const child = spawn(process.execPath, [builtProgram(), "serve", ...args], {
    cwd: site.folder,
    env: settings,
  });
  started.push(child);
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => (output += String(text)));
  child.stderr.on("data", (text: Buffer) => (errors += String(text)));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, port, output: () => output, errors: () => errors, ended };
}

/** In a pipe, all of standard output is the log. */
const linesOf = ({ output }: Running) =>
  output()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const statusOf = async ({ port }: Running, path: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status ?? 0;
};
const becomes = (server: Running, path: string, status: number) =>
  until(async () => (await statusOf(server, path)) === status);

describe("inkstone serve", () => {
  test("says where it is when it is ready, tells monitors of its process and pools, and stops at a signal", async () => {
    const server = await serve();
    await becomes(server, "/readyz", 200);
    await expect.poll(server.output).toContain("Inkstone is ready.");
    const site = `http://localhost:${server.port}`;
    expect(linesOf(server)).toContainEqual(
      expect.objectContaining({
        level: 30,
        msg: "Inkstone is ready.",
        site: `${site}/`,
        api: `${site}/api/articles`,
        documentation: `${site}/api/docs`,
      }),
    );
    expect(await statusOf(server, "/api/articles")).toBe(200);
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    for (const pool of ["web", "slow", "jobs"]) expect(text).toContain(`connections_max{pool="${pool}"} `);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
    expect(text).toMatch(/^inkstone_database_up 1$/m);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.errors()).toBe("");
  });

  test("with LOG_FORMAT=text says the same in a line to read", async () => {
    const server = await serve({ LOG_FORMAT: "text" });
    await becomes(server, "/readyz", 200);
    await expect
      .poll(server.output)
      .toMatch(/^\d\d:\d\d:\d\d {2}Inkstone is ready\. {2}site=http:\S+ {2}api=http:\S+\/api\/articles {2}/m);
  });

  test("ends in one sentence when its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const server = await serve({ PORT: String(port) });
    expect(await server.ended).toBe(1);
    other.close();
    const sentence = `Port ${port} of 127.0.0.1 is in use: stop the program that uses it, or set another PORT.`;
    expect(server.errors()).toBe(`inkstone: ${sentence}\n`);
  });

  test.each([
    ["inkstone_there_is_none", "The database named in DATABASE_URL doesn't exist: create it with `createdb`"],
    ["template1", "is newer than this program"],
  ])("ends in one sentence at a fault that waiting can't mend: %s", async (name, sentence) => {
    const { superuser: db } = site.database;
    const url = name === "template1" ? urlOf(site.database.name) : urlOf(name);
    if (name === "template1")
      await db
        .insertInto("schema_migrations")
        .values({ name: "9999.sql", checksum: "x", kind: "contract" })
        .execute();
    const server = await serve({ DATABASE_URL: url });
    expect(await server.ended).toBe(1);
    await db.deleteFrom("schema_migrations").where("name", "=", "9999.sql").execute();
    expect(server.errors()).toMatch(/^inkstone: [^\n]+\n$/);
    expect(server.errors()).toContain(sentence);
    expect(server.output()).not.toMatch(/listening|is ready/i);
  });

  test.runIf(existsSync("/proc/self"))("ends in one sentence where DATA_DIR can't be made", async () => {
    const server = await serve({ DATABASE_URL: "", DATA_DIR: "/proc/x" });
    expect(await server.ended).toBe(1);
    expect(server.errors()).toBe(
      "inkstone: /proc/x cannot be written to: set DATA_DIR to a directory that can.\n",
    );
  });

  test("ends in one sentence at wrong settings", async () => {
    const server = await serve({ BASE_URL: "nowhere" });
    expect(await server.ended).toBe(1);
    expect(server.errors()).toMatch(
      /^inkstone: Inkstone can't start with these settings:\n {2}BASE_URL must be .*\n$/,
    );
  });
});

describe("inkstone serve, when its database", () => {
  let gate: Gate;
  beforeEach(async () => {
    gate = new Gate(site.database.name);
    await gate.open();
  });
  afterEach(() => gate.close());

  test("isn't there yet, waits for it, alive but not ready", async () => {
    await gate.close();
    const server = await serve({ DATABASE_URL: gate.url });
    await becomes(server, "/healthz", 200);
    expect(await statusOf(server, "/readyz")).toBe(503);
    expect(await statusOf(server, "/metrics")).toBe(200);
    expect(await statusOf(server, "/api/articles")).toBe(503);
    await expect.poll(server.output).toContain("The database can't be reached");
    await gate.open();
    await becomes(server, "/readyz", 200);
    expect(await statusOf(server, "/api/articles")).toBe(200);
  });

  test("never comes, stops at a signal", async () => {
    await gate.close();
    const server = await serve({ DATABASE_URL: gate.url });
    await becomes(server, "/healthz", 200);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.errors()).toBe("");
  });

  test("goes away and comes back, says so meanwhile and goes on by itself", async () => {
    const server = await serve({ DATABASE_URL: gate.url });
    await becomes(server, "/readyz", 200);
    for (let round = 0; round < cases(3, 1); round++) {
      await gate.close();
      await becomes(server, "/readyz", 503);
      await sleep(1_200);
      await gate.open();
      await becomes(server, "/readyz", 200);
    }
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("is slow, finishes what it has begun before it stops, and begins nothing new", async () => {
    const server = await serve({ DATABASE_URL: gate.url });
    await becomes(server, "/readyz", 200);
    await expect.poll(server.output).toContain("Inkstone is ready.");
    gate.hold();
    // The settings that the request needs are read anew after 0.9 seconds.
    await sleep(1_000);
    // It isn't waited for: it would keep its connection for ever.
    const client = connect(server.port, "127.0.0.1").on("error", () => {});
    let answer = "";
    client.on("data", (chunk) => (answer += String(chunk)));
    client.write("GET /api/articles/search?q=anything HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => gate.holds('from "settings"'));
    server.child.kill("SIGTERM");
    await expect.poll(server.output).toContain("SIGTERM: stopping");
    const newcomer = connect(server.port, "127.0.0.1");
    const [refusal] = (await once(newcomer, "error")) as [NodeJS.ErrnoException];
    gate.letGo();
    expect(refusal.code).toBe("ECONNREFUSED");
    expect(await server.ended).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.runIf(IS_LONG)("hangs, stops at once at the second signal", async () => {
    const server = await serve({ DATABASE_URL: gate.url });
    await becomes(server, "/readyz", 200);
    await expect.poll(server.output).toContain("Inkstone is ready.");
    gate.hold();
    // The settings that the request needs are read anew after 0.9 seconds.
    await sleep(1_000);
    void statusOf(server, "/api/articles/search?q=anything");
    await until(() => gate.holds('from "settings"'));
    server.child.kill("SIGTERM");
    await sleep(1_500);
    expect(server.child.exitCode).toBeNull();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(1);
  });
});
