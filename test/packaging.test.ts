import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../src/platform/config.ts";
import { VARIABLES } from "../src/platform/config/variables.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const systemdAnalyze = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  return { status, said: stdout + stderr };
};

describe.runIf(spawnSync("systemd-analyze", ["--version"]).status === 0)("packaging/inkstone.service", () => {
  const folder = mkdtempSync(join(tmpdir(), "inkstone-unit-"));
  const unit = join(folder, "inkstone.service");
  // systemd looks for the program.
  const text = read("packaging/inkstone.service");
  writeFileSync(unit, text.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("has no fault", () => {
    expect(systemdAnalyze("verify", unit)).toEqual({ status: 0, said: "" });
  });

  test("gives the server few rights", () => {
    const { status, said } = systemdAnalyze("security", "--offline=true", "--threshold=30", unit);
    expect([status, /exposure level.*/.exec(said)?.[0]]).toEqual([0, expect.any(String)]);
  });
});

interface Service {
  environment?: Record<string, string>;
  extends?: { file: string; service: string };
}

interface Composition {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const compositions = ["compose.yaml", "compose.postgres.yaml"] as const;
const composition = (file: string) => parse(read(file)) as Composition;

test("the image and both compositions set variables that exist, to values that are allowed", () => {
  const image = /^ENV (.*)$/m.exec(read("Dockerfile"))?.[1]?.split(" ") ?? [];
  const ofImage = Object.fromEntries(image.map((pair) => pair.split("=", 2) as [string, string]));
  const known = [...VARIABLES.map(({ name }) => name), "HOME"];
  for (const file of compositions) {
    const given = { ...ofImage, ...composition(file).services["site"]?.environment };
    expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([]);
    const entries = Object.entries(given).map(([name, value]) => [name, interpolated(value)]);
    expect(readConfig(Object.fromEntries(entries))).toMatchObject({ host: "0.0.0.0", dataDir: "/data" });
  }
});

/** As compose does it: a default, or a value that must be given. */
const interpolated = (value: string) =>
  value.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind, text) => (kind === "-" ? text : "given"));

test("the site of both compositions has the rights of none, and writes to its volume alone", () => {
  const site = composition("compose.yaml").services["site"];
  expect(site).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    volumes: ["data:/data"],
  });
  const extended = composition("compose.postgres.yaml").services["site"]?.extends;
  expect(extended).toEqual({ file: "compose.yaml", service: "site" });
});

test("the image begins with a release of Node 24 by its digest", () => {
  expect(read("Dockerfile")).toMatch(/^ARG NODE_IMAGE=node:24\.[\d.]+-\w+-slim@sha256:[0-9a-f]{64}$/m);
});
