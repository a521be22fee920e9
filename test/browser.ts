import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { fastFolder } from "./fast-folder.ts";

const VARIABLE = "INKSTONE_TEST_BROWSER";

/** Vitest's global setup: names the folder of the run's one browser, which the first test that needs it starts. */
export default function setup(): () => void {
  const folder = join(fastFolder(), `inkstone-browser-${process.pid}`);
  process.env[VARIABLE] = folder;
  return () => {
    try {
      process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
    } catch {
      // No test has started it.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

let connected: Promise<Browser> | undefined;

/** Chromium as npm installs it, with the libraries and fonts that come with it. */
export function browser(): Promise<Browser> {
  return (connected ??= connect());
}

async function connect(): Promise<Browser> {
  const folder = process.env[VARIABLE] ?? "";
  try {
    mkdirSync(folder);
    await launch(folder);
  } catch (error) {
    // Another worker starts it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return chromium.connectOverCDP(`http://127.0.0.1:${await portOf(folder)}`);
}

async function launch(folder: string): Promise<void> {
  const program = await unpack(folder);
  const profile = join(folder, "profile");
  await mkdir(profile);
  const child = spawn(
    program,
    [
      "--headless=shell",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--font-render-hinting=none",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ],
    { env: { ...process.env, HOME: folder }, stdio: "ignore", detached: true },
  );
  child.unref();
  writeFileSync(join(folder, "pid"), String(child.pid));
}

/** The package unpacks into the folder of temporary files, and its libraries only where it believes to be at home. */
async function unpack(folder: string): Promise<string> {
  const before = process.env["TMPDIR"];
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
  try {
    const { default: package_ } = await import("@sparticuz/chromium");
    return await package_.executablePath();
  } finally {
    delete process.env["AWS_EXECUTION_ENV"];
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

const PATIENCE_MS = 30_000;

async function portOf(folder: string): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    try {
      const [port = ""] = readFileSync(join(folder, "profile", "DevToolsActivePort"), "utf8").split("\n");
      if (port !== "") return port;
    } catch {
      await sleep(50);
    }
  }
  throw new Error("The browser doesn't start.");
}
