import { exec } from "node:child_process";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import { freePort } from "../../../test/waiting.ts";
import { hasTerminals, inTerminal, programForAll, type Terminal, urlOf } from "../../../test/commands.ts";

const site = programForAll();

function run(args: string[], env: Record<string, string> = {}): Terminal {
  const settings = { DATABASE_URL: urlOf(site.database.name), ...env };
  return inTerminal(args, { cwd: site.folder, env: settings });
}

/** Serves, asks for these paths, is interrupted, and returns all that the terminal was sent. */
async function serving(paths: string[], env: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const server = run(["serve"], { PORT: String(port), ...env });
  await expect.poll(server.output).toContain("Inkstone is ready.");
  for (const path of paths) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  server.interrupt();
  expect(await server.ended).toBe(0);
  return server.output();
}

describe.skipIf(!hasTerminals)("in a terminal", () => {
  test("serve shows its start, and a line for each answer but those to health checks", async () => {
    const output = await serving(
      ["/api/articles?per_page=3", "/healthz", "/readyz", "/metrics", "/x%1b[31m"],
      {
        NO_COLOR: "1",
      },
    );
    expect(output).toContain("Starting Inkstone … 0 s");
    const lines = output
      .slice(output.indexOf("Inkstone is ready."))
      .split("\n")
      .flatMap((line) => /\d\d:\d\d:\d\d {2}.*$/.exec(line)?.[0] ?? []);
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET {4}\/api\/articles {2}200 {2}[\d.]+ ms$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}GET {4}\/x%1b\[31m {2}503 {2}[\d.]+ ms$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}SIGINT: stopping$/),
    ]);
  });

  test("serve --demo shows addresses, a key, a search without it and an article's creation with it", async () => {
    // Begun by its path, as in a clone, and with a database of its own, which commands must find again.
    const cwd = await mkdtemp(join(site.folder, "demo-"));
    for (const folder of [site.folder, cwd]) await chmod(folder, 0o755);
    const program = join(import.meta.dirname, "../../../bin/inkstone.js");
    const env = { PORT: String(await freePort()) };
    const server = inTerminal(["serve", "--demo"], { cwd, env, program });
    await expect.poll(server.output, { timeout: 50_000 }).toContain("Publish");
    expect(server.output()).toMatch(/^ {2}Site {11}http:\/\/localhost:\d+\/$/m);
    expect(server.output()).toMatch(/^ {2}Demo data {6}\S+\/demo-data$/m);
    const [, search] = /Search +curl "(http:[^"]+)"\n/.exec(server.output()) ?? [];
    expect(((await (await fetch(search ?? "")).json()) as object[]).length).toBeGreaterThan(0);
    const [, url, key, type, body] =
      /Publish +curl "(http:[^"]+)" -H "api-key: (ink_\w+)" \\\n +-H "content-type: ([^"]+)" -d '(.+)'\n/.exec(
        server.output(),
      ) ?? [];
    const headers = { "api-key": key ?? "", "content-type": type ?? "" };
    const created = await fetch(url ?? "", { method: "POST", headers, body: body ?? "" });
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ title: "Hello", published_at: expect.any(String) });
    const [, command = ""] = /More links {5}(.+)\n/.exec(server.output()) ?? [];
    const printed = await promisify(exec)(`unset BASE_URL; ${command}`, { cwd });
    const link = await fetch(printed.stdout.trim());
    expect([link.status, await link.text()]).toEqual([200, expect.stringContaining("Sign in")]);
    expect(readdirSync(cwd)).toEqual(["demo-data"]);
    server.interrupt();
    expect(await server.ended).toBe(0);
  }, 60_000);

  test("serve colours the status, unless NO_COLOR says otherwise", async () => {
    expect(await serving(["/api/articles"])).toContain("\u001b[32m200\u001b[39m");
  });

  test.runIf(IS_LONG)("serve logs JSON with LOG_FORMAT=json, and shows no progress", async () => {
    const output = await serving(["/api/articles", "/healthz"], { LOG_FORMAT: "json" });
    expect(output).toContain('"req":{"method":"GET","path":"/healthz"},"status":200');
    expect(output).not.toContain("\u001b[K");
  });

  test("export and doctor --verify show how far they are", async () => {
    const exporting = run(["export", "seen.ndjson"]);
    expect(await exporting.ended).toBe(0);
    expect(exporting.output()).toContain("Exporting … 0 s");
    const checking = run(["doctor", "--verify"]);
    // Its exit code depends on the settings of the PostgreSQL of the tests.
    await checking.ended;
    expect(checking.output()).toContain("Checking … 0 s");
    expect(checking.output()).toMatch(/^ok {4}usernames: No faults\.$/m);
  });
});
