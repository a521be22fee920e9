import { existsSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { fastFolder } from "./setup.ts";

const VARIABLE = "INKSTONE_TEST_BROWSER";

/** Vitest's global setup: names the folder into which the workers that need a browser unpack it. */
export default function setup(): () => void {
  const folder = join(fastFolder(), `inkstone-browser-${process.pid}`);
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

let launched: Promise<Browser> | undefined;

/**
 * Chromium as npm installs it, with the libraries and fonts that come with it. Each worker has its own: Playwright sets
 * the preferences of all pages that it sees in a shared one.
 */
export function browser(): Promise<Browser> {
  return (launched ??= launch());
}

/** @param fontConfig names the fonts; those that come with it when left out */
export async function launch(fontConfig?: string): Promise<Browser> {
  const folder = join(process.env[VARIABLE] ?? "", String(process.pid));
  await mkdir(folder, { recursive: true });
  const executablePath = await unpackOnce(join(process.env[VARIABLE] ?? "", "program"));
  const fonts = join(folder, "fonts.conf");
  // The package's own file names /tmp/fonts, and without any font pages crash.
  await writeFile(
    fonts,
    `<fontconfig><dir>${dirname(executablePath)}</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`,
  );
  return chromium.launch({
    executablePath,
    env: { ...process.env, HOME: folder, FONTCONFIG_FILE: fontConfig ?? fonts },
    args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--font-render-hinting=none"],
  });
}

/** The worker that comes first unpacks it, which takes seconds of processor time; the others wait for that. */
async function unpackOnce(folder: string): Promise<string> {
  const done = `${folder}.done`;
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (!isFirst) while (!existsSync(done)) await sleep(50);
  const path = await unpack(folder);
  await writeFile(done, "");
  return path;
}

/**
 * The package unpacks into the folder of temporary files unless it finds itself there, and its libraries only where it
 * believes to be at home.
 */
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
