import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { IS_SOURCE } from "./program-files.ts";

/** Maps are large, and errors come in bursts. */
const FORGET_MS = 10_000;

const maps = new Map<string, SourceMap | undefined>();

/** Names the sources in stack traces of the bundle, when one is read: Node's own maps cost each start. */
export function nameSources(): void {
  if (IS_SOURCE) return;
  Error.prepareStackTrace = (error, sites) =>
    [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${inSources(textOf(site))}`)].join(
      "\n",
    );
}

const textOf = (site: { toString(): string }): string => site.toString();

function inSources(site: string): string {
  return site.replace(/(file:[^()\s]+\.js):(\d+):(\d+)/, (bundled, url: string, line, column) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !("fileName" in origin)) return bundled;
    return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  if (maps.size === 0) setTimeout(() => maps.clear(), FORGET_MS).unref();
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

/** Undefined for other programs' modules. */
function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")));
  } catch {
    return undefined;
  }
}
