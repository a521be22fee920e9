import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { commandsForAll, urlOf } from "../../../test/commands.ts";
import { type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import type { Finding } from "../health/finding.ts";

const site = commandsForAll();
const started: ServerProcess[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});

async function serve(env: Record<string, string>, args: string[] = []): Promise<ServerProcess> {
  const server = await startServerProcess(urlOf(site.database.name), env, args);
  started.push(server);
  return server;
}

const examine = async (): Promise<(check: string) => Finding | undefined> => {
  const { out } = await site.inkstone(["doctor", "--json"]);
  const findings = JSON.parse(out) as Finding[];
  return (check) => findings.find((finding) => finding.check === check);
};

const keyOf = ({ output }: ServerProcess) => /"demo_key":"(ink_\w+)"/.exec(output())?.[1] ?? "";

describe("the demo beside a real site", () => {
  test("has a folder of its own, and no key once a server runs without --demo", async () => {
    const demo = await serve({ DATA_DIR: "" }, ["--demo"]);
    expect(existsSync(join(demo.folder, "demo-data"))).toBe(true);
    expect(existsSync(join(demo.folder, "data"))).toBe(false);
    const key = keyOf(demo);
    expect((await demo.request("/api/admin/config", { key })).status).toBe(200);
    expect((await examine())("demo")?.message).toContain(", and its admin's printed API key is valid");
    const real = await serve({ DATA_DIR: "" });
    expect(existsSync(join(real.folder, "data"))).toBe(true);
    expect((await real.request("/api/admin/config", { key })).status).toBe(401);
    expect(real.output()).toContain("the demo's API key is revoked");
  }, 120_000);

  test("is named by doctor, and so is its admin, until both are gone or confirmed", async () => {
    const found = await examine();
    expect(found("demo")).toMatchObject({
      result: "warn",
      message: expect.stringMatching(/^\d+ users and \d+ articles of the demo are here: on a real site, run/),
    });
    expect(found("admins")).toMatchObject({
      result: "warn",
      message: expect.stringContaining("mara_lindqvist (the demo)"),
    });
    await site.inkstone(["user", "create", "--username", "lena", "--name", "Lena", "--role", "admin"]);
    await site.inkstone(["user", "role", "mara_lindqvist", "admin"]);
    expect((await examine())("admins")?.message).toBe("Made by the operator: mara_lindqvist, lena.");
    await site.inkstone(["demo", "--remove"]);
    const after = await examine();
    expect(after("demo")?.result).toBe("ok");
    expect(after("admins")?.message).toBe("Made by the operator: lena.");
  }, 120_000);
});

test("doctor names admins that an import brought, and not those promoted afterwards", async () => {
  const users = [
    { type: "user", username: "ada", name: "Ada", role: "admin" },
    { type: "user", username: "ben", name: "Ben" },
  ];
  const input = users.map((user) => `${JSON.stringify(user)}\n`).join("");
  expect(await site.inkstone(["import", "-"], { input })).toMatchObject({ code: 0 });
  await site.inkstone(["user", "role", "ben", "admin"]);
  const { message = "" } = (await examine())("admins") ?? {};
  expect(message).toContain("ada (an import)");
  expect(message).not.toContain("ben");
});

test("inkstone serve brings its own database, which commands use beside it", async () => {
  const env = { DATABASE_URL: "", DATA_DIR: join(site.folder, "data") };
  // A root user's database would otherwise be moved to another place, for another account.
  await chmod(site.folder, 0o755);
  const server = await serve(env);
  const args = ["user", "create", "--username", "lena", "--name", "Lena", "--with-key", "--json"];
  const made = await site.program(args, { env });
  expect(made).toMatchObject({ code: 0, err: "" });
  expect((await server.request("/readyz")).status).toBe(200);
  const checked = await site.inkstone(["doctor", "--json"], { env });
  expect(JSON.parse(checked.out)).toContainEqual({ check: "schema", result: "ok", message: "Up to date." });
  server.child.kill("SIGTERM");
  expect(await once(server.child, "exit")).toEqual([0, null]);
  expect(existsSync(join(env.DATA_DIR, "postgres", "postmaster.pid"))).toBe(false);
  const again = await site.program(["user", "create", "--username", "lena", "--name", "Lena"], { env });
  expect(again).toMatchObject({ code: 1, err: "inkstone: Username has already been taken.\n" });
}, 120_000);
