import { resolve } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { asTyped, ConfigError, readConfig, useDemoData } from "./config.ts";

const problemsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

test("nothing needs to be set", () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    baseUrl: "http://localhost:3000",
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    rateLimits: true,
    logLevel: "info",
    maxConnections: 3_000,
    trustProxy: [],
    allowPrivateNetwork: false,
    outboundPorts: [],
  });
  expect(readConfig({ PORT: "", BASE_URL: "" }).port).toBe(3000);
});

test("a demo has a folder of its own, unless one is set", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [DATA_DIR, folder] of [
    [undefined, "demo-data"],
    ["", "demo-data"],
    ["mine", "mine"],
  ] as const) {
    vi.stubEnv("DATA_DIR", DATA_DIR);
    vi.stubEnv("BASE_URL", "");
    useDemoData();
    expect(readConfig().dataDir).toBe(resolve(folder));
  }
});

describe("a command in a sentence is typed as it works where the program was started:", () => {
  const inFolder = (file: string) => resolve(file);
  test.each([
    ["in a clone", inFolder("bin/inkstone.js"), {}, "node bin/inkstone.js doctor"],
    ["elsewhere", "/opt/my ink/bin/inkstone.js", {}, "node '/opt/my ink/bin/inkstone.js' doctor"],
    ["by its name", "/usr/local/bin/inkstone", {}, "inkstone doctor"],
    ["by a package", inFolder("node_modules/.bin/inkstone"), {}, "node_modules/.bin/inkstone doctor"],
    ["with a folder", "/bin/inkstone", { DATA_DIR: "it's here" }, "DATA_DIR='it'\\''s here' inkstone doctor"],
    ["with an address", "/bin/inkstone", { DATA_DIR: "x", DATABASE_URL: "postgres://x" }, "inkstone doctor"],
  ])("%s", (_, script, settings, command) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const { argv } = process;
    onTestFinished(() => void (process.argv = argv));
    process.argv = [process.execPath, script];
    for (const [name, value] of Object.entries({ DATA_DIR: "", DATABASE_URL: "", ...settings }))
      vi.stubEnv(name, value);
    expect(asTyped("Run `inkstone doctor`, an inkstone tool.")).toBe(`Run \`${command}\`, an inkstone tool.`);
  });
});

test("all problems are told at once, each with variable and rule", () => {
  const message = problemsOf({ PORT: "many", LOG_LEVEL: "loud", BASE_URL: "http://ink.example/path" });
  expect(message).toContain(
    'PORT must be a whole number from 0 to 65535 (0 takes any free port), not "many".',
  );
  expect(message).toContain("LOG_LEVEL must be one of fatal,");
  expect(message).toContain("BASE_URL must be an http or https address without path");
});

test.each([
  ["PORT", "65536"],
  ["PORT", "1e3"],
  ["HOST", "a b"],
  ["HOST", "localhost:3000"],
  ["BASE_URL", "ftp://ink.example"],
  ["BASE_URL", "https://ink.example/"],
  ["BASE_URL", "https://user@ink.example"],
  ["DATABASE_URL", "mysql://db/ink"],
  ["DATABASE_POOL_SIZE", "1"],
  ["RATE_LIMITS", "OFF"],
  ["HEALTH_CHECK_TOKEN", "short"],
  ["METRICS_TOKEN", "with a space in it"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "proxy.example"],
  ["MAX_CONNECTIONS", "9"],
  ["DATA_DIR", "a\u0001b"],
  ["ALLOW_PRIVATE_NETWORK", "on"],
  ["ALLOW_PRIVATE_NETWORK", "TRUE"],
  ["OUTBOUND_PORTS", "0"],
  ["OUTBOUND_PORTS", "8080, 65536"],
  ["OUTBOUND_PORTS", "8000-9000"],
  ["WORKERS", "0"],
  ["WORKERS", "65"],
  ["WORKERS", "Auto"],
  ["ROLE", "worker"],
  ["DRAIN_SECONDS", "61"],
  ["EDGE_SECONDS", "3601"],
  ["DATABASE_REPLICA_URLS", "postgres://one/ink, two"],
  ["DATABASE_REPLICA_URLS", Array.from({ length: 9 }, (_, index) => `postgres://db${index}/ink`).join()],
  ["S3_ENDPOINT", "https://s3.example.org/bucket"],
  ["S3_BUCKET", "Upper"],
])("%s=%j is refused", (name, value) => {
  expect(problemsOf({ [name]: value })).toContain(`${name} must be`);
});

test("a wrong number of workers is one problem", () => {
  expect(problemsOf({ WORKERS: "0" }).split("\n")).toHaveLength(2);
});

test("secrets are not repeated in messages", () => {
  const message = problemsOf({
    DATABASE_URL: "mysql://root:hunter2@db/ink",
    DATABASE_OWNER_URL: "mysql://root:hunter2@db/ink",
    DATABASE_REPLICA_URLS: "postgres://root:hunter2@one/ink,root:hunter2@two/ink",
    S3_SECRET_ACCESS_KEY: "hunter2 and more",
    HEALTH_CHECK_TOKEN: "hunter2",
    METRICS_TOKEN: "hunter2",
  });
  expect(message).toContain("DATABASE_URL must be");
  expect(message).not.toContain("hunter2");
});

test.each([
  [{ PORT: "0" }, "BASE_URL must be set too"],
  [{ RATE_LIMITS: "off", BASE_URL: "https://ink.example" }, "RATE_LIMITS is off"],
  [{ DATABASE_POOL_SIZE: "30", WORKERS: "64" }, "WORKERS and DATABASE_POOL_SIZE make"],
  [{ DATABASE_REPLICA_URLS: "postgres://db/ink" }, "DATABASE_REPLICA_URLS is set, but DATABASE_URL isn't"],
  [
    { S3_ENDPOINT: "https://s3.example.org", S3_BUCKET: "ink" },
    "S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must",
  ],
])("%j contradict each other", (environment, sentence) => {
  expect(problemsOf(environment as unknown as Record<string, string>)).toContain(sentence);
});
