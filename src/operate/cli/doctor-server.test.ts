import { join } from "node:path";
import { expect, test } from "vitest";
import { commandsForAll, urlOf } from "../../../test/commands.ts";
import { startServerProcess } from "../../../test/servers.ts";
import type { Finding } from "../health/finding.ts";

const site = commandsForAll();

test("inkstone doctor speaks of the server that runs, whose settings may be others than its own", async () => {
  const DATA_DIR = join(site.folder, "data");
  const examine = async (env: Record<string, string> = {}) => {
    const { out } = await site.inkstone(["doctor", "--json"], { env: { DATA_DIR, ...env } });
    const findings = JSON.parse(out) as Finding[];
    return (check: string) => findings.find((finding) => finding.check === check);
  };
  const HEALTH_CHECK_TOKEN = "a-token-of-the-monitor";
  const settings = { DATA_DIR, BASE_URL: "http://ink.example", HEALTH_CHECK_TOKEN };
  const server = await startServerProcess(urlOf(site.database.name), settings);
  const found = await examine();
  expect(found("server")).toEqual({
    check: "server",
    result: "ok",
    message: expect.stringMatching(
      new RegExp(
        `^Inkstone [\\d.]+ runs with the pid ${server.child.pid} since .{19} UTC: these are its settings\\.$`,
      ),
    ),
  });
  expect(found("address")?.message).toMatch(/^BASE_URL is http:\/\/ink\.example: /);
  expect(found("health checks")?.message).toContain("HEALTH_CHECK_TOKEN");

  expect(found("parameters")).toMatchObject({ result: "ok" });
  for (const query of ["per_pge=1", "per_pge=2", "utm_source=mail"])
    expect((await server.request(`/api/articles?${query}`)).status).toBe(200);
  expect((await examine())("parameters")).toEqual({
    check: "parameters",
    result: "warn",
    message:
      'Clients misspell per_page of listArticles (1 spelling), and the server ignores these. Its log names them: search it for "unknown parameter".',
  });
  expect(server.output().match(/the unknown parameter/g)).toHaveLength(1);

  const elsewhere = await examine({ DATABASE_URL: "postgres://x:secret@127.0.0.1:1/other" });
  expect(elsewhere("server")).toMatchObject({
    result: "warn",
    message: expect.stringContaining("but this command looks at 127.0.0.1:1/other"),
  });

  await server.kill();
  expect((await examine())("server")).toEqual({
    check: "server",
    result: "ok",
    message: `None runs with DATA_DIR ${DATA_DIR}: these are the settings of this command.`,
  });
});
