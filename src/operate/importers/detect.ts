import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { openZip, type Zip } from "../archives/zip.ts";
import { invalid } from "../../platform/errors.ts";
import { COMMUNITY_FILE } from "./inkstone.ts";
import type { Format, Source } from "./reader.ts";

/** What comes before the first mark of a format, such as the comments at the head of an export of WordPress. */
const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface Detected {
  format: Format;
  sources: Source[];
}

/** Recognizes files by their first bytes and the names in archives. @throws AppError invalid */
export async function detect(paths: readonly string[], named?: Format): Promise<Detected> {
  const sources: Source[] = [];
  let format = named;
  try {
    for (const path of paths) {
      const one = await detectFile(path, named);
      sources.push(...one.sources);
      format ??= one.format;
      if (one.format !== format && named === undefined)
        throw invalid(
          `${paths[0]} is of the format ${format} and ${path} of ${one.format}: import them one by one.`,
        );
    }
  } catch (error) {
    close(sources);
    throw error;
  }
  return { format: format ?? "community", sources };
}

export function close(sources: readonly Source[]): void {
  for (const { zip } of sources) zip?.close();
}

async function detectFile(path: string, named: Format | undefined): Promise<Detected> {
  if (path === "-")
    return { format: "community", sources: [{ name: "standard input", open: async () => process.stdin }] };
  const head = await headOf(path);
  if (head?.toString("latin1", 0, 2) === "PK") return inZip(await openZip(path), named);
  const source = { name: path, open: async () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
  return { format: named ?? formatOf(path, head), sources: [source] };
}

function inZip(zip: Zip, named: Format | undefined): Detected {
  const has = (pattern: RegExp) => [...zip.entries.keys()].some((name) => pattern.test(name));
  const exports = [...zip.entries.values()].filter(({ name }) => name.endsWith(".xml"));
  const format =
    named ??
    (zip.entries.has(COMMUNITY_FILE) ? "inkstone" : undefined) ??
    (has(/^([^/]+\/)?articles\.json$/) ? "forem" : undefined) ??
    (has(/^([^/]+\/)?content\//) ? "ghost" : undefined) ??
    (exports.length > 0 ? "wordpress" : undefined);
  if (format === undefined || format === "community") {
    zip.close();
    throw invalid(
      format === undefined
        ? `${zip.path} has neither ${COMMUNITY_FILE}, articles.json, a folder content nor an XML file.`
        : `${zip.path} is an archive: unpack it, and import the community file in it.`,
    );
  }
  if (format === "wordpress") {
    const sources = exports.map((entry) => ({
      name: `${entry.name} in ${zip.path}`,
      zip,
      open: () => zip.read(entry),
    }));
    return { format, sources };
  }
  const open = () => Promise.reject(new Error(`${zip.path} is an archive.`));
  return { format, sources: [{ name: zip.path, zip, open }] };
}

function formatOf(path: string, head: Buffer | undefined): Format {
  if (head === undefined) return "community";
  if (head.length > 1 && [0xfeff, 0xfffe].includes(head.readUInt16BE(0)))
    throw invalid(`${path} is UTF-16: save it as UTF-8.`);
  const text = head
    .toString()
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (text.startsWith("<")) {
    if (/<rss\b/.test(text) && /wordpress\.org\/export\/|<wp:wxr_version>/.test(text)) return "wordpress";
    throw invalid(`${path} is XML, but no export of WordPress.`);
  }
  return /^\{\s*"(db|meta|data)"\s*:/.test(text) ? "ghost" : "community";
}

/** Undefined for what can be read only once, such as a pipe. */
async function headOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR", syscall: "read", path });
    if (!found.isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
