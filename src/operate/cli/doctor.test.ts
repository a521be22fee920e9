import { describe, expect, test } from "vitest";
import { programForAll } from "../../../test/commands.ts";
import { checkAddress, checkNode, checkOutbound, judgeRoom } from "./doctor.ts";

const site = programForAll();
const { inkstone } = site;

describe("inkstone doctor", () => {
  test("has a line for every check", async () => {
    const { out, err } = await inkstone(["doctor"]);
    expect(err).toBe("");
    const checks = out
      .trimEnd()
      .split("\n")
      .map((line) => /^(?:ok|warn|fail) +([a-z ]+): /.exec(line)?.[1]);
    expect(checks.join(", ")).toBe(
      "configuration, server, node, account, address, health checks, outbound requests, disk, engine, database, role, " +
        "schema, durability, encoding, letters, search, demo, admins, passwords, held requests, clock, backups, mail",
    );
  });

  test("fails when a check fails, and says how to mend it", async () => {
    const { code, out } = await inkstone(["doctor", "--json"], {
      env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toContainEqual({
      check: "database",
      result: "fail",
      message: expect.stringContaining(
        "The database can't be reached (connect ECONNREFUSED 127.0.0.1:1): start it",
      ),
    });
    const wrong = await inkstone(["doctor"], { env: { PORT: "x" } });
    expect(wrong).toMatchObject({ code: 1, err: "" });
    expect(wrong.out).toMatch(/^fail {2}configuration: .*PORT must be a whole number.*\n$/);
  });

  test("names variables that are nearly ours", async () => {
    const { out } = await inkstone(["doctor"], {
      env: { DATA_DRI: "x", BASEURL: "y", HOME: "/", NODE: "/usr/bin/node" },
    });
    expect(out).toMatch(
      /^warn {2}configuration: DATA_DRI is not a setting and has no effect: did you mean DATA_DIR\? BASEURL is .*: did you mean BASE_URL\?$/m,
    );
  });
});

describe("the doctor's view of the process", () => {
  test.each([
    [99, 0, "fail", "99 MB free in /data: free space, or writes will fail."],
    [999, 0, "warn", "999 MB free in /data: free space soon."],
    [1_000, 0, "ok", "1000 MB free in /data."],
    [
      255,
      256,
      "fail",
      "255 MB free in /data; a server refuses writes below 256 MB (MIN_FREE_DISK_MEGABYTES): free space, or writes will fail.",
    ],
    [
      1_256,
      256,
      "ok",
      "1256 MB free in /data; a server refuses writes below 256 MB (MIN_FREE_DISK_MEGABYTES).",
    ],
  ])("%i MB free with a floor of %i MB: %s", (free, floor, result, message) => {
    expect(judgeRoom(free * 1e6, "/data", floor * 1e6)).toEqual({ result, message });
  });

  test.each([
    ["18.20.0", "fail"],
    ["20.18.3", "fail"],
    ["20.19.0", "ok"],
    ["24.1.0", "ok"],
  ])("Node.js %s: %s", (version, result) => {
    expect(checkNode(version).result).toBe(result);
  });

  test.each([
    ["127.0.0.1", "http://localhost:3000", [], "ok"],
    ["0.0.0.0", "http://localhost:3000", [], "warn"],
    ["0.0.0.0", "http://ink.example", [], "warn"],
    ["0.0.0.0", "https://ink.example", [], "ok"],
    ["127.0.0.1", "https://ink.example", [], "warn"],
    ["127.0.0.1", "https://ink.example", ["127.0.0.1"], "ok"],
    ["::1", "http://[::1]:3000", [], "ok"],
  ])("HOST %s, BASE_URL %s and proxies %j: %s", (host, baseUrl, trustProxy, result) => {
    expect(checkAddress({ host, baseUrl, trustProxy }).result).toBe(result);
  });

  test.each([
    [false, "https://ink.example", "ok", "Go only to public addresses."],
    [true, "http://localhost:3000", "ok", "ALLOW_PRIVATE_NETWORK is true"],
    [true, "https://ink.example", "warn", "remove it from a public site."],
  ])("a private network that is allowed (%s) at %s: %s", (allowPrivateNetwork, baseUrl, result, message) => {
    const finding = checkOutbound({ allowPrivateNetwork, baseUrl });
    expect(finding).toMatchObject({ result, message: expect.stringContaining(message) });
  });
});
